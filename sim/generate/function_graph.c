/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family function-graph: a function whose return is traced too. ftrace_graph_func() makes it
 * return to return_to_handler, which asks for the caller's address and goes there.
 */
#include "sim/generate/families.h"

#include "sim/generate/ftrace.h"
#include "sim/generate/x86.h"

enum { LEAVE, ENDBR };
enum { DUMMY_CALL, RET, JMP };

static const struct rsb_parameter rows[] = {
	[LEAVE] = RSB_PARAMETER_CHOICE(
		"leave",
		"how return_to_handler goes to the caller: by a return behind a call of its "
		"own, for the balance (Linux 5.18), by a return alone, or by an indirect jump "
		"(before 5.18)",
		"dummy-call|ret|jmp", DUMMY_CALL, JMP),
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "does the traced function begin with endbr64?"),
	{ 0 },
};

/* Behind the jump of a return the stack pointer is past the return address; it is put back. */
static void ask(struct rsb_code *code)
{
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_sub_imm(code, RSB_RSP, 8);
	rsb_x86_sub_imm(code, RSB_RSP, RSB_REGS_SIZE);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_RAX, RSB_RAX);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_RDX, RSB_RDX);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_RBP, RSB_RBP);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_RSP, RSB_RDI);
	rsb_x86_mov(code, RSB_RDI, RSB_RSP);
	rsb_x86_call(code, rsb_code_named(code, "ftrace_return_to_handler"));
	rsb_x86_mov(code, RSB_RDI, RSB_RAX);
	rsb_x86_load(code, RSB_RDX, RSB_RSP, RSB_REGS_RDX);
	rsb_x86_load(code, RSB_RAX, RSB_RSP, RSB_REGS_RAX);
	rsb_x86_add_imm(code, RSB_RSP, RSB_REGS_SIZE + 8);
}

static void leave_behind_a_call(struct rsb_code *code)
{
	rsb_x86_call_over_int3(code);
	rsb_x86_store(code, RSB_RSP, 0, RSB_RDI);
	rsb_x86_return_unaccounted(code);
}

static void leave_by_ret(struct rsb_code *code)
{
	rsb_x86_push(code, RSB_RDI);
	rsb_x86_return(code);
}

static void leave_by_jmp(struct rsb_code *code)
{
	rsb_x86_jmp_register(code, RSB_RDI);
}

static void (*const leaves[])(struct rsb_code *) = {
	[DUMMY_CALL] = leave_behind_a_call,
	[RET] = leave_by_ret,
	[JMP] = leave_by_jmp,
};

/* The kernel has the address on the task's stack of traced calls; here one call is traced. */
static void emit_return_handler(struct rsb_code *code)
{
	rsb_code_function(code, "ftrace_return_to_handler");
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "rsb_landing"));
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_label hook = rsb_code_named(code, "return_to_handler");

	rsb_traced_start(code, "target", values[ENDBR]);
	rsb_x86_call_bare(code, rsb_code_named(code, "ftrace_caller"));
	rsb_traced_body(code);
	rsb_ftrace_caller_emit(code, "ftrace_graph_func");
	rsb_ftrace_hook_emit(code, "ftrace_graph_func", hook);
	rsb_code_function(code, "return_to_handler");
	ask(code);
	leaves[values[LEAVE]](code);
	emit_return_handler(code);
}

const struct rsb_family rsb_family_function_graph = {
	.name = "function-graph",
	.summary = "a function whose return is traced, by ftrace's return_to_handler",
	.parameters = rows,
	.emit = emit,
};
