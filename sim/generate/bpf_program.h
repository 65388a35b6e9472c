/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BPF programs as the JIT compiles them (arch/x86/net/bpf_jit_comp.c of Linux 6.12): one that does
 * nothing, and one that ends in a tail call of another.
 */
#ifndef RSB_SIM_GENERATE_BPF_PROGRAM_H
#define RSB_SIM_GENERATE_BPF_PROGRAM_H

#include "sim/generate/bpf_preamble.h"

struct rsb_bpf_program {
	enum rsb_bpf_cfi cfi;
	bool endbr;
	uint32_t result; /* what it returns */
};

/* How a program goes on to another: by a jmp that is written when that is put into the array, or
 * by one through a register, to what it finds there. */
enum rsb_bpf_tail_call { RSB_BPF_TAIL_NONE, RSB_BPF_TAIL_DIRECT, RSB_BPF_TAIL_INDIRECT };

/* Emits a program that does nothing. */
void rsb_bpf_program_emit(struct rsb_code *code, const char *name,
			  const struct rsb_bpf_program *program);

/* Emits the rest of a program behind its site, a tail call of the program "bpf_prog_next"; and
 * that program, with what leads to it. */
void rsb_bpf_tail_caller_emit(struct rsb_code *code, enum rsb_bpf_tail_call how, bool endbr);
void rsb_bpf_tail_callee_emit(struct rsb_code *code, const struct rsb_bpf_program *program);

#endif
