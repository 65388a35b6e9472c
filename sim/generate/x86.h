/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The x86-64 emitter: a function an instruction, so that code which emits reads like a listing.
 * Operands stand in Intel's order, the destination first:
 *
 *	rsb_x86_push(code, RSB_RBP);
 *	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
 *	rsb_x86_load(code, RSB_RDI, RSB_RBP, -0x18);
 *	rsb_x86_call(code, body);
 *	rsb_x86_leave(code);
 *	rsb_x86_return(code);
 *
 * Registers are 64 bits wide unless the name says 32. Encodings are the shortest, as an assembler
 * chooses them, except where a size is said.
 */
#ifndef RSB_SIM_GENERATE_X86_H
#define RSB_SIM_GENERATE_X86_H

#include "sim/generate/code.h"

/* By the numbers that the instructions use. */
enum rsb_x86_register {
	RSB_RAX,
	RSB_RCX,
	RSB_RDX,
	RSB_RBX,
	RSB_RSP,
	RSB_RBP,
	RSB_RSI,
	RSB_RDI,
	RSB_R8,
	RSB_R9,
	RSB_R10,
	RSB_R11,
	RSB_R12,
	RSB_R13,
	RSB_R14,
	RSB_R15,
	RSB_X86_REGISTERS
};

/* By the numbers that the instructions use. */
enum rsb_x86_condition {
	RSB_CARRY = 2,
	RSB_ABOVE_EQUAL = 3, /* without signs; and no carry */
	RSB_EQUAL = 4,
	RSB_NOT_EQUAL = 5,
	RSB_BELOW_EQUAL = 6,
	RSB_ABOVE = 7,
	RSB_NOT_SIGN = 9,
};

/* Moves (x86_move.c). Memory is [base + displacement]. */
void rsb_x86_push(struct rsb_code *code, enum rsb_x86_register source);
void rsb_x86_push_imm(struct rsb_code *code, int32_t value);
void rsb_x86_pop(struct rsb_code *code, enum rsb_x86_register target);
void rsb_x86_mov(struct rsb_code *code, enum rsb_x86_register target, enum rsb_x86_register source);
void rsb_x86_mov_imm(struct rsb_code *code, enum rsb_x86_register target, uint64_t value);
void rsb_x86_mov_label(struct rsb_code *code, enum rsb_x86_register target, rsb_label label);
void rsb_x86_load(struct rsb_code *code, enum rsb_x86_register target, enum rsb_x86_register base,
		  int32_t displacement);
void rsb_x86_store(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement,
		   enum rsb_x86_register source);
void rsb_x86_store_imm(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement,
		       int32_t value);
void rsb_x86_lea(struct rsb_code *code, enum rsb_x86_register target, enum rsb_x86_register base,
		 int32_t displacement);

/* Arithmetic (x86_arithmetic.c). */
void rsb_x86_add_imm(struct rsb_code *code, enum rsb_x86_register target, int32_t value);
void rsb_x86_sub_imm(struct rsb_code *code, enum rsb_x86_register target, int32_t value);
void rsb_x86_add(struct rsb_code *code, enum rsb_x86_register target, enum rsb_x86_register source);
void rsb_x86_zero(struct rsb_code *code, enum rsb_x86_register target); /* xor r32, r32 */
void rsb_x86_test(struct rsb_code *code, enum rsb_x86_register a, enum rsb_x86_register b);
void rsb_x86_compare_imm(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement,
			 int8_t value); /* cmp qword [...], value */
void rsb_x86_decrement(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement);
void rsb_x86_decrement_register(struct rsb_code *code, enum rsb_x86_register target);
void rsb_x86_or_imm(struct rsb_code *code, enum rsb_x86_register target, int32_t value);
void rsb_x86_and_imm(struct rsb_code *code, enum rsb_x86_register target, int32_t value);
void rsb_x86_test_al_imm(struct rsb_code *code, uint8_t value);

/* On the quadword at gs:offset, without a base register. */
void rsb_x86_gs_sar(struct rsb_code *code, int32_t offset, uint8_t count);
void rsb_x86_gs_shl(struct rsb_code *code, int32_t offset, uint8_t count);
void rsb_x86_gs_store_imm(struct rsb_code *code, int32_t offset, int32_t value);

/* Instructions without operands (x86_other.c). */
void rsb_x86_endbr64(struct rsb_code *code);
void rsb_x86_int3(struct rsb_code *code);
void rsb_x86_leave(struct rsb_code *code);
void rsb_x86_lfence(struct rsb_code *code);
void rsb_x86_nop(struct rsb_code *code, unsigned size); /* bytes; as few instructions as can be */
void rsb_x86_pause(struct rsb_code *code);
void rsb_x86_popfq(struct rsb_code *code);
void rsb_x86_pushfq(struct rsb_code *code);
void rsb_x86_syscall(struct rsb_code *code);
void rsb_x86_ud2(struct rsb_code *code);

/*
 * What kernels have use for (x86_system.c). Registers are the first eight, but of
 * extend.
 */
void rsb_x86_swapgs(struct rsb_code *code);
void rsb_x86_sysretq(struct rsb_code *code);
void rsb_x86_iretq(struct rsb_code *code);
void rsb_x86_read_cr3(struct rsb_code *code, enum rsb_x86_register target);
void rsb_x86_write_cr3(struct rsb_code *code, enum rsb_x86_register source);
void rsb_x86_gs_load(struct rsb_code *code, enum rsb_x86_register target, int32_t offset);
void rsb_x86_gs_store(struct rsb_code *code, int32_t offset, enum rsb_x86_register source);
void rsb_x86_gs_push(struct rsb_code *code, int32_t offset);
void rsb_x86_push_memory(struct rsb_code *code, enum rsb_x86_register base, int32_t displacement);
void rsb_x86_set_bit(struct rsb_code *code, enum rsb_x86_register target, uint8_t bit);
void rsb_x86_test_bit(struct rsb_code *code, enum rsb_x86_register source, uint8_t bit);
void rsb_x86_gs_test_bit(struct rsb_code *code, int32_t offset, enum rsb_x86_register bit);
void rsb_x86_gs_clear_bit(struct rsb_code *code, int32_t offset, enum rsb_x86_register bit);
void rsb_x86_extend(struct rsb_code *code, enum rsb_x86_register target,
		    enum rsb_x86_register source); /* movsxd */

/* Transfers (x86_flow.c), always with displacements of 32 bits, except the short ones. */
void rsb_x86_jmp(struct rsb_code *code, rsb_label target);
void rsb_x86_jmp_short(struct rsb_code *code, rsb_label target);
void rsb_x86_jcc(struct rsb_code *code, enum rsb_x86_condition condition, rsb_label target);
void rsb_x86_jcc_short(struct rsb_code *code, enum rsb_x86_condition condition, rsb_label target);
void rsb_x86_call_bare(struct rsb_code *code, rsb_label target);
void rsb_x86_call_over_int3(struct rsb_code *code); /* pushes; to the next instruction would not */
void rsb_x86_call_register_bare(struct rsb_code *code, enum rsb_x86_register target);
void rsb_x86_jmp_register_bare(struct rsb_code *code, enum rsb_x86_register target);
void rsb_x86_ret_alone(struct rsb_code *code);
void rsb_x86_ret(struct rsb_code *code); /* and the int3 that stops straight-line speculation */

/* Transfers by the forms of the code (x86_flow.c). */
void rsb_x86_account(struct rsb_code *code); /* a call's part of call depth tracking, if any */
void rsb_x86_call(struct rsb_code *code, rsb_label target);
void rsb_x86_call_register(struct rsb_code *code, enum rsb_x86_register target);
void rsb_x86_jmp_register(struct rsb_code *code, enum rsb_x86_register target);
void rsb_x86_return(struct rsb_code *code);
void rsb_x86_return_unaccounted(struct rsb_code *code); /* the return of a bare call */

#endif
