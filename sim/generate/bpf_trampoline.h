/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF trampoline's image as __arch_prepare_bpf_trampoline() of Linux 6.12 (6.19 for jmp, 7.0 for
 * sessions) emits it for a function of two integer arguments, and what it calls.
 */
#ifndef RSB_SIM_GENERATE_BPF_TRAMPOLINE_H
#define RSB_SIM_GENERATE_BPF_TRAMPOLINE_H

#include "sim/generate/bpf_program.h"

/* How a trampoline leaves. */
enum rsb_bpf_exit {
	RSB_BPF_PLAIN,      /* by a return */
	RSB_BPF_SKIP_FRAME, /* past its own return address, which leads into the body */
	RSB_BPF_DOUBLE_RET, /* by that return address, rewritten to lead to a second return */
};

/* The kinds of programs, in the order in which they run; one of a session runs at both ends. */
enum rsb_bpf_kind {
	RSB_BPF_OPERATION, /* it is an operation itself (struct_ops) */
	RSB_BPF_FENTRY,
	RSB_BPF_FMOD_RET,
	RSB_BPF_FEXIT,
	RSB_BPF_FSESSION,
	RSB_BPF_KINDS
};

struct rsb_bpf_trampoline {
	bool operation;       /* it is called through a pointer, in place of a function */
	enum rsb_bpf_cfi cfi; /* ... checked so */
	bool endbr;           /* ... and begins with endbr64 */
	bool calls_origin;    /* it calls the body itself */
	rsb_label origin;     /* the body */
	bool origin_on_stack; /* ... is what it would return to, which ftrace may change */
	bool hands_counter;   /* ... is a program that makes tail calls, and gets rax as it was */
	bool cookies;         /* each session has a cookie */
	enum rsb_bpf_exit leave; /* how */
	unsigned programs[RSB_BPF_KINDS];
};

/* Emits it as the symbol "trampoline". */
void rsb_bpf_trampoline_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline);

/* The label of program number (from 0) of its kind. */
rsb_label rsb_bpf_program(struct rsb_code *code, enum rsb_bpf_kind kind, unsigned number);

/* Emits a trampoline's programs of a kind. */
void rsb_bpf_programs_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			   enum rsb_bpf_kind kind, const struct rsb_bpf_program *program);

/* Emits what it calls around programs and around itself; nested: with calls of their own. */
void rsb_bpf_helpers_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			  bool nested);

#endif
