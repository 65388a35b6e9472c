/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an x86-64 instruction is put together; for the emitter's own files. */
#ifndef RSB_SIM_GENERATE_X86_ENCODE_H
#define RSB_SIM_GENERATE_X86_ENCODE_H

#include "sim/generate/x86.h"

/* The bytes as they are. */
#define RSB_X86_BYTES(code, ...)                               \
	rsb_code_bytes(code, (const uint8_t[]){ __VA_ARGS__ }, \
		       sizeof((const uint8_t[]){ __VA_ARGS__ }))

void rsb_x86_imm8(struct rsb_code *code, uint8_t value);
void rsb_x86_imm32(struct rsb_code *code, uint32_t value);

/* REX.W, opcode, ModRM of two registers: reg is a register or an opcode's digit. */
void rsb_x86_wide(struct rsb_code *code, uint8_t opcode, unsigned reg, unsigned rm);

/* REX.W, opcode, ModRM (and SIB) of [base + displacement]. */
void rsb_x86_wide_memory(struct rsb_code *code, uint8_t opcode, unsigned reg, unsigned base,
			 int32_t displacement);

/* An opcode with the register in its last three bits, at its default size. */
void rsb_x86_short(struct rsb_code *code, uint8_t opcode, unsigned reg);

/* gs, REX.W, opcode, ModRM and SIB of [offset]. */
void rsb_x86_wide_gs(struct rsb_code *code, uint8_t opcode, unsigned digit, int32_t offset);

#endif
