/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The x86-64 emitter: what only a kernel has use for (Intel SDM volume 2). */
#include "sim/generate/x86_encode.h"

#define BT_GROUP 0xba
enum { BT = 4, BTS = 5 };

void rsb_x86_swapgs(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x0f, 0x01, 0xf8);
}

void rsb_x86_sysretq(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x48, 0x0f, 0x07);
}

void rsb_x86_iretq(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x48, 0xcf);
}

void rsb_x86_read_cr3(struct rsb_code *code, enum rsb_x86_register target)
{
	RSB_X86_BYTES(code, 0x0f, 0x20, (uint8_t)(0xd8 | target));
}

void rsb_x86_write_cr3(struct rsb_code *code, enum rsb_x86_register source)
{
	RSB_X86_BYTES(code, 0x0f, 0x22, (uint8_t)(0xd8 | source));
}

void rsb_x86_gs_load(struct rsb_code *code, enum rsb_x86_register target, int32_t offset)
{
	rsb_x86_wide_gs(code, 0x8b, target, offset);
}

void rsb_x86_gs_store(struct rsb_code *code, int32_t offset, enum rsb_x86_register source)
{
	rsb_x86_wide_gs(code, 0x89, source, offset);
}

void rsb_x86_gs_push(struct rsb_code *code, int32_t offset)
{
	rsb_x86_wide_gs(code, 0xff, 6, offset);
}

/* REX.W, an opcode of two bytes, ModRM of two registers. */
static void bits(struct rsb_code *code, uint8_t opcode, unsigned reg, unsigned rm)
{
	RSB_X86_BYTES(code, 0x48, 0x0f, opcode, (uint8_t)(0xc0 | reg << 3 | rm));
}

void rsb_x86_set_bit(struct rsb_code *code, enum rsb_x86_register target, uint8_t bit)
{
	bits(code, BT_GROUP, BTS, target);
	rsb_x86_imm8(code, bit);
}

void rsb_x86_test_bit(struct rsb_code *code, enum rsb_x86_register source, uint8_t bit)
{
	bits(code, BT_GROUP, BT, source);
	rsb_x86_imm8(code, bit);
}

/* gs: bt or btr of [offset] by a register. */
static void gs_bit(struct rsb_code *code, uint8_t opcode, unsigned reg, int32_t offset)
{
	RSB_X86_BYTES(code, 0x65, 0x48, 0x0f, opcode, (uint8_t)(reg << 3 | 4), 0x25);
	rsb_x86_imm32(code, (uint32_t)offset);
}

void rsb_x86_gs_test_bit(struct rsb_code *code, int32_t offset, enum rsb_x86_register bit)
{
	gs_bit(code, 0xa3, bit, offset);
}

void rsb_x86_gs_clear_bit(struct rsb_code *code, int32_t offset, enum rsb_x86_register bit)
{
	gs_bit(code, 0xb3, bit, offset);
}

void rsb_x86_push_memory(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement)
{
	rsb_x86_wide_memory(code, 0xff, 6, base, displacement);
}

void rsb_x86_extend(struct rsb_code *code, enum rsb_x86_register target,
		    enum rsb_x86_register source)
{
	rsb_x86_wide(code, 0x63, target, source);
}
