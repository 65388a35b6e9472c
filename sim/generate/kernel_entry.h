/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the entries of a kernel share, whoever comes through them: a processor's data, the frame of
 * registers, the ways back, and what makes returns safe first (arch/x86/entry/entry_64.S and
 * calling.h, arch/x86/include/asm/nospec-branch.h, Linux 6.12).
 */
#ifndef RSB_SIM_GENERATE_KERNEL_ENTRY_H
#define RSB_SIM_GENERATE_KERNEL_ENTRY_H

#include "sim/generate/page_tables.h"
#include "sim/image/image.h"

/*
 * A processor's data, from the kernel's GS base, with the task and the stacks in pages of their own
 * behind. The call depth variable is where the forms have it.
 */
enum {
	RSB_KERNEL_SCRATCH = 0x00,
	RSB_KERNEL_TOP_OF_STACK = 0x08,
	RSB_KERNEL_CALL_DEPTH = RSB_FORMS_CALL_DEPTH,
	RSB_KERNEL_CURRENT = 0x18,
	RSB_KERNEL_FLUSH_MASK = 0x20,
	RSB_KERNEL_ENTRY_STACK = 0x28,
	RSB_KERNEL_TASK = 0x1000,
	RSB_KERNEL_STACK_END = 0x4000,       /* page 2 and 3: the task's */
	RSB_KERNEL_ENTRY_STACK_END = 0x5000, /* page 4: the trampoline stack */
	RSB_KERNEL_IST_END = 0x6000,         /* page 5: that of exceptions that have one */
};

/* Bytes of struct pt_regs; where it has what was interrupted, the code's selector, the stack. */
enum {
	RSB_KERNEL_REGS = 0xa8,
	RSB_KERNEL_REGS_IP = 0x80,
	RSB_KERNEL_REGS_CS = 0x88,
	RSB_KERNEL_REGS_SP = 0x98,
};

#define RSB_KERNEL_USER_CS 0x33
#define RSB_KERNEL_USER_DS 0x2b

enum rsb_kernel_way { RSB_KERNEL_SYSRET, RSB_KERNEL_IRET };

/* The data, and page tables that are changed by what is in them. */
void rsb_kernel_data(struct rsb_code *code);
struct rsb_page_tables rsb_kernel_tables(int64_t pti, int64_t flag);

/* What the data hold when a task with these flags is in user mode; *data: their address. */
bool rsb_kernel_fill(struct rsb_image *image, uint64_t flags, uint64_t *data,
		     struct rsb_error *error);

/* CR3 then, with page table isolation or without. */
uint64_t rsb_kernel_user_tables(int64_t pti);

/*
 * Saves and clears the registers below what the processor pushed and one more word: those of a
 * system call; or in a function that was called since, whose return address is moved below them.
 */
void rsb_kernel_save(struct rsb_code *code);
void rsb_kernel_save_called(struct rsb_code *code);

/* From a saved frame back to the user, or to what was interrupted in the kernel. */
void rsb_kernel_to_user(struct rsb_code *code, const struct rsb_page_tables *tables,
			enum rsb_kernel_way how);
void rsb_kernel_to_kernel(struct rsb_code *code);

/*
 * Before the first return, if the return thunk wants that: a call of what untrains it, or the call
 * depth is reset, in a function that was called or not. And what is called.
 */
void rsb_kernel_untrain(struct rsb_code *code, bool called);
void rsb_kernel_untrain_emit(struct rsb_code *code);

/*
 * Or in place of that, a call of what makes an indirect branch prediction barrier, and fills the
 * return stack where that does not clear it (entry_ibpb, X86_BUG_IBPB_NO_RET); and that.
 */
void rsb_kernel_barrier(struct rsb_code *code);
void rsb_kernel_barrier_emit(struct rsb_code *code, bool fills);

/*
 * A call of what clears the branch history by branches of its own, in 5 nested calls, and that
 * (CLEAR_BRANCH_HISTORY, clear_bhb_loop).
 */
void rsb_kernel_clear_history(struct rsb_code *code);
void rsb_kernel_clear_history_emit(struct rsb_code *code);

#endif
