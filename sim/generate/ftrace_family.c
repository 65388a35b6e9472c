/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The family ftrace: a function whose site calls ftrace's entry, whose handler only looks. */
#include "sim/generate/families.h"

#include "sim/generate/ftrace.h"
#include "sim/generate/x86.h"

#define HANDLER "function_trace_call"

enum { SAVES, ENDBR };
enum { ARGUMENTS, ALL };

static const struct rsb_parameter rows[] = {
	[SAVES] = RSB_PARAMETER_CHOICE(
		"saves",
		"the registers that are saved: ftrace_caller saves those of arguments, "
		"ftrace_regs_caller all",
		"arguments|all", ARGUMENTS, ALL),
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "does the traced function begin with endbr64?"),
	{ 0 },
};

static void emit(struct rsb_code *code, const int64_t *values)
{
	bool all = values[SAVES] == ALL;

	rsb_traced_start(code, "target", values[ENDBR]);
	rsb_x86_call_bare(code, rsb_code_named(code, all ? "ftrace_regs_caller" : "ftrace_caller"));
	rsb_traced_body(code);
	if (all)
		rsb_ftrace_regs_caller_emit(code, HANDLER, RSB_FTRACE_REBALANCE);
	else
		rsb_ftrace_caller_emit(code, HANDLER);
	rsb_code_function(code, HANDLER);
	rsb_x86_return(code);
}

const struct rsb_family rsb_family_ftrace = {
	.name = "ftrace",
	.summary = "a function whose calls are looked at",
	.parameters = rows,
	.emit = emit,
};
