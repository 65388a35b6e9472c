/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family rethook: a function whose return is traced by a kretprobe, or by an fprobe before
 * Linux 6.14. Its entry makes it return to arch_rethook_trampoline, which puts the caller's address
 * on the stack and returns there (arch/x86/kernel/rethook.c, 6.12).
 */
#include "sim/generate/families.h"

#include "sim/generate/ftrace.h"
#include "sim/generate/kprobe.h"
#include "sim/generate/x86.h"

#define HOOK     "arch_rethook_trampoline"
#define CALLBACK "arch_rethook_trampoline_callback"

enum { ENTRY, LEAVE, ENDBR };
enum { FTRACE, OPTIMISED };
enum { RET, DUMMY_CALL };

static const struct rsb_parameter rows[] = {
	[ENTRY] = RSB_PARAMETER_CHOICE(
		"entry",
		"what sees the function's start: ftrace_regs_caller at its site, or, if it has "
		"none, an optimised kprobe",
		"ftrace|optimised", FTRACE, OPTIMISED),
	[LEAVE] = RSB_PARAMETER_CHOICE(
		"leave",
		"how the trampoline goes to the caller: by a return alone, as Linux does, or "
		"behind a call for the balance",
		"ret|dummy-call", RET, DUMMY_CALL),
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "does the traced function begin with endbr64?"),
	{ 0 },
};

static void enter_by_ftrace(struct rsb_code *code, bool endbr)
{
	rsb_traced_start(code, "target", endbr);
	rsb_x86_call_bare(code, rsb_code_named(code, "ftrace_regs_caller"));
	rsb_traced_body(code);
	rsb_ftrace_regs_caller_emit(code, "kprobe_ftrace_handler", RSB_FTRACE_REBALANCE);
	rsb_ftrace_hook_emit(code, "kprobe_ftrace_handler", rsb_code_named(code, HOOK));
}

/* The saved stack pointer is one push below the caller's address. */
static void enter_by_kprobe(struct rsb_code *code, bool endbr)
{
	rsb_kprobe_target_emit(code, endbr, false, "optimized_callback");
	rsb_code_function(code, "optimized_callback");
	rsb_x86_load(code, RSB_RAX, RSB_RSI, RSB_REGS_RSP);
	rsb_x86_mov_label(code, RSB_RDX, rsb_code_named(code, HOOK));
	rsb_x86_store(code, RSB_RAX, 8, RSB_RDX);
	rsb_x86_return(code);
}

/* The first push stands where the caller's address was, and is replaced by it. */
static void emit_trampoline(struct rsb_code *code, bool behind_a_call)
{
	rsb_code_function(code, HOOK);
	rsb_x86_push_imm(code, (int32_t)rsb_code_here(code));
	rsb_x86_push_imm(code, RSB_KERNEL_DS);
	rsb_x86_push(code, RSB_RSP);
	rsb_x86_pushfq(code);
	rsb_kprobe_save_emit(code);
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_call(code, rsb_code_named(code, CALLBACK));
	rsb_kprobe_restore_emit(code);
	rsb_x86_add_imm(code, RSB_RSP, RSB_REGS_SS - RSB_REGS_FLAGS);
	rsb_x86_popfq(code);
	if (behind_a_call)
		rsb_ftrace_rebalance_emit(code);
	else
		rsb_x86_return(code);
}

/* The kernel has the address in a list of the task's; here one call is traced. */
static void emit_callback(struct rsb_code *code)
{
	rsb_code_function(code, CALLBACK);
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "rsb_landing"));
	rsb_x86_store(code, RSB_RDI, RSB_REGS_SIZE, RSB_RAX);
	rsb_x86_load(code, RSB_RAX, RSB_RDI, RSB_REGS_FLAGS);
	rsb_x86_store(code, RSB_RDI, RSB_REGS_SS, RSB_RAX);
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	if (values[ENTRY] == FTRACE)
		enter_by_ftrace(code, values[ENDBR]);
	else
		enter_by_kprobe(code, values[ENDBR]);
	emit_trampoline(code, values[LEAVE] == DUMMY_CALL);
	emit_callback(code);
}

const struct rsb_family rsb_family_rethook = {
	.name = "rethook",
	.summary = "a function whose return is traced, by a kretprobe",
	.parameters = rows,
	.emit = emit,
};
