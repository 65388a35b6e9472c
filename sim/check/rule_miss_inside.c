/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB001: a return inside the layout misses, and nothing else goes wrong. */
#include "sim/check/judgement.h"

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	return rsb_judgement_findings(judgement, RSB_JUDGED_INSIDE, error);
}

const struct rsb_rule rsb_rule_miss_inside = {
	.id = "RSB001",
	.name = "miss-inside",
	.level = RSB_LEVEL_WARNING,
	.sentence = "A return between the caller's call and the landing is mispredicted.",
	.meaning = "As many calls as returns were made, so the callers are predicted right; but "
		   "a return in the layout goes elsewhere than the entry on the return stack "
		   "says, and the processor has fetched from the wrong place until it finds out.",
	.example = "bpf-fexit-double-ret: the trampoline overwrites its own return address with "
		   "that of a second ret in the traced function. The call that pushed it is "
		   "answered by a return, but not by one to the address it pushed: one miss a "
		   "call.",
	.cause = "A return address that is overwritten in memory, or a push and a ret used as a "
		 "jump that a call elsewhere makes up for.",
	.cure = "Jump where a jump is meant, and let each ret go to where its call came from. A "
		"trampoline that is entered by jmp has no return address to change.",
	.judge = judge,
};
