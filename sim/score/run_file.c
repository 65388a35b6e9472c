/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes runs as traces, and reads them. */
#include "sim/score/run_file.h"

#include "sim/score/run_keep.h"
#include "sim/score/score.h"
#include "traces/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_EVENTS_MAX (1u << 27) /* as many as a run may keep */

/* ---- writing ---- */

static void write_abouts(struct rsb_trace_writer *writer, const struct rsb_run *run,
			 const struct rsb_run_about *about)
{
	const struct rsb_scenario *scenario = &about->scenario;

	rsb_trace_write_about(writer, "arch", RSB_RUN_ARCH);
	rsb_trace_write_about(writer, "source", "rsbsim trace record %s", about->layout);
	rsb_trace_write_about(writer, "layout", "%s", about->layout);
	rsb_trace_write_about(writer, "return-thunk", "%s", about->return_thunk);
	rsb_trace_write_about(writer, "scenario", "%s", scenario->name);
	rsb_trace_write_about(writer, "depth", "%u", scenario->depth);
	rsb_trace_write_about(writer, "batch", "%u", scenario->batch);
	rsb_trace_write_about(writer, "spacing", "%u", scenario->spacing);
	rsb_trace_write_about(writer, "steady", "%s", rsb_steady_name(run->steady));
	rsb_trace_write_about(writer, "first", "%zu", run->first);
	rsb_trace_write_about(writer, "period", "%zu", run->period);
	rsb_trace_write_about(writer, "steady-note", "%s", run->note);
}

static void write_round(struct rsb_trace_writer *writer, const struct rsb_sequence *sequence)
{
	const struct rsb_trace_round round = { sequence->round.instructions,
					       sequence->round.traced_instructions,
					       sequence->round.traced_calls };

	for (size_t i = 0; i < sequence->count; i++)
		rsb_trace_write(writer, sequence->events[i].site, sequence->events[i].target);
	rsb_trace_write_instructions(writer, sequence->round.instructions);
	rsb_trace_write_round(writer, &round);
}

bool rsb_run_save(const struct rsb_run *run, const struct rsb_run_about *about, uint64_t rounds,
		  FILE *out, struct rsb_error *error)
{
	struct rsb_trace_writer *writer = rsb_trace_writer_new(out, run->sites, error);
	uint64_t end = run->count;

	if (!writer)
		return false;
	if (run->steady != RSB_STEADY_NO) {
		end = run->first + run->period;
		end = end < rounds ? rounds : end;
	}
	write_abouts(writer, run, about);
	for (uint64_t i = 0; i < end && !rsb_trace_writer_failed(writer); i++)
		write_round(writer, &run->sequences[rsb_run_round(run, i)]);
	return rsb_trace_writer_end(writer, error);
}

/* ---- reading ---- */

bool rsb_run_is_recorded(const struct rsb_trace_reader *reader)
{
	return rsb_trace_reader_value(reader, "layout") && rsb_trace_reader_value(reader, "steady");
}

/* The value of a key that a recorded run has, or an error. */
static const char *read_text(const struct rsb_trace_reader *reader, const char *key,
			     struct rsb_error *error)
{
	const char *value = rsb_trace_reader_value(reader, key);

	if (!value)
		rsb_error_set(error, "the recorded layout lacks the key '%s'", key);
	return value;
}

static bool read_number(const struct rsb_trace_reader *reader, const char *key, uint64_t maximum,
			uint64_t *number, struct rsb_error *error)
{
	const char *value = read_text(reader, key, error);
	char *end;

	if (!value)
		return false;
	errno = 0;
	*number = strtoull(value, &end, 10);
	return (*value >= '0' && *value <= '9' && !*end && !errno && *number <= maximum) ||
	       rsb_error_set(error, "key '%s': expected a number up to %" PRIu64 ", found '%s'",
			     key, maximum, value);
}

static bool read_scenario(const struct rsb_trace_reader *reader, struct rsb_scenario *scenario,
			  struct rsb_error *error)
{
	static const char *const names[] = { "bench", "unwind", "program" };
	const char *name = read_text(reader, "scenario", error);
	uint64_t depth, batch, spacing;

	if (!name || !read_number(reader, "depth", RSB_DEPTH_MAX, &depth, error) ||
	    !read_number(reader, "batch", RSB_BATCH_MAX, &batch, error) ||
	    !read_number(reader, "spacing", RSB_SPACING_MAX, &spacing, error))
		return false;
	*scenario =
		(struct rsb_scenario){ "own", (unsigned)depth, (unsigned)batch, (unsigned)spacing };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			scenario->name = names[i];
	return rsb_scenario_check(scenario, error);
}

static bool read_steady(const struct rsb_trace_reader *reader, struct rsb_run *run,
			struct rsb_error *error)
{
	static const enum rsb_steady words[] = { RSB_STEADY_PROVED, RSB_STEADY_OBSERVED,
						 RSB_STEADY_NO };
	const char *steady = read_text(reader, "steady", error);
	const char *note = rsb_trace_reader_value(reader, "steady-note");
	uint64_t first, period;
	size_t i = 0;

	if (!steady || !read_number(reader, "first", UINT32_MAX, &first, error) ||
	    !read_number(reader, "period", UINT32_MAX, &period, error))
		return false;
	while (i < sizeof(words) / sizeof(*words) && strcmp(steady, rsb_steady_name(words[i])))
		i++;
	if (i == sizeof(words) / sizeof(*words))
		return rsb_error_set(error,
				     "key 'steady': expected proved, observed or no, found "
				     "'%s'",
				     steady);
	run->steady = words[i];
	run->first = (size_t)first;
	run->period = (size_t)period;
	snprintf(run->note, sizeof(run->note), "%s", note ? note : "");
	return run->steady == RSB_STEADY_NO || period ||
	       rsb_error_set(error, "key 'period': expected at least 1, found 0");
}

static bool read_about(const struct rsb_trace_reader *reader, struct rsb_run_about *about,
		       struct rsb_error *error)
{
	about->layout = read_text(reader, "layout", error);
	if (!about->layout)
		return false;
	about->return_thunk = rsb_trace_reader_value(reader, "return-thunk");
	if (!about->return_thunk)
		about->return_thunk = "none";
	return read_scenario(reader, &about->scenario, error);
}

/* Spans are counted from one mark to the other, so a round must have as many as it says. */
static bool check_round(const struct rsb_sites *table, const struct rsb_sequence *sequence,
			struct rsb_error *error)
{
	size_t count;
	const struct rsb_site *sites = rsb_sites_array(table, &count);
	uint64_t traced = 0, landed = 0;

	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_site *site = &sites[sequence->events[i].site];

		if (site->kind != RSB_MARK)
			continue;
		traced += site->detail == RSB_MARK_TRACED_CALL;
		landed += site->detail == RSB_MARK_LANDING;
		if (traced - landed > 1)
			break;
	}
	return (traced && traced == landed && traced == sequence->round.traced_calls) ||
	       rsb_error_set(error, "a round of a recorded layout must have a mark at each of its "
				    "traced calls, and one at each landing after that");
}

/* A run that is being read. */
struct loading {
	struct rsb_trace_reader *reader;
	struct rsb_run *run;
	struct rsb_trace events; /* of the round that has not ended */
};

static bool end_round(struct loading *loading, const struct rsb_trace_round *round,
		      struct rsb_error *error)
{
	const struct rsb_sequence sequence = {
		.events = loading->events.events,
		.count = loading->events.count,
		.round = { round->instructions, round->traced_instructions,
			   (unsigned)round->traced_calls, RSB_PAGES_UNKNOWN },
	};

	loading->events.count = 0;
	return check_round(rsb_trace_reader_sites(loading->reader), &sequence, error) &&
	       rsb_run_keep(loading->run, &sequence, error);
}

static bool add_batch(struct loading *loading, const struct rsb_trace_batch *batch,
		      struct rsb_error *error)
{
	struct rsb_trace *events = &loading->events;

	if (events->count + batch->count > ROUND_EVENTS_MAX)
		return rsb_error_set(error, "a round has more than %u events", ROUND_EVENTS_MAX);
	if (!rsb_trace_reserve(events, batch->count))
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < batch->count; i++)
		events->events[events->count++] = batch->events[i];
	return !batch->round || end_round(loading, batch->round, error);
}

/* Can the steady state that the file states be worked out from the rounds that it has? */
static bool check_steady(struct rsb_run *run, enum rsb_trace_got got, struct rsb_error *error)
{
	bool enough = run->steady == RSB_STEADY_NO || run->first + run->period <= run->count;

	if (got == RSB_TRACE_CUT && !enough)
		run->steady = RSB_STEADY_NO;
	if (run->count && (enough || got == RSB_TRACE_CUT))
		return true;
	/* Of a file that is cut short, error has that to say. */
	return got != RSB_TRACE_CUT &&
	       rsb_error_set(error, "there are %zu rounds of the recorded layout, expected %zu",
			     run->count, run->count ? run->first + run->period : 1);
}

static bool load(struct loading *loading, struct rsb_run_about *about, enum rsb_trace_got *got,
		 struct rsb_error *error)
{
	struct rsb_trace_batch batch;
	bool good;

	*got = RSB_TRACE_BATCH;
	good = read_about(loading->reader, about, error) &&
	       read_steady(loading->reader, loading->run, error);
	while (good &&
	       (*got = rsb_trace_reader_next(loading->reader, &batch, error)) == RSB_TRACE_BATCH)
		good = add_batch(loading, &batch, error);
	if (good && *got != RSB_TRACE_BAD)
		good = check_steady(loading->run, *got, error);
	if (*got == RSB_TRACE_BAD)
		return false;
	if (!good)
		return *got != RSB_TRACE_CUT &&
		       rsb_error_prefix(error, "%s", rsb_trace_reader_name(loading->reader));
	loading->run->sites = rsb_trace_reader_take_sites(loading->reader);
	return true;
}

struct rsb_run *rsb_run_load(struct rsb_trace_reader *reader, struct rsb_run_about *about,
			     enum rsb_trace_got *got, struct rsb_error *error)
{
	struct loading loading = { .reader = reader, .run = calloc(1, sizeof(struct rsb_run)) };
	bool good;

	if (!loading.run)
		return rsb_error_null(error, "out of memory");
	good = load(&loading, about, got, error);
	rsb_trace_clear(&loading.events);
	if (good)
		return loading.run;
	rsb_run_free(loading.run);
	return NULL;
}
