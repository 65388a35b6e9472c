/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways out: rows of a cause and the symbol that its culprit is in. Where a form was proposed or is
 * in use, it is named.
 */
#include "sim/explain/story.h"

#include <string.h>

struct row {
	enum rsb_cause cause;
	const char *symbol; /* that the culprit's begins with; NULL: any */
	const char *advice;
};

/* A BPF trampoline: Linux 6.19 enters it by jmp; the second ret was proposed in November 2025. */
#define TRAMPOLINE_SKIPS                                                                       \
	"enter the trampoline by jmp, so that no address needs to be dropped (bpf-fexit-jmp: " \
	"balanced, no miss), or return to a second ret instead of dropping it "                \
	"(bpf-fexit-double-ret: balanced, one miss a call)"
#define TRAMPOLINE_REWRITES                                                      \
	"this is balanced, at one miss a call; entering the trampoline by jmp (" \
	"bpf-fexit-jmp) costs none"

/* The scenario's, and not the layout's, calls fill the return stack. */
#define TOO_MANY_CALLERS                                                                        \
	"none in the layout: its callers alone fill this return stack; --depth, or the layout " \
	"file's scenario, says how many are to be expected"

/* The more telling row comes first. */
static const struct row rows[] = {
	{ RSB_CAUSE_SKIPPED_FRAME, "bpf_trampoline_", TRAMPOLINE_SKIPS },
	{ RSB_CAUSE_SKIPPED_FRAME, "trampoline", TRAMPOLINE_SKIPS },
	{ RSB_CAUSE_REWRITTEN_RETURN, "bpf_trampoline_", TRAMPOLINE_REWRITES },
	{ RSB_CAUSE_REWRITTEN_RETURN, "trampoline", TRAMPOLINE_REWRITES },
	{ RSB_CAUSE_REWRITTEN_RETURN, "ftrace_",
	  "this is balanced, at one miss a call; a trampoline that is entered by jmp and calls the "
	  "new function (livepatch-bpf-jmp) costs none" },
	{ RSB_CAUSE_SKIPPED_FRAME, NULL,
	  "return to the address that is dropped (to a ret there, for instance), or enter by jmp so "
	  "that it is not pushed; to read the instruction pointer, call the next instruction, or "
	  "use lea" },
	{ RSB_CAUSE_REWRITTEN_RETURN, NULL,
	  "each such return costs one miss; to go elsewhere without one, jump there and leave the "
	  "return address to a ret" },
	{ RSB_CAUSE_PUSHED_RETURN, NULL,
	  "pop the address into a register and jump to it, or make a call first whose return "
	  "address is then overwritten: as many calls as returns (return_to_handler in Linux does "
	  "that)" },
	{ RSB_CAUSE_OVERFLOW, "caller_", TOO_MANY_CALLERS },
	{ RSB_CAUSE_OVERFLOW, "rsb_traced_call", TOO_MANY_CALLERS },
	{ RSB_CAUSE_OVERFLOW, NULL,
	  "open fewer calls at a time: turn a call before a return into a jmp, or inline" },
	{ RSB_CAUSE_INTENDED, NULL, "" },
};

static bool matches(const struct row *row, const struct rsb_finding *finding)
{
	if (row->cause != finding->cause)
		return false;
	return !row->symbol ||
	       (finding->culprit.symbol &&
		!strncmp(finding->culprit.symbol, row->symbol, strlen(row->symbol)));
}

const char *rsb_advice_find(const struct rsb_finding *finding)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (matches(&rows[i], finding))
			return rows[i].advice;
	return "";
}
