/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ring: cases from other simulators, and properties. */
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

/* The call site of one level of nesting. */
/* Calls level after level, each from its own site. */
static void nest(struct stream *stream, unsigned levels)
{
	for (unsigned i = 0; i < levels; i++)
		stream_call(stream, stream_site(i));
}

static void unwind(struct stream *stream, unsigned levels)
{
	while (levels--)
		stream_return(stream, stream_site(levels) + CALL_LENGTH);
}

static size_t misses_of(struct stream *stream, const char *settings)
{
	return stream_misses_of(stream, "ring", settings);
}

/* SimEng test/unit/GenericPredictorTest.cc, nested calls: depth 10, calls of 4 bytes. */
START_TEST(simeng_nested)
{
	static const uint64_t calls[] = { 8, 24, 40, 56, 72 };
	static const uint64_t targets[] = { 76, 60, 44, 28, 12 };
	struct stream stream = stream_new();

	for (int i = 0; i < 5; i++)
		stream_add(&stream,
			   (struct rsb_site){ .pc = calls[i], .length = 4, .kind = RSB_CALL },
			   calls[i] + 8);
	for (int i = 0; i < 5; i++)
		stream_return_at(&stream, 84 - 16 * (uint64_t)i, targets[i]);
	ck_assert_uint_eq(misses_of(&stream, "depth=10"), 0);
	stream_free(&stream);
}
END_TEST

/* gem5 issue 2901: a call, a return, and a jump back. It never misses, at any depth but none. */
START_TEST(gem5_call_and_return)
{
	struct stream stream = stream_new();

	for (int i = 0; i < 10000; i++) {
		stream_call(&stream, 0x1000);
		stream_return(&stream, 0x1000 + CALL_LENGTH);
	}
	for (int depth = 1; depth <= 64; depth += 7) {
		char settings[32];

		snprintf(settings, sizeof(settings), "depth=%d", depth);
		ck_assert_uint_eq(misses_of(&stream, settings), 0);
	}
	/* Without a stack each return misses. */
	ck_assert_uint_eq(misses_of(&stream, "depth=0"), 10000);
	stream_free(&stream);
}
END_TEST

/* ... and were the address that a call pushes 8 bytes on, each return would miss. */
START_TEST(gem5_wrong_return_address)
{
	const struct rsb_site call = { .pc = 0x1000, .length = 8, .kind = RSB_CALL };
	struct stream stream = stream_new();

	for (int i = 0; i < 10000; i++) {
		stream_add(&stream, call, 0x2000);
		stream_return(&stream, 0x1000 + CALL_LENGTH);
	}
	ck_assert_uint_eq(misses_of(&stream, "depth=16"), 10000);
	ck_assert_uint_eq(stream.missed[0].predicted, 0x1008);
	stream_free(&stream);
}
END_TEST

/* BOOM issue 780: a return register reloaded from memory. One miss, and the callers are right. */
START_TEST(boom_780)
{
	struct stream stream = stream_new();

	nest(&stream, 4);
	stream_return(&stream, 0x666);
	unwind(&stream, 3);
	ck_assert_uint_eq(misses_of(&stream, ""), 1);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_site(3) + CALL_LENGTH);
	stream_free(&stream);
}
END_TEST

/* SimpleScalar bpred.c, without underflow check: of 8 entries, the ninth pop gives the first. */
START_TEST(simplescalar_ninth_pop)
{
	struct stream stream = stream_new();

	nest(&stream, 8);
	unwind(&stream, 8);
	stream_return(&stream, stream_site(7) + CALL_LENGTH);
	stream_return(&stream, 0x1);
	ck_assert_uint_eq(misses_of(&stream, "depth=8"), 1);
	ck_assert_uint_eq(stream.missed[0].event, 17);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_site(6) + CALL_LENGTH);
	ck_assert_uint_eq(stream.missed[0].kind, RSB_MISS_STALE);
	stream_free(&stream);
}
END_TEST

/* On random streams: pop d + k predicts what pop k did. All of these returns go to 1, and miss. */
START_TEST(pops_repeat_after_the_depth)
{
	uint64_t seed = 20180430;

	for (unsigned depth = 1; depth <= 40; depth++) {
		struct stream stream = stream_new();
		char settings[32];
		size_t misses, last;

		stream_random(&stream, 400, &seed);
		for (unsigned i = 0; i < 40; i++) /* fill it, and end any wrong path */
			stream_kind(&stream, RSB_SQUASH);
		nest(&stream, depth);
		for (unsigned i = 0; i < 3 * depth; i++)
			stream_return(&stream, 1);
		snprintf(settings, sizeof(settings), "depth=%u", depth);
		misses = misses_of(&stream, settings);
		ck_assert_uint_ge(misses, 3 * depth);
		last = misses - 2 * depth;
		for (size_t i = last; i < misses; i++)
			ck_assert_uint_eq(stream.missed[i].predicted,
					  stream.missed[i - depth].predicted);
		for (size_t i = last - depth; i < misses; i++)
			ck_assert_uint_eq(stream.missed[i].kind,
					  i < last ? RSB_MISS_OTHER : RSB_MISS_STALE);
		stream_free(&stream);
	}
}
END_TEST

/* A recursion levels deep, whose return addresses repeat after p levels. */
static size_t recursion_misses(unsigned levels, unsigned p)
{
	struct stream stream = stream_new();
	size_t misses;

	for (unsigned i = 0; i < levels; i++)
		stream_call(&stream, stream_site(i % p));
	for (unsigned i = levels; i--;)
		stream_return(&stream, stream_site(i % p) + CALL_LENGTH);
	misses = misses_of(&stream, "depth=32");
	stream_free(&stream);
	return misses;
}

/*
 * Pop 32 + k gives the address of pop k, which is right if the addresses repeat after 32 levels.
 * That the processor this was measured on does so is what made amd-zen4 a ring that reuses stale
 * entries.
 */
START_TEST(cyclic_recursion)
{
	static const unsigned dividing[] = { 1, 2, 4, 8, 16, 32 };
	static const unsigned others[] = { 3, 5, 6, 7, 9, 31, 33 };

	for (unsigned levels = 33; levels <= 96; levels++) {
		for (size_t i = 0; i < sizeof(dividing) / sizeof(*dividing); i++)
			ck_assert_uint_eq(recursion_misses(levels, dividing[i]), 0);
		for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
			ck_assert_uint_eq(recursion_misses(levels, others[i]), levels - 32);
	}
}
END_TEST

/* Overflow loses the oldest: of a nesting beyond the depth, only what is beyond it misses. */
START_TEST(overflow_loses_the_oldest)
{
	for (unsigned levels = 1; levels <= 40; levels++) {
		struct stream stream = stream_new();

		nest(&stream, levels);
		unwind(&stream, levels);
		ck_assert_uint_eq(misses_of(&stream, "depth=16"), levels > 16 ? levels - 16 : 0);
		for (unsigned i = 0; levels > 16 && i < levels - 16; i++)
			ck_assert_uint_eq(stream.missed[i].kind, RSB_MISS_STALE);
		stream_free(&stream);
	}
}
END_TEST

/* A slot that never held an entry has nothing to give: no prediction, at any depth. */
START_TEST(a_new_ring_predicts_nothing)
{
	for (int depth = 0; depth < 3; depth++) {
		struct stream stream = stream_new();
		char settings[32];

		for (int i = 0; i < 4; i++)
			stream_return(&stream, 0);
		snprintf(settings, sizeof(settings), "depth=%d", depth);
		ck_assert_uint_eq(misses_of(&stream, settings), 4);
		for (int i = 0; i < 4; i++) {
			ck_assert_uint_eq(stream.missed[i].kind, RSB_MISS_EMPTY);
			ck_assert_uint_eq(stream.missed[i].pushed_by, RSB_SITE_NONE);
		}
		stream_free(&stream);
	}
}
END_TEST

/* One entry serves the innermost return, and is all there is. */
START_TEST(a_ring_of_one)
{
	struct stream stream = stream_new();

	nest(&stream, 3);
	unwind(&stream, 3);
	ck_assert_uint_eq(misses_of(&stream, "depth=1"), 2);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_site(2) + CALL_LENGTH);
	ck_assert_uint_eq(stream.missed[0].kind, RSB_MISS_STALE);
	ck_assert_uint_eq(stream.missed[0].pushed_by, stream.trace.events[2].site);
	stream_free(&stream);
}
END_TEST

UNIT_MAIN("ring", simeng_nested, gem5_call_and_return, gem5_wrong_return_address, boom_780,
	  simplescalar_ninth_pop, pops_repeat_after_the_depth, cyclic_recursion,
	  overflow_loses_the_oldest, a_new_ring_predicts_nothing, a_ring_of_one)
