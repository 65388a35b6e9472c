/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An optimised kprobe's detour. */
#include "sim/generate/kprobe.h"

#include "sim/generate/families.h"
#include "sim/generate/ftrace.h"
#include "sim/generate/x86.h"

/* Pushed in this order. */
static const enum rsb_x86_register saved[] = {
	RSB_RDI, RSB_RSI, RSB_RDX, RSB_RCX, RSB_RAX, RSB_R8,  RSB_R9,  RSB_R10,
	RSB_R11, RSB_RBX, RSB_RBP, RSB_R12, RSB_R13, RSB_R14, RSB_R15,
};

#define SAVED   (sizeof(saved) / sizeof(*saved))
#define SKIPPED (RSB_REGS_FLAGS - RSB_REGS_ORIG_RAX) /* cs, ip, orig_ax */

void rsb_kprobe_save_emit(struct rsb_code *code)
{
	rsb_x86_sub_imm(code, RSB_RSP, SKIPPED);
	for (size_t i = 0; i < SAVED; i++)
		rsb_x86_push(code, saved[i]);
}

void rsb_kprobe_restore_emit(struct rsb_code *code)
{
	for (size_t i = SAVED; i-- > 0;)
		rsb_x86_pop(code, saved[i]);
	rsb_x86_add_imm(code, RSB_RSP, SKIPPED);
}

/* The instructions that the probe's jmp overwrites, whole ones. */
static void emit_copied(struct rsb_code *code)
{
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_mov(code, RSB_RAX, RSB_RDI);
}

/* The last two bytes of the last of them: the jmp has five, and nothing leads here. */
static void emit_left_over(struct rsb_code *code)
{
	rsb_code_bytes(code, (const uint8_t[]){ 0x89, 0xf8 }, 2);
}

static void emit_rest(struct rsb_code *code)
{
	rsb_x86_add(code, RSB_RAX, RSB_RSI);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
}

/*
 * The call is written at run time, so that call depth tracking does not know it, though the
 * callback's return counts. The nop is clac on processors with SMAP. The flags go where ss is, for
 * popfq to leave nothing behind.
 */
static void emit_detour(struct rsb_code *code, const char *callback, rsb_label back)
{
	rsb_code_function(code, "detour");
	rsb_x86_push_imm(code, RSB_KERNEL_DS);
	rsb_x86_push(code, RSB_RSP);
	rsb_x86_pushfq(code);
	rsb_x86_nop(code, 3);
	rsb_kprobe_save_emit(code);
	rsb_x86_mov(code, RSB_RSI, RSB_RSP);
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, "detour")); /* the probe's record */
	rsb_x86_call_bare(code, rsb_code_named(code, callback));
	rsb_x86_load(code, RSB_RDX, RSB_RSP, RSB_REGS_FLAGS);
	rsb_x86_store(code, RSB_RSP, RSB_REGS_SS, RSB_RDX);
	rsb_kprobe_restore_emit(code);
	rsb_x86_add_imm(code, RSB_RSP, RSB_REGS_SS - RSB_REGS_FLAGS);
	rsb_x86_popfq(code);
	emit_copied(code);
	rsb_x86_jmp(code, back);
}

void rsb_kprobe_target_emit(struct rsb_code *code, bool endbr, bool site, const char *callback)
{
	rsb_label back = rsb_code_label(code);

	rsb_traced_start(code, "target", endbr);
	if (site)
		rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_x86_jmp(code, rsb_code_named(code, "detour"));
	emit_left_over(code);
	rsb_code_place(code, back);
	emit_rest(code);
	emit_detour(code, callback, back);
}
