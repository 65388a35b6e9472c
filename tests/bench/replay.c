/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: what a model costs. One model against a ring written by hand over the same records, and
 * 16 models in one pass against one, on a stream that the host's branch predictor learns and on
 * one that it cannot. The modes take turns, and the least time of each counts.
 */
#include "models/model.h"
#include "traces/trace.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EVENTS (4u << 20)
#define TURNS  9
#define SITES  512 /* of calls, and as many of returns */
#define MODELS 16
#define DEPTH  16

/* DESIGN.md, Speed and size to reach: against the ring by hand, and against one model */
#define LIMIT_ONE  1.25
#define LIMIT_MANY 0.95

struct bench {
	struct rsb_sites *sites;
	uint32_t calls[SITES], returns[SITES];
	struct rsb_trace trace;
	uint32_t shadow[64]; /* the open calls */
	unsigned nested;
	uint64_t seed;
	struct rsb_model *models[MODELS];
	struct rsb_miss *missed[MODELS];
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
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

	if (bench->nested == sizeof(bench->shadow) / sizeof(*bench->shadow))
		return;
	bench->shadow[bench->nested++] = call;
	rsb_trace_add(&bench->trace, call, 0);
}

static void add_return(struct bench *bench)
{
	size_t count;
	const struct rsb_site *sites = rsb_sites_array(bench->sites, &count);

	if (bench->nested)
		rsb_trace_add(&bench->trace, bench->returns[draw(bench) % SITES],
			      sites[bench->shadow[--bench->nested]].fall_through_id);
}

/* Nests and unwinds to depths that repeat. */
static void add_regular(struct bench *bench)
{
	for (unsigned depth = 3; depth <= 15; depth += 3) {
		for (unsigned i = 0; i < depth; i++)
			add_call(bench);
		for (unsigned i = 0; i < depth; i++)
			add_return(bench);
	}
}

/* Walks up or down, with a burst to some depth up to 54 or a skipped frame now and then. */
static void add_random(struct bench *bench)
{
	uint64_t drawn = draw(bench);

	if (drawn % 64 == 0)
		for (unsigned depth = drawn >> 8 & 63; depth <= 54 && bench->nested < depth;)
			add_call(bench);
	else if (drawn % 4096 == 1 && bench->nested)
		bench->nested--;
	else if (drawn >> 20 & 1)
		add_call(bench);
	else
		add_return(bench);
}

/* The ring that a few lines make, for its plain purpose: how many returns miss. */
static __attribute__((noinline)) size_t ring_by_hand(const struct rsb_site *sites,
						     const struct rsb_event *events, size_t count)
{
	uint32_t ring[DEPTH] = { 0 };
	uint32_t top = 0;
	size_t misses = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rsb_site *site = &sites[events[i].site];

		if (site->kind == RSB_CALL)
			ring[++top % DEPTH] = site->fall_through_id;
		else if (site->kind == RSB_RETURN)
			misses += ring[top-- % DEPTH] != events[i].target;
	}
	return misses;
}

enum mode { BY_HAND, RING, CHECKED, MANY, MODES };

static double time_mode(struct bench *bench, enum mode mode, size_t *misses)
{
	size_t count, found[MODELS];
	const struct rsb_site *sites = rsb_sites_array(bench->sites, &count);
	const struct rsb_event *events = bench->trace.events;
	double start = now();

	switch (mode) {
	case BY_HAND:
		*misses = ring_by_hand(sites, events, EVENTS);
		break;
	case MANY:
		rsb_models_replay(bench->models, MODELS, bench->sites, events, EVENTS,
				  bench->missed, found);
		*misses = found[0];
		break;
	default:
		*misses = rsb_model_replay(bench->models[mode == CHECKED], bench->sites, events,
					   EVENTS, bench->missed[0]);
		break;
	}
	return (now() - start) / EVENTS;
}

static void print_row(const char *stream, const char *what, double ratio, double limit)
{
	char wanted[32] = "no limit";

	if (limit > 0)
		snprintf(wanted, sizeof(wanted), "limit %.2f", limit);
	printf("replay, %-7s stream: %-34s %5.2f  %s\n", stream, what, ratio, wanted);
}

static bool measure(struct bench *bench, const char *stream, bool regular)
{
	double least[MODES];
	size_t misses[MODES];

	bench->trace.count = 0;
	bench->nested = 0;
	while (bench->trace.count < EVENTS)
		(regular ? add_regular : add_random)(bench);
	for (int turn = 0; turn < TURNS; turn++) {
		for (int mode = 0; mode < MODES; mode++) {
			double time = time_mode(bench, (enum mode)mode, &misses[mode]);

			least[mode] = !turn || time < least[mode] ? time : least[mode];
		}
	}
	/* The first turn begins with empty stacks, the others with what the last one left. */
	if (misses[RING] > misses[BY_HAND] + DEPTH || misses[RING] + DEPTH < misses[BY_HAND]) {
		fprintf(stderr, "replay: the ring by hand misses %zu, the model %zu\n",
			misses[BY_HAND], misses[RING]);
		return false;
	}
	printf("replay, %-7s stream: by hand %.2f ns an event, ring %.2f, checked %.2f, each of %d "
	       "in one pass %.2f\n",
	       stream, least[BY_HAND], least[RING], least[CHECKED], MODELS, least[MANY] / MODELS);
	print_row(stream, "ring against by hand", least[RING] / least[BY_HAND], LIMIT_ONE);
	print_row(stream, "checked against by hand", least[CHECKED] / least[BY_HAND], LIMIT_ONE);
	print_row(stream, "each of 16 against one", least[MANY] / MODELS / least[RING],
		  regular ? LIMIT_MANY : 0);
	return true;
}

static bool add_sites(struct bench *bench)
{
	bench->sites = rsb_sites_new();
	for (uint32_t i = 0; bench->sites && i < SITES; i++) {
		struct rsb_site call = { .pc = 0x10000 + i * 128, .length = 5, .kind = RSB_CALL };
		struct rsb_site back = { .pc = 0x10050 + i * 128, .length = 1, .kind = RSB_RETURN };

		bench->calls[i] = rsb_sites_intern(bench->sites, &call, NULL);
		bench->returns[i] = rsb_sites_intern(bench->sites, &back, NULL);
	}
	return bench->sites && rsb_trace_reserve(&bench->trace, EVENTS + 256);
}

/* Rings and checked stacks by turns, of the depths that processors have. */
static bool add_models(struct bench *bench)
{
	static const int depths[MODELS] = { DEPTH, DEPTH, 32, 12, 22, 24, 20, 52,
					    50,    14,    31, 8,  48, 64, 28, 16 };
	struct rsb_error error;

	for (int i = 0; i < MODELS; i++) {
		const struct rsb_model_type *type =
			rsb_model_type_find(i % 2 ? "checked" : "ring", &error);
		int64_t values[RSB_PARAMETERS_MAX];

		rsb_parameter_defaults(type->parameters, values);
		values[rsb_parameter_find(type->parameters, "depth")] = depths[i];
		bench->models[i] = rsb_model_new(type, values, &error);
		bench->missed[i] = calloc(EVENTS, sizeof(**bench->missed));
		if (!bench->models[i] || !bench->missed[i])
			return false;
	}
	return true;
}

static void clear(struct bench *bench)
{
	for (int i = 0; i < MODELS; i++) {
		rsb_model_free(bench->models[i]);
		free(bench->missed[i]);
	}
	rsb_trace_clear(&bench->trace);
	rsb_sites_free(bench->sites);
}

int main(void)
{
	struct bench bench = { .seed = 20261130 };
	bool measured = add_sites(&bench) && add_models(&bench) &&
			measure(&bench, "regular", true) && measure(&bench, "random", false);

	if (!measured)
		fprintf(stderr, "replay: not measured\n");
	clear(&bench);
	return measured ? EXIT_SUCCESS : 2;
}
