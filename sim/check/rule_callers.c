/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB003: the layout is balanced, and its callers miss all the same. */
#include "sim/check/judgement.h"

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	return rsb_judgement_findings(judgement, RSB_JUDGED_CALLERS, error);
}

const struct rsb_rule rsb_rule_callers = {
	.id = "RSB003",
	.name = "callers-miss",
	.level = RSB_LEVEL_WARNING,
	.sentence = "A balanced layout makes its callers' returns miss.",
	.meaning = "As many calls as returns were made, but the entries of the callers were used "
		   "up, overwritten or cleared on the way, so that their returns miss later. "
		   "Such a cost does not show where only the layout is measured.",
	.example = "A layout that returns once too often and then makes a call that never "
		   "returns: the count is even, the caller's entry is gone.",
	.cause = "An imbalance of one sign followed by one of the other; a change of the return "
		 "stack from outside, such as a barrier or an entry into the kernel.",
	.cure = "Make each return answer the call that pushed its address. Where the return "
		"stack is cleared on purpose, name that code in the layout's \"intended\".",
	.judge = judge,
};
