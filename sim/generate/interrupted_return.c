/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An interrupted safe RET: see sim/generate/interrupted_return.h. */
#include "sim/generate/interrupted_return.h"

#include "sim/generate/families.h"
#include "sim/generate/kernel_entry.h"
#include "sim/generate/x86_encode.h"

/* Its two instructions. */
#define LEA "interrupted_lea"
#define RET "interrupted_ret"

/* cmp [rsp + displacement], rcx: what was interrupted, and that label. */
void rsb_interrupted_compare(struct rsb_code *code, rsb_label label)
{
	rsb_x86_mov_label(code, RSB_RCX, label);
	rsb_x86_wide_memory(code, 0x39, RSB_RCX, RSB_RSP, RSB_KERNEL_REGS_IP + 8);
}

void rsb_interrupted_return_finish(struct rsb_code *code)
{
	rsb_label elsewhere = rsb_code_label(code);

	rsb_interrupted_compare(code, rsb_code_named(code, LEA));
	rsb_x86_jcc_short(code, RSB_CARRY, elsewhere);
	rsb_interrupted_compare(code, rsb_code_named(code, RET));
	rsb_x86_jcc_short(code, RSB_ABOVE, elsewhere);
	rsb_x86_lfence(code);
	rsb_x86_lea(code, RSB_RDI, RSB_RSP, 8);
	rsb_x86_call(code, rsb_code_named(code, "handle_interrupted_saferet"));
	rsb_code_place(code, elsewhere);
}

/* Changes the registers that are gone back to as if the rest of it had run. */
static void emit_finisher(struct rsb_code *code)
{
	rsb_label dropped = rsb_code_label(code);

	rsb_code_function(code, "handle_interrupted_saferet");
	rsb_x86_load(code, RSB_RAX, RSB_RDI, RSB_KERNEL_REGS_SP);
	rsb_x86_mov_label(code, RSB_RCX, rsb_code_named(code, LEA));
	rsb_x86_wide_memory(code, 0x39, RSB_RCX, RSB_RDI, RSB_KERNEL_REGS_IP);
	rsb_x86_jcc_short(code, RSB_NOT_EQUAL, dropped);
	rsb_x86_add_imm(code, RSB_RAX, 8);
	rsb_code_place(code, dropped);
	rsb_x86_load(code, RSB_RCX, RSB_RAX, 0);
	rsb_x86_store(code, RSB_RDI, RSB_KERNEL_REGS_IP, RSB_RCX);
	rsb_x86_add_imm(code, RSB_RAX, 8);
	rsb_x86_store(code, RSB_RDI, RSB_KERNEL_REGS_SP, RSB_RAX);
	rsb_x86_return(code);
}

void rsb_interrupted_return_emit(struct rsb_code *code, bool before_lea)
{
	rsb_traced_work(code);
	rsb_x86_jmp(code, rsb_code_named(code, "interrupted_return_thunk"));
	rsb_code_mitigation(code, RSB_MITIGATION_RETURN);
	rsb_code_function(code, "interrupted_safe_ret");
	if (before_lea)
		rsb_x86_int3(code);
	rsb_code_place(code, rsb_code_named(code, LEA));
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, 8);
	if (!before_lea)
		rsb_x86_int3(code);
	rsb_code_place(code, rsb_code_named(code, RET));
	rsb_x86_ret(code);
	rsb_code_function(code, "interrupted_return_thunk");
	rsb_x86_call_bare(code, rsb_code_named(code, "interrupted_safe_ret"));
	rsb_x86_ud2(code);
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
	emit_finisher(code);
}
