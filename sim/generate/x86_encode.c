/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prefixes, ModRM and SIB bytes: Intel SDM volume 2, chapter 2. */
#include "sim/generate/x86_encode.h"

#define REX   0x40
#define REX_W 0x08
#define REX_R 0x04
#define REX_B 0x01

#define GS 0x65

static uint8_t modrm(unsigned mod, unsigned reg, unsigned rm)
{
	return (uint8_t)(mod << 6 | (reg & 7) << 3 | (rm & 7));
}

/* The upper bits of the registers' numbers. */
static uint8_t rex(unsigned reg, unsigned rm)
{
	return (uint8_t)((reg & 8 ? REX_R : 0) | (rm & 8 ? REX_B : 0));
}

void rsb_x86_imm8(struct rsb_code *code, uint8_t value)
{
	rsb_code_bytes(code, &value, sizeof(value));
}

void rsb_x86_imm32(struct rsb_code *code, uint32_t value)
{
	RSB_X86_BYTES(code, (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
		      (uint8_t)(value >> 24));
}

void rsb_x86_wide(struct rsb_code *code, uint8_t opcode, unsigned reg, unsigned rm)
{
	RSB_X86_BYTES(code, REX | REX_W | rex(reg, rm), opcode, modrm(3, reg, rm));
}

void rsb_x86_wide_memory(struct rsb_code *code, uint8_t opcode, unsigned reg, unsigned base,
			 int32_t displacement)
{
	bool fits = displacement >= INT8_MIN && displacement <= INT8_MAX;
	/* Without a displacement, rbp and r13 would mean rip and a bare address. */
	bool none = !displacement && (base & 7) != RSB_RBP;

	RSB_X86_BYTES(code, REX | REX_W | rex(reg, base), opcode,
		      modrm(none   ? 0
			    : fits ? 1
				   : 2,
			    reg, base));
	/* rsp and r12 as a base need a SIB byte, here one without an index. */
	if ((base & 7) == RSB_RSP)
		rsb_x86_imm8(code, modrm(0, 4, base));
	if (none)
		return;
	if (fits)
		rsb_x86_imm8(code, (uint8_t)displacement);
	else
		rsb_x86_imm32(code, (uint32_t)displacement);
}

void rsb_x86_short(struct rsb_code *code, uint8_t opcode, unsigned reg)
{
	if (reg & 8)
		rsb_x86_imm8(code, REX | REX_B);
	rsb_x86_imm8(code, opcode | (reg & 7));
}

void rsb_x86_wide_gs(struct rsb_code *code, uint8_t opcode, unsigned digit, int32_t offset)
{
	/* Outside rip-relative addressing a bare address takes a SIB with neither base nor index.
	 */
	RSB_X86_BYTES(code, GS, REX | REX_W, opcode, modrm(0, digit, 4), modrm(0, 4, 5));
	rsb_x86_imm32(code, (uint32_t)offset);
}
