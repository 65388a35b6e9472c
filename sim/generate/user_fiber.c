/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Switches of fibers: as graphitemaster/fibers has it, by push and ret, with the jmp that its
 * issue 9 proposes, and with that written into the code that switches; and boost's jump_fcontext()
 * 1.74.
 */
#include "sim/generate/context_switch.h"

#include "sim/generate/x86_encode.h"

/* A fiber's context; jump_fcontext() has its own on the stack, so a context is its address. */
enum { RIP = 0, RSP = 8, KEPT = 0x10 };
enum { FC_STATE = 0x00, FC_KEPT = 0x08, FC_RIP = 0x38, FC_SIZE = 0x40 };

const struct rsb_switch *const rsb_switches[RSB_SWITCH_WAYS] = {
	[RSB_SWITCH_SWAPCONTEXT] = &rsb_switch_swapcontext,
	[RSB_SWITCH_FCONTEXT] = &rsb_switch_fcontext,
	[RSB_SWITCH_PUSH_RET] = &rsb_switch_push_ret,
	[RSB_SWITCH_JMP] = &rsb_switch_jmp,
	[RSB_SWITCH_INLINE] = &rsb_switch_inline,
	[RSB_SWITCH_TO] = &rsb_switch_to,
	[RSB_SWITCH_TO_FILLING] = &rsb_switch_to_filling,
};

static void make(struct rsb_code *code)
{
	rsb_x86_mov_label(code, RSB_RCX, rsb_code_named(code, "other"));
	rsb_x86_store(code, RSB_RAX, RIP, RSB_RCX);
	rsb_x86_mov_label(code, RSB_RCX, rsb_code_named(code, "other_stack"));
	rsb_x86_add_imm(code, RSB_RCX, RSB_SWITCH_STACK);
	rsb_x86_store(code, RSB_RAX, RSP, RSB_RCX);
}

static void leave(struct rsb_code *code, const char *from, const char *to)
{
	rsb_switch_names(code, from, to);
	rsb_x86_jmp(code, rsb_code_named(code, "swap_context"));
}

static void call(struct rsb_code *code, const char *from, const char *to)
{
	rsb_switch_names(code, from, to);
	rsb_x86_call(code, rsb_code_named(code, "swap_context"));
}

static void emit_swap(struct rsb_code *code)
{
	rsb_code_function(code, "swap_context");
	rsb_x86_load(code, RSB_R8, RSB_RSP, 0);
	rsb_x86_store(code, RSB_RDI, RIP, RSB_R8);
	rsb_x86_lea(code, RSB_R8, RSB_RSP, 8);
	rsb_x86_store(code, RSB_RDI, RSP, RSB_R8);
	rsb_user_store_kept(code, RSB_RDI, KEPT);
	rsb_x86_load(code, RSB_R8, RSB_RSI, RIP);
	rsb_x86_load(code, RSB_RSP, RSB_RSI, RSP);
	rsb_user_load_kept(code, RSB_RSI, KEPT);
}

static void emit_push_ret(struct rsb_code *code)
{
	emit_swap(code);
	rsb_x86_push(code, RSB_R8);
	rsb_x86_zero(code, RSB_RAX);
	rsb_x86_return(code);
}

static void emit_jmp(struct rsb_code *code)
{
	emit_swap(code);
	rsb_x86_zero(code, RSB_RAX);
	rsb_x86_jmp_register(code, RSB_R8);
}

/* No call, so nothing is pushed that no return would take. */
static void switch_inline(struct rsb_code *code, const char *from, const char *to)
{
	rsb_label back = rsb_code_label(code);

	rsb_switch_names(code, from, to);
	rsb_x86_mov_label(code, RSB_R8, back);
	rsb_x86_store(code, RSB_RDI, RIP, RSB_R8);
	rsb_x86_store(code, RSB_RDI, RSP, RSB_RSP);
	rsb_user_store_kept(code, RSB_RDI, KEPT);
	rsb_x86_load(code, RSB_R8, RSB_RSI, RIP);
	rsb_x86_load(code, RSB_RSP, RSB_RSI, RSP);
	rsb_user_load_kept(code, RSB_RSI, KEPT);
	rsb_x86_jmp_register(code, RSB_R8);
	rsb_code_place(code, back);
}

static void leave_inline(struct rsb_code *code, const char *from, const char *to)
{
	switch_inline(code, from, to);
	rsb_x86_return(code);
}

static void make_fcontext(struct rsb_code *code)
{
	rsb_x86_mov_label(code, RSB_RCX, rsb_code_named(code, "other_stack"));
	rsb_x86_add_imm(code, RSB_RCX, RSB_SWITCH_STACK - FC_SIZE);
	rsb_x86_store(code, RSB_RAX, 0, RSB_RCX);
	RSB_X86_BYTES(code, 0x0f, 0xae, 0x19); /* stmxcsr [rcx] */
	RSB_X86_BYTES(code, 0xd9, 0x79, 0x04); /* fnstcw [rcx + 4] */
	rsb_x86_mov_label(code, RSB_RDX, rsb_code_named(code, "other"));
	rsb_x86_store(code, RSB_RCX, FC_RIP, RSB_RDX);
}

/* The other context is always left at the same place of its stack, so its address stays. */
static void leave_fcontext(struct rsb_code *code, const char *from, const char *to)
{
	(void)from;
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, to));
	rsb_x86_load(code, RSB_RDI, RSB_RDI, 0);
	rsb_x86_jmp(code, rsb_code_named(code, "jump_fcontext"));
}

/*
 * Back to whoever switched here: jump_fcontext() hands that over, in rax and, at a start, in rdi.
 */
static void call_fcontext(struct rsb_code *code, const char *from, const char *to)
{
	(void)from;
	(void)to;
	rsb_x86_mov(code, RSB_RDI, RSB_RAX);
	rsb_x86_call(code, rsb_code_named(code, "jump_fcontext"));
}

static void emit_fcontext(struct rsb_code *code)
{
	rsb_code_function(code, "jump_fcontext");
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, FC_STATE - FC_RIP);
	RSB_X86_BYTES(code, 0x0f, 0xae, 0x1c, 0x24); /* stmxcsr [rsp] */
	RSB_X86_BYTES(code, 0xd9, 0x7c, 0x24, 0x04); /* fnstcw [rsp + 4] */
	rsb_user_store_kept(code, RSB_RSP, FC_KEPT);
	rsb_x86_mov(code, RSB_RAX, RSB_RSP);
	rsb_x86_mov(code, RSB_RSP, RSB_RDI);
	rsb_x86_load(code, RSB_R8, RSB_RSP, FC_RIP);
	RSB_X86_BYTES(code, 0x0f, 0xae, 0x14, 0x24); /* ldmxcsr [rsp] */
	RSB_X86_BYTES(code, 0xd9, 0x6c, 0x24, 0x04); /* fldcw [rsp + 4] */
	rsb_user_load_kept(code, RSB_RSP, FC_KEPT);
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, FC_SIZE);
	rsb_x86_mov(code, RSB_RDX, RSB_RSI);
	rsb_x86_mov(code, RSB_RDI, RSB_RAX);
	rsb_x86_jmp_register(code, RSB_R8);
}

const struct rsb_switch rsb_switch_push_ret = {
	.stack_pointer = RSP, .make = make, .leave = leave, .call = call, .emit = emit_push_ret
};
const struct rsb_switch rsb_switch_jmp = {
	.stack_pointer = RSP, .make = make, .leave = leave, .call = call, .emit = emit_jmp
};
const struct rsb_switch rsb_switch_inline = {
	.stack_pointer = RSP, .make = make, .leave = leave_inline, .call = switch_inline
};
const struct rsb_switch rsb_switch_fcontext = {
	.make = make_fcontext, .leave = leave_fcontext, .call = call_fcontext, .emit = emit_fcontext
};
