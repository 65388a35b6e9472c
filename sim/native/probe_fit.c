/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe: which candidate explains the measurements best. Every kind of stack is tried at depths
 * from shallow to deep, then at those around the best of them; then again with calls in flight,
 * which are one more thing to fit by, and taken only if they explain more.
 */
#include "sim/native/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH_MIN  4
#define DEPTH_MAX  128
#define STEP       4
#define FLIGHT_MAX 16
#define NEARLY     1.1
#define LIKELY     2.0 /* kinds further off than so many times the best are given up */

/* Of an error that is of no account: half a miss, and a tenth of the misses. */
#define HALF  0.5
#define TENTH 0.1

static const struct rsb_candidate kinds[] = {
	{ "ring", "overwrite-oldest", "stale", 0, 0, 0, 0 },
	{ "checked", "overwrite-oldest", "none", 0, 0, 0, 0 },
	{ "checked", "overwrite-oldest", "indirect", 0, 0, 0, 0 },
	{ "checked", "clear-all", "none", 0, 0, 0, 0 },
	{ "checked", "clear-all", "indirect", 0, 0, 0, 0 },
	{ "checked", "refuse", "none", 0, 0, 0, 0 },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

_Static_assert(KINDS <= RSB_CANDIDATES, "RSB_CANDIDATES is too small");

struct rsb_profile *rsb_candidate_profile(const struct rsb_candidate *candidate,
					  struct rsb_error *error)
{
	const struct rsb_model_type *type = rsb_model_type_find(candidate->model, error);
	struct rsb_profile *profile = type ? rsb_profile_of_model(type, "candidate", error) : NULL;
	char depth[16], in_flight[16];

	if (!profile)
		return NULL;
	snprintf(depth, sizeof(depth), "%u", candidate->depth);
	snprintf(in_flight, sizeof(in_flight), "%u", candidate->in_flight);
	if (rsb_profile_set(profile, "depth", depth, error) &&
	    rsb_profile_set(profile, "in_flight", in_flight, error) &&
	    rsb_profile_set(profile, "overflow", candidate->overflow, error) &&
	    rsb_profile_set(profile, "underflow", candidate->underflow, error) &&
	    rsb_profile_set(profile, "indirect", "path", error))
		return profile;
	rsb_profile_free(profile);
	return NULL;
}

/* Does it say something about a candidate? */
static bool says(const struct rsb_probed *probed)
{
	return !isnan(probed->measured.median) && !rsb_experiment_takes_time(probed->of.kind);
}

/* The square of how far an experiment's simulation is from its measurement. */
static double square_of(const struct rsb_probed *probed, double simulated)
{
	double off = (probed->measured.median - simulated) / (HALF + TENTH * simulated);

	return off * off;
}

static size_t count_measured(const struct rsb_probe *probe)
{
	size_t count = 0;

	for (size_t i = 0; i < probe->count; i++)
		count += says(&probe->probed[i]);
	return count;
}

/*
 * Simulates the experiments by one candidate, until it is more than most off: then its residual is
 * INFINITY. keep: writes what it says into them.
 */
static bool try(struct rsb_probe *probe, const struct rsb_run *const *runs,
		struct rsb_candidate *candidate, double most, bool keep, struct rsb_error *error)
{
	struct rsb_profile *profile = rsb_candidate_profile(candidate, error);
	double sum = 0, count = (double)count_measured(probe);
	bool good = profile;

	for (size_t i = 0; good && sum <= most * most * count && i < probe->count; i++) {
		struct rsb_expected expected;

		if (!keep && !says(&probe->probed[i]))
			continue;
		good = rsb_expect(runs[i], profile, &expected, error);
		if (!good)
			break;
		if (keep)
			probe->probed[i].simulated = expected.misses;
		if (says(&probe->probed[i]))
			sum += square_of(&probe->probed[i], expected.misses);
	}
	rsb_profile_free(profile);
	candidate->residual = sum <= most * most * count ? sqrt(sum / count) : INFINITY;
	return good;
}

/* Keeps the better one of two. */
static bool better(struct rsb_probe *probe, const struct rsb_run *const *runs,
		   struct rsb_candidate *best, unsigned depth, unsigned in_flight,
		   struct rsb_error *error)
{
	struct rsb_candidate next = *best;

	next.depth = depth;
	next.in_flight = in_flight;
	if (!try(probe, runs, &next, best->depth ? best->residual : INFINITY, false, error))
		return false;
	if (!best->depth || next.residual < best->residual)
		*best = next;
	return true;
}

/* All depths with so many in flight, in steps. */
static bool fit_depth(struct rsb_probe *probe, const struct rsb_run *const *runs,
		      struct rsb_candidate *best, unsigned in_flight, struct rsb_error *error)
{
	for (unsigned depth = DEPTH_MIN; depth <= DEPTH_MAX; depth += depth < 64 ? STEP : 4 * STEP)
		if (!better(probe, runs, best, depth, in_flight, error))
			return false;
	return true;
}

/* Those around the best. */
static bool fit_around(struct rsb_probe *probe, const struct rsb_run *const *runs,
		       struct rsb_candidate *best, bool flights, struct rsb_error *error)
{
	unsigned depth = best->depth - STEP, to = best->depth + STEP;
	unsigned from = flights && best->in_flight > STEP ? best->in_flight - STEP : 0;
	unsigned until = flights ? best->in_flight + STEP : 1;

	while (++depth < to)
		for (unsigned in_flight = from; in_flight < until; in_flight++)
			if (!better(probe, runs, best, depth, in_flight, error))
				return false;
	return true;
}

static bool fit_kind(struct rsb_probe *probe, const struct rsb_run *const *runs,
		     struct rsb_candidate *best, struct rsb_error *error)
{
	bool good = fit_depth(probe, runs, best, 0, error) &&
		    fit_around(probe, runs, best, false, error);

	best->without = best->residual;
	return good;
}

static bool fit_flights(struct rsb_probe *probe, const struct rsb_run *const *runs,
			struct rsb_candidate *best, struct rsb_error *error)
{
	struct rsb_candidate flights = *best;

	for (unsigned in_flight = STEP; in_flight <= FLIGHT_MAX; in_flight += STEP)
		if (!fit_depth(probe, runs, &flights, in_flight, error))
			return false;
	if (!fit_around(probe, runs, &flights, true, error))
		return false;
	if (NEARLY * flights.residual < best->residual)
		*best = flights;
	return true;
}

/* The depths around that of the best which explain the measurements nearly as well. */
static bool find_range(struct rsb_probe *probe, const struct rsb_run *const *runs,
		       struct rsb_error *error)
{
	const struct rsb_candidate *best = &probe->candidates[0];
	const double most = NEARLY * best->residual;
	struct rsb_candidate next = *best;

	probe->depth_from = probe->depth_to = best->depth;
	for (next.depth = best->depth - 1; next.depth > 0; next.depth--) {
		if (!try(probe, runs, &next, most, false, error))
			return false;
		if (next.residual > most)
			break;
		probe->depth_from = next.depth;
	}
	for (next.depth = best->depth + 1; next.depth <= DEPTH_MAX; next.depth++) {
		if (!try(probe, runs, &next, most, false, error))
			return false;
		if (next.residual > most)
			break;
		probe->depth_to = next.depth;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	double x = ((const struct rsb_candidate *)a)->residual;
	double y = ((const struct rsb_candidate *)b)->residual;

	return (x > y) - (x < y);
}

bool rsb_probe_fit(struct rsb_probe *probe, const struct rsb_run *const *runs,
		   struct rsb_error *error)
{
	const size_t size = sizeof(*probe->candidates);
	double within;

	probe->candidate_count = KINDS;
	for (size_t i = 0; i < KINDS; i++) {
		probe->candidates[i] = kinds[i];
		if (!fit_kind(probe, runs, &probe->candidates[i], error))
			return false;
	}
	qsort(probe->candidates, KINDS, size, compare);
	within = LIKELY * probe->candidates[0].residual;
	for (size_t i = 0; i < KINDS && probe->candidates[i].residual <= within; i++)
		if (!fit_flights(probe, runs, &probe->candidates[i], error))
			return false;
	qsort(probe->candidates, KINDS, size, compare);
	return find_range(probe, runs, error) &&
	       try(probe, runs, &probe->candidates[0], INFINITY, true, error);
}
