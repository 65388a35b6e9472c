/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the code that the BPF JIT makes begins, where a kernel checks its indirect calls (CFI): 16
 * bytes before the function that an indirect call may run through and a direct call skips
 * (emit_cfi() in arch/x86/net/bpf_jit_comp.c of Linux 6.12, and since commit 85a2d4a890dc "x86,ibt:
 * Use UDB instead of 0xEA"); and what an indirect call does for them (alternative.c in
 * arch/x86/kernel).
 */
#ifndef RSB_SIM_GENERATE_BPF_PREAMBLE_H
#define RSB_SIM_GENERATE_BPF_PREAMBLE_H

#include "sim/generate/x86.h"

/* The choices of "cfi", in the order of the enumeration. */
#define RSB_BPF_CFIS "none|kcfi|fineibt-r10|fineibt|fineibt-bhi"

enum rsb_bpf_cfi {
	RSB_BPF_CFI_NONE,
	RSB_BPF_KCFI,        /* the caller compares a hash that stands before the function */
	RSB_BPF_FINEIBT_R10, /* the function compares what the caller has in r10 */
	RSB_BPF_FINEIBT,     /* ... in eax, since 85a2d4a890dc */
	RSB_BPF_FINEIBT_BHI, /* ... by calling a function that clears arguments on a wrong path */
};

/* A row for it. */
#define RSB_BPF_CFI_ROW                                                                            \
	RSB_PARAMETER_CHOICE("cfi",                                                                \
			     "how the kernel checks indirect calls: what stands before functions " \
			     "and programs, and is skipped by direct calls",                       \
			     RSB_BPF_CFIS, RSB_BPF_CFI_NONE, RSB_BPF_FINEIBT_BHI)

/* Is this the FineIBT that begins with endbr64, so that functions must? */
bool rsb_bpf_cfi_needs_endbr(enum rsb_bpf_cfi cfi);

/*
 * Starts a function: aligns, emits its preamble as "__cfi_NAME", places its name, and emits endbr64
 * or, where the preamble has it, what that was changed to. arguments (1 or 2) is how many it takes.
 */
void rsb_bpf_preamble_emit(struct rsb_code *code, enum rsb_bpf_cfi cfi, bool endbr,
			   unsigned arguments, const char *name);

/* What a caller does before it calls the function in r11. */
void rsb_bpf_preamble_check_emit(struct rsb_code *code, enum rsb_bpf_cfi cfi);

/* Emits what the preambles call; nothing for most. */
void rsb_bpf_preamble_functions_emit(struct rsb_code *code, enum rsb_bpf_cfi cfi);

#endif
