/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB006: shadow stacks would not let the code run. */
#include "sim/check/judgement.h"

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	const struct rsb_shadow_verdict *verdict = judgement->shadow;

	if (!verdict || verdict->answer == RSB_SHADOW_CLEAN)
		return true;
	return rsb_judgement_add(judgement, &verdict->instruction,
				 verdict->instruction.symbol ? NULL : "shadow stack", error, "%s",
				 verdict->story) != NULL;
}

const struct rsb_rule rsb_rule_shadow_stack = {
	.id = "RSB006",
	.name = "shadow-stack",
	.level = RSB_LEVEL_ERROR,
	.sentence = "With shadow stacks on, the code faults or leaves entries behind.",
	.meaning = "x86's shadow stack (CET) keeps a second copy of each return address; a "
		   "return to another address raises a control protection fault. Entries that "
		   "are left behind fault later, in a caller. Judged for layouts that say "
		   "\"shadow_stack\": true.",
	.example = "bpf-fexit-skip, if it were run with shadow stacks: `add rsp, 8` drops a "
		   "return address that the shadow stack keeps, and the next ret faults.",
	.cause = "A return address that is dropped, overwritten or made up without the shadow "
		 "stack being told.",
	.cure = "Use incssp to drop entries, and saveprevssp with rstorssp to switch stacks, "
		"where rdssp says that shadow stacks are on; or do without the unpaired return.",
	.judge = judge,
};
