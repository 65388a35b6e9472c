/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trials: experiments and their twins. */
#include "sim/native/trial.h"

#include <math.h>
#include <stdlib.h>

static bool make(struct rsb_trial *trial, const struct rsb_profile *plain, struct rsb_error *error)
{
	const bool system_calls = trial->of.kind == RSB_EXPERIMENT_SYSCALL;
	struct rsb_expected expected;

	trial->image = rsb_experiment_image(trial->of.kind, trial->of.a, trial->of.b, false, error);
	trial->twin = trial->image ? rsb_experiment_image(trial->of.kind, trial->of.a, trial->of.b,
							  true, error)
				   : NULL;
	trial->run = trial->twin ? rsb_expect_run(trial->image, system_calls, error) : NULL;
	if (!trial->run || !rsb_expect(trial->run, plain, &expected, error))
		return rsb_error_prefix(error, "the experiment %s",
					rsb_experiment_name(trial->of.kind));
	trial->returns = expected.returns;
	*trial->measured = (struct rsb_measured){ .image = trial->image,
						  .instructions = expected.instructions,
						  .getppid = system_calls };
	*trial->twin_measured = *trial->measured;
	trial->twin_measured->image = trial->twin;
	return true;
}

bool rsb_trials_make(struct rsb_trials *trials, const struct rsb_trial_of *list, size_t count,
		     struct rsb_error *error)
{
	struct rsb_profile *plain = rsb_profile_load("ideal", error);
	bool good = plain;

	*trials = (struct rsb_trials){
		.all = calloc(count, sizeof(*trials->all)),
		.count = count,
		.measured = calloc(count, 2 * sizeof(*trials->measured)),
	};
	if (!trials->all || !trials->measured) {
		trials->count = 0;
		good = rsb_error_set(error, "out of memory");
	}
	for (size_t i = 0; good && i < count; i++) {
		struct rsb_trial *trial = &trials->all[i];

		trial->of = list[i];
		trial->measured = &trials->measured[2 * i];
		trial->twin_measured = &trials->measured[2 * i + 1];
		good = make(trial, plain, error);
	}
	rsb_profile_free(plain);
	return good;
}

void rsb_trials_clear(struct rsb_trials *trials)
{
	for (size_t i = 0; i < trials->count; i++) {
		rsb_run_free(trials->all[i].run);
		rsb_image_free(trials->all[i].image);
		rsb_image_free(trials->all[i].twin);
	}
	free(trials->all);
	free(trials->measured);
	*trials = (struct rsb_trials){ 0 };
}

bool rsb_trials_measure(struct rsb_trials *trials, const struct rsb_measure_options *options,
			struct rsb_error *error)
{
	if (!rsb_native_measure(trials->measured, 2 * trials->count, options, error))
		return false;
	for (size_t i = 0; i < 2 * trials->count; i++)
		if (trials->measured[i].failed)
			return rsb_error_set(error, "the experiment %s: %s",
					     rsb_experiment_name(trials->all[i / 2].of.kind),
					     trials->measured[i].why.text);
	return true;
}

double rsb_trial_difference(const struct rsb_trial *trial, unsigned visit)
{
	if (visit >= trial->measured->visits || visit >= trial->twin_measured->visits)
		return NAN;
	return trial->measured->cycles[visit] - trial->twin_measured->cycles[visit];
}
