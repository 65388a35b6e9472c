/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs an image round by round, keeps each different round once, and finds how it goes on. */
#include "sim/score/run_keep.h"

#include "sim/score/period.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run under way: the machine, and an earlier state of it to compare with. */
struct progress {
	struct rsb_machine *machine;
	const struct rsb_image *image;
	struct rsb_snapshot *earlier;
	size_t taken; /* rounds that had been run when earlier was taken */
	size_t reach; /* rounds after which a new one is taken: doubles, as in Brent's algorithm */
};

static bool run_round(struct rsb_run *run, struct progress *p, struct rsb_trace *trace,
		      struct rsb_error *error)
{
	struct rsb_sequence s = { .events = NULL };

	trace->count = 0;
	if (!rsb_machine_round(p->machine, trace, &s.round, error))
		return false;
	s.events = trace->events;
	s.count = trace->count;
	return rsb_run_keep(run, &s, error);
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
			 "memory still changes at %s and %zu more word%s", where, words - 1,
			 words == 2 ? "" : "s");
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
		good = run_round(run, p, &trace, error);
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
	good = good && rsb_machine_reached(p->machine, error);
	if (good && run->steady != RSB_STEADY_PROVED)
		note_changes(run, p);
	rsb_trace_clear(&trace);
	return good;
}

/* Says how the program ended. */
static void note_ending(struct rsb_run *run, const struct progress *p)
{
	struct rsb_ending ending = rsb_machine_ending(p->machine);
	char status[48] = "", written[80] = "";

	if (ending.exited)
		snprintf(status, sizeof(status), "exited with status %d", ending.status);
	else
		snprintf(status, sizeof(status), "came back from its entry");
	if (ending.written)
		snprintf(written, sizeof(written), "; %llu bytes that it wrote were thrown away",
			 (unsigned long long)ending.written);
	snprintf(run->note, sizeof(run->note), "the program %s%s%s", status,
		 ending.left_open ? " within a traced call, which ends there" : "", written);
}

/*
 * A whole program runs once. If more rounds are asked for, each is that run again, from memory and
 * registers as they were: what differs is what the return stack holds at its start.
 */
static bool run_program(struct rsb_run *run, struct progress *p,
			const struct rsb_run_options *options, struct rsb_error *error)
{
	const struct rsb_program *program = rsb_image_program(p->image);
	struct rsb_trace trace = { 0 };
	bool good = run_round(run, p, &trace, error) && rsb_machine_reached(p->machine, error);
	char name[256];

	rsb_trace_clear(&trace);
	if (!good)
		return false;
	if (!run->sequences[0].round.traced_calls) {
		rsb_image_describe(p->image, program->traced, name, sizeof(name));
		return rsb_error_set(error, "the program made no call of %s (a jump there is none)",
				     name);
	}
	run->steady = RSB_STEADY_NO;
	if (options->rounds > 1) {
		run->steady = RSB_STEADY_PROVED;
		run->period = 1;
	}
	note_ending(run, p);
	return true;
}

struct rsb_run *rsb_run_new(const struct rsb_image *image, const struct rsb_run_options *options,
			    struct rsb_error *error)
{
	struct rsb_machine_options machine_options = { .kinds = options->kinds,
						       .budget = options->budget };
	struct rsb_run *run = calloc(1, sizeof(*run));
	struct progress p = { .image = image };
	bool good = false;

	if (!run || !(run->sites = rsb_sites_new()) || !rsb_run_keep_notes(run, image))
		rsb_error_set(error, "out of memory");
	else if ((p.machine = rsb_machine_new(image, run->sites, &machine_options, error)))
		good = rsb_image_program(image) ? run_program(run, &p, options, error)
						: run_rounds(run, &p, options, error);
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
	for (size_t i = 0; run->notes && run->notes[i]; i++)
		free(run->notes[i]);
	free(run->notes);
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

size_t rsb_run_longest(const struct rsb_run *run)
{
	size_t longest = 1;

	for (size_t i = 0; i < run->sequence_count; i++)
		if (run->sequences[i].count > longest)
			longest = run->sequences[i].count;
	return longest;
}

const struct rsb_sites *rsb_run_sites(const struct rsb_run *run)
{
	return run->sites;
}

const char *rsb_run_note(const struct rsb_run *run)
{
	return run->note;
}

const char *const *rsb_run_notes(const struct rsb_run *run)
{
	static const char *const none[] = { NULL };

	return run->notes ? (const char *const *)run->notes : none;
}
