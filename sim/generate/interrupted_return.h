/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A safe RET that is interrupted behind its call, and what finishes it: error_entry sees where the
 * interrupt came, and the registers that are gone back to are changed as if the rest of it had run,
 * so that its ret never does (HANDLE_INTR_SAFERET and handle_interrupted_saferet() in Debian's
 * Linux 6.1.192 and 6.12.117). An int3 stands for the interrupt.
 */
#ifndef RSB_SIM_GENERATE_INTERRUPTED_RETURN_H
#define RSB_SIM_GENERATE_INTERRUPTED_RETURN_H

#include "sim/generate/x86.h"

/*
 * In a function that the entry called, with the registers saved: compares the address that was
 * interrupted with the label's. Changes rcx.
 */
void rsb_interrupted_compare(struct rsb_code *code, rsb_label label);

/* There, too: finishes the safe RET if it was that. */
void rsb_interrupted_return_finish(struct rsb_code *code);

/* A traced function's work and its return, with the int3 before the lea or the ret; and what
 * finishes it. */
void rsb_interrupted_return_emit(struct rsb_code *code, bool before_lea);

#endif
