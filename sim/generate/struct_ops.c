/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family struct-ops: an operation of the kernel that is a BPF program. The traced function
 * calls it through a pointer, as tcp_ack() calls a congestion control's; what the pointer leads to
 * is a trampoline of its own kind (BPF_TRAMP_F_INDIRECT in arch/x86/net/bpf_jit_comp.c).
 */
#include "sim/generate/families.h"

#include "sim/generate/bpf_trampoline.h"
#include "sim/generate/x86.h"

enum { CFI, ENDBR, HELPERS };
enum { NESTED, LEAF };

static const struct rsb_parameter rows[] = {
	[CFI] = RSB_BPF_CFI_ROW,
	[ENDBR] = RSB_PARAMETER_SWITCH(
		"endbr", "do the function, the trampoline and the program begin with endbr64?"),
	[HELPERS] = RSB_PARAMETER_CHOICE(
		"helpers", "do the helpers around the program make calls of their own?",
		"nested|leaf", NESTED, LEAF),
	{ 0 },
};

static bool check(const int64_t *values, struct rsb_error *error)
{
	if (rsb_bpf_cfi_needs_endbr(values[CFI]) && !values[ENDBR])
		return rsb_error_set(error, "cfi fineibt without endbr: its preamble begins with "
					    "endbr64");
	return true;
}

static void emit_target(struct rsb_code *code, const int64_t *values)
{
	rsb_bpf_preamble_emit(code, values[CFI], values[ENDBR], 2, "target");
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov_label(code, RSB_R11, rsb_code_named(code, "trampoline"));
	rsb_bpf_preamble_check_emit(code, values[CFI]);
	rsb_x86_call_register(code, RSB_R11);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	const struct rsb_bpf_trampoline trampoline = {
		.operation = true,
		.cfi = values[CFI],
		.endbr = values[ENDBR],
		.leave = RSB_BPF_PLAIN,
		.programs = { [RSB_BPF_OPERATION] = 1 },
	};
	const struct rsb_bpf_program program = { .cfi = values[CFI], .endbr = values[ENDBR] };

	emit_target(code, values);
	rsb_bpf_trampoline_emit(code, &trampoline);
	rsb_bpf_programs_emit(code, &trampoline, RSB_BPF_OPERATION, &program);
	rsb_bpf_preamble_functions_emit(code, values[CFI]);
	rsb_bpf_helpers_emit(code, &trampoline, values[HELPERS] == NESTED);
}

const struct rsb_family rsb_family_struct_ops = {
	.name = "struct-ops",
	.summary = "an operation that is a BPF program, called through a pointer",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
