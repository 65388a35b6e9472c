/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB010: what mitigations cost, as they are meant to. */
#include "sim/check/judgement.h"

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	return rsb_judgement_findings(judgement, RSB_JUDGED_INTENDED, error);
}

const struct rsb_rule rsb_rule_intended = {
	.id = "RSB010",
	.name = "intended",
	.level = RSB_LEVEL_NOTE,
	.sentence = "A mitigation makes this return miss, as it is meant to.",
	.meaning = "A retpoline, a safe RET or a refill of the return stack steers the "
		   "prediction to where nothing harmful runs. Each such return misses by "
		   "construction, and is no fault of the layout.",
	.example = "A kernel with srso=safe-ret: each return goes through a thunk that calls "
		   "over an int3 and returns, with a prediction of that int3.",
	.cause = "A mitigation is on, in the code that was captured or by the layout's "
		 "\"return_thunk\".",
	.cure = "None is needed. To see what the layout itself costs, run it with the mitigation "
		"off.",
	.judge = judge,
};
