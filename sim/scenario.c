/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ranges of a scenario's numbers. */
#include "sim/scenario.h"

#include <string.h>

static bool check(const char *name, unsigned value, unsigned minimum, unsigned maximum,
		  struct rsb_error *error)
{
	return (value >= minimum && value <= maximum) ||
	       rsb_error_set(error, "%s is %u, expected %u to %u", name, value, minimum, maximum);
}

bool rsb_scenario_check(const struct rsb_scenario *scenario, struct rsb_error *error)
{
	return check("depth", scenario->depth, 0, RSB_DEPTH_MAX, error) &&
	       check("batch", scenario->batch, 1, RSB_BATCH_MAX, error) &&
	       check("spacing", scenario->spacing, RSB_SPACING_MIN, RSB_SPACING_MAX, error);
}

bool rsb_scenario_same(const struct rsb_scenario *a, const struct rsb_scenario *b)
{
	return !strcmp(a->name, b->name) && a->depth == b->depth && a->batch == b->batch &&
	       a->spacing == b->spacing;
}
