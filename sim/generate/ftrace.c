/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ftrace's entries. */
#include "sim/generate/ftrace.h"

#include "sim/generate/families.h"
#include "sim/generate/x86.h"

#define REGISTERS(array) (sizeof(array) / sizeof(*(array)))

struct saved {
	enum rsb_x86_register number;
	int32_t offset;
};

/* In the order in which both save them. */
static const struct saved arguments[] = {
	{ RSB_RAX, RSB_REGS_RAX }, { RSB_RCX, RSB_REGS_RCX }, { RSB_RDX, RSB_REGS_RDX },
	{ RSB_RSI, RSB_REGS_RSI }, { RSB_RDI, RSB_REGS_RDI }, { RSB_R8, RSB_REGS_R8 },
	{ RSB_R9, RSB_REGS_R9 },
};

/* In the order in which ftrace_regs_caller saves the rest; all but r11 are restored. */
static const struct saved rest[] = {
	{ RSB_R15, RSB_REGS_R15 }, { RSB_R14, RSB_REGS_R14 }, { RSB_R13, RSB_REGS_R13 },
	{ RSB_R12, RSB_REGS_R12 }, { RSB_R11, RSB_REGS_R11 }, { RSB_R10, RSB_REGS_R10 },
	{ RSB_RBX, RSB_REGS_RBX },
};

/*
 * Saves the registers of arguments, below what is on the stack above the site's return address, and
 * loads the handler's first two: the site and its function's caller.
 */
static void save_arguments(struct rsb_code *code, int32_t above)
{
	rsb_x86_sub_imm(code, RSB_RSP, RSB_REGS_SIZE);
	for (size_t i = 0; i < REGISTERS(arguments); i++)
		rsb_x86_store(code, RSB_RSP, arguments[i].offset, arguments[i].number);
	rsb_x86_store_imm(code, RSB_RSP, RSB_REGS_ORIG_RAX, 0);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_RBP, RSB_RBP);
	rsb_x86_load(code, RSB_RSI, RSB_RSP, RSB_REGS_SIZE + 8 + above);
	rsb_x86_load(code, RSB_RDI, RSB_RSP, RSB_REGS_SIZE + above);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_RIP, RSB_RDI);
	rsb_x86_sub_imm(code, RSB_RDI, RSB_TRACED_SITE);
	rsb_x86_account(code); /* for the call at the site */
}

static void restore_arguments(struct rsb_code *code, int32_t keep)
{
	rsb_x86_load(code, RSB_RBP, RSB_RSP, RSB_REGS_RBP);
	for (size_t i = REGISTERS(arguments); i-- > 0;)
		rsb_x86_load(code, arguments[i].number, RSB_RSP, arguments[i].offset);
	rsb_x86_add_imm(code, RSB_RSP, RSB_REGS_SIZE - keep);
}

/* The third argument, the ftrace_ops, is none here. */
void rsb_ftrace_caller_emit(struct rsb_code *code, const char *handler)
{
	rsb_code_function(code, "ftrace_caller");
	save_arguments(code, 0);
	rsb_x86_lea(code, RSB_RCX, RSB_RSP, RSB_REGS_SIZE + 8);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_RSP, RSB_RCX);
	rsb_x86_zero(code, RSB_RDX);
	rsb_x86_lea(code, RSB_RCX, RSB_RSP, 0);
	rsb_x86_store_imm(code, RSB_RSP, RSB_REGS_CS, 0);
	rsb_x86_call(code, rsb_code_named(code, handler));
	rsb_x86_load(code, RSB_RAX, RSB_RSP, RSB_REGS_RIP);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_SIZE, RSB_RAX);
	restore_arguments(code, 0);
	rsb_x86_return(code);
}

static void copy(struct rsb_code *code, enum rsb_x86_register through, int32_t to, int32_t from)
{
	rsb_x86_load(code, through, RSB_RSP, from);
	rsb_x86_store(code, RSB_RSP, to, through);
}

static void save_rest(struct rsb_code *code)
{
	for (size_t i = 0; i < REGISTERS(rest); i++)
		rsb_x86_store(code, RSB_RSP, rest[i].offset, rest[i].number);
	copy(code, RSB_RCX, RSB_REGS_FLAGS, RSB_REGS_SIZE);
	rsb_x86_mov_imm(code, RSB_RCX, RSB_KERNEL_DS);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_SS, RSB_RCX);
	rsb_x86_mov_imm(code, RSB_RCX, RSB_KERNEL_CS);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_CS, RSB_RCX);
	rsb_x86_lea(code, RSB_RCX, RSB_RSP, RSB_REGS_SIZE + 16);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_RSP, RSB_RCX);
}

static void restore_rest(struct rsb_code *code)
{
	copy(code, RSB_RAX, RSB_REGS_SIZE, RSB_REGS_FLAGS);
	copy(code, RSB_RAX, RSB_REGS_SIZE + 8, RSB_REGS_RIP);
	for (size_t i = 0; i < REGISTERS(rest); i++)
		if (rest[i].number != RSB_R11)
			rsb_x86_load(code, rest[i].number, RSB_RSP, rest[i].offset);
	copy(code, RSB_RAX, RSB_REGS_SIZE - 8, RSB_REGS_ORIG_RAX);
}

static void leave(struct rsb_code *code)
{
	restore_arguments(code, 0);
	rsb_x86_popfq(code);
	rsb_x86_return(code);
}

void rsb_ftrace_rebalance_emit(struct rsb_code *code)
{
	rsb_x86_call_over_int3(code);
	rsb_x86_add_imm(code, RSB_RSP, 8);
	rsb_x86_return_unaccounted(code);
}

/* To the address in rax, with the site's return address left for it: it takes the flags' place. */
static void leave_pushing(struct rsb_code *code, enum rsb_ftrace_direct direct)
{
	copy(code, RSB_RDI, RSB_REGS_SIZE - 8, RSB_REGS_SIZE);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_SIZE, RSB_RAX);
	restore_arguments(code, 8);
	rsb_x86_popfq(code);
	if (direct == RSB_FTRACE_PUSH)
		rsb_x86_return(code);
	else
		rsb_ftrace_rebalance_emit(code);
}

static void leave_jumping(struct rsb_code *code, rsb_label otherwise)
{
	rsb_x86_test_al_imm(code, 1);
	rsb_x86_jcc_short(code, RSB_EQUAL, otherwise);
	rsb_x86_and_imm(code, RSB_RAX, ~1);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_SIZE + 8, RSB_RAX);
	leave(code);
}

static void emit_direct(struct rsb_code *code, enum rsb_ftrace_direct direct)
{
	rsb_label push = rsb_code_label(code);

	if (direct == RSB_FTRACE_JMP)
		leave_jumping(code, push);
	rsb_code_place(code, push);
	leave_pushing(code, direct);
}

void rsb_ftrace_regs_caller_emit(struct rsb_code *code, const char *handler,
				 enum rsb_ftrace_direct direct)
{
	rsb_label to_direct = rsb_code_label(code);

	rsb_code_function(code, "ftrace_regs_caller");
	rsb_x86_pushfq(code);
	save_arguments(code, 8);
	rsb_x86_zero(code, RSB_RDX);
	save_rest(code);
	rsb_x86_lea(code, RSB_RCX, RSB_RSP, 0);
	rsb_x86_call(code, rsb_code_named(code, handler));
	restore_rest(code);
	rsb_x86_test(code, RSB_RAX, RSB_RAX);
	rsb_x86_jcc(code, RSB_NOT_EQUAL, to_direct);
	leave(code);
	rsb_code_place(code, to_direct);
	emit_direct(code, direct);
}

void rsb_ftrace_hook_emit(struct rsb_code *code, const char *handler, rsb_label hook)
{
	rsb_code_function(code, handler);
	rsb_x86_load(code, RSB_RAX, RSB_RCX, RSB_REGS_RSP);
	rsb_x86_mov_label(code, RSB_RDX, hook);
	rsb_x86_store(code, RSB_RAX, 0, RSB_RDX);
	rsb_x86_return(code);
}
