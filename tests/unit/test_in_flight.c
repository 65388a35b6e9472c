/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls in flight beside a bounded return stack. The numbers of the chains follow from what
 * models/stack_flight.h says; that random streams do as it says is held against the plainest way to
 * do so.
 */
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <string.h>

#define LEVELS "checked", "depth=16 in_flight=9"

static void go_down(struct stream *stream, unsigned from, unsigned to)
{
	for (unsigned level = from; level < to; level++)
		stream_call(stream, stream_site(level));
}

static void go_up(struct stream *stream, unsigned from, unsigned to)
{
	for (unsigned level = from; level-- > to;)
		stream_return(stream, stream_behind(level));
}

static void make_leaf_calls(struct stream *stream, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		go_down(stream, 100 + i, 101 + i);
		go_up(stream, 101 + i, 100 + i);
	}
}

/*
 * A chain of calls has both: 16 in the stack, the 9 newest beside it. The outermost is lost then.
 */
START_TEST(a_chain_has_both)
{
	for (unsigned depth = 20; depth <= 28; depth++) {
		struct stream stream = stream_new();

		go_down(&stream, 0, depth);
		go_up(&stream, depth, 0);
		ck_assert_uint_eq(stream_misses_of(&stream, LEVELS), depth > 25 ? depth - 25 : 0);
		stream_free(&stream);
	}
}
END_TEST

/*
 * Each call that returns at once takes a place of the newest: 25 - 21 are free below 21 callers.
 * The tenth is one that goes through the full stack, and costs a caller there.
 */
START_TEST(calls_that_returned_take_places)
{
	static const unsigned misses[] = { 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6 };

	for (unsigned leaves = 0; leaves < 13; leaves++) {
		struct stream stream = stream_new();

		go_down(&stream, 0, 21);
		make_leaf_calls(&stream, leaves);
		go_up(&stream, 21, 0);
		ck_assert_uint_eq(stream_misses_of(&stream, LEVELS), misses[leaves]);
		stream_free(&stream);
	}
}
END_TEST

/* A misprediction leaves nothing in flight: of 24 callers and a call the stack has 16. */
START_TEST(a_misprediction_ends_all_flights)
{
	struct stream stream = stream_new();

	go_down(&stream, 0, 24);
	stream_call(&stream, 0x500);
	stream_return(&stream, 0x77777);
	go_up(&stream, 24, 0);
	ck_assert_uint_eq(stream_misses_of(&stream, LEVELS), 1 + 24 - 15);
	stream_free(&stream);
}
END_TEST

/* So does what empties the stack: nothing of before comes back. */
START_TEST(emptying_ends_all_flights)
{
	struct stream stream = stream_new();

	go_down(&stream, 0, 4);
	stream_environment(&stream, RSB_ENVIRONMENT_CLEAR, 0);
	go_up(&stream, 4, 0);
	ck_assert_uint_eq(stream_misses_of(&stream, LEVELS), 4);
	stream_free(&stream);
}
END_TEST

/* What is there to be taken back is not made of flights, so they end where a wrong path begins. */
START_TEST(a_wrong_path_is_taken_back)
{
	struct stream stream = stream_new();

	go_down(&stream, 0, 6);
	stream_kind(&stream, RSB_SPECULATE);
	go_down(&stream, 30, 33);
	stream_kind(&stream, RSB_SQUASH);
	go_up(&stream, 6, 0);
	ck_assert_uint_eq(stream_misses_of(&stream, "checked", "in_flight=9 repair=pointer"), 0);
	stream_free(&stream);
}
END_TEST

/* Merged, odd and near entries are of stacks that push at once; one message says so. */
START_TEST(some_do_not_go_together)
{
	static const char *const others[] = { "in_flight=1 merge=true", "in_flight=1 quirk=true",
					      "in_flight=1 spacing=16" };

	for (int i = 0; i < 3; i++) {
		int64_t values[RSB_PARAMETERS_MAX];
		const struct rsb_model_type *type = model_values("ring", others[i], values);
		struct rsb_error error;

		ck_assert_ptr_null(rsb_model_new(type, values, &error));
		ck_assert_str_eq(error.text,
				 "model ring: in_flight goes with neither merge nor quirk nor "
				 "spacing: set it or these to 0");
	}
}
END_TEST

/* The plainest way: a stack, and the events since the in_flight-th newest call in a list. */
struct plain {
	unsigned depth, in_flight;
	bool clear_all, refuse;
	uint64_t stack[64];
	unsigned held;
	uint64_t pending[4096]; /* what calls push; 0: a return */
	unsigned count, calls;
};

static void plain_push(struct plain *plain, uint64_t address)
{
	if (plain->held == plain->depth) {
		if (plain->refuse)
			return;
		if (plain->clear_all)
			plain->held = 0;
		else
			plain->held--;
		for (unsigned i = 0; i < plain->held; i++)
			plain->stack[i] = plain->stack[i + 1];
	}
	plain->stack[plain->held++] = address;
}

static void plain_pop(struct plain *plain)
{
	plain->held -= plain->held > 0;
}

/* The oldest event that is pending goes to the stack. */
static void plain_land(struct plain *plain)
{
	if (plain->pending[0])
		plain_push(plain, plain->pending[0]);
	else
		plain_pop(plain);
	plain->calls -= plain->pending[0] != 0;
	plain->count--;
	for (unsigned i = 0; i < plain->count; i++)
		plain->pending[i] = plain->pending[i + 1];
}

static void plain_call(struct plain *plain, uint64_t address)
{
	if (plain->calls == plain->in_flight)
		plain_land(plain);
	while (plain->count && !plain->pending[0])
		plain_land(plain);
	plain->pending[plain->count++] = address;
	plain->calls++;
}

/* Where the next return goes: what a stack that overflows no more has on top behind the list. */
static uint64_t plain_predict(const struct plain *plain)
{
	static uint64_t stack[64 + 4096];
	unsigned held = plain->held;

	memcpy(stack, plain->stack, sizeof(plain->stack));
	for (unsigned i = 0; i < plain->count; i++) {
		if (plain->pending[i])
			stack[held++] = plain->pending[i];
		else
			held -= held > 0;
	}
	return held ? stack[held - 1] : 0;
}

static void plain_return(struct plain *plain, uint64_t target)
{
	bool hit = plain_predict(plain) == target;

	plain->pending[plain->count++] = 0;
	while (plain->count && (!hit || !plain->pending[0]))
		plain_land(plain);
}

static void check_random(const char *settings, struct plain plain, uint64_t *seed)
{
	struct stream stream = stream_new();
	struct rsb_model *model = model_new("checked", settings);
	size_t misses = 0, at = 0;
	uint64_t open[512];
	unsigned count = 0;

	for (unsigned i = 0; i < 600; i++) {
		uint64_t draw = stream_draw(seed), pc = 0x1000 + (draw >> 8) % 24 * 8;

		if (draw % 100 < 52 && count < 512) {
			stream_call(&stream, pc);
			open[count++] = pc + CALL_LENGTH;
		} else {
			bool wrong = !count || !(draw >> 40 & 15);

			stream_return(&stream, wrong ? pc + CALL_LENGTH : open[count - 1]);
			count -= count > 0;
		}
	}
	misses = stream_misses(&stream, model);
	for (unsigned i = 0; i < stream.trace.count; i++) {
		const struct rsb_event *event = &stream.trace.events[i];
		size_t sites;
		const struct rsb_site *site = &rsb_sites_array(stream.sites, &sites)[event->site];
		uint64_t target = rsb_sites_addresses(stream.sites, &sites)[event->target];

		if (site->kind == RSB_CALL) {
			plain_call(&plain, site->fall_through);
			continue;
		}
		if (plain_predict(&plain) != target) {
			ck_assert_msg(at < misses && stream.missed[at].event == i, "%s: event %u",
				      settings, i);
			ck_assert_uint_eq(stream.missed[at].predicted, plain_predict(&plain));
			at++;
		}
		plain_return(&plain, target);
	}
	ck_assert_uint_eq(at, misses);
	rsb_model_free(model);
	stream_free(&stream);
}

/* Long streams do as a list of calls that is searched from its end. */
START_TEST(random_streams_do_as_the_plainest_way)
{
	uint64_t seed = 20261130;

	for (int i = 0; i < 100; i++) {
		check_random("depth=16 in_flight=9", (struct plain){ .depth = 16, .in_flight = 9 },
			     &seed);
		check_random("depth=5 in_flight=3", (struct plain){ .depth = 5, .in_flight = 3 },
			     &seed);
		check_random("depth=4 in_flight=1 overflow=clear-all",
			     (struct plain){ .depth = 4, .in_flight = 1, .clear_all = true },
			     &seed);
		check_random("depth=4 in_flight=6 overflow=refuse",
			     (struct plain){ .depth = 4, .in_flight = 6, .refuse = true }, &seed);
	}
}
END_TEST

UNIT_MAIN("in flight", a_chain_has_both, calls_that_returned_take_places,
	  a_misprediction_ends_all_flights, emptying_ends_all_flights, a_wrong_path_is_taken_back,
	  some_do_not_go_together, random_streams_do_as_the_plainest_way)
