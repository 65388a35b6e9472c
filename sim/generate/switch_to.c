/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How Linux switches tasks: __switch_to_asm() keeps registers on one stack, takes them from the
 * other, and goes on by a jmp to __switch_to(), whose return is the other task's
 * (arch/x86/entry/entry_64.S, 6.12). On processors where the return stack of the task before is not
 * to be used, it is filled between.
 */
#include "sim/generate/context_switch.h"

#include "sim/generate/thunks.h"

#define FILLED 32 /* RSB_CLEAR_LOOPS */

/* struct inactive_task_frame, from the top of a stack on, and above it the return address. */
static const enum rsb_x86_register kept[] = {
	RSB_RBP, RSB_RBX, RSB_R12, RSB_R13, RSB_R14, RSB_R15
};
#define KEPT ((int32_t)(sizeof(kept) / sizeof(*kept)))

enum { RSP = 0 }; /* in a task */

/* As copy_thread() makes a task's stack: zeros, and where it starts. */
static void make(struct rsb_code *code)
{
	rsb_x86_mov_label(code, RSB_RCX, rsb_code_named(code, "other_stack"));
	rsb_x86_add_imm(code, RSB_RCX, RSB_SWITCH_STACK - 8 * (KEPT + 1));
	rsb_x86_mov_label(code, RSB_RDX, rsb_code_named(code, "other"));
	rsb_x86_store(code, RSB_RCX, 8 * KEPT, RSB_RDX);
	rsb_x86_store(code, RSB_RAX, RSP, RSB_RCX);
}

static void leave(struct rsb_code *code, const char *from, const char *to)
{
	rsb_switch_names(code, from, to);
	rsb_x86_jmp(code, rsb_code_named(code, "__switch_to_asm"));
}

static void call(struct rsb_code *code, const char *from, const char *to)
{
	rsb_switch_names(code, from, to);
	rsb_x86_call(code, rsb_code_named(code, "__switch_to_asm"));
}

static void emit_switch(struct rsb_code *code, bool fills)
{
	rsb_code_function(code, "__switch_to_asm");
	for (int32_t i = 0; i < KEPT; i++)
		rsb_x86_push(code, kept[i]);
	rsb_x86_store(code, RSB_RDI, RSP, RSB_RSP);
	rsb_x86_load(code, RSB_RSP, RSB_RSI, RSP);
	if (fills)
		rsb_thunks_fill_emit(code, FILLED);
	for (int32_t i = KEPT; i-- > 0;)
		rsb_x86_pop(code, kept[i]);
	rsb_x86_jmp(code, rsb_code_named(code, "__switch_to"));
	rsb_code_function(code, "__switch_to");
	rsb_x86_mov(code, RSB_RAX, RSB_RDI);
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code)
{
	emit_switch(code, false);
}

static void emit_filling(struct rsb_code *code)
{
	emit_switch(code, true);
}

const struct rsb_switch rsb_switch_to = {
	.stack_pointer = RSP, .make = make, .leave = leave, .call = call, .emit = emit
};

const struct rsb_switch rsb_switch_to_filling = {
	.stack_pointer = RSP, .make = make, .leave = leave, .call = call, .emit = emit_filling
};
