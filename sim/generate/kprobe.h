/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an optimised kprobe jumps to, as arch/x86/kernel/kprobes/opt.c of Linux 6.12 makes it, and
 * how that and rethooks save registers (kprobes/common.h), at the places of struct pt_regs.
 */
#ifndef RSB_SIM_GENERATE_KPROBE_H
#define RSB_SIM_GENERATE_KPROBE_H

#include "sim/generate/code.h"

/* Behind a push of the stack segment, the stack pointer and the flags; and back to the flags. */
void rsb_kprobe_save_emit(struct rsb_code *code);
void rsb_kprobe_restore_emit(struct rsb_code *code);

/*
 * Emits the traced function with a probe at its first instruction behind (or, without a site, in
 * place of) the site of ftrace, and the detour, which calls the label with the saved registers in
 * rsi.
 */
void rsb_kprobe_target_emit(struct rsb_code *code, bool endbr, bool site, const char *callback);

#endif
