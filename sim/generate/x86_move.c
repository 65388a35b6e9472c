/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The x86-64 emitter: moves. */
#include "sim/generate/x86_encode.h"

void rsb_x86_push(struct rsb_code *code, enum rsb_x86_register source)
{
	rsb_x86_short(code, 0x50, source);
}

void rsb_x86_push_imm(struct rsb_code *code, int32_t value)
{
	if (value >= INT8_MIN && value <= INT8_MAX) {
		RSB_X86_BYTES(code, 0x6a, (uint8_t)value);
		return;
	}
	rsb_x86_imm8(code, 0x68);
	rsb_x86_imm32(code, (uint32_t)value);
}

void rsb_x86_pop(struct rsb_code *code, enum rsb_x86_register target)
{
	rsb_x86_short(code, 0x58, target);
}

void rsb_x86_mov(struct rsb_code *code, enum rsb_x86_register target, enum rsb_x86_register source)
{
	rsb_x86_wide(code, 0x89, source, target);
}

void rsb_x86_mov_imm(struct rsb_code *code, enum rsb_x86_register target, uint64_t value)
{
	if (value <= UINT32_MAX) { /* a 32-bit move clears the upper half */
		rsb_x86_short(code, 0xb8, target);
		rsb_x86_imm32(code, (uint32_t)value);
	} else if (value >= (uint64_t)INT32_MIN) { /* sign-extended */
		rsb_x86_wide(code, 0xc7, 0, target);
		rsb_x86_imm32(code, (uint32_t)value);
	} else {
		RSB_X86_BYTES(code, target & 8 ? 0x49 : 0x48, 0xb8 | (target & 7));
		rsb_x86_imm32(code, (uint32_t)value);
		rsb_x86_imm32(code, (uint32_t)(value >> 32));
	}
}

void rsb_x86_mov_label(struct rsb_code *code, enum rsb_x86_register target, rsb_label label)
{
	RSB_X86_BYTES(code, target & 8 ? 0x49 : 0x48, 0xb8 | (target & 7));
	rsb_code_absolute64(code, label);
}

void rsb_x86_load(struct rsb_code *code, enum rsb_x86_register target, enum rsb_x86_register base,
		  int32_t displacement)
{
	rsb_x86_wide_memory(code, 0x8b, target, base, displacement);
}

void rsb_x86_store(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement,
		   enum rsb_x86_register source)
{
	rsb_x86_wide_memory(code, 0x89, source, base, displacement);
}

void rsb_x86_store_imm(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement,
		       int32_t value)
{
	rsb_x86_wide_memory(code, 0xc7, 0, base, displacement);
	rsb_x86_imm32(code, (uint32_t)value);
}

void rsb_x86_lea(struct rsb_code *code, enum rsb_x86_register target, enum rsb_x86_register base,
		 int32_t displacement)
{
	rsb_x86_wide_memory(code, 0x8d, target, base, displacement);
}
