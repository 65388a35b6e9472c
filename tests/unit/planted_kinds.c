/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of imbalance that are planted. What they need they keep below the stack pointer, where
 * nothing else writes while they run. Only an add changes flags: where those are in use the code
 * goes another way, and the plant is drawn again.
 *
 * Left out, because no one instruction is at fault: a call or a return that is merely gone, with
 * what it led to (the code then does something else, balanced or not), and a jump to a function
 * in place of its call, which is a tail call where it works at all.
 */
#include "tests/unit/planted.h"

#include "sim/generate/x86.h"

static void jump_to(struct rsb_code *code, uint64_t address)
{
	rsb_x86_jmp(code, rsb_code_external(code, address));
}

static const uint8_t *site_bytes(const struct planted_place *place)
{
	return place->bytes + (place->site - place->start);
}

static void emit_site(struct rsb_code *code, const struct planted_place *place)
{
	rsb_code_bytes(code, site_bytes(place), place->back - place->site);
}

static void emit_call(struct rsb_code *code, const struct planted_place *place)
{
	if (place->target)
		rsb_x86_call_bare(code, rsb_code_external(code, place->target));
	else
		emit_site(code, place);
}

/* To where the call goes: the jump through a register is the call with one other bit pair. */
static void emit_call_as_jump(struct rsb_code *code, const struct planted_place *place)
{
	size_t size = place->back - place->site;

	if (place->target) {
		jump_to(code, place->target);
		return;
	}
	rsb_code_bytes(code, site_bytes(place), size - 1);
	rsb_code_bytes(code, &(uint8_t){ site_bytes(place)[size - 1] ^ 0x30 }, 1);
}

/* Stores the label's address at [rsp + displacement]; rax stays as it is. */
static void store_label(struct rsb_code *code, int32_t displacement, rsb_label label,
			uint64_t *culprit)
{
	rsb_x86_store(code, RSB_RSP, -24, RSB_RAX);
	rsb_x86_mov_label(code, RSB_RAX, label);
	*culprit = rsb_code_here(code);
	rsb_x86_store(code, RSB_RSP, displacement, RSB_RAX);
	rsb_x86_load(code, RSB_RAX, RSB_RSP, -24);
}

/* The address is pushed by hand. */
static void drop_call(struct rsb_code *code, const struct planted_place *place, uint64_t *culprit)
{
	store_label(code, -8, rsb_code_external(code, place->back), culprit);
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, -8);
	emit_call_as_jump(code, place);
}

/* Two calls, and one return: the outer call's address is dropped after the inner one returned. */
static void double_call(struct rsb_code *code, const struct planted_place *place, uint64_t *culprit)
{
	rsb_label inner = rsb_code_label(code);

	rsb_x86_call_bare(code, inner);
	rsb_x86_int3(code);
	rsb_code_place(code, inner);
	emit_call(code, place);
	*culprit = rsb_code_here(code);
	rsb_x86_add_imm(code, RSB_RSP, 8);
	jump_to(code, place->back);
}

static void jump_below(struct rsb_code *code, int8_t displacement)
{
	/* jmp [rsp + displacement] */
	rsb_code_bytes(code, (const uint8_t[]){ 0xff, 0x64, 0x24, (uint8_t)displacement }, 4);
}

/* The address is dropped, and jumped to. */
static void drop_return(struct rsb_code *code, const struct planted_place *place, uint64_t *culprit)
{
	(void)place;
	*culprit = rsb_code_here(code);
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, 8);
	jump_below(code, -8);
}

/* It is popped into a register, and jumped to. */
static void pop_return(struct rsb_code *code, const struct planted_place *place, uint64_t *culprit)
{
	(void)place;
	*culprit = rsb_code_here(code);
	rsb_x86_pop(code, RSB_R11);
	rsb_x86_jmp_register(code, RSB_R11);
}

/* Returns to a return. */
static void double_return(struct rsb_code *code, const struct planted_place *place,
			  uint64_t *culprit)
{
	rsb_label second = rsb_code_label(code);

	(void)place;
	store_label(code, -8, second, culprit);
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, -8);
	rsb_x86_ret(code);
	rsb_code_place(code, second);
	rsb_x86_ret(code);
}

/* Returns to a jump to where it would have returned to. */
static void rewrite(struct rsb_code *code, const struct planted_place *place, uint64_t *culprit)
{
	rsb_label other = rsb_code_label(code);

	rsb_x86_store(code, RSB_RSP, -24, RSB_RAX);
	rsb_x86_load(code, RSB_RAX, RSB_RSP, 0);
	rsb_x86_store(code, RSB_RSP, -8, RSB_RAX);
	rsb_x86_load(code, RSB_RAX, RSB_RSP, -24);
	store_label(code, 0, other, culprit);
	emit_site(code, place);
	rsb_code_place(code, other);
	jump_below(code, -16);
}

/* The same when the function begins. */
static void rewrite_early(struct rsb_code *code, const struct planted_place *place,
			  uint64_t *culprit)
{
	rsb_label other = rsb_code_label(code);

	store_label(code, 0, other, culprit);
	emit_site(code, place);
	jump_to(code, place->back);
	rsb_code_place(code, other);
	jump_to(code, place->answer);
}

/* A call of what comes next but one byte, and its address dropped. */
static void add(struct rsb_code *code, const struct planted_place *place, uint64_t *culprit)
{
	rsb_x86_call_over_int3(code);
	*culprit = rsb_code_here(code);
	rsb_x86_add_imm(code, RSB_RSP, 8);
	emit_site(code, place);
	jump_to(code, place->back);
}

const struct planted_kind planted_kinds[] = {
	{ "call dropped", PLANTED_AT_CALL, RSB_CAUSE_PUSHED_RETURN, drop_call },
	{ "call doubled", PLANTED_AT_CALL, RSB_CAUSE_SKIPPED_FRAME, double_call },
	{ "jump for a return", PLANTED_AT_RETURN, RSB_CAUSE_SKIPPED_FRAME, drop_return },
	{ "pop and jump for a return", PLANTED_AT_RETURN, RSB_CAUSE_SKIPPED_FRAME, pop_return },
	{ "return doubled", PLANTED_AT_RETURN, RSB_CAUSE_PUSHED_RETURN, double_return },
	{ "slot rewritten", PLANTED_AT_RETURN, RSB_CAUSE_REWRITTEN_RETURN, rewrite },
	{ "slot rewritten at entry", PLANTED_AT_ENTRY, RSB_CAUSE_REWRITTEN_RETURN, rewrite_early },
	{ "add to the stack pointer", PLANTED_AT_ANY, RSB_CAUSE_SKIPPED_FRAME, add },
	{ 0 },
};
