/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trials: experiments that are measured together, each beside its twin, whose returns are indirect
 * jumps.
 */
#ifndef RSB_SIM_NATIVE_TRIAL_H
#define RSB_SIM_NATIVE_TRIAL_H

#include "sim/native/expect.h"
#include "sim/native/experiment.h"
#include "sim/native/measure.h"

struct rsb_trial_of {
	enum rsb_experiment_kind kind;
	unsigned a, b;
};

struct rsb_trial {
	struct rsb_trial_of of;
	struct rsb_image *image, *twin;
	struct rsb_run *run;
	double returns; /* in a round, the runner's counted */
	struct rsb_measured *measured, *twin_measured;
};

struct rsb_trials {
	struct rsb_trial *all;
	size_t count;
	struct rsb_measured *measured;
};

/* Makes the images of the listed ones. False: error; rsb_trials_clear() in any case. */
bool rsb_trials_make(struct rsb_trials *trials, const struct rsb_trial_of *list, size_t count,
		     struct rsb_error *error);
void rsb_trials_clear(struct rsb_trials *trials);

/* Measures them. An experiment that cannot be run is an error: its code is this library's own. */
bool rsb_trials_measure(struct rsb_trials *trials, const struct rsb_measure_options *options,
			struct rsb_error *error);

/* Cycles a round that the trial takes more than its twin in one visit; NAN: not known. */
double rsb_trial_difference(const struct rsb_trial *trial, unsigned visit);

#endif
