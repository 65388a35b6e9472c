/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preambles. Their calls are neither accounted for nor returned from by a thunk. */
#include "sim/generate/bpf_preamble.h"

#include "sim/generate/x86_encode.h"

#include <stdio.h>

#define SIZE 16                   /* bytes of a preamble, but for that of a kernel that has none */
#define HASH UINT32_C(0x12345678) /* of the function's type: any number */

bool rsb_bpf_cfi_needs_endbr(enum rsb_bpf_cfi cfi)
{
	return cfi >= RSB_BPF_FINEIBT_R10;
}

static rsb_label clearing(struct rsb_code *code, unsigned arguments)
{
	char name[32];

	snprintf(name, sizeof(name), "__bhi_args_%u", arguments);
	return rsb_code_named(code, name);
}

static void emit_kcfi(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0xb8); /* mov eax, HASH */
	rsb_x86_imm32(code, HASH);
	rsb_code_fill(code, 11, 0x90);
}

static void emit_fineibt_r10(struct rsb_code *code)
{
	rsb_x86_endbr64(code);
	RSB_X86_BYTES(code, 0x41, 0x81, 0xea); /* sub r10d, HASH */
	rsb_x86_imm32(code, HASH);
	RSB_X86_BYTES(code, 0x74, 0x07); /* jz over the rest and the function's first 4 bytes */
	rsb_x86_ud2(code);
	rsb_x86_nop(code, 1);
}

static void emit_fineibt(struct rsb_code *code)
{
	rsb_x86_endbr64(code);
	RSB_X86_BYTES(code, 0x2d); /* sub eax, HASH */
	rsb_x86_imm32(code, HASH);
	/* jne to the last of the function's first 4 bytes, d6, which is no instruction. */
	RSB_X86_BYTES(code, 0x2e, 0x0f, 0x85, 3, 0, 0, 0);
}

static void emit_fineibt_bhi(struct rsb_code *code, unsigned arguments)
{
	rsb_x86_endbr64(code);
	RSB_X86_BYTES(code, 0x2d); /* sub eax, HASH */
	rsb_x86_imm32(code, HASH);
	RSB_X86_BYTES(code, 0x2e, 0x2e);
	rsb_x86_call_bare(code, clearing(code, arguments));
}

static void emit_before(struct rsb_code *code, enum rsb_bpf_cfi cfi, unsigned arguments)
{
	switch (cfi) {
	case RSB_BPF_CFI_NONE:
		break;
	case RSB_BPF_KCFI:
		emit_kcfi(code);
		break;
	case RSB_BPF_FINEIBT_R10:
		emit_fineibt_r10(code);
		break;
	case RSB_BPF_FINEIBT:
		emit_fineibt(code);
		break;
	case RSB_BPF_FINEIBT_BHI:
		emit_fineibt_bhi(code, arguments);
		break;
	}
}

void rsb_bpf_preamble_emit(struct rsb_code *code, enum rsb_bpf_cfi cfi, bool endbr,
			   unsigned arguments, const char *name)
{
	char before[64];

	rsb_code_align(code, SIZE, 0xcc);
	snprintf(before, sizeof(before), "__cfi_%s", name);
	if (cfi != RSB_BPF_CFI_NONE)
		rsb_code_place(code, rsb_code_named(code, before));
	emit_before(code, cfi, arguments);
	rsb_code_place(code, rsb_code_named(code, name));
	if (cfi == RSB_BPF_FINEIBT_R10)
		RSB_X86_BYTES(code, 0x66, 0x0f, 0x1f, 0x00); /* nop word ptr [rax] */
	else if (rsb_bpf_cfi_needs_endbr(cfi))
		RSB_X86_BYTES(code, 0x0f, 0x1f, 0x40, 0xd6); /* nop dword ptr [rax - 0x2a] */
	else if (endbr)
		rsb_x86_endbr64(code);
}

void rsb_bpf_preamble_check_emit(struct rsb_code *code, enum rsb_bpf_cfi cfi)
{
	switch (cfi) {
	case RSB_BPF_CFI_NONE:
		break;
	case RSB_BPF_KCFI:
		rsb_x86_mov_imm(code, RSB_R10, (uint32_t)-HASH);
		RSB_X86_BYTES(code, 0x45, 0x03, 0x53, 1 - SIZE); /* add r10d, [r11 - 15] */
		RSB_X86_BYTES(code, 0x74, 0x02);                 /* je over ud2 */
		rsb_x86_ud2(code);
		break;
	case RSB_BPF_FINEIBT_R10:
		rsb_x86_mov_imm(code, RSB_R10, HASH);
		rsb_x86_sub_imm(code, RSB_R11, SIZE);
		rsb_x86_nop(code, 4);
		break;
	case RSB_BPF_FINEIBT:
	case RSB_BPF_FINEIBT_BHI:
		rsb_x86_mov_imm(code, RSB_RAX, HASH);
		rsb_x86_lea(code, RSB_R11, RSB_R11, -SIZE);
		break;
	}
}

/* Where the hash was another, rax is not zero, and the arguments become that on a wrong path. */
static void emit_clearing(struct rsb_code *code, unsigned arguments)
{
	rsb_label trap = rsb_code_label(code);

	rsb_code_align(code, 32, 0xcc);
	rsb_code_place(code, clearing(code, arguments));
	rsb_x86_jcc_short(code, RSB_NOT_EQUAL, trap);
	RSB_X86_BYTES(code, 0x48, 0x0f, 0x45, 0xf8); /* cmovne rdi, rax */
	if (arguments > 1)
		RSB_X86_BYTES(code, 0x48, 0x0f, 0x45, 0xf0); /* cmovne rsi, rax */
	rsb_x86_ret(code);
	rsb_code_place(code, trap);
	rsb_x86_ud2(code);
}

void rsb_bpf_preamble_functions_emit(struct rsb_code *code, enum rsb_bpf_cfi cfi)
{
	if (cfi != RSB_BPF_FINEIBT_BHI)
		return;
	emit_clearing(code, 1);
	emit_clearing(code, 2);
}
