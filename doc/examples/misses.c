/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * misses LAYOUT CPU: the misses of each traced call, by way of the library. Build it with
 *
 *	cc misses.c $(pkg-config --cflags --libs rsbsim)
 */
#include "sim/image/layout.h"
#include "sim/score/score.h"

#include <stdio.h>

static struct rsb_score *score(const struct rsb_layout *layout, const struct rsb_profile *profile,
			       struct rsb_error *error)
{
	const struct rsb_model_type *type = rsb_profile_type(profile);
	const struct rsb_run_options run_options = { .kinds = type->kinds | type->predicts };
	const struct rsb_score_options score_options = { .rounds = 0 };
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_image *image = rsb_layout_image(layout, &scenario, error);
	struct rsb_run *run = image ? rsb_run_new(image, &run_options, error) : NULL;
	struct rsb_score *result = NULL;

	if (run)
		result = rsb_score_new(run, rsb_layout_name(layout), profile, &scenario,
				       &score_options, error);
	rsb_run_free(run);
	rsb_image_free(image);
	return result;
}

int main(int argc, char **argv)
{
	struct rsb_layout *layout = NULL;
	struct rsb_profile *profile = NULL;
	struct rsb_score *result = NULL;
	struct rsb_error error;
	int status = 2;

	if (argc != 3) {
		fprintf(stderr, "usage: misses LAYOUT CPU\n");
		return 2;
	}
	layout = rsb_layout_load(argv[1], &error);
	if (layout)
		profile = rsb_profile_load(argv[2], &error);
	if (profile)
		result = score(layout, profile, &error);
	if (result) {
		printf("%g inside, %g in the callers\n", result->per_call.misses_inside,
		       result->per_call.misses_callers);
		status = 0;
	} else {
		fprintf(stderr, "misses: %s\n", error.text);
	}
	rsb_score_free(result);
	rsb_profile_free(profile);
	rsb_layout_free(layout);
	return status;
}
