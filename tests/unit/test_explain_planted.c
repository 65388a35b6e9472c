/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imbalances planted at random: trees of functions that call each other, of which one does
 * something to its return stack. Whatever surrounds it, that instruction must be found, and
 * nothing else; and without it nothing must be found.
 */
#include "sim/generate/x86.h"
#include "tests/unit/explained.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#define TREES     40 /* of each kind */
#define FUNCTIONS 8
#define CALLS     3

static const struct rsb_scenario scenario = { "own", 3, 1, 128 };
static struct rsb_error error;

static uint32_t seed;

/* The constants of Numerical Recipes; the same numbers everywhere. */
static unsigned pick(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 16) % below;
}

/* The culprit of what is planted is where this is called. */
static uint64_t culprit;

static void mark_culprit(struct rsb_code *code)
{
	culprit = rsb_code_here(code);
}

/* call over a byte, and the address dropped. */
static void plant_drop(struct rsb_code *code)
{
	rsb_label over = rsb_code_label(code);

	rsb_x86_call_bare(code, over);
	rsb_x86_int3(code);
	rsb_code_place(code, over);
	mark_culprit(code);
	rsb_x86_add_imm(code, RSB_RSP, 8);
}

/* The same by pop. */
static void plant_pop(struct rsb_code *code)
{
	rsb_label over = rsb_code_label(code);

	rsb_x86_call_bare(code, over);
	rsb_x86_int3(code);
	rsb_code_place(code, over);
	mark_culprit(code);
	rsb_x86_pop(code, RSB_RAX);
}

/* A call whose return is a jump: the address is popped and jumped to. */
static void plant_jump(struct rsb_code *code)
{
	rsb_label callee = rsb_code_label(code), out = rsb_code_label(code);

	rsb_x86_call_bare(code, callee);
	rsb_x86_jmp(code, out);
	rsb_code_place(code, callee);
	mark_culprit(code);
	rsb_x86_pop(code, RSB_RAX);
	rsb_x86_jmp_register(code, RSB_RAX);
	rsb_code_place(code, out);
}

/* A call that returns somewhere else. */
static void plant_rewrite(struct rsb_code *code)
{
	rsb_label callee = rsb_code_label(code), other = rsb_code_label(code);

	rsb_x86_call_bare(code, callee);
	rsb_x86_int3(code);
	rsb_code_place(code, callee);
	rsb_x86_mov_label(code, RSB_RAX, other);
	mark_culprit(code);
	rsb_x86_store(code, RSB_RSP, 0, RSB_RAX);
	rsb_x86_ret(code);
	rsb_code_place(code, other);
}

/* A jump that is a push and a return. */
static void plant_push(struct rsb_code *code)
{
	rsb_label other = rsb_code_label(code);

	rsb_x86_mov_label(code, RSB_RAX, other);
	mark_culprit(code);
	rsb_x86_push(code, RSB_RAX);
	rsb_x86_ret(code);
	rsb_code_place(code, other);
}

struct plant {
	enum rsb_cause cause;
	void (*emit)(struct rsb_code *code);
};

/* A function that calls some of those after it, with the plant before one of the calls, if any. */
static void emit_function(struct rsb_code *code, unsigned number, const struct plant *plant)
{
	unsigned calls = number + 1 < FUNCTIONS ? 1 + pick(CALLS) : 0, at = pick(calls + 1);
	char name[32];

	snprintf(name, sizeof(name), "function_%u", number);
	rsb_code_function(code, name);
	for (unsigned i = 0; i <= calls; i++) {
		if (plant && i == at)
			plant->emit(code);
		if (i == calls)
			break;
		/* The next one is always called, so that all are reached. */
		snprintf(name, sizeof(name), "function_%u",
			 i ? number + 1 + pick(FUNCTIONS - number - 1) : number + 1);
		rsb_x86_call_bare(code, rsb_code_named(code, name));
	}
	rsb_x86_ret(code);
}

static struct rsb_explanation *explain_tree(unsigned tree, const struct plant *plant)
{
	struct rsb_code *code = explained_callers(&scenario, 0);
	struct rsb_profile *profile = rsb_profile_load("intel-haswell", &error);
	struct rsb_explanation *explanation;
	struct rsb_image *image;
	unsigned where;

	ck_assert_msg(profile, "%s", error.text);
	/* The kinds stand in other places of other trees. */
	seed = tree * 8 + (plant ? (unsigned)plant->cause : 0);
	where = pick(FUNCTIONS);
	rsb_x86_call_bare(code, rsb_code_named(code, "function_0"));
	rsb_x86_ret(code);
	for (unsigned i = 0; i < FUNCTIONS; i++)
		emit_function(code, i, i == where ? plant : NULL);
	image = rsb_image_new();
	ck_assert_msg(rsb_code_finish(code, image, &error), "%s", error.text);
	rsb_code_free(code);
	explanation = explained_image(image, profile, &scenario);
	rsb_profile_free(profile);
	return explanation;
}

static void find_planted(enum rsb_cause cause, void (*emit)(struct rsb_code *code))
{
	const struct plant plant = { cause, emit };

	for (unsigned tree = 0; tree < TREES; tree++) {
		struct rsb_explanation *explanation = explain_tree(tree, &plant);
		const struct rsb_finding *finding = explanation->findings;

		ck_assert_msg(explanation->count == 1, "tree %u: %zu findings", tree,
			      explanation->count);
		ck_assert_msg(finding->cause == cause, "tree %u: %s", tree,
			      rsb_cause_name(finding->cause));
		ck_assert_msg(finding->culprit.pc == culprit, "tree %u: %s, %s", tree,
			      finding->culprit.symbol, finding->culprit.text);
		ck_assert_msg(finding->miss_count > 0, "tree %u: no miss", tree);
		rsb_explanation_free(explanation);
	}
}

/* `add rsp, 8` drops what a call over a byte pushed. */
START_TEST(finds_an_address_that_is_dropped)
{
	find_planted(RSB_CAUSE_SKIPPED_FRAME, plant_drop);
}
END_TEST

/* So does a pop. */
START_TEST(finds_one_that_is_popped)
{
	find_planted(RSB_CAUSE_SKIPPED_FRAME, plant_pop);
}
END_TEST

/* A pop, with a jmp to what it popped. */
START_TEST(finds_a_jump_in_place_of_a_return)
{
	find_planted(RSB_CAUSE_SKIPPED_FRAME, plant_jump);
}
END_TEST

/* A store over the return address. */
START_TEST(finds_an_address_that_is_rewritten)
{
	find_planted(RSB_CAUSE_REWRITTEN_RETURN, plant_rewrite);
}
END_TEST

/* A return to what code pushed. */
START_TEST(finds_one_that_is_pushed)
{
	find_planted(RSB_CAUSE_PUSHED_RETURN, plant_push);
}
END_TEST

/* The same trees without a fault are without a finding. */
START_TEST(nothing_is_found_where_nothing_is_planted)
{
	for (unsigned tree = 0; tree < TREES; tree++) {
		struct rsb_explanation *explanation = explain_tree(tree, NULL);

		ck_assert_msg(explanation->count == 0, "tree %u: %zu findings", tree,
			      explanation->count);
		rsb_explanation_free(explanation);
	}
}
END_TEST

UNIT_MAIN("planted imbalances", finds_an_address_that_is_dropped, finds_one_that_is_popped,
	  finds_a_jump_in_place_of_a_return, finds_an_address_that_is_rewritten,
	  finds_one_that_is_pushed, nothing_is_found_where_nothing_is_planted)
