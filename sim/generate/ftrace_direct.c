/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family ftrace-direct: a BPF trampoline that shares its function with another user of ftrace.
 * The site calls ftrace_regs_caller, which goes on to the trampoline; the other user may be a
 * livepatch, which decides where the trampoline finds the body.
 */
#include "sim/generate/families.h"

#include "sim/generate/bpf_trampoline.h"
#include "sim/generate/ftrace.h"
#include "sim/generate/x86.h"

#define HANDLER "arch_ftrace_ops_list_func"

enum { DIRECT, PROGRAM, LIVEPATCH, ENDBR };
enum { FENTRY, FEXIT };

static const struct rsb_parameter rows[] = {
	[DIRECT] = RSB_PARAMETER_CHOICE(
		"direct",
		"how ftrace_regs_caller goes on to the trampoline: by a return to a pushed "
		"address (Linux 6.1), behind a call for the balance (6.2), or to one that is "
		"made to be entered by jmp (6.19)",
		"push|rebalance|jmp", RSB_FTRACE_REBALANCE, RSB_FTRACE_JMP),
	[PROGRAM] = RSB_PARAMETER_CHOICE("program", "when the trampoline's program runs",
					 "fentry|fexit", FENTRY, FEXIT),
	[LIVEPATCH] = RSB_PARAMETER_SWITCH("livepatch", "is the function livepatched too?"),
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr",
				       "do the functions and the program begin with endbr64?"),
	{ 0 },
};

static bool check(const int64_t *values, struct rsb_error *error)
{
	if (values[DIRECT] != RSB_FTRACE_JMP)
		return true;
	if (values[PROGRAM] == FENTRY)
		return rsb_error_set(error,
				     "direct jmp with program fentry: nothing would lead into the "
				     "body; Linux jumps only to trampolines that call it (fexit)");
	if (values[LIVEPATCH])
		return rsb_error_set(
			error, "direct jmp with livepatch: the trampoline reads the new function "
			       "from its return address, which a jmp does not leave; Linux takes "
			       "the other way then (direct rebalance)");
	return true;
}

static void emit_handler(struct rsb_code *code, const int64_t *values)
{
	rsb_code_function(code, HANDLER);
	if (values[LIVEPATCH]) {
		rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "new_function"));
		rsb_x86_store(code, RSB_RCX, RSB_REGS_RIP, RSB_RAX);
	}
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "trampoline"));
	if (values[DIRECT] == RSB_FTRACE_JMP)
		rsb_x86_add_imm(code, RSB_RAX, 1); /* the mark of such a trampoline */
	rsb_x86_store(code, RSB_RCX, RSB_REGS_ORIG_RAX, RSB_RAX);
	rsb_x86_return(code);
}

static void emit_trampoline(struct rsb_code *code, const int64_t *values, rsb_label body)
{
	bool fexit = values[PROGRAM] == FEXIT, jmp = values[DIRECT] == RSB_FTRACE_JMP;
	const struct rsb_bpf_program program = { .endbr = values[ENDBR] };
	const struct rsb_bpf_trampoline trampoline = {
		.calls_origin = fexit,
		.origin = body,
		.origin_on_stack = fexit && values[LIVEPATCH],
		.leave = fexit && !jmp ? RSB_BPF_SKIP_FRAME : RSB_BPF_PLAIN,
		.programs = { [RSB_BPF_FENTRY] = !fexit, [RSB_BPF_FEXIT] = fexit },
	};

	rsb_bpf_trampoline_emit(code, &trampoline);
	rsb_bpf_programs_emit(code, &trampoline, fexit ? RSB_BPF_FEXIT : RSB_BPF_FENTRY, &program);
	rsb_bpf_helpers_emit(code, &trampoline, true);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_label body = rsb_code_label(code);

	rsb_traced_start(code, "target", values[ENDBR]);
	rsb_x86_call_bare(code, rsb_code_named(code, "ftrace_regs_caller"));
	rsb_code_place(code, body);
	rsb_traced_body(code);
	if (values[LIVEPATCH]) {
		rsb_traced_start(code, "new_function", values[ENDBR]);
		rsb_x86_nop(code, RSB_TRACED_SITE);
		rsb_traced_body(code);
	}
	rsb_ftrace_regs_caller_emit(code, HANDLER, values[DIRECT]);
	emit_handler(code, values);
	emit_trampoline(code, values, body);
}

const struct rsb_family rsb_family_ftrace_direct = {
	.name = "ftrace-direct",
	.summary = "a BPF trampoline reached through ftrace_regs_caller",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
