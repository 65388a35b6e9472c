/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checked stack, and both bounded stacks against a few lines that say what they are. */
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Distinct callers, nested levels deep, all return: what misses? */
static size_t chain_misses(struct stream *stream, const char *type, const char *settings,
			   unsigned levels)
{
	struct rsb_model *model = model_new(type, settings);
	size_t misses;

	stream_reset(stream);
	for (unsigned i = 0; i < levels; i++)
		stream_call(stream, 0x10000 + i * 128);
	for (unsigned i = levels; i--;)
		stream_return(stream, 0x10000 + i * 128 + CALL_LENGTH);
	misses = stream_misses(stream, model);
	rsb_model_free(model);
	return misses;
}

/* A stack of N under callers depth deep misses depth + 1 - N, for the traced call nests too. */
START_TEST(excess_levels_miss)
{
	struct stream stream = stream_new();

	for (unsigned n = 0; n <= 24; n += 3) {
		for (unsigned depth = 0; depth < 40; depth++) {
			char settings[32];
			size_t expected = depth + 1 > n ? depth + 1 - n : 0;

			snprintf(settings, sizeof(settings), "depth=%u", n);
			ck_assert_uint_eq(chain_misses(&stream, "checked", settings, depth + 1),
					  expected);
			for (size_t i = 0; i < expected; i++)
				ck_assert_uint_eq(stream.missed[i].kind, RSB_MISS_EMPTY);
		}
	}
	stream_free(&stream);
}
END_TEST

/* ChampSim return_stack.cc, depth 64: 65 calls, 65 returns; 64 are right, the last has no entry. */
START_TEST(champsim_65_calls)
{
	struct stream stream = stream_new();

	ck_assert_uint_eq(chain_misses(&stream, "checked", "depth=64", 65), 1);
	ck_assert_uint_eq(stream.missed[0].event, 129);
	ck_assert_uint_eq(stream.missed[0].kind, RSB_MISS_EMPTY);
	stream_free(&stream);
}
END_TEST

/* Returns that find it empty leave it empty: the next call and return are right. */
START_TEST(empty_stays_empty)
{
	struct stream stream = stream_new();
	struct rsb_model *model = model_new("checked", "depth=4");

	for (int i = 0; i < 9; i++)
		stream_return(&stream, 0x5);
	stream_call(&stream, 0x1000);
	stream_return(&stream, 0x1000 + CALL_LENGTH);
	stream_return(&stream, 0x5);
	ck_assert_uint_eq(stream_misses(&stream, model), 10);
	ck_assert_uint_eq(stream.missed[9].event, 11);
	rsb_model_free(model);
	stream_free(&stream);
}
END_TEST

/*
 * What the bounded stacks are, written to be read: a queue of depth entries, newest last. A push
 * drops the first; a pop moves the last to the front, where it is dropped soonest. A ring does not
 * know how many of them it holds, a checked stack does.
 */
struct reference {
	struct {
		uint32_t site; /* RSB_SITE_NONE: never held anything */
		uint64_t address;
	} queue[64];
	unsigned depth, held;
	bool checked;
};

static void reference_push(struct reference *reference, uint32_t site, uint64_t address)
{
	if (!reference->depth)
		return;
	memmove(&reference->queue[0], &reference->queue[1],
		(reference->depth - 1) * sizeof(reference->queue[0]));
	reference->queue[reference->depth - 1].site = site;
	reference->queue[reference->depth - 1].address = address;
	if (reference->held < reference->depth)
		reference->held++;
}

/* Returns whether it hit; else miss is set. */
static bool reference_pop(struct reference *reference, uint64_t target, struct rsb_miss *miss)
{
	unsigned depth = reference->depth;
	struct rsb_miss empty = { miss->event, RSB_SITE_NONE, 0, RSB_MISS_EMPTY };
	bool held = reference->held > 0;

	*miss = empty;
	if (!depth || (reference->checked && !held))
		return false;
	reference->held -= held;
	if (reference->queue[depth - 1].site != RSB_SITE_NONE) {
		miss->pushed_by = reference->queue[depth - 1].site;
		miss->predicted = reference->queue[depth - 1].address;
		miss->kind = held ? RSB_MISS_OTHER : RSB_MISS_STALE;
	}
	reference->queue[63] = reference->queue[depth - 1];
	memmove(&reference->queue[1], &reference->queue[0],
		(depth - 1) * sizeof(reference->queue[0]));
	reference->queue[0] = reference->queue[63];
	return miss->kind != RSB_MISS_EMPTY && miss->predicted == target;
}

static size_t reference_misses(const struct stream *stream, unsigned depth, bool checked,
			       struct rsb_miss *missed)
{
	struct reference reference = { .depth = depth, .checked = checked };
	size_t misses = 0, unused;
	const struct rsb_site *sites = rsb_sites_array(stream->sites, &unused);
	const uint64_t *addresses = rsb_sites_addresses(stream->sites, &unused);

	for (unsigned i = 0; i < 64; i++)
		reference.queue[i].site = RSB_SITE_NONE;
	for (uint32_t i = 0; i < stream->trace.count; i++) {
		uint32_t id = stream->trace.events[i].site;

		missed[misses].event = i;
		if (sites[id].kind == RSB_CALL)
			reference_push(&reference, id, sites[id].fall_through);
		else if (!reference_pop(&reference, addresses[stream->trace.events[i].target],
					&missed[misses]))
			misses++;
	}
	return misses;
}

/* Calls and returns that mostly match, with bursts either way and skipped frames. */
static void draw_stream(struct stream *stream, unsigned count, uint64_t *seed)
{
	uint64_t shadow[64];
	unsigned nested = 0;

	while (stream->trace.count < count) {
		uint64_t draw = stream_draw(seed);
		unsigned burst = draw >> 8 & 7 ? 1 : draw >> 16 & 31;

		if (!(draw >> 32 & 31) && nested)
			nested--;
		for (unsigned i = 0; i < burst; i++) {
			uint64_t pc = 0x1000 + (stream_draw(seed) >> 8 & 15) * 16;

			if (draw >> 40 & 1) {
				stream_call(stream, pc);
				shadow[nested & 63] = pc + CALL_LENGTH;
				nested += nested < 63;
			} else {
				stream_return(stream, nested ? shadow[--nested] : 0x77);
			}
		}
	}
}

/* Misses, what was predicted, who pushed it and why it missed are the reference's. */
START_TEST(both_agree_with_the_reference)
{
	enum { EVENTS = 5000 };
	struct rsb_miss *missed = malloc((EVENTS + 64) * sizeof(*missed));
	uint64_t seed = 42;

	ck_assert_ptr_nonnull(missed);
	for (unsigned i = 0; i < 120; i++) {
		unsigned depth = i / 2 % 60;
		struct stream stream = stream_new();
		struct rsb_model *model;
		char settings[32];
		size_t misses;

		snprintf(settings, sizeof(settings), "depth=%u", depth);
		model = model_new(i % 2 ? "checked" : "ring", settings);
		draw_stream(&stream, EVENTS, &seed);
		misses = reference_misses(&stream, depth, i % 2, missed);
		ck_assert_uint_gt(misses, 0);
		ck_assert_uint_eq(stream_misses(&stream, model), misses);
		for (size_t k = 0; k < misses; k++) {
			ck_assert_uint_eq(stream.missed[k].event, missed[k].event);
			ck_assert_uint_eq(stream.missed[k].predicted, missed[k].predicted);
			ck_assert_uint_eq(stream.missed[k].pushed_by, missed[k].pushed_by);
			ck_assert_uint_eq(stream.missed[k].kind, missed[k].kind);
		}
		rsb_model_free(model);
		stream_free(&stream);
	}
	free(missed);
}
END_TEST

UNIT_MAIN("checked", excess_levels_miss, champsim_65_calls, empty_stays_empty,
	  both_agree_with_the_reference)
