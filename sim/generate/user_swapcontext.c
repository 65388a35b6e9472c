/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swapcontext(), setcontext() and the start of a context that makecontext() made, as glibc 2.36 has
 * them on x86-64 without shadow stacks. What is stored is in that order; where it is differs.
 */
#include "sim/generate/context_switch.h"

#include "sim/generate/x86_encode.h"

enum { RIP = 0x00, RSP = 0x08, KEPT = 0x10, ARGUMENTS = 0x40, FLOATS = 0x80, MXCSR = 0xa0 };

#define SIGPROCMASK 14 /* rt_sigprocmask */

static const enum rsb_x86_register arguments[] = { RSB_RDI, RSB_RSI, RSB_RDX,
						   RSB_RCX, RSB_R8,  RSB_R9 };
#define ARGUMENT_COUNT ((int32_t)(sizeof(arguments) / sizeof(*arguments)))

/* rdi: the context. The return address is where it goes on. */
static void save(struct rsb_code *code)
{
	rsb_user_store_kept(code, RSB_RDI, KEPT);
	for (int32_t i = 0; i < ARGUMENT_COUNT; i++)
		rsb_x86_store(code, RSB_RDI, ARGUMENTS + 8 * i, arguments[i]);
	rsb_x86_load(code, RSB_RCX, RSB_RSP, 0);
	rsb_x86_store(code, RSB_RDI, RIP, RSB_RCX);
	rsb_x86_lea(code, RSB_RCX, RSB_RSP, 8);
	rsb_x86_store(code, RSB_RDI, RSP, RSB_RCX);
	RSB_X86_BYTES(code, 0xd9, 0xb7);
	rsb_x86_imm32(code, FLOATS); /* fnstenv [rdi + FLOATS] */
	RSB_X86_BYTES(code, 0x0f, 0xae, 0x9f);
	rsb_x86_imm32(code, MXCSR); /* stmxcsr [rdi + MXCSR] */
}

/* rdx: the context. */
static void restore(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0xd9, 0xa2);
	rsb_x86_imm32(code, FLOATS); /* fldenv [rdx + FLOATS] */
	RSB_X86_BYTES(code, 0x0f, 0xae, 0x92);
	rsb_x86_imm32(code, MXCSR); /* ldmxcsr [rdx + MXCSR] */
	rsb_x86_load(code, RSB_RSP, RSB_RDX, RSP);
	rsb_user_load_kept(code, RSB_RDX, KEPT);
	rsb_x86_load(code, RSB_RCX, RSB_RDX, RIP);
	rsb_x86_push(code, RSB_RCX);
	for (int32_t i = 0; i < ARGUMENT_COUNT; i++)
		if (arguments[i] != RSB_RDX)
			rsb_x86_load(code, arguments[i], RSB_RDX, ARGUMENTS + 8 * i);
	rsb_x86_load(code, RSB_RDX, RSB_RDX, ARGUMENTS + 8 * 2);
	rsb_x86_zero(code, RSB_RAX);
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code)
{
	rsb_code_function(code, "swapcontext");
	save(code);
	rsb_x86_mov(code, RSB_R12, RSB_RSI);
	rsb_user_syscall(code, SIGPROCMASK);
	rsb_x86_mov(code, RSB_RDX, RSB_R12);
	restore(code);
}

static void make(struct rsb_code *code)
{
	rsb_x86_mov_label(code, RSB_RCX, rsb_code_named(code, "other"));
	rsb_x86_store(code, RSB_RAX, RIP, RSB_RCX);
	rsb_x86_mov_label(code, RSB_RCX, rsb_code_named(code, "other_stack"));
	rsb_x86_add_imm(code, RSB_RCX, RSB_SWITCH_STACK - 16);
	rsb_x86_store(code, RSB_RAX, RSP, RSB_RCX);
	RSB_X86_BYTES(code, 0xd9, 0xb0);
	rsb_x86_imm32(code, FLOATS); /* fnstenv [rax + FLOATS] */
	RSB_X86_BYTES(code, 0x0f, 0xae, 0x98);
	rsb_x86_imm32(code, MXCSR); /* stmxcsr [rax + MXCSR] */
}

static void leave(struct rsb_code *code, const char *from, const char *to)
{
	rsb_switch_names(code, from, to);
	rsb_x86_jmp(code, rsb_code_named(code, "swapcontext"));
}

static void call(struct rsb_code *code, const char *from, const char *to)
{
	rsb_switch_names(code, from, to);
	rsb_x86_call(code, rsb_code_named(code, "swapcontext"));
}

const struct rsb_switch rsb_switch_swapcontext = {
	.stack_pointer = RSP, .make = make, .leave = leave, .call = call, .emit = emit
};

static void emit_setcontext(struct rsb_code *code)
{
	rsb_code_function(code, "setcontext");
	rsb_x86_push(code, RSB_RDI);
	rsb_user_syscall(code, SIGPROCMASK);
	rsb_x86_pop(code, RSB_RDX);
	restore(code);
}

/* The function of the context returns here; rbx has been left at the context to go on with. */
static void emit_start_context(struct rsb_code *code)
{
	rsb_code_function(code, "__start_context");
	rsb_x86_mov(code, RSB_RSP, RSB_RBX);
	rsb_x86_load(code, RSB_RDI, RSB_RSP, 0);
	rsb_x86_call(code, rsb_code_named(code, "setcontext"));
	rsb_x86_int3(code);
}

/* makecontext() puts a return address and the link on the new stack: written out here. */
static void link(struct rsb_code *code)
{
	rsb_x86_mov_label(code, RSB_RDX, rsb_code_named(code, "own_context"));
	rsb_x86_store(code, RSB_RCX, 0, RSB_RDX);
	rsb_x86_store(code, RSB_RAX, KEPT, RSB_RCX); /* rbx, the first that is kept */
	rsb_x86_mov_label(code, RSB_RDX, rsb_code_named(code, "__start_context"));
	rsb_x86_store(code, RSB_RCX, -8, RSB_RDX);
	rsb_x86_lea(code, RSB_RCX, RSB_RCX, -8);
	rsb_x86_store(code, RSB_RAX, RSP, RSB_RCX);
}

void rsb_switch_started_emit(struct rsb_code *code)
{
	rsb_code_function(code, "target");
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "other_context"));
	make(code);
	link(code);
	leave(code, "own_context", "other_context");
	rsb_user_leaf(code, "other");
	emit_start_context(code);
	emit_setcontext(code);
}
