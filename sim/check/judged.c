/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Under which rule a finding falls, and what of it the layout's author has accepted. */
#include "sim/check/judgement.h"

#include <string.h>

static bool costs(const struct rsb_finding *finding)
{
	return rsb_figure_is(finding->misses_inside) || rsb_figure_is(finding->misses_callers);
}

/* Of causes that lie in how the code calls and returns. */
static enum rsb_judged_as judge_flow(const struct rsb_judgement *judgement,
				     const struct rsb_finding *finding)
{
	/* Two that cancel each other leave the layout balanced. */
	if (rsb_figure_is(judgement->score->per_call.balance_layout) &&
	    rsb_figure_is(finding->balance))
		return costs(finding) ? RSB_JUDGED_IMBALANCE : RSB_JUDGED_FREE_IMBALANCE;
	if (rsb_figure_is(finding->misses_callers))
		return RSB_JUDGED_CALLERS;
	return costs(finding) ? RSB_JUDGED_INSIDE : RSB_JUDGED_NOTHING;
}

enum rsb_judged_as rsb_judged_as(const struct rsb_judgement *judgement,
				 const struct rsb_finding *finding)
{
	switch (finding->cause) {
	case RSB_CAUSE_INTENDED:
		return costs(finding) ? RSB_JUDGED_INTENDED : RSB_JUDGED_NOTHING;
	case RSB_CAUSE_OVERFLOW:
		return costs(finding) ? RSB_JUDGED_OVERFLOW : RSB_JUDGED_NOTHING;
	case RSB_CAUSE_EMPTY:
	case RSB_CAUSE_STALE:
		return costs(finding) ? RSB_JUDGED_UNDERFLOW : RSB_JUDGED_NOTHING;
	default:
		return judge_flow(judgement, finding);
	}
}

/* Does the layout state that figure, and is it so? What is not there needs no statement. */
static bool is_stated(const struct rsb_judgement *judgement, const char *key, double share)
{
	double expected;

	if (!rsb_figure_is(share))
		return true;
	if (!rsb_layout_expect(judgement->layout, key, &expected))
		return false;
	for (const struct rsb_figure *figure = rsb_figures(); figure->key; figure++) {
		const char *at = (const char *)&judgement->score->per_call + figure->offset;

		if (!strcmp(figure->key, key))
			return !rsb_figure_is(expected - *(const double *)at);
	}
	return false;
}

bool rsb_judgement_expected(const struct rsb_judgement *judgement,
			    const struct rsb_finding *finding)
{
	return is_stated(judgement, "balance_layout", finding->balance) &&
	       is_stated(judgement, "misses_inside", finding->misses_inside) &&
	       is_stated(judgement, "misses_callers", finding->misses_callers);
}
