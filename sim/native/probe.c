/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe: what is measured. */
#include "sim/native/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Those of which stacks of every kind miss a different number. */
static const struct rsb_trial_of list[] = {
	{ RSB_EXPERIMENT_CHAIN, 4, 128 },   { RSB_EXPERIMENT_CHAIN, 7, 128 },
	{ RSB_EXPERIMENT_CHAIN, 8, 128 },   { RSB_EXPERIMENT_CHAIN, 12, 128 },
	{ RSB_EXPERIMENT_CHAIN, 15, 128 },  { RSB_EXPERIMENT_CHAIN, 16, 128 },
	{ RSB_EXPERIMENT_CHAIN, 20, 128 },  { RSB_EXPERIMENT_CHAIN, 21, 128 },
	{ RSB_EXPERIMENT_CHAIN, 22, 128 },  { RSB_EXPERIMENT_CHAIN, 23, 128 },
	{ RSB_EXPERIMENT_CHAIN, 24, 128 },  { RSB_EXPERIMENT_CHAIN, 25, 128 },
	{ RSB_EXPERIMENT_CHAIN, 26, 128 },  { RSB_EXPERIMENT_CHAIN, 28, 128 },
	{ RSB_EXPERIMENT_CHAIN, 31, 128 },  { RSB_EXPERIMENT_CHAIN, 32, 128 },
	{ RSB_EXPERIMENT_CHAIN, 33, 128 },  { RSB_EXPERIMENT_CHAIN, 36, 128 },
	{ RSB_EXPERIMENT_CHAIN, 40, 128 },  { RSB_EXPERIMENT_CHAIN, 48, 128 },
	{ RSB_EXPERIMENT_CHAIN, 52, 128 },  { RSB_EXPERIMENT_CHAIN, 64, 128 },
	{ RSB_EXPERIMENT_CHAIN, 96, 128 },  { RSB_EXPERIMENT_CHAIN, 128, 128 },
	{ RSB_EXPERIMENT_CHAIN, 8, 16 },    { RSB_EXPERIMENT_CHAIN, 8, 32 },
	{ RSB_EXPERIMENT_CHAIN, 8, 64 },    { RSB_EXPERIMENT_FENCED, 12, 1 },
	{ RSB_EXPERIMENT_FENCED, 24, 1 },   { RSB_EXPERIMENT_FENCED, 40, 1 },
	{ RSB_EXPERIMENT_SHARED, 12, 1 },   { RSB_EXPERIMENT_SHARED, 40, 1 },
	{ RSB_EXPERIMENT_SHARED, 64, 1 },   { RSB_EXPERIMENT_SHARED, 40, 2 },
	{ RSB_EXPERIMENT_SHARED, 40, 4 },   { RSB_EXPERIMENT_SHARED, 64, 8 },
	{ RSB_EXPERIMENT_SHARED, 64, 16 },  { RSB_EXPERIMENT_SHARED, 64, 5 },
	{ RSB_EXPERIMENT_BOUNCE, 12, 4 },   { RSB_EXPERIMENT_BOUNCE, 20, 4 },
	{ RSB_EXPERIMENT_BOUNCE, 28, 4 },   { RSB_EXPERIMENT_BOUNCE, 36, 4 },
	{ RSB_EXPERIMENT_BOUNCE, 44, 4 },   { RSB_EXPERIMENT_LEAVES, 12, 16 },
	{ RSB_EXPERIMENT_LEAVES, 16, 8 },   { RSB_EXPERIMENT_LEAVES, 16, 16 },
	{ RSB_EXPERIMENT_LEAVES, 20, 2 },   { RSB_EXPERIMENT_LEAVES, 20, 4 },
	{ RSB_EXPERIMENT_LEAVES, 20, 8 },   { RSB_EXPERIMENT_LEAVES, 20, 16 },
	{ RSB_EXPERIMENT_LEAVES, 24, 2 },   { RSB_EXPERIMENT_LEAVES, 24, 4 },
	{ RSB_EXPERIMENT_LEAVES, 24, 16 },  { RSB_EXPERIMENT_LEAVES, 32, 16 },
	{ RSB_EXPERIMENT_LEAVES, 40, 16 },  { RSB_EXPERIMENT_LONG, 8, 2048 },
	{ RSB_EXPERIMENT_LONG, 12, 2048 },  { RSB_EXPERIMENT_LONG, 15, 2048 },
	{ RSB_EXPERIMENT_LONG, 16, 2048 },  { RSB_EXPERIMENT_LONG, 20, 2048 },
	{ RSB_EXPERIMENT_LONG, 24, 2048 },  { RSB_EXPERIMENT_LONG, 32, 2048 },
	{ RSB_EXPERIMENT_CALLS, 1, 8 },     { RSB_EXPERIMENT_CALLS, 4, 8 },
	{ RSB_EXPERIMENT_RETURNS, 1, 0 },   { RSB_EXPERIMENT_RETURNS, 8, 0 },
	{ RSB_EXPERIMENT_FLAT, 8, 0 },      { RSB_EXPERIMENT_FLAT, 24, 0 },
	{ RSB_EXPERIMENT_ZERO, 1, 0 },      { RSB_EXPERIMENT_ZERO, 4, 0 },
	{ RSB_EXPERIMENT_REWRITTEN, 1, 0 }, { RSB_EXPERIMENT_REWRITTEN, 8, 0 },
	{ RSB_EXPERIMENT_SYSCALL, 1, 0 },   { RSB_EXPERIMENT_SYSCALL, 8, 0 },
	{ RSB_EXPERIMENT_SYSCALL, 12, 0 },
};
#define LIST (sizeof(list) / sizeof(*list))

double rsb_probe_find(const struct rsb_probe *probe, enum rsb_experiment_kind kind, unsigned a,
		      unsigned b)
{
	for (size_t i = 0; i < probe->count; i++)
		if (probe->probed[i].of.kind == kind && probe->probed[i].of.a == a &&
		    probe->probed[i].of.b == b)
			return probe->probed[i].measured.median;
	return NAN;
}

/* What a twin's jump costs more than a return, of 8 calls that every stack holds. */
static double measure_jump(const struct rsb_trials *trials)
{
	for (size_t i = 0; i < trials->count; i++) {
		const struct rsb_trial *trial = &trials->all[i];

		if (trial->of.kind == RSB_EXPERIMENT_CHAIN && trial->of.a == 8 &&
		    trial->of.b == 128)
			return rsb_measured_difference(trial->twin_measured, trial->measured, 0)
				       .median /
			       trial->returns;
	}
	return 0;
}

static void judge_trial(struct rsb_probe *probe, struct rsb_probed *probed,
			const struct rsb_trial *trial)
{
	double less = -probe->jump * trial->returns, unit = probe->penalty.unit + probe->jump;
	struct rsb_spread spread =
		rsb_measured_difference(trial->measured, trial->twin_measured, less);

	probed->of = trial->of;
	probed->measured = (struct rsb_spread){ spread.low / unit, spread.median / unit,
						spread.high / unit, spread.count };
	probe->samples += trial->measured->samples + trial->twin_measured->samples;
	probe->dropped += trial->measured->dropped + trial->twin_measured->dropped;
}

static bool fit(struct rsb_probe *probe, const struct rsb_trials *trials, struct rsb_error *error)
{
	const struct rsb_run **runs = calloc(trials->count, sizeof(*runs));
	bool good = runs || rsb_error_set(error, "out of memory");

	for (size_t i = 0; good && i < trials->count; i++)
		runs[i] = trials->all[i].run;
	good = good && rsb_probe_fit(probe, runs, error);
	free(runs);
	return good;
}

static bool measure(struct rsb_probe *probe, const struct rsb_measure_options *options,
		    struct rsb_error *error)
{
	struct rsb_trials trials;
	bool good = rsb_trials_make(&trials, list, LIST, error) &&
		    rsb_penalty_measure(&probe->penalty, options, error) &&
		    rsb_trials_measure(&trials, options, error);

	if (good && isnan(probe->penalty.unit))
		good = rsb_error_set(error, "no method sees a mispredicted return here");
	if (good) {
		probe->jump = measure_jump(&trials);
		for (size_t i = 0; i < trials.count; i++)
			judge_trial(probe, &probe->probed[i], &trials.all[i]);
		probe->noisy = probe->penalty.noisy || probe->dropped * 2 > probe->samples;
		good = fit(probe, &trials, error);
	}
	rsb_trials_clear(&trials);
	return good;
}

struct rsb_probe *rsb_probe_new(const struct rsb_measure_options *options, struct rsb_error *error)
{
	struct rsb_probe *probe = calloc(1, sizeof(*probe));

	if (probe)
		probe->probed = calloc(LIST, sizeof(*probe->probed));
	if (!probe || !probe->probed) {
		rsb_probe_free(probe);
		return rsb_error_null(error, "out of memory");
	}
	probe->count = LIST;
	rsb_host_read(&probe->host);
	if (!measure(probe, options, error)) {
		rsb_probe_free(probe);
		return NULL;
	}
	rsb_probe_conclude(probe);
	return probe;
}

void rsb_probe_free(struct rsb_probe *probe)
{
	if (!probe)
		return;
	free(probe->probed);
	free(probe);
}
