/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A baseline: the results that a project has accepted, in a JSON file that is kept with its source
 * (rsbsim-check(1)). One entry a fingerprint; a result that it has is marked, never left out.
 */
#ifndef RSB_SIM_CHECK_BASELINE_H
#define RSB_SIM_CHECK_BASELINE_H

#include "sim/check/check.h"

#include <stdio.h>

struct rsb_baseline;

/* NULL: error has file:line and what was expected. */
struct rsb_baseline *rsb_baseline_load(const char *path, struct rsb_error *error);
struct rsb_baseline *rsb_baseline_new(void); /* an empty one; NULL: no memory */
void rsb_baseline_free(struct rsb_baseline *baseline);

/* Is text a date as a baseline has them, "2027-01-31"? */
bool rsb_baseline_date(const char *text);

/*
 * Sets the standing of each result, with the reason, and lists what is absent; only entries of
 * layouts and CPUs that were checked can be. today decides what has expired. False: no memory.
 */
bool rsb_baseline_compare(const struct rsb_baseline *baseline, struct rsb_check *check,
			  const char *today, struct rsb_error *error);

/*
 * Writes a baseline of all results that would otherwise fail. Of entries that are still needed
 * reason and expiry are kept, and those of cases that were not checked, or could not be, are kept
 * whole.
 */
bool rsb_baseline_write(const struct rsb_baseline *old, const struct rsb_check *check, FILE *out,
			struct rsb_error *error);

#endif
