/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The indirect predictor: of jumps and calls, and of returns whose stack is empty. */
#include "models/indirect.h"
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <string.h>

#define ROUNDS 20

/*
 * Misses of the last of some rounds, in which a chain of so many callers returns: each by its own
 * return, or all by one shared thunk.
 */
static size_t chain_misses(const char *settings, unsigned levels, bool shared)
{
	struct rsb_model *model = model_new("checked", settings);
	struct stream stream = stream_new();
	size_t misses = 0;

	for (unsigned i = 0; i < levels; i++)
		stream_call(&stream, stream_site(i));
	for (unsigned i = levels; i--;)
		stream_return_at(&stream, shared ? 0x8000 : stream_site(i) + 64, stream_behind(i));
	for (int round = 0; round < ROUNDS; round++)
		misses = stream_misses(&stream, model);
	rsb_model_free(model);
	stream_free(&stream);
	return misses;
}

/* Large, for no two of a few places to meet in one entry. */
#define FALLBACK "depth=16 underflow=indirect indirect_entries=65536 "

/*
 * Intel Skylake falls back on the indirect predictor: callers beyond the depth, each with a return
 * of its own and one place to go, cost nothing.
 */
START_TEST(own_returns_are_known)
{
	ck_assert_uint_eq(chain_misses("depth=16", 40, false), 24);
	ck_assert_uint_eq(chain_misses(FALLBACK "indirect=last", 40, false), 0);
	ck_assert_uint_eq(chain_misses(FALLBACK "indirect=path", 40, false), 0);
}
END_TEST

/* With a return thunk all returns share one pc: the last target is another caller's. */
START_TEST(a_shared_thunk_confuses_the_pc)
{
	ck_assert_uint_eq(chain_misses(FALLBACK "indirect=last", 40, true), 24);
	ck_assert_uint_eq(chain_misses(FALLBACK "indirect=path", 40, true), 0);
}
END_TEST

/* 40 returns want 40 places; with fewer, some are another's. */
START_TEST(size_matters)
{
	size_t one = chain_misses(FALLBACK "indirect=last indirect_entries=1", 40, false);
	size_t some = chain_misses(FALLBACK "indirect=last indirect_entries=24", 40, false);

	ck_assert_uint_eq(one, 24);
	ck_assert_uint_gt(some, 0);
	ck_assert_uint_lt(some, 24);
}
END_TEST

/* Indirect jumps and calls are predicted only where there is a predictor. */
START_TEST(jumps_and_calls)
{
	struct stream stream = stream_new();
	struct rsb_model *model = model_new("ring", "indirect=last"), *none = model_new("ring", "");
	struct rsb_site call = {
		.pc = 0x2000, .length = CALL_LENGTH, .kind = RSB_CALL, .flags = RSB_SITE_INDIRECT
	};

	ck_assert(rsb_model_predicts(model) & RSB_KIND_BIT(RSB_JUMP_INDIRECT));
	ck_assert(!(rsb_model_predicts(none) & RSB_KIND_BIT(RSB_JUMP_INDIRECT)));
	stream_jump_indirect(&stream, 0x1000, 0xa);
	stream_jump_indirect(&stream, 0x1000, 0xa);
	stream_jump_indirect(&stream, 0x1000, 0xb);
	stream_add(&stream, call, 0xc);
	stream_add(&stream, call, 0xc);
	stream_call(&stream, 0x3000); /* a direct call is not predicted */
	ck_assert_uint_eq(stream_misses(&stream, model), 3);
	ck_assert_uint_eq(stream.missed[0].kind, RSB_MISS_EMPTY);
	ck_assert_uint_eq(stream.missed[1].event, 2);
	ck_assert_uint_eq(stream.missed[1].predicted, 0xa);
	ck_assert_uint_eq(stream.missed[1].pushed_by, RSB_SITE_NONE);
	ck_assert_uint_eq(stream.missed[2].event, 3);
	ck_assert_uint_eq(stream_misses(&stream, none), 0);
	rsb_model_free(model);
	rsb_model_free(none);
	stream_free(&stream);
}
END_TEST

/* A jump that alternates is known by the path that led to it, not by its pc. */
START_TEST(the_path_tells_apart)
{
	static const char *const settings[] = { "indirect=last", "indirect=path" };
	static const size_t expected[] = { 2, 0 };

	for (int i = 0; i < 2; i++) {
		struct stream stream = stream_new();
		struct rsb_model *model = model_new("ring", settings[i]);
		size_t misses = 0;

		stream_call(&stream, stream_site(0));
		stream_jump_indirect(&stream, 0x1000, 0xa);
		stream_return(&stream, stream_behind(0));
		stream_call(&stream, stream_site(1));
		stream_jump_indirect(&stream, 0x1000, 0xb);
		stream_return(&stream, stream_behind(1));
		for (int round = 0; round < ROUNDS; round++)
			misses = stream_misses(&stream, model);
		ck_assert_uint_eq(misses, expected[i]);
		rsb_model_free(model);
		stream_free(&stream);
	}
}
END_TEST

/* An indirect branch prediction barrier takes the targets away, as its name says. */
START_TEST(a_barrier_clears_it)
{
	struct stream stream = stream_new();
	struct rsb_model *model = model_new("ring", "indirect=last");

	stream_jump_indirect(&stream, 0x1000, 0xa);
	stream_environment(&stream, RSB_ENVIRONMENT_IBPB, 0);
	stream_jump_indirect(&stream, 0x1000, 0xa);
	ck_assert_uint_eq(stream_misses(&stream, model), 2);
	rsb_model_free(model);
	stream_free(&stream);
}
END_TEST

/* Places that share an entry are told apart by their whole pc. */
START_TEST(no_place_takes_another_for_itself)
{
	struct rsb_indirect *indirect = rsb_indirect_new(RSB_INDIRECT_LAST, 1);
	uint64_t target;

	ck_assert_ptr_nonnull(indirect);
	ck_assert(!rsb_indirect_predict(indirect, 0, &target));
	rsb_indirect_train(indirect, 0, 0);
	ck_assert(rsb_indirect_predict(indirect, 0, &target));
	ck_assert_uint_eq(target, 0);
	ck_assert(!rsb_indirect_predict(indirect, UINT64_C(1) << 63, &target));
	rsb_indirect_free(indirect);
}
END_TEST

UNIT_MAIN("indirect predictor", own_returns_are_known, a_shared_thunk_confuses_the_pc, size_matters,
	  jumps_and_calls, the_path_tells_apart, a_barrier_clears_it,
	  no_place_takes_another_for_itself)
