/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a traced function's site calls: ftrace_caller and ftrace_regs_caller, as
 * arch/x86/kernel/ftrace_64.S of Linux has them, without frame pointers. They save registers, call
 * a handler, which may change the saved ones, and return to where those say.
 */
#ifndef RSB_SIM_GENERATE_FTRACE_H
#define RSB_SIM_GENERATE_FTRACE_H

#include "sim/generate/code.h"

/* Where the saved registers are (struct pt_regs). A handler finds them at rcx. */
enum rsb_ftrace_register {
	RSB_REGS_R15 = 0x00,
	RSB_REGS_R14 = 0x08,
	RSB_REGS_R13 = 0x10,
	RSB_REGS_R12 = 0x18,
	RSB_REGS_RBP = 0x20,
	RSB_REGS_RBX = 0x28,
	RSB_REGS_R11 = 0x30,
	RSB_REGS_R10 = 0x38,
	RSB_REGS_R9 = 0x40,
	RSB_REGS_R8 = 0x48,
	RSB_REGS_RAX = 0x50,
	RSB_REGS_RCX = 0x58,
	RSB_REGS_RDX = 0x60,
	RSB_REGS_RSI = 0x68,
	RSB_REGS_RDI = 0x70,
	RSB_REGS_ORIG_RAX = 0x78,
	RSB_REGS_RIP = 0x80,
	RSB_REGS_CS = 0x88,
	RSB_REGS_FLAGS = 0x90,
	RSB_REGS_RSP = 0x98, /* the traced function's: its caller's address is there */
	RSB_REGS_SS = 0xa0,
	RSB_REGS_SIZE = 0xa8,
};

/* The kernel's segments. */
enum { RSB_KERNEL_CS = 0x10, RSB_KERNEL_DS = 0x18 };

/* How ftrace_regs_caller goes on to the address that a handler left in ORIG_RAX. */
enum rsb_ftrace_direct {
	RSB_FTRACE_PUSH,      /* Linux 6.1: it is put on the stack and returned to */
	RSB_FTRACE_REBALANCE, /* 6.2: the same behind a call that never returns, for the balance */
	RSB_FTRACE_JMP,       /* 6.19: if its bit 0 is set, it replaces the return address */
};

void rsb_ftrace_caller_emit(struct rsb_code *code, const char *handler);
void rsb_ftrace_regs_caller_emit(struct rsb_code *code, const char *handler,
				 enum rsb_ftrace_direct direct);

/*
 * Emits a handler that keeps nothing and makes the traced function return to the label in place of
 * its caller.
 */
void rsb_ftrace_hook_emit(struct rsb_code *code, const char *handler, rsb_label hook);

/*
 * Emits a call to past itself, whose return address is dropped, and a return: to what is on the
 * stack, as a return that had a call.
 */
void rsb_ftrace_rebalance_emit(struct rsb_code *code);

#endif
