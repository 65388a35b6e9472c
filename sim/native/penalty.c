/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a mispredicted return costs, by methods that differ. */
#include "sim/native/penalty.h"

#include <math.h>
#include <stdlib.h>

#define LEAST 4.0  /* cycles: less is no misprediction of any processor here */
#define NOISY 0.25 /* of the median, between the quartiles */

static const struct rsb_trial_of list[] = {
	{ RSB_EXPERIMENT_REWRITTEN, 2, 0 }, { RSB_EXPERIMENT_REWRITTEN, 4, 0 },
	{ RSB_EXPERIMENT_REWRITTEN, 8, 0 }, { RSB_EXPERIMENT_REWRITTEN, 16, 0 },
	{ RSB_EXPERIMENT_CALLS, 1, 2 },     { RSB_EXPERIMENT_CALLS, 1, 4 },
	{ RSB_EXPERIMENT_CALLS, 1, 6 },     { RSB_EXPERIMENT_CALLS, 1, 8 },
	{ RSB_EXPERIMENT_CHAIN, 72, 128 },  { RSB_EXPERIMENT_CHAIN, 88, 128 },
	{ RSB_EXPERIMENT_CHAIN, 104, 128 }, { RSB_EXPERIMENT_CHAIN, 120, 128 },
	{ RSB_EXPERIMENT_RANDOM, 4, 0 },    { RSB_EXPERIMENT_RANDOM, 8, 0 },
	{ RSB_EXPERIMENT_RANDOM, 12, 0 },   { RSB_EXPERIMENT_RANDOM, 72, 0 },
	{ RSB_EXPERIMENT_RANDOM, 88, 0 },   { RSB_EXPERIMENT_RANDOM, 104, 0 },
};

/* The methods; and recursion that every stack has room for. */
enum { REWRITTEN, DROPPED, OVERFLOW, RANDOM, RANDOM_FITS, SERIES };

/* Trials that lie on one line. */
static const struct {
	size_t first, last; /* in the list */
	bool twins; /* what counts is how far they are from their twins; else what they take */
} series[SERIES] = {
	[REWRITTEN] = { 0, 3, true },      [DROPPED] = { 4, 7, true },
	[OVERFLOW] = { 8, 11, true },      [RANDOM] = { 15, 17, false },
	[RANDOM_FITS] = { 12, 14, false },
};

/* Cycles of one visit: those beyond the twin's, or all. */
static double cycles_of(const struct rsb_trial *trial, unsigned visit, bool twins)
{
	if (twins)
		return rsb_trial_difference(trial, visit);
	return visit < trial->measured->visits ? trial->measured->cycles[visit] : NAN;
}

/* The line through a series in one visit. */
static struct rsb_line line(const struct rsb_trials *trials, int which, unsigned visit)
{
	double x[8], y[8];
	size_t count = 0;

	for (size_t i = series[which].first; i <= series[which].last; i++) {
		const struct rsb_trial *trial = &trials->all[i];

		x[count] = trial->of.kind == RSB_EXPERIMENT_CALLS ? trial->of.b : trial->of.a;
		y[count] = cycles_of(trial, visit, series[which].twins);
		if (!isnan(y[count]))
			count++;
	}
	return rsb_line_of(x, y, count);
}

/* Where the line of recursion that fits meets that of recursion that does not, in the calmest
 * visit. */
static double find_random_depth(const struct rsb_penalty *penalty, const struct rsb_trials *trials)
{
	struct rsb_line low = line(trials, RANDOM_FITS, 0), high = line(trials, RANDOM, 0);
	double depth = 1 + (low.start - high.start) / (high.slope - low.slope);

	/* Lines that meet where neither was measured say nothing. */
	if (isnan(penalty->methods[RANDOM].cycles.median) || depth < 1 ||
	    depth > list[series[RANDOM].last].a)
		return NAN;
	return depth;
}

static double measure_once(const struct rsb_trials *trials, int method, unsigned visit)
{
	double slope = line(trials, method, visit).slope;

	return method == RANDOM ? slope - line(trials, RANDOM_FITS, visit).slope : slope;
}

static struct rsb_spread measure_method(const struct rsb_trials *trials, int method,
					unsigned visits)
{
	static const struct rsb_spread nothing = { NAN, NAN, NAN, 0 };
	double values[RSB_VISITS_MAX];
	struct rsb_spread spread;
	size_t count = 0;

	for (unsigned i = 0; i < visits; i++) {
		values[count] = measure_once(trials, method, i);
		if (!isnan(values[count]))
			count++;
	}
	spread = rsb_spread_of(values, count);
	return spread.median >= LEAST ? spread : nothing;
}

static void summarise(struct rsb_penalty *penalty)
{
	double values[RSB_PENALTY_METHODS];
	size_t count = 0;

	penalty->low = penalty->high = penalty->unit = NAN;
	penalty->noisy = true;
	for (int i = 0; i < RSB_PENALTY_METHODS; i++) {
		const struct rsb_spread *cycles = &penalty->methods[i].cycles;

		if (isnan(cycles->median))
			continue;
		values[count++] = cycles->median;
		penalty->low = fmin(penalty->low, cycles->low);
		penalty->high = fmax(penalty->high, cycles->high);
		if (cycles->high - cycles->low <= NOISY * cycles->median)
			penalty->noisy = false;
	}
	if (count)
		penalty->unit = rsb_spread_of(values, count).median;
}

static void judge(struct rsb_penalty *penalty, const struct rsb_trials *trials, unsigned visits)
{
	static const char *const texts[RSB_PENALTY_METHODS][2] = {
		[REWRITTEN] = { "rewritten", "a return address is written over in place" },
		[DROPPED] = { "dropped", "a call is dropped below 2 to 8 callers, for each more" },
		[OVERFLOW] = { "overflow", "calls from 72 to 120 deep, for each one more" },
		[RANDOM] = { "random", "recursion by random call sites, for each one more" },
	};

	for (int i = 0; i < RSB_PENALTY_METHODS; i++)
		penalty->methods[i] =
			(struct rsb_penalty_method){ texts[i][0], texts[i][1],
						     measure_method(trials, i, visits) };
	summarise(penalty);
	penalty->random_depth = find_random_depth(penalty, trials);
}

bool rsb_penalty_measure(struct rsb_penalty *penalty, const struct rsb_measure_options *options,
			 struct rsb_error *error)
{
	struct rsb_trials trials;
	bool good = rsb_trials_make(&trials, list, sizeof(list) / sizeof(*list), error) &&
		    rsb_trials_measure(&trials, options, error);

	if (good)
		judge(penalty, &trials, options->visits);
	rsb_trials_clear(&trials);
	return good;
}
