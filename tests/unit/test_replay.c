/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays, one model or many at once, give what predict and update give. */
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS   3000
#define SETTINGS 24

/* Draws a value for each parameter that the type has. */
static void draw_settings(const struct rsb_model_type *type, char *out, size_t size, uint64_t *seed)
{
	const struct rsb_parameter *rows = type->parameters;
	bool indirect = stream_draw(seed) >> 8 & 1;
	bool flies = !(stream_draw(seed) >> 8 & 3);
	size_t used = 0;

	*out = '\0';
	for (int i = 0; rows[i].name; i++) {
		int64_t value = rows[i].value;
		char text[32];

		if (rows[i].choices && (stream_draw(seed) >> 8) % 3 == 0)
			value = (int64_t)(stream_draw(seed) % (uint64_t)(rows[i].maximum + 1));
		if (!strncmp(rows[i].name, "depth", 5))
			value = (int64_t)(stream_draw(seed) % 40);
		if (!strcmp(rows[i].name, "spacing"))
			value = (int64_t)(stream_draw(seed) >> 8 & 1 ? 0 : stream_draw(seed) % 40);
		if (!strcmp(rows[i].name, "in_flight"))
			value = flies ? 1 + (int64_t)(stream_draw(seed) % 12) : 0;
		if (flies && (!strcmp(rows[i].name, "spacing") || !strcmp(rows[i].name, "merge") ||
			      !strcmp(rows[i].name, "quirk")))
			value = 0;
		if (!strcmp(rows[i].name, "counter_max"))
			value = 1 + (int64_t)(stream_draw(seed) % 4);
		if (!strcmp(rows[i].name, "indirect_entries"))
			value = 1 + (int64_t)(stream_draw(seed) % 16);
		if (!strcmp(rows[i].name, "indirect") && indirect)
			value = 1 + (int64_t)(stream_draw(seed) >> 8 & 1);
		if (!strcmp(rows[i].name, "underflow") && value == 2 && !indirect)
			value = 1;
		rsb_parameter_print(&rows[i], value, text, sizeof(text));
		used += (size_t)snprintf(out + used, size - used, "%s%s=%s", used ? " " : "",
					 rows[i].name, text);
	}
	/* An indirect fallback without a predictor is refused. */
	if (strstr(out, "underflow=indirect") && strstr(out, "indirect=none"))
		snprintf(out + used, size - used, " indirect=last");
}

static bool same_misses(const struct rsb_miss *a, const struct rsb_miss *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (a[i].event != b[i].event || a[i].pushed_by != b[i].pushed_by ||
		    a[i].predicted != b[i].predicted || a[i].kind != b[i].kind)
			return false;
	return true;
}

/* models/model.h: "the same as predict and update for each of the events", whatever the values. */
START_TEST(replay_is_predict_and_update)
{
	struct rsb_miss *missed = malloc(EVENTS * sizeof(*missed));
	uint64_t seed = 20261130;

	ck_assert_ptr_nonnull(missed);
	for (int i = 0; i < 400; i++) {
		const struct rsb_model_type *type = rsb_model_types()[i % 3];
		struct stream stream = stream_new();
		struct rsb_model *model;
		char settings[512];
		size_t misses;

		draw_settings(type, settings, sizeof(settings), &seed);
		stream_random(&stream, EVENTS, &seed);
		model = model_new(type->name, settings);
		misses = stream_misses_plainly(&stream, type, settings, missed);
		ck_assert_msg(stream_misses(&stream, model) == misses, "%s %s", type->name,
			      settings);
		ck_assert_msg(same_misses(stream.missed, missed, misses), "%s %s", type->name,
			      settings);
		rsb_model_free(model);
		stream_free(&stream);
	}
	free(missed);
}
END_TEST

/* A replay may be cut anywhere: the state goes on from one part to the next. */
START_TEST(replay_can_be_cut)
{
	struct stream stream = stream_new();
	struct rsb_miss whole[EVENTS], part[EVENTS];
	struct rsb_model *model = model_new("ring", "depth=12 repair=none"),
			 *cut = model_new("ring", "depth=12 repair=none");
	uint64_t seed = 7;
	size_t misses, seen = 0;

	stream_random(&stream, EVENTS, &seed);
	misses = rsb_model_replay(model, stream.sites, stream.trace.events, EVENTS, whole);
	ck_assert_uint_gt(misses, 0);
	for (size_t at = 0, size = 0; at < EVENTS; at += size) {
		size_t found;

		size = stream_draw(&seed) % 50;
		size = at + size > EVENTS ? EVENTS - at : size;
		found = rsb_model_replay(cut, stream.sites, stream.trace.events + at, size, part);
		for (size_t i = 0; i < found; i++)
			part[i].event += (uint32_t)at;
		ck_assert(same_misses(part, whole + seen, found));
		seen += found;
	}
	ck_assert_uint_eq(seen, misses);
	ck_assert(rsb_model_same(model, cut, SIZE_MAX));
	ck_assert_uint_eq(rsb_model_exercised(model), rsb_model_exercised(cut));
	rsb_model_free(model);
	rsb_model_free(cut);
	stream_free(&stream);
}
END_TEST

/*
 * Many models in one pass each see what they see alone. The pass goes in parts of 4096 events; the
 * first models are plain rings and checked stacks, enough for four of each to go side by side.
 */
START_TEST(many_models_are_each_alone)
{
	enum { COUNT = 24, PLAIN = 12, LONG = 10000 };
	struct stream stream = stream_new();
	struct rsb_model *models[COUNT], *alone[COUNT];
	struct rsb_miss *missed[COUNT];
	size_t misses[COUNT];
	uint64_t seed = 11;

	stream_random(&stream, LONG, &seed);
	for (int i = 0; i < COUNT; i++) {
		const struct rsb_model_type *type =
			rsb_model_types()[i < PLAIN ? i % 2 * 2 : i % 3];
		char settings[512];

		if (i < PLAIN)
			snprintf(settings, sizeof(settings), "depth=%d", 1 + 3 * i);
		else
			draw_settings(type, settings, sizeof(settings), &seed);
		models[i] = model_new(type->name, settings);
		alone[i] = model_new(type->name, settings);
		missed[i] = malloc(LONG * sizeof(**missed));
		ck_assert_ptr_nonnull(missed[i]);
	}
	rsb_models_replay(models, COUNT, stream.sites, stream.trace.events, LONG, missed, misses);
	for (int i = 0; i < COUNT; i++) {
		ck_assert_uint_eq(stream_misses(&stream, alone[i]), misses[i]);
		ck_assert(same_misses(stream.missed, missed[i], misses[i]));
		ck_assert_uint_eq(rsb_model_exercised(models[i]), rsb_model_exercised(alone[i]));
		rsb_model_free(models[i]);
		rsb_model_free(alone[i]);
		free(missed[i]);
	}
	stream_free(&stream);
}
END_TEST

/* A copy goes its own way. */
START_TEST(a_copy_is_independent)
{
	uint64_t seed = 3;

	for (int i = 0; i < 60; i++) {
		const struct rsb_model_type *type = rsb_model_types()[i % 3];
		struct stream stream = stream_new();
		struct rsb_model *model, *copy;
		char settings[512];
		size_t misses;

		draw_settings(type, settings, sizeof(settings), &seed);
		model = model_new(type->name, settings);
		stream_random(&stream, 500, &seed);
		stream_misses(&stream, model);
		copy = rsb_model_copy(model);
		ck_assert_ptr_nonnull(copy);
		misses = stream_misses(&stream, copy);
		ck_assert_uint_eq(stream_misses(&stream, model), misses);
		rsb_model_free(model);
		rsb_model_free(copy);
		stream_free(&stream);
	}
}
END_TEST

/* restore() goes back to a checkpoint, whatever happened since. */
START_TEST(a_checkpoint_brings_back)
{
	const struct rsb_model_type *type = rsb_model_type_find("checked", NULL);
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_step call = { .site = 1, .kind = RSB_CALL, .fall_through = 0x1005 };
	struct rsb_step back = { .site = 2, .kind = RSB_RETURN };
	struct rsb_error error;
	void *state, *saved;

	rsb_parameter_defaults(type->parameters, values);
	state = type->create(values, &error);
	type->update(state, &call, 0x2000);
	saved = type->checkpoint(state);
	type->update(state, &back, 0x1005);
	ck_assert(!type->predict(state, &back).valid);
	ck_assert(type->restore(state, saved));
	ck_assert(type->predict(state, &back).valid);
	ck_assert_uint_eq(type->predict(state, &back).target, 0x1005);
	type->destroy(saved);
	type->destroy(state);
}
END_TEST

UNIT_MAIN("replay", replay_is_predict_and_update, replay_can_be_cut, many_models_are_each_alone,
	  a_copy_is_independent, a_checkpoint_brings_back)
