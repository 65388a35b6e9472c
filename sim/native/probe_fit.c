/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe: which candidate explains the measurements best. Every kind of stack is tried at depths
 * from shallow to deep, then at those around the best of them.
 */
#include "sim/native/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH_MIN 4
#define DEPTH_MAX 128
#define STEP      4
#define NEARLY    1.1

/* Of an error that is of no account: half a miss, and a tenth of the misses. */
#define HALF  0.5
#define TENTH 0.1

static const struct rsb_candidate kinds[] = {
	{ "ring", "overwrite-oldest", "stale", 0, 0 },
	{ "checked", "overwrite-oldest", "none", 0, 0 },
	{ "checked", "overwrite-oldest", "indirect", 0, 0 },
	{ "checked", "clear-all", "none", 0, 0 },
	{ "checked", "clear-all", "indirect", 0, 0 },
	{ "checked", "refuse", "none", 0, 0 },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

_Static_assert(KINDS <= RSB_CANDIDATES, "RSB_CANDIDATES is too small");

struct rsb_profile *rsb_candidate_profile(const struct rsb_candidate *candidate,
					  struct rsb_error *error)
{
	const struct rsb_model_type *type = rsb_model_type_find(candidate->model, error);
	struct rsb_profile *profile = type ? rsb_profile_of_model(type, "candidate", error) : NULL;
	char depth[16];

	if (!profile)
		return NULL;
	snprintf(depth, sizeof(depth), "%u", candidate->depth);
	if (rsb_profile_set(profile, "depth", depth, error) &&
	    rsb_profile_set(profile, "overflow", candidate->overflow, error) &&
	    rsb_profile_set(profile, "underflow", candidate->underflow, error) &&
	    rsb_profile_set(profile, "indirect", "path", error))
		return profile;
	rsb_profile_free(profile);
	return NULL;
}

/* Simulates all experiments by one candidate; keep: writes what it says into them. */
static bool try(struct rsb_probe *probe, const struct rsb_run *const *runs,
		struct rsb_candidate *candidate, bool keep, struct rsb_error *error)
{
	struct rsb_profile *profile = rsb_candidate_profile(candidate, error);
	double sum = 0;
	size_t count = 0;
	bool good = profile;

	for (size_t i = 0; good && i < probe->count; i++) {
		double measured = probe->probed[i].measured.median, off;
		struct rsb_expected expected;

		good = rsb_expect(runs[i], profile, &expected, error);
		if (!good)
			break;
		if (keep)
			probe->probed[i].simulated = expected.misses;
		off = (measured - expected.misses) / (HALF + TENTH * expected.misses);
		if (!isnan(off)) {
			sum += off * off;
			count++;
		}
	}
	rsb_profile_free(profile);
	candidate->residual = count ? sqrt(sum / (double)count) : NAN;
	return good;
}

/* Keeps the better one of two. */
static bool better(struct rsb_probe *probe, const struct rsb_run *const *runs,
		   struct rsb_candidate *best, unsigned depth, struct rsb_error *error)
{
	struct rsb_candidate next = *best;

	next.depth = depth;
	if (!try(probe, runs, &next, false, error))
		return false;
	if (!best->depth || next.residual < best->residual)
		*best = next;
	return true;
}

static bool fit_kind(struct rsb_probe *probe, const struct rsb_run *const *runs,
		     struct rsb_candidate *best, struct rsb_error *error)
{
	unsigned around;

	for (unsigned depth = DEPTH_MIN; depth <= DEPTH_MAX; depth += depth < 64 ? STEP : 4 * STEP)
		if (!better(probe, runs, best, depth, error))
			return false;
	around = best->depth;
	for (unsigned depth = around - STEP + 1; depth < around + STEP; depth++)
		if (!better(probe, runs, best, depth, error))
			return false;
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
		if (!try(probe, runs, &next, false, error))
			return false;
		if (next.residual > most)
			break;
		probe->depth_from = next.depth;
	}
	for (next.depth = best->depth + 1; next.depth <= DEPTH_MAX; next.depth++) {
		if (!try(probe, runs, &next, false, error))
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
	probe->candidate_count = KINDS;
	for (size_t i = 0; i < KINDS; i++) {
		probe->candidates[i] = kinds[i];
		if (!fit_kind(probe, runs, &probe->candidates[i], error))
			return false;
	}
	qsort(probe->candidates, KINDS, sizeof(*probe->candidates), compare);
	return find_range(probe, runs, error) &&
	       try(probe, runs, &probe->candidates[0], true, error);
}
