/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Misses by return. */
#include "sim/native/returns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* To make a return miss takes a push and a jump too, which may be hidden: up to so much of a unit is
 * taken for these alone, and from the rest of it on the return was predicted each time. */
#define MISSED    0.4
#define PREDICTED 0.9

static double missed_part(double cost)
{
	return 1 - fmin(fmax((cost - MISSED) / (PREDICTED - MISSED), 0), 1);
}

static bool is_caller(const char *place)
{
	static const char *const starts[] = { "caller_", "rsb_landing", "rsb_round" };

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(place, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static void judge(struct rsb_return_verdict *verdict, const struct rsb_returns_measured *measured,
		  size_t index)
{
	const struct rsb_subject_return *from = &measured->subject->returns[index];
	const double by = measured->unit * from->runs;
	struct rsb_spread cycles =
		rsb_measured_difference(&measured->forced[index], measured->own, 0);

	memcpy(verdict->place, from->place, sizeof(verdict->place));
	verdict->runs = from->runs;
	verdict->caller = is_caller(from->place);
	verdict->cost = (struct rsb_spread){ cycles.low / by, cycles.median / by, cycles.high / by,
					     cycles.count };
	verdict->missed = missed_part(verdict->cost.median);
}

struct rsb_return_verdict *rsb_returns_judge(const struct rsb_returns_measured *measured,
					     struct rsb_spread *misses, struct rsb_error *error)
{
	size_t count = measured->subject->return_count;
	struct rsb_return_verdict *all = calloc(count + 1, sizeof(*all));

	if (!all)
		return rsb_error_null(error, "out of memory");
	*misses = (struct rsb_spread){ 0, 0, 0, count };
	for (size_t i = 0; i < count; i++) {
		double part = measured->subject->returns[i].runs / measured->batch;

		judge(&all[i], measured, i);
		misses->median += part * all[i].missed;
		misses->low += part * missed_part(all[i].cost.high);
		misses->high += part * missed_part(all[i].cost.low);
	}
	return all;
}
