/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB007: indirect branch tracking would not let the code run. */
#include "sim/check/judgement.h"

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	const struct rsb_ibt_verdict *verdict = judgement->ibt;
	struct rsb_check_result *result;

	if (!verdict || !verdict->on || verdict->clean)
		return true;
	result = rsb_judgement_add(judgement, &verdict->branch, NULL, error, "%s", verdict->story);
	return result && rsb_judgement_step(result, &verdict->branch, error, "branches") &&
	       rsb_judgement_step(result, &verdict->landed, error, "is landed on: %s",
				  rsb_pad_name(verdict->pad));
}

const struct rsb_rule rsb_rule_ibt = {
	.id = "RSB007",
	.name = "indirect-branch",
	.level = RSB_LEVEL_ERROR,
	.sentence = "With indirect branch tracking on, an indirect branch lands where it may not.",
	.meaning = "With IBT (CET) an indirect call or jump must land on endbr64, or a control "
		   "protection fault is raised. Returns are not tracked; notrack counts only "
		   "where it is enabled. Judged for layouts that say \"ibt\": true.",
	.example = "A trampoline that jumps to a function behind its endbr64, through a register.",
	.cause = "A target without endbr64, or one whose endbr64 was sealed because nothing was "
		 "known to take its address.",
	.cure = "Put endbr64 at the target, branch there directly, or use the preamble that the "
		"kernel provides for indirect calls (FineIBT).",
	.judge = judge,
};
