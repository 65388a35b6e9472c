/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of the event kinds, as reports show them. */
#include "traces/event.h"

static const char *const kind_names[RSB_KINDS] = {
	[RSB_CALL] = "call",
	[RSB_RETURN] = "return",
	[RSB_SWAP] = "swap",
	[RSB_JUMP] = "jump",
	[RSB_JUMP_INDIRECT] = "indirect jump",
	[RSB_BRANCH_TAKEN] = "taken branch",
	[RSB_BRANCH_NOT_TAKEN] = "not-taken branch",
	[RSB_CALL_FAR] = "far call",
	[RSB_RETURN_FAR] = "far return",
	[RSB_SYSCALL] = "syscall",
	[RSB_SYSRET] = "sysret",
	[RSB_INTERRUPT] = "interrupt",
	[RSB_IRET] = "iret",
	[RSB_ENVIRONMENT] = "environment",
	[RSB_SPECULATE] = "speculate",
	[RSB_SQUASH] = "squash",
	[RSB_MARK] = "mark",
};

const char *rsb_kind_name(enum rsb_kind kind)
{
	/* A kind may come from a file; as unsigned, no number is below the table. */
	if ((unsigned)kind >= RSB_KINDS)
		return "unknown";
	return kind_names[kind];
}
