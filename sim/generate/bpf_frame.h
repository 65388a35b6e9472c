/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a BPF trampoline, and what sessions keep in it; for the trampoline's own files. */
#ifndef RSB_SIM_GENERATE_BPF_FRAME_H
#define RSB_SIM_GENERATE_BPF_FRAME_H

#include "sim/generate/bpf_trampoline.h"

#define RSB_BPF_ARGUMENTS 2

/*
 * In bytes below rbp. The result's slot exists if the origin is called or the trampoline is an
 * operation, and moves the rest down; so do the cookies of sessions what is below the count.
 */
enum {
	RSB_BPF_RESULT = -8,
	RSB_BPF_ARGUMENT_1 = -0x10,
	RSB_BPF_ARGUMENT_2 = -0x08,
	RSB_BPF_COUNT = -0x18,
	RSB_BPF_SAVED_RBX = -0x20,
	RSB_BPF_RUN_CTX = -0x30,
};

bool rsb_bpf_has_result(const struct rsb_bpf_trampoline *trampoline);

/* Where one of these but the result is. */
int32_t rsb_bpf_slot(const struct rsb_bpf_trampoline *trampoline, int32_t offset);

/* Emits what is stored for sessions, if there are any: before the first program, after the body,
 * and before each of those that have a cookie. */
void rsb_bpf_sessions_start_emit(struct rsb_code *code,
				 const struct rsb_bpf_trampoline *trampoline);
void rsb_bpf_sessions_returned_emit(struct rsb_code *code,
				    const struct rsb_bpf_trampoline *trampoline);
void rsb_bpf_session_cookie_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
				 unsigned number, bool returned);

#endif
