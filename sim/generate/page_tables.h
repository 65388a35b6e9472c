/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page table isolation: how a kernel changes CR3 when it is entered and left. The instructions are
 * those of SWITCH_TO_KERNEL_CR3 and SWITCH_TO_USER_CR3_STACK (arch/x86/entry/calling.h, Linux 4.15
 * and 6.12), with the test of a flag of the task that "TIF_DISABLE_PTI_NOW" adds (RFC v3 8/8,
 * 10 January 2018, never merged).
 */
#ifndef RSB_SIM_GENERATE_PAGE_TABLES_H
#define RSB_SIM_GENERATE_PAGE_TABLES_H

#include "sim/generate/x86.h"

/* The choices of "pti" and "flag". */
enum rsb_pti { RSB_PTI_OFF, RSB_PTI_PCID, RSB_PTI_NO_PCID };
enum rsb_pti_flag {
	RSB_PTI_FLAG_NONE,
	RSB_PTI_FLAG_EXIT, /* as the patch has it */
	RSB_PTI_FLAG_BOTH, /* and an entry that leaves the kernel's page tables as they are */
};

struct rsb_page_tables {
	enum rsb_pti pti;
	enum rsb_pti_flag flag;
	int32_t task;       /* where a processor's data have the address of the task, whose flags
			       are at its start; from the GS base */
	int32_t flush_mask; /* where they have which user page tables are to be flushed */
};

/* The bit of TIF_DISABLE_PTI_NOW in a task's flags. Ours: the patch's number is not known. */
#define RSB_PTI_FLAG_BIT 27

/* CR3: the kernel's page tables; the bits that make them the user's. */
#define RSB_PTI_KERNEL UINT64_C(0x4000)
#define RSB_PTI_USER   UINT64_C(0x1000)
#define RSB_PTI_ASID   UINT64_C(0x800) /* with PCID */

void rsb_page_tables_to_kernel(struct rsb_code *code, const struct rsb_page_tables *tables,
			       enum rsb_x86_register scratch);
/* Pushes and pops rax. */
void rsb_page_tables_to_user(struct rsb_code *code, const struct rsb_page_tables *tables,
			     enum rsb_x86_register scratch);

#endif
