/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a trace, in one pass: events are gathered, and each time there are enough of them the
 * units replay them, side by side.
 */
#include "sim/sweep/unit.h"

#include "sim/score/gap.h"
#include "sim/sweep/checksum.h"
#include "sim/sweep/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER   (1u << 16) /* events */
#define SEGMENTS 4096

struct thread {
	uint64_t id;
	struct rsb_gap gap;
};

struct work {
	struct rsb_sweep *sweep;
	const struct rsb_sweep_options *options;
	struct rsb_sweep_unit *units;
	size_t unit_count;
	struct rsb_sweep_buffer buffer;
	struct thread *threads;
	size_t thread_count, last; /* thread of the last batch */
	uint64_t returns;          /* that are judged */
	uint64_t checksum;
};

static bool replay_unit(void *context, size_t index, struct rsb_error *error)
{
	struct work *work = context;

	return rsb_sweep_unit_replay(&work->units[index], &work->buffer, error);
}

static bool flush(struct work *work, struct rsb_error *error)
{
	const struct rsb_jobs jobs = {
		.threads = work->options->jobs,
		.count = work->unit_count,
		.job = replay_unit,
		.context = work,
	};
	bool good = rsb_jobs_run(&jobs, error);

	work->buffer.count = work->buffer.segment_count = 0;
	return good;
}

/* Makes the thread of that id the last one. */
static bool find_thread(struct work *work, uint64_t id, struct rsb_error *error)
{
	if (work->thread_count && work->threads[work->last].id == id)
		return true;
	for (work->last = 0; work->last < work->thread_count; work->last++)
		if (work->threads[work->last].id == id)
			return true;
	if (work->thread_count == RSB_TRACE_THREADS_MAX)
		return rsb_error_set(error,
				     "more than %d threads: expected fewer, or an import "
				     "with --threads shared",
				     RSB_TRACE_THREADS_MAX);
	work->threads[work->thread_count++] = (struct thread){ .id = id };
	return true;
}

/* Counts what needs no model, and says which returns cannot be judged. */
static void judge(struct work *work, const struct rsb_event *events, size_t count,
		  uint8_t *unjudged)
{
	struct rsb_gap *gap = &work->threads[work->last].gap;
	size_t unused;
	const struct rsb_site *sites = rsb_sites_array(work->buffer.sites, &unused);

	for (size_t i = 0; i < count; i++) {
		const struct rsb_site *site = &sites[events[i].site];

		unjudged[i] = rsb_gap_event(gap, site);
		work->returns += (site->kind == RSB_RETURN || site->kind == RSB_SWAP) &&
				 !unjudged[i];
	}
}

/* As many of these events as there is room for. Returns how many. */
static size_t append(struct work *work, const struct rsb_event *events, size_t count)
{
	struct rsb_sweep_buffer *buffer = &work->buffer;
	size_t taken = count < BUFFER - buffer->count ? count : BUFFER - buffer->count;

	memcpy(buffer->events + buffer->count, events, taken * sizeof(*events));
	judge(work, events, taken, buffer->unjudged + buffer->count);
	buffer->segments[buffer->segment_count++] =
		(struct rsb_sweep_segment){ work->threads[work->last].id, work->last, buffer->count,
					    taken };
	buffer->count += taken;
	return taken;
}

static bool take_batch(struct work *work, const struct rsb_trace_batch *batch,
		       struct rsb_error *error)
{
	if (!find_thread(work, batch->thread, error))
		return false;
	work->checksum = rsb_checksum_word(work->checksum, batch->thread);
	work->checksum = rsb_checksum_events(work->checksum, batch->events, batch->count);
	for (size_t at = 0; at < batch->count;) {
		at += append(work, batch->events + at, batch->count - at);
		if ((work->buffer.count == BUFFER || work->buffer.segment_count == SEGMENTS) &&
		    !flush(work, error))
			return false;
	}
	return true;
}

static bool replay_all(struct work *work, struct rsb_trace_reader *reader, enum rsb_trace_got *got,
		       struct rsb_error *error)
{
	const struct rsb_sweep_options *options = work->options;
	struct rsb_error late;
	struct rsb_trace_batch batch;

	work->buffer.sites = rsb_trace_reader_sites(reader);
	while ((*got = rsb_trace_reader_next(reader, &batch, error)) == RSB_TRACE_BATCH) {
		if (!take_batch(work, &batch, error))
			return rsb_error_prefix(error, "%s", rsb_trace_reader_name(reader));
		if (options->progress)
			options->progress(options->context, rsb_trace_reader_extent(reader).bytes,
					  0);
	}
	if (*got == RSB_TRACE_BAD)
		return false;
	if (!flush(work, &late)) {
		*error = late;
		return false;
	}
	work->checksum = rsb_checksum_sites(work->checksum, work->buffer.sites);
	return true;
}

/* Models are divided so that each thread has some. */
static bool make_units(struct work *work, struct rsb_error *error)
{
	const struct rsb_sweep *sweep = work->sweep;
	size_t rows = sweep->end - sweep->from;
	size_t models = (rows + work->options->jobs - 1) / work->options->jobs;

	work->units = calloc(rows ? rows : 1, sizeof(*work->units));
	if (!work->units)
		return rsb_error_set(error, "out of memory");
	for (size_t row = sweep->from; row < sweep->end;) {
		struct rsb_sweep_unit *unit = &work->units[work->unit_count++];

		if (!rsb_sweep_unit_make(unit, sweep, row,
					 models < RSB_UNIT_MODELS ? models : RSB_UNIT_MODELS,
					 error))
			return false;
		row += unit->count;
	}
	return true;
}

static bool make_buffer(struct work *work, struct rsb_error *error)
{
	work->buffer.events = malloc(BUFFER * sizeof(*work->buffer.events));
	work->buffer.unjudged = malloc(BUFFER);
	work->buffer.segments = malloc(SEGMENTS * sizeof(*work->buffer.segments));
	work->threads = calloc(RSB_TRACE_THREADS_MAX, sizeof(*work->threads));
	return (work->buffer.events && work->buffer.unjudged && work->buffer.segments &&
		work->threads) ||
	       rsb_error_set(error, "out of memory");
}

static void fill_rows(const struct work *work)
{
	for (size_t i = 0; i < work->unit_count; i++) {
		const struct rsb_sweep_unit *unit = &work->units[i];

		for (size_t k = 0; k < unit->count; k++)
			work->sweep->rows[unit->first + k] = (struct rsb_sweep_row){
				.returns = (double)work->returns,
				.misses = (double)rsb_sweep_unit_misses(unit, k),
				.inside = NAN,
				.callers = NAN,
			};
	}
	work->sweep->checksum = work->checksum;
}

bool rsb_sweep_trace(struct rsb_sweep *sweep, struct rsb_trace_reader *reader,
		     const struct rsb_sweep_options *options, enum rsb_trace_got *got,
		     struct rsb_error *error)
{
	struct work work = { .sweep = sweep, .options = options, .checksum = sweep->checksum };
	bool good = make_buffer(&work, error) && make_units(&work, error) &&
		    replay_all(&work, reader, got, error);

	if (good)
		fill_rows(&work);
	for (size_t i = 0; i < work.unit_count; i++)
		rsb_sweep_unit_clear(&work.units[i]);
	free(work.units);
	free(work.buffer.events);
	free(work.buffer.unjudged);
	free(work.buffer.segments);
	free(work.threads);
	return good;
}
