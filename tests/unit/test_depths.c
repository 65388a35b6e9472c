/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All depths in one pass are what as many models apart are: models/model.h's own replay is the
 * source of every expected value here.
 */
#include "models/depths.h"
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64

static struct rsb_depths *depths_new(const char *name, const char *settings, uint32_t deepest)
{
	struct rsb_error error;
	int64_t values[RSB_PARAMETERS_MAX];
	const struct rsb_model_type *type = model_values(name, settings, values);
	struct rsb_depths *depths;

	ck_assert(rsb_depths_fit(type, values));
	depths = rsb_depths_new(type, values, deepest, &error);
	ck_assert_msg(depths != NULL, "%s", error.text);
	return depths;
}

/* Returns and swaps that a model of that depth misses; events whose byte in unjudged is set are not
 * counted. */
static uint64_t count_apart(struct stream *stream, const char *name, const char *settings,
			    uint32_t depth, const uint8_t *unjudged)
{
	char all[128];
	struct rsb_model *model;
	size_t misses, count;
	const struct rsb_site *sites = rsb_sites_array(stream->sites, &count);
	uint64_t returns = 0;

	snprintf(all, sizeof(all), "%s depth=%u", settings, depth);
	model = model_new(name, all);
	misses = stream_misses(stream, model);
	for (size_t i = 0; i < misses; i++) {
		uint32_t event = stream->missed[i].event;
		uint8_t kind = sites[stream->trace.events[event].site].kind;

		if ((kind == RSB_RETURN || kind == RSB_SWAP) && !(unjudged && unjudged[event]))
			returns++;
	}
	rsb_model_free(model);
	return returns;
}

/* Replays the stream in pieces, whose borders must not matter. */
static void replay(struct rsb_depths *depths, const struct stream *stream, const uint8_t *unjudged)
{
	static const size_t pieces[] = { 1, 977, 64, 4096, 3 };
	size_t count = stream->trace.count, size;

	for (size_t at = 0, i = 0; at < count; at += size, i++) {
		size = count - at < pieces[i % 5] ? count - at : pieces[i % 5];
		ck_assert(rsb_depths_replay(depths, stream->sites, stream->trace.events + at, size,
					    unjudged ? unjudged + at : NULL));
	}
}

static void compare(struct stream *stream, const char *what, const uint8_t *unjudged)
{
	static const char *const varieties[] = {
		"underflow=stale",
		"underflow=none",
		"underflow=stale zero_call_pushes=true ibpb_clears=true",
		"underflow=none zero_call_pushes=true ibpb_clears=true",
		"underflow=indirect indirect=last indirect_entries=8",
		"underflow=indirect indirect=path indirect_entries=64",
		"underflow=stale indirect=last",
		"underflow=fixed fixed_target=0x1005",
		"underflow=stale repair=full",
		"underflow=stale repair=none",
		"underflow=none repair=pointer+top",
		/* These go apart from the start. */
		"overflow=refuse",
		"overflow=clear-all underflow=none",
		"merge=true counter_max=3",
		"spacing=12",
		"in_flight=5",
		"quirk=true",
	};

	for (size_t v = 0; v < sizeof(varieties) / sizeof(*varieties); v++) {
		struct rsb_depths *depths = depths_new("ring", varieties[v], DEEPEST);

		replay(depths, stream, unjudged);
		for (uint32_t depth = 0; depth <= DEEPEST; depth++) {
			uint64_t apart = count_apart(stream, "ring", varieties[v], depth, unjudged);

			ck_assert_msg(rsb_depths_misses(depths, depth) == apart,
				      "%s, %s, depth %u: %llu, apart %llu", what, varieties[v],
				      depth, (unsigned long long)rsb_depths_misses(depths, depth),
				      (unsigned long long)apart);
		}
		rsb_depths_free(depths);
	}
}

/* Nests to some depth and unwinds, again and again. */
static void draw_nest(struct stream *stream, unsigned deepest, unsigned times)
{
	for (unsigned i = 0; i < times; i++) {
		unsigned depth = 1 + i * 7 % deepest;

		for (unsigned k = 0; k < depth; k++)
			stream_call(stream, 0x1000 + k % 300 * 16);
		while (depth--)
			stream_return(stream, 0x1000 + depth % 300 * 16 + CALL_LENGTH);
	}
}

/* Balanced code, shallow and deeper than any stack here. */
START_TEST(balanced_code_is_counted_alike)
{
	struct stream stream = stream_new();

	draw_nest(&stream, 20, 60);
	compare(&stream, "shallow", NULL);
	draw_nest(&stream, 1000, 20);
	compare(&stream, "deep", NULL);
	stream_free(&stream);
}
END_TEST

/* Any kind of event at random, but for wrong paths. */
static void draw_walk(struct stream *stream, size_t count, unsigned up, uint64_t *seed)
{
	uint64_t stack[512];
	unsigned open = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t draw = stream_draw(seed);
		uint64_t pc = 0x1000 + (draw >> 8) % 12 * 8;

		if (!(draw >> 32 & 1023)) {
			stream_environment(stream, draw >> 9 & 3, draw >> 14 & 255);
		} else if (!(draw >> 42 & 63)) {
			open -= open > 0; /* a frame is skipped */
		} else if (draw >> 50 < up && open < 512) {
			stack[open++] = pc + CALL_LENGTH;
			stream_call(stream, pc);
		} else {
			stream_return_at(stream, 0x8000 + (draw >> 3 & 1),
					 open ? stack[--open] : pc + CALL_LENGTH);
		}
	}
}

/* Random walks: as many calls as returns, more calls, and more returns, which underflow. */
START_TEST(random_walks_are_counted_alike)
{
	static const unsigned ups[] = { 8192, 9500, 7000 };
	uint64_t seed = 5;

	for (size_t i = 0; i < 3; i++) {
		struct stream stream = stream_new();

		draw_walk(&stream, 6000, ups[i], &seed);
		compare(&stream, "walk", NULL);
		stream_free(&stream);
	}
}
END_TEST

/* With swaps, wrong paths, fills, barriers, zero calls and indirect calls too. */
START_TEST(all_kinds_of_events_are_counted_alike)
{
	uint64_t seed = 3;

	for (int i = 0; i < 4; i++) {
		struct stream stream = stream_new();

		stream_random(&stream, 1500, &seed);
		compare(&stream, "all kinds", NULL);
		stream_free(&stream);
	}
}
END_TEST

/* A fill of more entries than any stack has, as a file may claim, neither costs nor errs. */
START_TEST(large_fills_are_counted_alike)
{
	struct stream stream = stream_new();
	uint64_t seed = 9;

	draw_walk(&stream, 100, 9000, &seed);
	for (uint32_t count = 60; count < 70; count++) {
		stream_environment(&stream, RSB_ENVIRONMENT_FILL, count);
		draw_walk(&stream, 30, 4000, &seed);
	}
	stream_environment(&stream, RSB_ENVIRONMENT_FILL, UINT32_MAX);
	draw_walk(&stream, 500, 4000, &seed);
	compare(&stream, "fills", NULL);
	stream_free(&stream);
}
END_TEST

/* Calls alone, far above where they began, and returns alone, far below. */
START_TEST(drifts_are_counted_alike)
{
	struct stream stream = stream_new();

	for (unsigned i = 0; i < 500; i++)
		stream_call(&stream, 0x1000 + i % 7 * 16);
	for (unsigned i = 0; i < 1500; i++)
		stream_return(&stream, 0x1000 + i % 5 * 16 + CALL_LENGTH);
	for (unsigned i = 0; i < 40; i++)
		stream_call(&stream, 0x1000 + i % 3 * 16);
	for (unsigned i = 0; i < 90; i++)
		stream_return(&stream, 0x1000 + i % 3 * 16 + CALL_LENGTH);
	compare(&stream, "drift", NULL);
	stream_free(&stream);
}
END_TEST

/* Returns that are not judged move the stacks all the same. */
START_TEST(unjudged_returns_are_not_counted)
{
	struct stream stream = stream_new();
	uint64_t seed = 11;
	uint8_t *unjudged;

	stream_random(&stream, 2000, &seed);
	unjudged = calloc(stream.trace.count, 1);
	ck_assert_ptr_nonnull(unjudged);
	for (size_t i = 0; i < stream.trace.count; i++)
		unjudged[i] = !(stream_draw(&seed) & 3);
	compare(&stream, "unjudged", unjudged);
	free(unjudged);
	stream_free(&stream);
}
END_TEST

/* The deepest need not be 64: the places that are kept go with it. */
START_TEST(any_deepest_will_do)
{
	static const uint32_t deepests[] = { 0, 1, 2, 3, 31, 100, RSB_DEPTHS_MAX };
	struct stream stream = stream_new();
	uint64_t seed = 21;

	draw_walk(&stream, 3000, 9000, &seed);
	draw_walk(&stream, 3000, 7000, &seed);
	for (size_t i = 0; i < sizeof(deepests) / sizeof(*deepests); i++) {
		struct rsb_depths *depths = depths_new("ring", "", deepests[i]);

		replay(depths, &stream, NULL);
		for (uint32_t depth = 0; depth <= deepests[i]; depth++)
			ck_assert_uint_eq(rsb_depths_misses(depths, depth),
					  count_apart(&stream, "ring", "", depth, NULL));
		rsb_depths_free(depths);
	}
	stream_free(&stream);
}
END_TEST

/* What has no depth, or has another one in effect, does not fit; bad values are refused as ever. */
START_TEST(others_do_not_fit)
{
	struct rsb_error error;
	int64_t values[RSB_PARAMETERS_MAX];
	const struct rsb_model_type *ring;

	ck_assert(!rsb_depths_fit(model_values("ideal", "", values), values));
	ck_assert(!rsb_depths_fit(model_values("ring", "smt=true depth_smt=8", values), values));
	ring = model_values("ring", "underflow=indirect", values);
	ck_assert_ptr_null(rsb_depths_new(ring, values, 8, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "indirect"));
}
END_TEST

UNIT_MAIN("all depths in one pass", balanced_code_is_counted_alike, random_walks_are_counted_alike,
	  all_kinds_of_events_are_counted_alike, large_fills_are_counted_alike,
	  drifts_are_counted_alike, unjudged_returns_are_not_counted, any_deepest_will_do,
	  others_do_not_fit)
