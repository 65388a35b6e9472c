/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiments: what each is. */
#include "sim/native/experiment.h"

#include "sim/generate/x86.h"

#define NOP        0x90
#define INT3       0xcc
#define SPACING    128
#define ABOVE      8 /* calls above what is unbalanced */
#define BOUNCE     8 /* calls that are made again */
#define LEAVES_MAX 64
#define GETPPID    110 /* asm/unistd_64.h */

/*
 * The function "body": the first of so many levels, each called by the one before at a site of its
 * own; count is of the calls, the one of body counted. What comes next is in the last one, which
 * the caller of this ends with a return.
 */
static void emit_levels(struct rsb_code *code, unsigned count, unsigned spacing)
{
	rsb_label next = rsb_code_named(code, "body");
	uint64_t at;

	rsb_code_align(code, SPACING, INT3);
	at = rsb_code_here(code);
	for (unsigned i = 1; i < count; i++) {
		rsb_code_fill(code, at - rsb_code_here(code), INT3);
		at += spacing;
		rsb_code_place(code, next);
		next = rsb_code_label(code);
		rsb_x86_call_bare(code, next);
		rsb_x86_ret(code);
	}
	rsb_code_align(code, SPACING, INT3);
	rsb_code_place(code, next);
}

void rsb_experiment_chain(struct rsb_code *code, unsigned a, unsigned b)
{
	emit_levels(code, a, b);
	rsb_x86_ret(code);
}

/* No return is fetched before the last call is done. */
void rsb_experiment_fenced(struct rsb_code *code, unsigned a, unsigned b)
{
	emit_levels(code, a, SPACING);
	for (unsigned i = 0; i < b; i++)
		rsb_x86_lfence(code);
	rsb_x86_ret(code);
}

/* Recursion by b functions that call each other in turn; rbx is how deep it still goes. */
void rsb_experiment_shared(struct rsb_code *code, unsigned a, unsigned b)
{
	rsb_label first = rsb_code_label(code), next = first, out;

	rsb_code_function(code, "body");
	rsb_x86_mov_imm(code, RSB_RBX, a - 1);
	for (unsigned i = 0; i < b; i++) {
		if (i)
			rsb_code_align(code, SPACING, INT3);
		rsb_code_place(code, next);
		next = i + 1 < b ? rsb_code_label(code) : first;
		out = rsb_code_label(code);
		rsb_x86_test(code, RSB_RBX, RSB_RBX);
		rsb_x86_jcc(code, RSB_EQUAL, out);
		rsb_x86_decrement_register(code, RSB_RBX);
		rsb_x86_call_bare(code, next);
		rsb_code_place(code, out);
		rsb_x86_ret(code);
	}
}

/* All but the last 8 are called once; these b times. */
void rsb_experiment_bounce(struct rsb_code *code, unsigned a, unsigned b)
{
	rsb_label again = rsb_code_label(code), next = rsb_code_label(code);

	emit_levels(code, a - BOUNCE, SPACING);
	rsb_x86_mov_imm(code, RSB_RBX, b);
	rsb_code_place(code, again);
	rsb_x86_call_bare(code, next);
	rsb_x86_decrement_register(code, RSB_RBX);
	rsb_x86_jcc(code, RSB_NOT_EQUAL, again);
	rsb_x86_ret(code);
	for (unsigned i = 1; i < BOUNCE; i++) {
		rsb_code_align(code, SPACING, INT3);
		rsb_code_place(code, next);
		next = rsb_code_label(code);
		rsb_x86_call_bare(code, next);
		rsb_x86_ret(code);
	}
	rsb_code_align(code, SPACING, INT3);
	rsb_code_place(code, next);
	rsb_x86_ret(code);
}

/*
 * Calls that are over: do they take room from those that are open? They are close to each other,
 * for what stands between them would take time, which is another reason for room to be taken.
 */
void rsb_experiment_leaves(struct rsb_code *code, unsigned a, unsigned b)
{
	rsb_label leaves[LEAVES_MAX];

	emit_levels(code, a, SPACING);
	for (unsigned i = 0; i < b && i < LEAVES_MAX; i++) {
		leaves[i] = rsb_code_label(code);
		rsb_x86_call_bare(code, leaves[i]);
		rsb_code_align(code, 8, NOP);
	}
	rsb_x86_ret(code);
	for (unsigned i = 0; i < b && i < LEAVES_MAX; i++) {
		rsb_code_align(code, SPACING, INT3);
		rsb_code_place(code, leaves[i]);
		rsb_x86_ret(code);
	}
}

/* All calls are retired before the first return is predicted, however far that runs ahead. */
void rsb_experiment_long(struct rsb_code *code, unsigned a, unsigned b)
{
	emit_levels(code, a, SPACING);
	rsb_code_fill(code, b, NOP);
	rsb_x86_ret(code);
}

void rsb_experiment_calls(struct rsb_code *code, unsigned a, unsigned b)
{
	emit_levels(code, b, SPACING);
	for (unsigned i = 0; i < a; i++) {
		rsb_x86_call_over_int3(code);
		rsb_code_align(code, SPACING, NOP);
	}
	rsb_x86_add_imm(code, RSB_RSP, (int32_t)(8 * a));
	rsb_x86_ret(code);
}

static void emit_returns(struct rsb_code *code, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		rsb_label next = rsb_code_label(code);

		rsb_x86_mov_label(code, RSB_RAX, next);
		rsb_x86_push(code, RSB_RAX);
		rsb_x86_ret(code);
		rsb_code_align(code, SPACING, INT3);
		rsb_code_place(code, next);
	}
}

void rsb_experiment_returns(struct rsb_code *code, unsigned a, unsigned b)
{
	(void)b;
	emit_levels(code, ABOVE, SPACING);
	emit_returns(code, a);
	rsb_x86_ret(code);
}

void rsb_experiment_flat(struct rsb_code *code, unsigned a, unsigned b)
{
	(void)b;
	emit_levels(code, 1, SPACING);
	emit_returns(code, a);
	rsb_x86_ret(code);
}

void rsb_experiment_zero(struct rsb_code *code, unsigned a, unsigned b)
{
	(void)b;
	emit_levels(code, ABOVE, SPACING);
	for (unsigned i = 0; i < a; i++) {
		rsb_label next = rsb_code_label(code);

		rsb_x86_call_bare(code, next);
		rsb_code_place(code, next);
		rsb_x86_pop(code, RSB_RCX);
	}
	rsb_x86_ret(code);
}

/* What a retpoline does: the processor expects the return where the call was. */
void rsb_experiment_rewritten(struct rsb_code *code, unsigned a, unsigned b)
{
	(void)b;
	emit_levels(code, 1, SPACING);
	for (unsigned i = 0; i < a; i++) {
		rsb_label next = rsb_code_label(code);

		rsb_x86_mov_label(code, RSB_RAX, next);
		rsb_x86_call_over_int3(code);
		rsb_x86_store(code, RSB_RSP, 0, RSB_RAX);
		rsb_x86_ret(code);
		rsb_code_align(code, SPACING, INT3);
		rsb_code_place(code, next);
	}
	rsb_x86_ret(code);
}

void rsb_experiment_syscall(struct rsb_code *code, unsigned a, unsigned b)
{
	(void)b;
	emit_levels(code, a, SPACING);
	rsb_x86_mov_imm(code, RSB_RAX, GETPPID);
	rsb_x86_syscall(code);
	rsb_x86_ret(code);
}

/*
 * Numbers by chance: x = x * 6364136223846793005 + 1442695040888963407 (Knuth's MMIX), of which the
 * upper four bits choose. They are kept from round to round, or it would be no chance.
 */
static void emit_chance(struct rsb_code *code)
{
	static const uint8_t step[] = {
		0x4d, 0x0f, 0xaf, 0xfe, /* imul r15, r14 */
		0x4d, 0x01, 0xef,       /* add r15, r13 */
		0x4c, 0x89, 0xf8,       /* mov rax, r15 */
		0x48, 0xc1, 0xe8, 0x3c, /* shr rax, 60 */
		0x48, 0xc1, 0xe0, 0x07, /* shl rax, 7 */
		0x4c, 0x01, 0xe0,       /* add rax, r12 */
	};

	rsb_code_bytes(code, step, sizeof(step));
}

void rsb_experiment_random(struct rsb_code *code, unsigned a, unsigned b)
{
	rsb_label level = rsb_code_label(code), out = rsb_code_label(code);
	rsb_label sites = rsb_code_label(code), state = rsb_code_data(code, "state", 8);

	(void)b;
	rsb_code_function(code, "body");
	rsb_x86_mov_label(code, RSB_RBP, state);
	rsb_x86_load(code, RSB_R15, RSB_RBP, 0);
	rsb_x86_mov_imm(code, RSB_R14, UINT64_C(6364136223846793005));
	rsb_x86_mov_imm(code, RSB_R13, UINT64_C(1442695040888963407));
	rsb_x86_mov_label(code, RSB_R12, sites);
	rsb_x86_mov_imm(code, RSB_RBX, a - 1);
	rsb_code_place(code, level);
	rsb_x86_test(code, RSB_RBX, RSB_RBX);
	rsb_x86_jcc(code, RSB_EQUAL, out);
	rsb_x86_decrement_register(code, RSB_RBX);
	emit_chance(code);
	rsb_x86_jmp_register(code, RSB_RAX);
	rsb_code_place(code, out);
	rsb_x86_store(code, RSB_RBP, 0, RSB_R15);
	rsb_x86_ret(code);
	rsb_code_align(code, SPACING, INT3);
	rsb_code_place(code, sites);
	for (unsigned i = 0; i < 16; i++) {
		rsb_code_align(code, SPACING, INT3);
		rsb_x86_call_bare(code, level);
		rsb_x86_ret(code);
	}
}
