/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thunks that the forms of the code jump to: return thunks and retpolines, with the names and
 * the instructions of Linux (arch/x86/lib/retpoline.S, 6.12). Their code is labelled as a
 * mitigation.
 */
#ifndef RSB_SIM_GENERATE_THUNKS_H
#define RSB_SIM_GENERATE_THUNKS_H

#include "sim/generate/x86.h"

/* Call depth tracking: the bits that a call shifts in and a return out, and what a refill pushes
 * (asm/nospec-branch.h: RET_DEPTH_SHIFT, RSB_RET_STUFF_LOOPS). */
#define RSB_THUNKS_DEPTH_SHIFT 5
#define RSB_THUNKS_REFILL      16

/* What a kernel entry sets the call depth variable to (RESET_CALL_DEPTH there). */
#define RSB_THUNKS_DEPTH_AT_ENTRY (UINT64_C(1) << 63)

/* What a function jumps to instead of ret; not for RSB_THUNK_NONE. */
rsb_label rsb_thunks_return(struct rsb_code *code);

/* One return thunk, whatever the forms; emits it unless the code has it by its form. */
rsb_label rsb_thunks_one_return(struct rsb_code *code, enum rsb_return_thunk thunk);

/* Emits a refill: calls whose return addresses are dropped. */
void rsb_thunks_refill_emit(struct rsb_code *code);

/*
 * Emits what fills that many entries, an even number, of the return stack: __FILL_RETURN_BUFFER.
 * Changes rax. Call depth tracking is told, if there is any, that all is full.
 */
void rsb_thunks_fill_emit(struct rsb_code *code, unsigned entries);

/* Emits a call to past a loop that catches speculation, as retpolines had at first. */
void rsb_thunks_call_over_trap(struct rsb_code *code);

/* Are there thunks for indirect calls and jumps? What is called, or jumped to, then. */
bool rsb_thunks_indirect(const struct rsb_code *code);
rsb_label rsb_thunks_call(struct rsb_code *code, enum rsb_x86_register target);
rsb_label rsb_thunks_jump(struct rsb_code *code, enum rsb_x86_register target);

/* Emits the thunks that the forms of the code need. */
void rsb_thunks_emit(struct rsb_code *code);

#endif
