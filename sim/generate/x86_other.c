/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The x86-64 emitter: instructions without operands. */
#include "sim/generate/x86_encode.h"

void rsb_x86_endbr64(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0xf3, 0x0f, 0x1e, 0xfa);
}

void rsb_x86_int3(struct rsb_code *code)
{
	rsb_x86_imm8(code, 0xcc);
}

void rsb_x86_leave(struct rsb_code *code)
{
	rsb_x86_imm8(code, 0xc9);
}

void rsb_x86_lfence(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x0f, 0xae, 0xe8);
}

void rsb_x86_nop(struct rsb_code *code, unsigned size)
{
	/* The sizes that Intel recommends (SDM volume 2, NOP), which Linux uses too. */
	static const uint8_t nops[][8] = {
		{ 0x90 },
		{ 0x66, 0x90 },
		{ 0x0f, 0x1f, 0x00 },
		{ 0x0f, 0x1f, 0x40, 0x00 },
		{ 0x0f, 0x1f, 0x44, 0x00, 0x00 },
		{ 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00 },
		{ 0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00 },
		{ 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 },
	};
	const unsigned longest = sizeof(nops) / sizeof(*nops);

	for (; size > longest; size -= longest)
		rsb_code_bytes(code, nops[longest - 1], longest);
	if (size)
		rsb_code_bytes(code, nops[size - 1], size);
}

void rsb_x86_pause(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0xf3, 0x90);
}

void rsb_x86_popfq(struct rsb_code *code)
{
	rsb_x86_imm8(code, 0x9d);
}

void rsb_x86_pushfq(struct rsb_code *code)
{
	rsb_x86_imm8(code, 0x9c);
}

void rsb_x86_syscall(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x0f, 0x05);
}

void rsb_x86_ud2(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x0f, 0x0b);
}
