/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs an image round by round, keeps each different round once, and finds how it goes on. */
#include "sim/score/run.h"

#include "sim/score/period.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What a run may keep: round numbers (4 bytes each) and events (8 bytes each), 1 GiB of either.
 * Only a run that does not repeat can come near.
 */
#define ROUNDS_MAX (UINT64_C(1) << 28)
#define EVENTS_MAX (UINT64_C(1) << 27)

struct rsb_run {
	struct rsb_sites *sites;
	struct rsb_sequence *sequences;
	size_t sequence_count, sequence_room;
	uint32_t *index; /* hash table of sequences: number + 1; 0 is free */
	size_t index_size;
	uint64_t events_kept;
	uint32_t *rounds; /* the sequence of each round that was run */
	size_t count, room;
	enum rsb_steady steady;
	size_t first, period;
	char note[256];
};

/* A run under way: the machine, and an earlier state of it to compare with. */
struct progress {
	struct rsb_machine *machine;
	const struct rsb_image *image;
	struct rsb_snapshot *earlier;
	size_t taken; /* rounds that had been run when earlier was taken */
	size_t reach; /* rounds after which a new one is taken: doubles, as in Brent's algorithm */
};

static uint64_t hash_sequence(const struct rsb_sequence *s)
{
	uint64_t h = s->count * UINT64_C(0x9e3779b97f4a7c15) + s->round.instructions;

	for (size_t i = 0; i < s->count; i++) {
		h ^= (uint64_t)s->events[i].site << 32 | s->events[i].target;
		h *= UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	return h;
}

static bool same_sequence(const struct rsb_sequence *a, const struct rsb_sequence *b)
{
	return a->count == b->count && a->round.instructions == b->round.instructions &&
	       a->round.traced_instructions == b->round.traced_instructions &&
	       a->round.traced_calls == b->round.traced_calls &&
	       !memcmp(a->events, b->events, a->count * sizeof(*a->events));
}

/* Where this sequence is in the index, or the free place where it belongs. */
static uint32_t *find_place(const struct rsb_run *run, const struct rsb_sequence *s)
{
	size_t i = hash_sequence(s) & (run->index_size - 1);

	while (run->index[i] && !same_sequence(&run->sequences[run->index[i] - 1], s))
		i = (i + 1) & (run->index_size - 1);
	return &run->index[i];
}

static bool grow_index(struct rsb_run *run)
{
	size_t size = run->index_size ? run->index_size * 2 : 64;
	uint32_t *index = calloc(size, sizeof(*index));

	if (!index)
		return false;
	free(run->index);
	run->index = index;
	run->index_size = size;
	for (size_t i = 0; i < run->sequence_count; i++)
		*find_place(run, &run->sequences[i]) = (uint32_t)i + 1;
	return true;
}

/* Enters a new sequence with a copy of its events. */
static bool keep_sequence(struct rsb_run *run, const struct rsb_sequence *s)
{
	struct rsb_event *events;

	if (run->sequence_count == run->sequence_room) {
		size_t room = run->sequence_room ? run->sequence_room * 2 : 16;
		struct rsb_sequence *more = realloc(run->sequences, room * sizeof(*more));

		if (!more)
			return false;
		run->sequences = more;
		run->sequence_room = room;
	}
	events = malloc(s->count * sizeof(*events));
	if (!events)
		return false;
	memcpy(events, s->events, s->count * sizeof(*events));
	run->sequences[run->sequence_count] = *s;
	run->sequences[run->sequence_count++].events = events;
	run->events_kept += s->count;
	return true;
}

/* Adds the round that was just run. */
static bool add_round(struct rsb_run *run, const struct rsb_sequence *s, struct rsb_error *error)
{
	uint32_t *place;

	if (run->sequence_count * 2 >= run->index_size && !grow_index(run))
		goto no_memory;
	place = find_place(run, s);
	if (!*place) {
		if (run->events_kept + s->count > EVENTS_MAX)
			return rsb_error_set(error,
					     "after %zu rounds, each different, there is no end of "
					     "new ones: ask for fewer rounds",
					     run->count);
		if (!keep_sequence(run, s))
			goto no_memory;
		*place = (uint32_t)run->sequence_count;
	}
	if (run->count == run->room) {
		size_t room = run->room ? run->room * 2 : RSB_RUN_ROUNDS;
		uint32_t *more = realloc(run->rounds, room * sizeof(*more));

		if (!more)
			goto no_memory;
		run->rounds = more;
		run->room = room;
	}
	run->rounds[run->count++] = *place - 1;
	return true;

no_memory:
	return rsb_error_set(error, "out of memory");
}

static bool run_round(struct rsb_run *run, struct progress *p, struct rsb_trace *trace,
		      struct rsb_error *error)
{
	struct rsb_sequence s = { .events = NULL };

	trace->count = 0;
	if (!rsb_machine_round(p->machine, trace, &s.round, error))
		return false;
	s.events = trace->events;
	s.count = trace->count;
	return add_round(run, &s, error);
}

/*
 * Have the registers and the memory come back to an earlier round's? Compares with one earlier
 * state, which is replaced after 1, 2, 4, 8 ... rounds (Brent), so that a period is found whatever
 * its length and wherever it begins, at the price of one comparison a round.
 */
static bool is_proved(struct rsb_run *run, struct progress *p)
{
	if (!rsb_machine_same(p->machine, p->earlier))
		return false;
	run->first = p->taken;
	run->period = rsb_period_reduce(run->rounds + run->first, run->count - run->first);
	return true;
}

static bool take_snapshot(struct rsb_run *run, struct progress *p, struct rsb_error *error)
{
	p->earlier = rsb_machine_snapshot(p->machine, p->earlier);
	if (!p->earlier)
		return rsb_error_set(error, "out of memory");
	p->taken = run->count;
	p->reach = p->reach ? p->reach * 2 : 1;
	return true;
}

static bool is_observed(struct rsb_run *run)
{
	return run->count >= RSB_RUN_SEEN + RSB_RUN_WARMUP &&
	       rsb_period_find(run->rounds, run->count, RSB_RUN_WARMUP, RSB_RUN_REPEATS,
			       &run->first, &run->period);
}

/* Says what kept the state from coming back. */
static void note_changes(struct rsb_run *run, struct progress *p)
{
	uint64_t word;
	char where[128];
	size_t words = rsb_machine_changes(p->machine, p->earlier, &word, 1);

	if (!words) {
		snprintf(run->note, sizeof(run->note),
			 "registers still change from round to round");
		return;
	}
	rsb_image_describe(p->image, word, where, sizeof(where));
	if (words == 1)
		snprintf(run->note, sizeof(run->note), "memory still changes at %s", where);
	else
		snprintf(run->note, sizeof(run->note),
			 "memory still changes at %s and %zu more words", where, words - 1);
}

/* Runs until it is known how the run goes on; limit rounds at the most. */
static bool run_rounds(struct rsb_run *run, struct progress *p,
		       const struct rsb_run_options *options, struct rsb_error *error)
{
	uint64_t limit = options->rounds > RSB_RUN_ROUNDS ? options->rounds : RSB_RUN_ROUNDS;
	size_t look = RSB_RUN_ROUNDS;
	struct rsb_trace trace = { 0 };
	bool good = take_snapshot(run, p, error);

	run->steady = RSB_STEADY_NO;
	while (good && run->count < limit) {
		good = run->count < ROUNDS_MAX
			       ? run_round(run, p, &trace, error)
			       : rsb_error_set(error,
					       "no end of changes after %zu rounds: ask for fewer "
					       "rounds",
					       run->count);
		if (!good)
			break;
		if (is_proved(run, p)) {
			run->steady = RSB_STEADY_PROVED;
			break;
		}
		if (run->count == look || run->count == limit) {
			look *= 2;
			if (is_observed(run)) {
				run->steady = RSB_STEADY_OBSERVED;
				break;
			}
			if (options->progress)
				options->progress(options->context, run->count, limit);
		}
		if (run->count - p->taken == p->reach && run->count < limit)
			good = take_snapshot(run, p, error);
	}
	if (good && run->steady != RSB_STEADY_PROVED)
		note_changes(run, p);
	rsb_trace_clear(&trace);
	return good;
}

struct rsb_run *rsb_run_new(const struct rsb_image *image, const struct rsb_run_options *options,
			    struct rsb_error *error)
{
	struct rsb_machine_options machine_options = { options->kinds, options->budget };
	struct rsb_run *run = calloc(1, sizeof(*run));
	struct progress p = { .image = image };
	bool good = false;

	if (!run || !(run->sites = rsb_sites_new()))
		rsb_error_set(error, "out of memory");
	else if ((p.machine = rsb_machine_new(image, run->sites, &machine_options, error)))
		good = run_rounds(run, &p, options, error);
	rsb_snapshot_free(p.earlier);
	rsb_machine_free(p.machine);
	if (good)
		return run;
	rsb_run_free(run);
	return NULL;
}

void rsb_run_free(struct rsb_run *run)
{
	if (!run)
		return;
	for (size_t i = 0; i < run->sequence_count; i++)
		free((void *)run->sequences[i].events);
	free(run->sequences);
	free(run->index);
	free(run->rounds);
	rsb_sites_free(run->sites);
	free(run);
}

enum rsb_steady rsb_run_steady(const struct rsb_run *run)
{
	return run->steady;
}

size_t rsb_run_count(const struct rsb_run *run)
{
	return run->count;
}

size_t rsb_run_first(const struct rsb_run *run)
{
	return run->first;
}

size_t rsb_run_period(const struct rsb_run *run)
{
	return run->period;
}

size_t rsb_run_round(const struct rsb_run *run, uint64_t index)
{
	if (index >= run->count)
		index = run->first + (index - run->first) % run->period;
	return run->rounds[index];
}

const struct rsb_sequence *rsb_run_sequence(const struct rsb_run *run, size_t kind)
{
	return &run->sequences[kind];
}

size_t rsb_run_sequences(const struct rsb_run *run)
{
	return run->sequence_count;
}

const struct rsb_sites *rsb_run_sites(const struct rsb_run *run)
{
	return run->sites;
}

const char *rsb_run_note(const struct rsb_run *run)
{
	return run->note;
}
