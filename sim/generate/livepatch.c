/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family livepatch: a function that is replaced while the kernel runs, through ftrace, as Linux
 * does it, or through a BPF trampoline entered by jmp, as was proposed and not merged.
 */
#include "sim/generate/families.h"

#include "sim/generate/bpf_trampoline.h"
#include "sim/generate/ftrace.h"
#include "sim/generate/x86.h"

enum { THROUGH, ENDBR };
enum { FTRACE, BPF_JMP };

static const struct rsb_parameter rows[] = {
	[THROUGH] = RSB_PARAMETER_CHOICE("through", "what leads to the new function",
					 "ftrace|bpf-jmp", FTRACE, BPF_JMP),
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "does the traced function begin with endbr64?"),
	{ 0 },
};

/* ftrace_caller returns to where it says: to the new function. */
static void emit_handler(struct rsb_code *code)
{
	rsb_code_function(code, "klp_ftrace_handler");
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "new_function"));
	rsb_x86_store(code, RSB_RCX, RSB_REGS_RIP, RSB_RAX);
	rsb_x86_return(code);
}

static void emit_through_ftrace(struct rsb_code *code)
{
	rsb_ftrace_caller_emit(code, "klp_ftrace_handler");
	emit_handler(code);
}

static void emit_through_bpf(struct rsb_code *code)
{
	const struct rsb_bpf_trampoline trampoline = {
		.calls_origin = true,
		.origin = rsb_code_named(code, "new_function"),
		.leave = RSB_BPF_PLAIN,
	};

	rsb_bpf_trampoline_emit(code, &trampoline);
	rsb_bpf_helpers_emit(code, &trampoline, true);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_traced_start(code, "target", values[ENDBR]);
	if (values[THROUGH] == FTRACE)
		rsb_x86_call_bare(code, rsb_code_named(code, "ftrace_caller"));
	else
		rsb_x86_jmp(code, rsb_code_named(code, "trampoline"));
	rsb_traced_body(code);

	rsb_traced_start(code, "new_function", values[ENDBR]);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_traced_body(code);

	if (values[THROUGH] == FTRACE)
		emit_through_ftrace(code);
	else
		emit_through_bpf(code);
}

const struct rsb_family rsb_family_livepatch = {
	.name = "livepatch",
	.summary = "a function replaced while the kernel runs",
	.parameters = rows,
	.emit = emit,
};
