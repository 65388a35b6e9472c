/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Known pieces of code as events: RISC-V links, thunks, fills. */
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

/*
 * The hints of the RISC-V unprivileged manual for jalr rd, rs1, by which of them are link
 * registers. Two entries are there before; what do the next returns pop?
 */
START_TEST(riscv_link_hints)
{
	static const struct {
		enum rsb_kind kind;   /* of the event that jalr makes */
		unsigned expected[3]; /* call sites, newest first */
	} rows[] = {
		{ RSB_JUMP_INDIRECT, { 1, 0, 0 } }, /* neither: nothing */
		{ RSB_RETURN, { 0, 0, 0 } },        /* rs1: pop */
		{ RSB_CALL, { 2, 1, 0 } },          /* rd: push */
		{ RSB_SWAP, { 2, 0, 0 } },          /* both, different: pop, then push */
		{ RSB_CALL, { 2, 1, 0 } },          /* both, the same: push */
	};
	static const unsigned counts[] = { 2, 1, 3, 2, 3 };

	for (unsigned i = 0; i < 5; i++) {
		for (int type = 0; rsb_model_types()[type]; type++) {
			struct stream stream = stream_new();

			stream_call(&stream, stream_site(0));
			stream_call(&stream, stream_site(1));
			stream_add(&stream,
				   (struct rsb_site){ .pc = stream_site(2),
						      .length = CALL_LENGTH,
						      .kind = (uint8_t)rows[i].kind },
				   stream_behind(1));
			for (unsigned k = 0; k < counts[i]; k++)
				stream_return(&stream, stream_behind(rows[i].expected[k]));
			ck_assert_uint_eq(
				stream_misses_of(&stream, rsb_model_types()[type]->name, ""), 0);
			stream_free(&stream);
		}
	}
}
END_TEST

/* Revizor spectre_ret.asm: the called function writes another return address. */
START_TEST(return_address_overwritten)
{
	struct stream stream = stream_new();

	stream_call(&stream, stream_site(0));
	stream_return(&stream, 0xf2);
	ck_assert_uint_eq(stream_misses_of(&stream, "ideal", ""), 1);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_behind(0));
	ck_assert_uint_eq(stream.missed[0].pushed_by, stream.trace.events[0].site);
	stream_free(&stream);
}
END_TEST

/* safeside ret2spec_callret_disparity: two calls, and one return that skips a frame. */
START_TEST(a_skipped_frame)
{
	struct stream stream = stream_new();

	stream_call(&stream, stream_site(0));
	stream_call(&stream, stream_site(1));
	stream_call(&stream, stream_site(2));
	stream_return(&stream, stream_behind(1));
	stream_return(&stream, stream_behind(0));
	for (int i = 0; rsb_model_types()[i]; i++)
		ck_assert_uint_eq(stream_misses_of(&stream, rsb_model_types()[i]->name, ""), 2);
	stream_free(&stream);
}
END_TEST

/* A retpoline: call over the trap, the address overwritten, return. Its own miss, and no other. */
START_TEST(retpoline_is_balanced)
{
	struct stream stream = stream_new();

	stream_call(&stream, stream_site(0));
	stream_call(&stream, stream_site(1));
	stream_return(&stream, 0xabc);
	stream_return(&stream, stream_behind(0));
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", ""), 1);
	ck_assert_uint_eq(stream.missed[0].predicted, stream_behind(1));
	stream_free(&stream);
}
END_TEST

/* SRSO safe RET (retpoline.S): call, lea rsp, ret. Every return misses, and one entry stays. */
START_TEST(safe_ret_always_misses)
{
	for (unsigned depth = 1; depth <= 24; depth++) {
		struct stream stream = stream_new();

		for (unsigned i = 0; i < depth; i++)
			stream_call(&stream, stream_site(i));
		for (unsigned i = depth; i--;) {
			stream_call(&stream, stream_site(100));
			stream_return(&stream, stream_behind(i));
		}
		ck_assert_uint_eq(stream_misses_of(&stream, "ring", ""), depth);
		for (unsigned i = 0; i < depth; i++)
			ck_assert_uint_eq(stream.missed[i].predicted, stream_behind(100));
		stream_return(&stream, stream_behind(depth - 1));
		ck_assert_uint_eq(stream_misses_of(&stream, "ideal", ""), depth);
		stream_free(&stream);
	}
}
END_TEST

/* One return through Linux's call-depth thunk: shlq $5, and 16 calls when it comes to 0. */
static void call_depth_return(struct stream *stream, uint64_t target, int64_t *counter)
{
	*counter = (int64_t)((uint64_t)*counter << 5);
	if (!*counter) {
		for (unsigned i = 0; i < 16; i++)
			stream_call(stream, stream_site(200 + i));
		*counter = -1;
	}
	stream_return(stream, target);
}

/*
 * cpu-facts 2.2: wrong returns in a round of a chain, on a ring of 16, once the rounds repeat: with
 * plain returns and with call depth accounting (sarq $5 in each called function).
 */
START_TEST(call_depth_of_cpu_facts)
{
	static const struct {
		unsigned depth, plain, accounted;
	} rows[] = { { 4, 0, 0 },   { 12, 0, 0 },   { 16, 0, 4 },  { 17, 1, 5 },
		     { 24, 8, 12 }, { 32, 16, 20 }, { 64, 48, 52 } };

	for (size_t row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
		for (unsigned accounted = 0; accounted < 2; accounted++) {
			struct rsb_model *model = model_new("ring", "");
			struct stream stream = stream_new();
			int64_t counter = INT64_MIN;
			size_t misses = 0;

			for (unsigned round = 0; round < 40; round++) {
				stream_reset(&stream);
				for (unsigned i = 0; i < rows[row].depth; i++) {
					stream_call(&stream, stream_site(i));
					counter >>= 5;
				}
				for (unsigned i = rows[row].depth; i--;) {
					if (accounted)
						call_depth_return(&stream, stream_behind(i),
								  &counter);
					else
						stream_return(&stream, stream_behind(i));
				}
				misses = stream_misses(&stream, model);
			}
			ck_assert_uint_eq(misses,
					  accounted ? rows[row].accounted : rows[row].plain);
			rsb_model_free(model);
			stream_free(&stream);
		}
	}
}
END_TEST

/* __FILL_RETURN_BUFFER: 32 pushes. Of a stack of 32 or less, every older entry is gone. */
START_TEST(a_fill_takes_all)
{
	struct stream stream = stream_new();

	for (unsigned i = 0; i < 8; i++)
		stream_call(&stream, stream_site(i));
	stream_environment(&stream, RSB_ENVIRONMENT_FILL, 32);
	for (unsigned i = 8; i--;)
		stream_return(&stream, stream_behind(i));
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", "depth=32"), 8);
	for (unsigned i = 0; i < 8; i++) {
		ck_assert_uint_eq(stream.missed[i].predicted, 0x6000);
		ck_assert_uint_eq(stream.missed[i].pushed_by, stream.trace.events[8].site);
	}
	for (unsigned i = 0; i < 32; i++)
		stream_return(&stream, 0x6000);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "depth=40"), 16);
	stream_free(&stream);
}
END_TEST

/* A fill of any size is over at once; more than the depth is as good as the depth. */
START_TEST(a_huge_fill)
{
	struct stream stream = stream_new();

	stream_environment(&stream, RSB_ENVIRONMENT_FILL, UINT32_MAX);
	for (unsigned i = 0; i < 20; i++)
		stream_return(&stream, 0x6000);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", ""), 4);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "depth=0"), 20);
	ck_assert_uint_eq(stream_misses_of(&stream, "ring", ""), 0);
	ck_assert_uint_eq(stream_misses_of(&stream, "ideal", ""), 0);
	stream_free(&stream);
}
END_TEST

/* The unbounded model has a bound in memory: beyond it the oldest are lost, the newest are not. */
START_TEST(ideal_is_bounded_in_memory)
{
	struct stream stream = stream_new();
	struct rsb_model *model = model_new("ideal", "");

	stream_environment(&stream, RSB_ENVIRONMENT_FILL, UINT32_MAX);
	ck_assert_uint_eq(stream_misses(&stream, model), 0);
	stream_reset(&stream);
	for (unsigned i = 0; i < 100; i++)
		stream_call(&stream, stream_site(i));
	for (unsigned i = 100; i--;)
		stream_return(&stream, stream_behind(i));
	stream_return(&stream, 0x6000);
	ck_assert_uint_eq(stream_misses(&stream, model), 0);
	rsb_model_free(model);
	stream_free(&stream);
}
END_TEST

/* A cleared stack holds nothing, not even stale entries. IBPB clears it where the profile says so;
 * a switch of threads and a CR3 write leave it alone. */
START_TEST(environment_clears)
{
	static const struct {
		enum rsb_environment what;
		const char *settings;
		size_t misses;
	} rows[] = {
		{ RSB_ENVIRONMENT_CLEAR, "", 1 },
		{ RSB_ENVIRONMENT_IBPB, "", 0 },
		{ RSB_ENVIRONMENT_IBPB, "ibpb_clears=true", 1 },
		{ RSB_ENVIRONMENT_SWITCH, "ibpb_clears=true", 0 },
		{ RSB_ENVIRONMENT_CR3, "ibpb_clears=true", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct stream stream = stream_new();

		stream_call(&stream, stream_site(0));
		stream_environment(&stream, rows[i].what, 0);
		stream_return(&stream, stream_behind(0));
		ck_assert_uint_eq(stream_misses_of(&stream, "ring", rows[i].settings),
				  rows[i].misses);
		if (rows[i].misses)
			ck_assert_uint_eq(stream.missed[0].kind, RSB_MISS_EMPTY);
		stream_free(&stream);
	}
}
END_TEST

UNIT_MAIN("sequences", riscv_link_hints, return_address_overwritten, a_skipped_frame,
	  retpoline_is_balanced, safe_ret_always_misses, call_depth_of_cpu_facts, a_fill_takes_all,
	  a_huge_fill, ideal_is_bounded_in_memory, environment_clears)
