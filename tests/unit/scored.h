/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A layout's score, for tests that compare figures; whatever fails, fails the test. */
#ifndef RSB_TESTS_SCORED_H
#define RSB_TESTS_SCORED_H

#include "sim/score/score.h"

struct rsb_profile *scored_profile(const char *name_or_path);

/* The figures per call of a built-in layout, by name, whose steady state is proved. */
struct rsb_per_call scored_layout(const char *name, const struct rsb_profile *profile,
				  const struct rsb_scenario *scenario);

/* The same of a family with "name=value ..." set. */
struct rsb_per_call scored_family(const char *family, const char *set,
				  const struct rsb_profile *profile,
				  const struct rsb_scenario *scenario);

#endif
