/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The x86-64 emitter: arithmetic. */
#include "sim/generate/x86_encode.h"

/* The opcodes' digits. */
enum { ADD = 0, OR = 1, AND = 4, SUB = 5, CMP = 7, DEC = 1, SHL = 4, SAR = 7 };

static void arithmetic_imm(struct rsb_code *code, unsigned digit, enum rsb_x86_register target,
			   int32_t value)
{
	if (value >= INT8_MIN && value <= INT8_MAX) {
		rsb_x86_wide(code, 0x83, digit, target);
		rsb_x86_imm8(code, (uint8_t)value);
	} else {
		rsb_x86_wide(code, 0x81, digit, target);
		rsb_x86_imm32(code, (uint32_t)value);
	}
}

void rsb_x86_add_imm(struct rsb_code *code, enum rsb_x86_register target, int32_t value)
{
	arithmetic_imm(code, ADD, target, value);
}

void rsb_x86_sub_imm(struct rsb_code *code, enum rsb_x86_register target, int32_t value)
{
	arithmetic_imm(code, SUB, target, value);
}

void rsb_x86_add(struct rsb_code *code, enum rsb_x86_register target, enum rsb_x86_register source)
{
	rsb_x86_wide(code, 0x01, source, target);
}

void rsb_x86_zero(struct rsb_code *code, enum rsb_x86_register target)
{
	if (target & 8)
		rsb_x86_imm8(code, 0x45);
	RSB_X86_BYTES(code, 0x31, 0xc0 | (target & 7) << 3 | (target & 7));
}

void rsb_x86_test(struct rsb_code *code, enum rsb_x86_register a, enum rsb_x86_register b)
{
	rsb_x86_wide(code, 0x85, b, a);
}

void rsb_x86_compare_imm(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement,
			 int8_t value)
{
	rsb_x86_wide_memory(code, 0x83, CMP, base, displacement);
	rsb_x86_imm8(code, (uint8_t)value);
}

void rsb_x86_decrement(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement)
{
	rsb_x86_wide_memory(code, 0xff, DEC, base, displacement);
}

void rsb_x86_decrement_register(struct rsb_code *code, enum rsb_x86_register target)
{
	rsb_x86_wide(code, 0xff, DEC, target);
}

void rsb_x86_or_imm(struct rsb_code *code, enum rsb_x86_register target, int32_t value)
{
	arithmetic_imm(code, OR, target, value);
}

void rsb_x86_and_imm(struct rsb_code *code, enum rsb_x86_register target, int32_t value)
{
	arithmetic_imm(code, AND, target, value);
}

void rsb_x86_test_al_imm(struct rsb_code *code, uint8_t value)
{
	RSB_X86_BYTES(code, 0xa8, value);
}

void rsb_x86_gs_sar(struct rsb_code *code, int32_t offset, uint8_t count)
{
	rsb_x86_wide_gs(code, 0xc1, SAR, offset);
	rsb_x86_imm8(code, count);
}

void rsb_x86_gs_shl(struct rsb_code *code, int32_t offset, uint8_t count)
{
	rsb_x86_wide_gs(code, 0xc1, SHL, offset);
	rsb_x86_imm8(code, count);
}

void rsb_x86_gs_store_imm(struct rsb_code *code, int32_t offset, int32_t value)
{
	rsb_x86_wide_gs(code, 0xc7, 0, offset);
	rsb_x86_imm32(code, (uint32_t)value);
}
