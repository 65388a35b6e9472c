/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of a BPF trampoline. Sessions are of Linux 7.0: commits 98770bd4e6df "bpf,x86: add
 * fsession support for x86_64", 8fe4dc4f6456 for what their programs read.
 */
#include "sim/generate/bpf_frame.h"

#include "sim/generate/x86.h"

/* What stands before the arguments: their number, where the cookie is, and if the body has run. */
#define COOKIE_SHIFT 8
#define RETURNED     (UINT64_C(1) << 63)

static unsigned cookies(const struct rsb_bpf_trampoline *trampoline)
{
	return trampoline->cookies ? trampoline->programs[RSB_BPF_FSESSION] : 0;
}

bool rsb_bpf_has_result(const struct rsb_bpf_trampoline *trampoline)
{
	return trampoline->calls_origin || trampoline->operation;
}

int32_t rsb_bpf_slot(const struct rsb_bpf_trampoline *trampoline, int32_t offset)
{
	if (rsb_bpf_has_result(trampoline))
		offset -= 8;
	if (offset < RSB_BPF_COUNT - 8 * rsb_bpf_has_result(trampoline))
		offset -= 8 * (int32_t)cookies(trampoline);
	return offset;
}

/* The cookies lie below the count, the first of them lowest. */
static int32_t cookie_slot(const struct rsb_bpf_trampoline *trampoline, unsigned number)
{
	return rsb_bpf_slot(trampoline, RSB_BPF_COUNT) -
	       8 * (int32_t)(cookies(trampoline) - number);
}

static void store(struct rsb_code *code, int32_t slot, uint64_t value)
{
	if (value)
		rsb_x86_mov_imm(code, RSB_RAX, value);
	else
		rsb_x86_zero(code, RSB_RAX);
	rsb_x86_store(code, RSB_RBP, slot, RSB_RAX);
}

void rsb_bpf_sessions_start_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	if (!trampoline->programs[RSB_BPF_FSESSION])
		return;
	for (unsigned i = 0; i < cookies(trampoline); i++)
		store(code, cookie_slot(trampoline, i), 0);
	store(code, RSB_BPF_RESULT, 0);
}

void rsb_bpf_sessions_returned_emit(struct rsb_code *code,
				    const struct rsb_bpf_trampoline *trampoline)
{
	if (trampoline->programs[RSB_BPF_FSESSION])
		store(code, rsb_bpf_slot(trampoline, RSB_BPF_COUNT), RSB_BPF_ARGUMENTS | RETURNED);
}

/* The cookie is given by its distance from the first argument, in slots. */
void rsb_bpf_session_cookie_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
				 unsigned number, bool returned)
{
	int32_t first = rsb_bpf_slot(trampoline, RSB_BPF_ARGUMENT_1);
	uint64_t distance = (uint64_t)(first - cookie_slot(trampoline, number)) / 8;

	store(code, rsb_bpf_slot(trampoline, RSB_BPF_COUNT),
	      RSB_BPF_ARGUMENTS | distance << COOKIE_SHIFT | (returned ? RETURNED : 0));
}
