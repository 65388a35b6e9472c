/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB005: a return finds nothing, or what had been used already. */
#include "sim/check/judgement.h"

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	return rsb_judgement_findings(judgement, RSB_JUDGED_UNDERFLOW, error);
}

const struct rsb_rule rsb_rule_underflow = {
	.id = "RSB005",
	.name = "underflow",
	.level = RSB_LEVEL_WARNING,
	.sentence = "A return finds no entry, or one that was used before.",
	.meaning = "More returns were made than the return stack has entries for. What a "
		   "processor does then is its own: it predicts nothing, uses an old entry "
		   "again, or asks another predictor, which attackers may have trained.",
	.example = "Returning through more frames than the return stack held at the deepest "
		   "point.",
	.cause = "An overflow further down, a stack that was switched or unwound, or more "
		 "returns than calls.",
	.cure = "Keep calls and returns paired. After a switch of stacks the misses are the "
		"price of the switch: name that code in the layout's \"intended\".",
	.judge = judge,
};
