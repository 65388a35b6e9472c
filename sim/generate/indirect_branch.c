/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family indirect-branch: a function that calls or jumps to another through a register, once,
 * by the code's own form or by the retpolines of Linux 4.15 (arch/x86/include/asm/nospec-branch.h).
 */
#include "sim/generate/families.h"

#include "sim/generate/thunks.h"
#include "sim/generate/x86.h"

#define OLD_THUNK "old_indirect_thunk_rax" /* another than the one that the form may have */

enum { BRANCH, THROUGH, ENDBR };
enum { CALL, JMP };
enum { FORM, OLD, INLINE };

static const struct rsb_parameter rows[] = {
	[BRANCH] = RSB_PARAMETER_CHOICE("branch", "what the function does", "call|jmp", CALL, JMP),
	[THROUGH] = RSB_PARAMETER_CHOICE(
		"through",
		"what it takes: the form of the code (indirect), a retpoline of Linux 4.15, "
		"or that in place",
		"form|old-retpoline|old-inline", FORM, INLINE),
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "do the functions begin with endbr64?"),
	{ 0 },
};

/* 4.15 has no return thunks. */
static void emit_old_retpoline(struct rsb_code *code)
{
	rsb_code_mitigation(code, RSB_MITIGATION_JUMP);
	rsb_thunks_call_over_trap(code);
	rsb_x86_store(code, RSB_RSP, 0, RSB_RAX);
	rsb_x86_ret_alone(code);
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
}

/* RETPOLINE_CALL: the call pushes where the callee returns to, so that it stands last. */
static void call_inline(struct rsb_code *code)
{
	rsb_label call = rsb_code_label(code), jump = rsb_code_label(code);

	rsb_x86_jmp_short(code, call);
	rsb_code_place(code, jump);
	emit_old_retpoline(code);
	rsb_code_place(code, call);
	rsb_x86_call(code, jump);
}

static void emit_call(struct rsb_code *code, int64_t through)
{
	if (through == FORM)
		rsb_x86_call_register(code, RSB_RAX);
	else if (through == OLD)
		rsb_x86_call(code, rsb_code_named(code, OLD_THUNK));
	else
		call_inline(code);
}

static void emit_jmp(struct rsb_code *code, int64_t through)
{
	if (through == FORM)
		rsb_x86_jmp_register(code, RSB_RAX);
	else if (through == OLD)
		rsb_x86_jmp(code, rsb_code_named(code, OLD_THUNK));
	else
		emit_old_retpoline(code);
}

static void emit_target(struct rsb_code *code, const int64_t *values)
{
	rsb_traced_start(code, "target", values[ENDBR]);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "callee"));
	if (values[BRANCH] == JMP) {
		emit_jmp(code, values[THROUGH]);
		return;
	}
	rsb_x86_push(code, RSB_RBP);
	emit_call(code, values[THROUGH]);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	emit_target(code, values);
	rsb_traced_start(code, "callee", values[ENDBR]);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_traced_body(code);
	if (values[THROUGH] == OLD) {
		rsb_code_function(code, OLD_THUNK);
		emit_old_retpoline(code);
	}
}

const struct rsb_family rsb_family_indirect_branch = {
	.name = "indirect-branch",
	.summary = "a function that calls or jumps through a register",
	.parameters = rows,
	.emit = emit,
};
