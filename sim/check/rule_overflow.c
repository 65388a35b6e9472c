/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB004: more calls are open than the CPU has entries. */
#include "sim/check/judgement.h"

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	return rsb_judgement_findings(judgement, RSB_JUDGED_OVERFLOW, error);
}

const struct rsb_rule rsb_rule_overflow = {
	.id = "RSB004",
	.name = "overflow",
	.level = RSB_LEVEL_WARNING,
	.sentence = "At the scenario's depth more calls are open than the return stack has "
		    "entries.",
	.meaning = "The callers and the layout together open more calls than fit. The deepest "
		   "calls overwrite the entries of the outermost, which then miss. A layout that "
		   "needs fewer entries leaves more to its callers: score shows that as headroom.",
	.example = "plain-call --depth 40 on a CPU with 16 entries: 41 calls are open, and 25 of "
		   "the callers miss.",
	.cause = "Deep callers, a layout that nests calls, or a CPU with a small return stack.",
	.cure = "Open fewer calls at a time: a call before a ret can be a jmp, a helper can be "
		"inlined. If the depth is not one that you expect, give the scenario yours.",
	.judge = judge,
};
