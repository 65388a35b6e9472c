/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When are two models the same? Exactly if nothing can tell them apart, and soon enough. */
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t site(unsigned index)
{
	return 0x10000 + index * 128;
}

/*
 * A stream that pops no more than depth entries that were there before it. A call that may not
 * push, or that another's return may pop, counts as one that does not.
 */
static void draw_shallow(struct stream *stream, size_t count, size_t depth, uint64_t *seed)
{
	size_t pushed = 0; /* what may surely be popped on top of depth */
	size_t popped = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t draw = stream_draw(seed);
		uint64_t pc = 0x1000 + (draw >> 8 & (draw >> 50 & 1 ? 7 : 1)) * 8;

		if (!(draw >> 32 & 15)) {
			stream_jump_indirect(stream, 0xa000 + (draw >> 12 & 7),
					     0xb000 + (draw >> 9 & 1));
		} else if (!(draw >> 37 & 63)) {
			stream_environment(stream, RSB_ENVIRONMENT_FILL, draw >> 8 & 7);
		} else if (draw >> 43 & 1) {
			stream_call(stream, pc);
			pushed++;
		} else if (pushed || popped < depth) {
			if (pushed)
				pushed--;
			else
				popped++;
			stream_return_at(stream, 0x8000 + (draw >> 11 & 1), pc + CALL_LENGTH);
		}
	}
}

static const char *const varieties[] = {
	"",
	"depth=1",
	"depth=5",
	"depth=5 overflow=clear-all",
	"depth=5 overflow=refuse",
	"depth=8 merge=true counter_max=3",
	"depth=2 merge=true counter_max=2",
	"depth=8 quirk=true",
	"depth=8 spacing=12",
	"depth=6 underflow=indirect indirect=last indirect_entries=8",
	"depth=6 underflow=indirect indirect=path indirect_entries=8",
	"depth=8 indirect=path indirect_entries=4 quirk=true",
	"depth=7 overflow=clear-all merge=true counter_max=2 quirk=true",
	"depth=4 underflow=fixed fixed_target=0x1005",
	"depth=0",
	"depth=5 in_flight=3",
	"depth=4 in_flight=2 overflow=clear-all",
	"depth=4 in_flight=2 overflow=refuse",
};

#define VARIETIES (sizeof(varieties) / sizeof(*varieties))

static bool same_misses(const struct rsb_miss *a, const struct rsb_miss *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (a[i].event != b[i].event || a[i].pushed_by != b[i].pushed_by ||
		    a[i].predicted != b[i].predicted || a[i].kind != b[i].kind)
			return false;
	return true;
}

/* Two models with unlike pasts, a common part at the end of them: same, or not? */
static void live(struct stream *stream, struct rsb_model *const *models, size_t common,
		 uint64_t *seed)
{
	for (int i = 0; i < 2; i++) {
		stream_reset(stream);
		draw_shallow(stream, stream_draw(seed) % 60, SIZE_MAX, seed);
		stream_misses(stream, models[i]);
	}
	stream_reset(stream);
	draw_shallow(stream, common, SIZE_MAX, seed);
	stream_misses(stream, models[0]);
	stream_misses(stream, models[1]);
}

/* Do they miss alike on a stream that pops no deeper than depth? */
static bool go_on_alike(struct stream *stream, struct rsb_model *const *models, size_t depth,
			uint64_t *seed)
{
	struct rsb_miss missed[120];
	size_t misses;

	stream_reset(stream);
	draw_shallow(stream, 120, depth, seed);
	misses = rsb_model_replay(models[0], stream->sites, stream->trace.events,
				  stream->trace.count, missed);
	return stream_misses(stream, models[1]) == misses &&
	       same_misses(stream->missed, missed, misses);
}

/* The promise of models/model.h: states that are the same behave alike as deep as was asked. */
START_TEST(the_same_behave_alike)
{
	static const size_t depths[] = { 0, 1, 2, 4, 7, SIZE_MAX };
	uint64_t seed = 1;

	for (size_t variety = 0; variety < VARIETIES; variety++) {
		struct stream stream = stream_new();
		unsigned found = 0;

		for (unsigned i = 0; i < 400; i++) {
			size_t depth = depths[i % 6];
			const char *type = i & 64 ? "ring" : "checked";
			struct rsb_model *models[2] = { model_new(type, varieties[variety]),
							model_new(type, varieties[variety]) };

			live(&stream, models, i % 50, &seed);
			if (rsb_model_same(models[0], models[1], depth)) {
				found++;
				ck_assert_msg(go_on_alike(&stream, models, depth, &seed),
					      "%s %s, depth %zu", type, varieties[variety], depth);
			}
			rsb_model_free(models[0]);
			rsb_model_free(models[1]);
		}
		stream_free(&stream);
		ck_assert_msg(found > 20, "%s: only %u were the same", varieties[variety], found);
	}
}
END_TEST

/* The ideal stack, by the same trial. */
START_TEST(the_same_ideal_ones_behave_alike)
{
	struct stream stream = stream_new();
	uint64_t seed = 1;
	unsigned found = 0;

	for (unsigned i = 0; i < 400; i++) {
		size_t depth = i % 5;
		struct rsb_model *models[2] = { model_new("ideal", ""), model_new("ideal", "") };

		live(&stream, models, i % 50, &seed);
		if (rsb_model_same(models[0], models[1], depth)) {
			found++;
			ck_assert(go_on_alike(&stream, models, depth, &seed));
		}
		rsb_model_free(models[0]);
		rsb_model_free(models[1]);
	}
	stream_free(&stream);
	ck_assert_uint_gt(found, 50);
}
END_TEST

/* After how many rounds is the model the same as a round before? gain calls are left in each. */
static unsigned rounds_until_same(const char *type, const char *settings, unsigned gain,
				  size_t depth)
{
	struct stream stream = stream_new();
	struct rsb_model *model = model_new(type, settings), *before = NULL;
	unsigned rounds = 0;
	bool same = false;

	for (unsigned i = 0; i < 4; i++)
		stream_call(&stream, site(i));
	for (unsigned i = 4; i-- > gain;)
		stream_return_at(&stream, site(i) + 64, site(i) + CALL_LENGTH);
	for (; !same && rounds < 1000; rounds++) {
		before = rsb_model_copy(model);
		stream_misses(&stream, model);
		same = rsb_model_same(model, before, depth);
		rsb_model_free(before);
	}
	rsb_model_free(model);
	stream_free(&stream);
	return rounds;
}

/*
 * A layout that gains an entry a round comes to the same state: at once as far as it looks, and
 * wholly once the stack is full of the same: of 16 entries, 3 are popped at the end of each round.
 */
START_TEST(growing_rounds_settle)
{
	ck_assert_uint_eq(rounds_until_same("ideal", "", 1, 0), 1);
	ck_assert_uint_eq(rounds_until_same("ideal", "", 1, 3), 4);
	ck_assert_uint_eq(rounds_until_same("ideal", "", 0, SIZE_MAX), 1);
	ck_assert_uint_eq(rounds_until_same("checked", "depth=16", 1, 3), 4);
	ck_assert_uint_eq(rounds_until_same("checked", "depth=16", 1, SIZE_MAX), 14);
	ck_assert_uint_eq(rounds_until_same("ring", "depth=16", 0, 0), 1);
	ck_assert_uint_le(rounds_until_same("ring", "depth=16", 1, SIZE_MAX), 18);
	ck_assert_uint_le(rounds_until_same("ring", "depth=16 overflow=refuse", 1, 0), 20);
	ck_assert_uint_le(
		rounds_until_same("checked", "depth=16 underflow=indirect indirect=last", 1, 3), 5);
	ck_assert_uint_le(
		rounds_until_same("checked", "depth=16 underflow=indirect indirect=path", 1, 3), 6);
}
END_TEST

/* Entries with one address but from different calls predict alike, and explain themselves not. */
START_TEST(who_pushed_is_compared)
{
	struct stream stream = stream_new();
	struct rsb_site site = { .pc = 0x1000, .length = 5, .kind = RSB_CALL };

	for (int i = 0; rsb_model_types()[i]; i++) {
		struct rsb_model *a = model_new(rsb_model_types()[i]->name, "");
		struct rsb_model *b = model_new(rsb_model_types()[i]->name, "");

		site.pc = 0x1000;
		site.length = 5;
		stream_reset(&stream);
		stream_add(&stream, site, 0x2000);
		stream_misses(&stream, a);
		site.pc = 0x1003;
		site.length = 2;
		stream_reset(&stream);
		stream_add(&stream, site, 0x2000);
		stream_misses(&stream, b);
		ck_assert(!rsb_model_same(a, b, 1));
		ck_assert(rsb_model_same(a, b, 0));
		rsb_model_free(a);
		rsb_model_free(b);
	}
	stream_free(&stream);
}
END_TEST

/* One entry more matters to what pops it, to a stack that is emptied when full, and to no other. */
START_TEST(occupancy_is_compared_where_it_decides)
{
	static const struct {
		const char *settings;
		size_t depth;
		bool same;
	} rows[] = {
		{ "depth=8", 1, true },
		{ "depth=8", 2, false },
		{ "depth=8 overflow=clear-all", 1, false },
		{ "depth=8 overflow=refuse", 1, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct stream stream = stream_new();
		struct rsb_model *a = model_new("checked", rows[i].settings);
		struct rsb_model *b = model_new("checked", rows[i].settings);

		stream_call(&stream, site(0));
		stream_misses(&stream, a);
		stream_misses(&stream, b);
		stream_misses(&stream, b);
		ck_assert(rsb_model_same(a, b, rows[i].depth) == rows[i].same);
		rsb_model_free(a);
		rsb_model_free(b);
		stream_free(&stream);
	}
}
END_TEST

UNIT_MAIN("same", the_same_behave_alike, the_same_ideal_ones_behave_alike, growing_rounds_settle,
	  who_pushed_is_compared, occupancy_is_compared_where_it_decides)
