/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Images that are run and explained, before and after something was planted in them. */
#ifndef RSB_TESTS_PLANTED_RUN_H
#define RSB_TESTS_PLANTED_RUN_H

#include "tests/unit/planted.h"

struct planted_run {
	struct rsb_image *image;
	struct rsb_run *run;
	struct rsb_frames *frames;
	struct rsb_explanation *explanation;
};

/* Runs the image, which is the run's from then on. False: it does not run. */
bool planted_run_start(struct planted_run *run, struct rsb_error *error);

/* Explains what ran. The test fails if that cannot be, or does not agree with the score. */
void planted_run_explain(struct planted_run *run, const struct rsb_profile *profile,
			 const struct rsb_scenario *scenario);

/* Do the first two rounds do the same as before, but for what was planted? */
bool planted_run_same(const struct planted_run *before, const struct planted_run *after,
		      const struct planted_place *place);

void planted_run_close(struct planted_run *run);

#endif
