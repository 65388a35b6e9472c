/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The x86-64 emitter: transfers, plain and by the forms of the code. */
#include "sim/generate/thunks.h"
#include "sim/generate/x86_encode.h"

#define INT3 0xcc

/* The digits of opcode ff. */
enum { CALL = 2, JMP = 4 };

void rsb_x86_jmp(struct rsb_code *code, rsb_label target)
{
	rsb_x86_imm8(code, 0xe9);
	rsb_code_relative32(code, target, 0);
}

void rsb_x86_jmp_short(struct rsb_code *code, rsb_label target)
{
	rsb_x86_imm8(code, 0xeb);
	rsb_code_relative8(code, target);
}

void rsb_x86_jcc(struct rsb_code *code, enum rsb_x86_condition condition, rsb_label target)
{
	RSB_X86_BYTES(code, 0x0f, 0x80 | condition);
	rsb_code_relative32(code, target, 0);
}

void rsb_x86_jcc_short(struct rsb_code *code, enum rsb_x86_condition condition, rsb_label target)
{
	rsb_x86_imm8(code, 0x70 | condition);
	rsb_code_relative8(code, target);
}

void rsb_x86_call_bare(struct rsb_code *code, rsb_label target)
{
	rsb_x86_imm8(code, 0xe8);
	rsb_code_relative32(code, target, 0);
}

void rsb_x86_call_over_int3(struct rsb_code *code)
{
	rsb_label over = rsb_code_label(code);

	rsb_x86_call_bare(code, over);
	rsb_x86_int3(code);
	rsb_code_place(code, over);
}

/* lea rsp, [rsp + 8]; jmp [rsp - 8]: what ret does, flags and registers as it leaves them. */
static const uint8_t jump_back[] = { 0x48, 0x8d, 0x64, 0x24, 0x08, 0xff, 0x64, 0x24, 0xf8 };

#define PUSH_IMM 5                                  /* bytes of push imm32 */
#define FORCED   (PUSH_IMM + 1 + sizeof(jump_back)) /* the longest that stands for a return */

/*
 * push stub; ret; stub: jump back. It takes one entry off the return stack, as the return itself
 * does, and no entry is ever stub. Code lies below 2 GiB, which the push needs.
 */
static void force_miss(struct rsb_code *code)
{
	rsb_x86_push_imm(code, (int32_t)(rsb_code_here(code) + PUSH_IMM + 1));
	rsb_x86_imm8(code, 0xc3);
	rsb_code_bytes(code, jump_back, sizeof(jump_back));
}

static void return_by(struct rsb_code *code, const struct rsb_returns_how *how, size_t number,
		      bool kept)
{
	if (how->forced == number + 1)
		force_miss(code);
	else if (how->jump && !kept)
		rsb_code_bytes(code, jump_back, sizeof(jump_back));
	else
		rsb_x86_imm8(code, 0xc3);
}

void rsb_x86_ret_alone(struct rsb_code *code)
{
	const struct rsb_returns_how *how = &rsb_code_forms(code)->returns;
	size_t number = rsb_code_return(code);
	uint64_t end = rsb_code_here(code) + FORCED;
	bool kept = number < how->kept_count && how->kept[number];

	return_by(code, how, number, kept);
	if (how->pad && !kept)
		rsb_code_fill(code, end - rsb_code_here(code), INT3);
}

void rsb_x86_ret(struct rsb_code *code)
{
	rsb_x86_ret_alone(code);
	rsb_x86_int3(code);
}

void rsb_x86_account(struct rsb_code *code)
{
	const struct rsb_forms *forms = rsb_code_forms(code);

	if (forms->account)
		rsb_x86_gs_sar(code, (int32_t)forms->account_offset, RSB_THUNKS_DEPTH_SHIFT);
}

void rsb_x86_call(struct rsb_code *code, rsb_label target)
{
	rsb_x86_account(code);
	rsb_x86_call_bare(code, target);
}

/* Opcode ff through the register itself. */
static void through_bare(struct rsb_code *code, unsigned digit, enum rsb_x86_register target)
{
	if (target & 8)
		rsb_x86_imm8(code, 0x41);
	RSB_X86_BYTES(code, 0xff, 0xc0 | digit << 3 | (target & 7));
}

static void through(struct rsb_code *code, unsigned digit, enum rsb_x86_register target)
{
	if (rsb_code_forms(code)->indirect == RSB_INDIRECT_LFENCE)
		rsb_x86_lfence(code);
	through_bare(code, digit, target);
}

void rsb_x86_call_register_bare(struct rsb_code *code, enum rsb_x86_register target)
{
	through_bare(code, CALL, target);
}

void rsb_x86_jmp_register_bare(struct rsb_code *code, enum rsb_x86_register target)
{
	through_bare(code, JMP, target);
}

/* A retpoline accounts for its call. */
void rsb_x86_call_register(struct rsb_code *code, enum rsb_x86_register target)
{
	if (rsb_code_forms(code)->indirect != RSB_INDIRECT_RETPOLINE)
		rsb_x86_account(code);
	if (rsb_thunks_indirect(code))
		rsb_x86_call_bare(code, rsb_thunks_call(code, target));
	else
		through(code, CALL, target);
}

void rsb_x86_jmp_register(struct rsb_code *code, enum rsb_x86_register target)
{
	if (rsb_thunks_indirect(code))
		rsb_x86_jmp(code, rsb_thunks_jump(code, target));
	else
		through(code, JMP, target);
}

void rsb_x86_return(struct rsb_code *code)
{
	if (rsb_code_forms(code)->return_thunk == RSB_THUNK_NONE)
		rsb_x86_ret(code);
	else
		rsb_x86_jmp(code, rsb_thunks_return(code));
}

/* Where calls are accounted, a bare call was not, so its return must not be either. */
void rsb_x86_return_unaccounted(struct rsb_code *code)
{
	if (rsb_code_forms(code)->account)
		rsb_x86_ret(code);
	else
		rsb_x86_return(code);
}
