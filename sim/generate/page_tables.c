/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page table isolation: see sim/generate/page_tables.h. */
#include "sim/generate/page_tables.h"

#define NOFLUSH_BIT 63
#define USER_BIT    12
#define ASID_MASK   0x7ff
#define USER_MASK   ((int32_t)(RSB_PTI_USER | RSB_PTI_ASID))

/*
 * With the flag on both sides: what runs with the kernel's page tables already is left alone. The
 * task cannot be asked before they are there.
 */
void rsb_page_tables_to_kernel(struct rsb_code *code, const struct rsb_page_tables *tables,
			       enum rsb_x86_register scratch)
{
	rsb_label end = rsb_code_label(code);

	if (tables->pti == RSB_PTI_OFF)
		rsb_x86_jmp_short(code, end);
	rsb_x86_read_cr3(code, scratch);
	if (tables->flag == RSB_PTI_FLAG_BOTH) {
		rsb_x86_test_bit(code, scratch, USER_BIT);
		rsb_x86_jcc_short(code, RSB_ABOVE_EQUAL, end);
	}
	if (tables->pti == RSB_PTI_PCID)
		rsb_x86_set_bit(code, scratch, NOFLUSH_BIT);
	rsb_x86_and_imm(code, scratch, ~USER_MASK);
	rsb_x86_write_cr3(code, scratch);
	rsb_code_place(code, end);
}

/* Has the other half of the page tables been flushed since this processor used it? If not, keep. */
static void choose_flush(struct rsb_code *code, const struct rsb_page_tables *tables,
			 enum rsb_x86_register scratch)
{
	rsb_label keep = rsb_code_label(code), chosen = rsb_code_label(code);

	rsb_x86_mov(code, RSB_RAX, scratch);
	rsb_x86_and_imm(code, scratch, ASID_MASK);
	rsb_x86_gs_test_bit(code, tables->flush_mask, scratch);
	rsb_x86_jcc_short(code, RSB_ABOVE_EQUAL, keep);
	rsb_x86_gs_clear_bit(code, tables->flush_mask, scratch);
	rsb_x86_mov(code, scratch, RSB_RAX);
	rsb_x86_jmp_short(code, chosen);
	rsb_code_place(code, keep);
	rsb_x86_mov(code, scratch, RSB_RAX);
	rsb_x86_set_bit(code, scratch, NOFLUSH_BIT);
	rsb_code_place(code, chosen);
	rsb_x86_or_imm(code, scratch, (int32_t)RSB_PTI_ASID);
}

void rsb_page_tables_to_user(struct rsb_code *code, const struct rsb_page_tables *tables,
			     enum rsb_x86_register scratch)
{
	rsb_label end = rsb_code_label(code), write = rsb_code_label(code);

	rsb_x86_push(code, RSB_RAX);
	if (tables->pti == RSB_PTI_OFF)
		rsb_x86_jmp_short(code, end);
	if (tables->flag != RSB_PTI_FLAG_NONE) {
		rsb_x86_gs_load(code, scratch, tables->task);
		rsb_x86_load(code, scratch, scratch, 0);
		rsb_x86_test_bit(code, scratch, RSB_PTI_FLAG_BIT);
		rsb_x86_jcc_short(code, RSB_CARRY, end);
	}
	rsb_x86_read_cr3(code, scratch);
	if (tables->pti == RSB_PTI_NO_PCID)
		rsb_x86_jmp_short(code, write);
	else
		choose_flush(code, tables, scratch);
	rsb_code_place(code, write);
	rsb_x86_or_imm(code, scratch, (int32_t)RSB_PTI_USER);
	rsb_x86_write_cr3(code, scratch);
	rsb_code_place(code, end);
	rsb_x86_pop(code, RSB_RAX);
}
