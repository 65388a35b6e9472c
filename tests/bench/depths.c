/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depths: what all depths from 1 to 64 in one pass cost, against one model of depth 16, on a
 * stream that nests to regular depths, on a random walk, and on one that nests deeper than any of
 * the stacks, where most of them have overwritten what they are asked for. They take turns, and
 * the least time of each counts.
 */
#include "models/depths.h"
#include "traces/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define EVENTS  (1u << 17)
#define TURNS   31
#define SITES   512
#define DEEPEST 64
#define LIMIT   20.0 /* DESIGN.md, Speed and size to reach */

struct bench {
	struct rsb_sites *sites;
	uint32_t calls[SITES], back;
	struct rsb_trace trace;
	uint32_t open[1024];
	unsigned nested;
	uint64_t seed;
};

/* Time of this process alone: what takes longer would else be interrupted more often. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* xorshift64 (Marsaglia 2003) */
static uint64_t draw(struct bench *bench)
{
	bench->seed ^= bench->seed << 13;
	bench->seed ^= bench->seed >> 7;
	bench->seed ^= bench->seed << 17;
	return bench->seed;
}

static void add_call(struct bench *bench)
{
	uint32_t call = bench->calls[draw(bench) % SITES];

	if (bench->nested == sizeof(bench->open) / sizeof(*bench->open))
		return;
	bench->open[bench->nested++] = call;
	rsb_trace_add(&bench->trace, call, 0);
}

static void add_return(struct bench *bench)
{
	size_t count;
	const struct rsb_site *sites = rsb_sites_array(bench->sites, &count);

	if (bench->nested)
		rsb_trace_add(&bench->trace, bench->back,
			      sites[bench->open[--bench->nested]].fall_through_id);
}

static void add_nest(struct bench *bench, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		add_call(bench);
	while (bench->nested)
		add_return(bench);
}

static void add_regular(struct bench *bench)
{
	for (unsigned depth = 3; depth <= 15; depth += 3)
		add_nest(bench, depth);
}

/* Up or down, with a skipped frame now and then. */
static void add_random(struct bench *bench)
{
	uint64_t drawn = draw(bench);

	if (drawn % 4096 == 1)
		bench->nested -= bench->nested > 0;
	else if (drawn >> 20 & 1)
		add_call(bench);
	else
		add_return(bench);
}

static void add_deep(struct bench *bench)
{
	add_nest(bench, 1000);
}

static const struct {
	const char *name;
	void (*add)(struct bench *bench);
} streams[] = { { "regular", add_regular }, { "random", add_random }, { "deep", add_deep } };

enum mode { ONE, ALL, MODES };

struct subjects {
	struct rsb_model *one;
	struct rsb_depths *all;
	struct rsb_miss *missed;
};

static double time_mode(const struct bench *bench, const struct subjects *subjects, enum mode mode)
{
	double start = now();

	if (mode == ONE)
		rsb_model_replay(subjects->one, bench->sites, bench->trace.events, EVENTS,
				 subjects->missed);
	else if (!rsb_depths_replay(subjects->all, bench->sites, bench->trace.events, EVENTS, NULL))
		return 0;
	return (now() - start) / EVENTS;
}

static void measure(struct bench *bench, const struct subjects *subjects, const char *stream,
		    const char *type)
{
	double least[MODES] = { 0 };

	for (int turn = 0; turn < TURNS; turn++) {
		for (int mode = 0; mode < MODES; mode++) {
			double time = time_mode(bench, subjects, (enum mode)mode);

			least[mode] = !turn || time < least[mode] ? time : least[mode];
		}
	}
	printf("depths, %-7s stream: %-7s one %.2f ns an event, all %d: %6.2f; ratio %5.2f  limit "
	       "%.0f\n",
	       stream, type, least[ONE], DEEPEST, least[ALL], least[ALL] / least[ONE], LIMIT);
}

static bool add_subjects(struct subjects *subjects, const char *name)
{
	struct rsb_error error;
	const struct rsb_model_type *type = rsb_model_type_find(name, &error);
	int64_t values[RSB_PARAMETERS_MAX];

	rsb_parameter_defaults(type->parameters, values);
	subjects->one = rsb_model_new(type, values, &error);
	subjects->all = rsb_depths_new(type, values, DEEPEST, &error);
	subjects->missed = malloc(EVENTS * sizeof(*subjects->missed));
	return subjects->one && subjects->all && subjects->missed;
}

static bool measure_type(struct bench *bench, const char *stream, const char *type)
{
	struct subjects subjects;
	bool added = add_subjects(&subjects, type);

	if (added)
		measure(bench, &subjects, stream, type);
	rsb_model_free(subjects.one);
	rsb_depths_free(subjects.all);
	free(subjects.missed);
	return added;
}

static bool add_sites(struct bench *bench)
{
	const struct rsb_site back = { .pc = 0x8000, .length = 1, .kind = RSB_RETURN };

	bench->sites = rsb_sites_new();
	if (!bench->sites || !rsb_trace_reserve(&bench->trace, EVENTS + 4096))
		return false;
	bench->back = rsb_sites_intern(bench->sites, &back, NULL);
	for (uint32_t i = 0; i < SITES; i++) {
		struct rsb_site call = { .pc = 0x10000 + i * 128, .length = 5, .kind = RSB_CALL };

		bench->calls[i] = rsb_sites_intern(bench->sites, &call, NULL);
	}
	return true;
}

int main(void)
{
	struct bench bench = { .seed = 20261130 };
	bool measured = add_sites(&bench);

	for (size_t i = 0; measured && i < sizeof(streams) / sizeof(*streams); i++) {
		bench.trace.count = 0;
		bench.nested = 0;
		while (bench.trace.count < EVENTS)
			streams[i].add(&bench);
		measured = measure_type(&bench, streams[i].name, "ring") &&
			   measure_type(&bench, streams[i].name, "checked");
	}
	if (!measured)
		fprintf(stderr, "depths: not measured\n");
	rsb_trace_clear(&bench.trace);
	rsb_sites_free(bench.sites);
	return measured ? EXIT_SUCCESS : 2;
}
