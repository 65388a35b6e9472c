/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each policy of the bounded stacks: what it changes, and whether it was exercised. */
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* The call sites A, B, ... are 128 bytes apart; a return goes back behind its call. */
static void nest(struct stream *stream, unsigned levels)
{
	for (unsigned i = 0; i < levels; i++)
		stream_call(stream, stream_site(i));
}

static void unwind(struct stream *stream, unsigned levels)
{
	while (levels--)
		stream_return(stream, stream_behind(levels));
}

/* Was the parameter of that name needed? */
static bool exercises(struct stream *stream, const char *type, const char *settings,
		      const char *name)
{
	struct rsb_model *model = model_new(type, settings);
	int row = rsb_parameter_find(rsb_model_type(model)->parameters, name);
	bool answer;

	ck_assert_int_ge(row, 0);
	stream_misses(stream, model);
	answer = rsb_model_exercised(model) >> row & 1;
	rsb_model_free(model);
	return answer;
}

static size_t chain_misses(unsigned levels, const char *type, const char *settings)
{
	struct stream stream = stream_new();
	size_t misses;

	nest(&stream, levels);
	unwind(&stream, levels);
	misses = stream_misses_of(&stream, type, settings);
	stream_free(&stream);
	return misses;
}

/*
 * Apple Firestorm (cpu-facts: jiegec, Johnson): 50 entries, all lost when one more comes. The jumps
 * are at nesting 51 and 101; in between the newest entries fill it again.
 */
START_TEST(clear_all_jumps)
{
	for (int i = 0; i < 2; i++) {
		const char *type = i ? "checked" : "ring";

		ck_assert_uint_eq(chain_misses(50, type, "depth=50 overflow=clear-all"), 0);
		ck_assert_uint_eq(chain_misses(51, type, "depth=50 overflow=clear-all"), 50);
		ck_assert_uint_eq(chain_misses(100, type, "depth=50 overflow=clear-all"), 50);
		ck_assert_uint_eq(chain_misses(101, type, "depth=50 overflow=clear-all"), 100);
	}
}
END_TEST

/* Refused pushes leave the oldest: the inner returns take them, one after the other. */
START_TEST(refuse_keeps_the_oldest)
{
	struct stream stream = stream_new();

	nest(&stream, 6);
	unwind(&stream, 6);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "depth=4 overflow=refuse"), 6);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_behind(3));
	ck_assert_uint_eq(stream.missed[3].predicted, stream_behind(0));
	ck_assert_uint_eq(stream.missed[4].kind, RSB_MISS_EMPTY);
	stream_free(&stream);
}
END_TEST

/* An empty stack predicts the one address. */
START_TEST(underflow_fixed)
{
	struct stream stream = stream_new();

	stream_return(&stream, 0x1234);
	stream_return(&stream, 0x1235);
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "underflow=fixed fixed_target=0x1234"),
			  1);
	ck_assert_uint_eq(stream.missed[0].event, 1);
	ck_assert_uint_eq(stream.missed[0].kind, RSB_MISS_OTHER);
	ck_assert(exercises(&stream, "ring", "underflow=fixed", "fixed_target"));
	ck_assert(!exercises(&stream, "ring", "underflow=none", "fixed_target"));
	stream_free(&stream);
}
END_TEST

/* depth_smt counts when smt is on, and only then. */
START_TEST(smt_has_its_own_depth)
{
	ck_assert_uint_eq(chain_misses(20, "ring", "depth=32 depth_smt=16"), 0);
	ck_assert_uint_eq(chain_misses(20, "ring", "depth=32 depth_smt=16 smt=true"), 4);
}
END_TEST

/* Revizor calls.asm: calls to the next instruction, each dropped with add rsp, 8. */
START_TEST(zero_calls)
{
	struct stream stream = stream_new();

	stream_call(&stream, stream_site(0));
	for (uint64_t pc = 0x2000; pc < 0x2000 + 4 * CALL_LENGTH; pc += CALL_LENGTH)
		stream_add(&stream,
			   (struct rsb_site){ .pc = pc,
					      .length = CALL_LENGTH,
					      .kind = RSB_CALL,
					      .flags = RSB_SITE_ZERO_CALL },
			   pc + CALL_LENGTH);
	stream_return(&stream, stream_behind(0));
	for (int i = 0; rsb_model_types()[i]; i++) {
		const char *type = rsb_model_types()[i]->name;

		ck_assert_uint_eq(stream_misses_of(&stream, type, ""), 0);
		ck_assert_uint_eq(stream_misses_of(&stream, type, "zero_call_pushes=true"), 1);
		ck_assert_uint_eq(stream.missed[0].predicted, 0x2000 + 4 * CALL_LENGTH);
		ck_assert(exercises(&stream, type, "", "zero_call_pushes"));
	}
	stream_free(&stream);
}
END_TEST

/* BOOM issue 769: jal ra, .+4 whose target faults; the older call is found below its entry. */
START_TEST(boom_769)
{
	struct stream stream = stream_new();

	stream_add(&stream, (struct rsb_site){ .pc = 0x80000010, .length = 4, .kind = RSB_CALL },
		   0x80000060);
	stream_add(&stream,
		   (struct rsb_site){ .pc = 0x80000060,
				      .length = 4,
				      .kind = RSB_CALL,
				      .flags = RSB_SITE_ZERO_CALL },
		   0x80000064);
	stream_kind(&stream, RSB_SPECULATE);
	stream_kind(&stream, RSB_SQUASH);
	stream_return(&stream, 0x80000064);
	stream_return(&stream, 0x80000014);
	ck_assert_uint_eq(
		stream_misses_of(&stream, "ring", "zero_call_pushes=true repair=pointer+top"), 0);
	stream_free(&stream);
}
END_TEST

/* XiangShan Nanhu: a recursion of 300 takes two entries of 255 pushes at most, not 300. */
START_TEST(merge_saves_entries)
{
	struct stream stream = stream_new();

	stream_call(&stream, stream_site(1));
	for (int i = 0; i < 300; i++)
		stream_call(&stream, stream_site(0));
	for (int i = 0; i < 300; i++)
		stream_return(&stream, stream_behind(0));
	stream_return(&stream, stream_behind(1));
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "depth=3"), 1);
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "depth=3 merge=true"), 0);
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "depth=3 merge=true counter_max=149"),
			  1);
	ck_assert(exercises(&stream, "ring", "merge=true", "counter_max"));
	ck_assert(!exercises(&stream, "ring", "merge=true counter_max=300", "counter_max"));
	stream_free(&stream);
}
END_TEST

/*
 * Bulldozer: after a mispredicted return the pointer is one off. The frame that was skipped costs
 * its own miss, and then one for each further return, until one is right by chance.
 */
START_TEST(quirk_of_bulldozer)
{
	struct stream stream = stream_new();

	nest(&stream, 5);
	stream_return(&stream, 0x666);
	unwind(&stream, 4);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "depth=24"), 1);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "depth=24 quirk=true"), 5);
	ck_assert_uint_eq(stream.missed[1].predicted, stream_behind(4));
	ck_assert_uint_eq(stream.missed[4].predicted, stream_behind(1));
	stream_reset(&stream);
	/* A call and its return in between are right, and set the pointer right. */
	nest(&stream, 5);
	stream_return(&stream, 0x666);
	stream_call(&stream, stream_site(9));
	stream_return(&stream, stream_behind(9));
	unwind(&stream, 4);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "depth=24 quirk=true"), 1);
	stream_free(&stream);
}
END_TEST

/* Note A of cpu-facts: return addresses too near to the newest get no entry of their own. */
START_TEST(spacing_drops_near_calls)
{
	struct stream stream = stream_new();

	stream_call(&stream, 0x1000);
	stream_call(&stream, 0x1010);
	stream_return(&stream, 0x1010 + CALL_LENGTH);
	stream_return(&stream, 0x1000 + CALL_LENGTH);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "spacing=16"), 0);
	ck_assert(!exercises(&stream, "checked", "spacing=16", "spacing"));
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "spacing=17"), 2);
	ck_assert(exercises(&stream, "checked", "spacing=17", "spacing"));
	stream_free(&stream);
	/* A recursion has one and the same return address, which is not near to itself. */
	stream = stream_new();
	for (int i = 0; i < 4; i++)
		stream_call(&stream, 0x1000);
	for (int i = 0; i < 4; i++)
		stream_return(&stream, 0x1000 + CALL_LENGTH);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "spacing=128"), 0);
	stream_free(&stream);
}
END_TEST

/* Nothing is exercised by calls and returns that match and fit. */
START_TEST(a_quiet_run_exercises_nothing)
{
	struct stream stream = stream_new();
	struct rsb_model *model = model_new("ring", "depth=8 merge=true quirk=true spacing=64");

	nest(&stream, 8);
	unwind(&stream, 8);
	ck_assert_uint_eq(stream_misses(&stream, model), 0);
	ck_assert_uint_eq(rsb_model_exercised(model), 0);
	rsb_model_free(model);
	nest(&stream, 9);
	ck_assert(exercises(&stream, "ring", "depth=8", "overflow"));
	ck_assert(exercises(&stream, "ring", "depth=8", "depth"));
	ck_assert(!exercises(&stream, "ring", "depth=8", "underflow"));
	unwind(&stream, 9);
	ck_assert(exercises(&stream, "ring", "depth=8", "underflow"));
	stream_free(&stream);
}
END_TEST

/* Calls in flight matter from the call on that does not fit beside the stack's entries. */
START_TEST(in_flight_is_needed_by_a_call_too_many)
{
	struct stream stream = stream_new();

	nest(&stream, 4);
	ck_assert(!exercises(&stream, "ring", "depth=4 in_flight=2", "in_flight"));
	stream_call(&stream, 0x7000);
	ck_assert(exercises(&stream, "ring", "depth=4 in_flight=2", "in_flight"));
	stream_free(&stream);
}
END_TEST

UNIT_MAIN("policies", clear_all_jumps, refuse_keeps_the_oldest, underflow_fixed,
	  smt_has_its_own_depth, zero_calls, boom_769, merge_saves_entries, quirk_of_bulldozer,
	  spacing_drops_near_calls, a_quiet_run_exercises_nothing,
	  in_flight_is_needed_by_a_call_too_many)
