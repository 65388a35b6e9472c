/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moving through a recording: a place has one state, whichever way leads to it. */
#include "sim/image/layout.h"
#include "sim/see/cursor.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

#define PLACES_MAX 20000

static struct rsb_recording *record(const char *name, const char *cpu)
{
	const struct rsb_recording_options options = { 0 };
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_error error;
	struct rsb_layout *layout = rsb_layout_load(name, &error);
	struct rsb_profile *profile = rsb_profile_load(cpu, &error);
	struct rsb_recording *recording;
	struct rsb_image *image;

	ck_assert_msg(layout && profile, "%s", error.text);
	scenario.depth = 3;
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image != NULL, "%s", error.text);
	recording = rsb_recording_new(image, name, profile, &scenario, &options, &error);
	ck_assert_msg(recording != NULL, "%s", error.text);
	rsb_image_free(image);
	rsb_profile_free(profile);
	rsb_layout_free(layout);
	return recording;
}

static uint64_t mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x100000001b3);
}

/* All that there is to see, in a number. */
static uint64_t digest(const struct rsb_cursor *cursor)
{
	uint64_t sum = mix(mix(1, cursor->top), cursor->frame_count);

	for (size_t i = 0; i < cursor->recording->slot_count; i++)
		sum = mix(sum, cursor->slots[i]);
	for (size_t i = 0; i < cursor->frame_count; i++)
		sum = mix(sum, cursor->frames[i]);
	sum = mix(mix(sum, cursor->counts.returns), cursor->counts.hits);
	return mix(mix(sum, cursor->counts.inside), cursor->counts.callers);
}

struct place {
	size_t event;
	uint32_t step;
	uint64_t digest;
};

static struct place places[PLACES_MAX];

static size_t walk_on(struct rsb_cursor *cursor)
{
	size_t count = 0;

	do {
		ck_assert_uint_lt(count, PLACES_MAX);
		places[count++] = (struct place){ cursor->event, cursor->step, digest(cursor) };
	} while (rsb_cursor_move(cursor, RSB_MOVE_STEP));
	return count;
}

static void check_ways(const char *layout, const char *cpu)
{
	struct rsb_recording *recording = record(layout, cpu);
	struct rsb_cursor cursor;
	uint32_t random = 1;
	size_t count;

	ck_assert(rsb_cursor_open(&cursor, recording));
	count = walk_on(&cursor);
	ck_assert_uint_eq(cursor.event, recording->event_count);
	for (size_t i = count - 1; i > 0; i--) {
		ck_assert_uint_eq(digest(&cursor), places[i].digest);
		ck_assert(rsb_cursor_move(&cursor, RSB_MOVE_BACK));
	}
	ck_assert(!rsb_cursor_move(&cursor, RSB_MOVE_BACK));
	ck_assert_uint_eq(digest(&cursor), places[0].digest);
	for (int i = 0; i < 300; i++) {
		const struct place *place;

		random = random * 1664525 + 1013904223; /* Numerical Recipes' generator */
		place = &places[random % count];
		rsb_cursor_seek(&cursor, place->event, place->step);
		ck_assert_msg(digest(&cursor) == place->digest, "%s: event %zu, step %u", layout,
			      place->event, place->step);
	}
	rsb_cursor_close(&cursor);
	rsb_recording_free(recording);
}

/* Rings, a counting stack, one that is looked at by popping a copy; frames that are dropped,
 * rewritten, pushed by hand, and on several stacks; and system calls. */
START_TEST(every_way_leads_to_the_same_state)
{
	check_ways("bpf-fexit-skip", "intel-haswell");
	check_ways("ftrace-graph", "amd-zen4");
	check_ways("go-recover", "intel-skylake");
	check_ways("swapcontext", "ideal");
	check_ways("uretprobe-syscall", "amd-zen2");
	check_ways("retpoline-jmp", "intel-haswell");
}
END_TEST

/* Next misses are visited as often as there are misses, forwards and back. */
START_TEST(misses_are_all_visited)
{
	struct rsb_recording *recording = record("bpf-fexit-skip", "intel-haswell");
	struct rsb_cursor cursor;
	size_t misses = 0, forwards = 0, back = 1;

	for (size_t i = 0; i < recording->event_count; i++)
		misses += recording->events[i].missed;
	ck_assert(rsb_cursor_open(&cursor, recording));
	while (rsb_cursor_move(&cursor, RSB_MOVE_NEXT_MISS)) {
		ck_assert(rsb_cursor_last(&cursor)->missed);
		forwards++;
	}
	while (rsb_cursor_move(&cursor, RSB_MOVE_PREVIOUS_MISS)) {
		ck_assert(rsb_cursor_last(&cursor)->missed);
		back++;
	}
	ck_assert_uint_eq(forwards, misses);
	ck_assert_uint_eq(back, misses);
	rsb_cursor_close(&cursor);
	rsb_recording_free(recording);
}
END_TEST

/* A round begins with the outermost caller's call, and only as many rounds as there are. */
START_TEST(rounds_are_found)
{
	struct rsb_recording *recording = record("bpf-fexit-skip", "intel-haswell");
	struct rsb_cursor cursor;

	ck_assert(rsb_cursor_open(&cursor, recording));
	for (size_t i = recording->round_count; i-- > 0;) {
		ck_assert(rsb_cursor_round(&cursor, i));
		ck_assert_uint_eq(rsb_cursor_in_round(&cursor), i);
		ck_assert_str_eq(recording->lines[rsb_cursor_line(&cursor)].symbol, "rsb_round");
		ck_assert_uint_eq(cursor.frame_count, 0);
	}
	ck_assert(!rsb_cursor_round(&cursor, recording->round_count));
	rsb_cursor_close(&cursor);
	rsb_recording_free(recording);
}
END_TEST

UNIT_MAIN("cursor", every_way_leads_to_the_same_state, misses_are_all_visited, rounds_are_found)
