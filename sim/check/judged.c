/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Under which rule a finding falls, and what of it the layout's author has accepted. */
#include "sim/check/judgement.h"

#include <stdio.h>
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

/* What the layout states of a figure, and what a run gives. */
enum stated {
	NEEDLESS, /* the finding has no share in it */
	UNSTATED,
	WRONG,
	RIGHT,
};

static enum stated find_stated(const struct rsb_judgement *judgement, const char *key, double share)
{
	double expected;

	if (!rsb_figure_is(share))
		return NEEDLESS;
	if (!rsb_layout_expect(judgement->layout, key, &expected))
		return UNSTATED;
	for (const struct rsb_figure *figure = rsb_figures(); figure->key; figure++) {
		const char *at = (const char *)&judgement->score->per_call + figure->offset;

		if (!strcmp(figure->key, key))
			return rsb_figure_is(expected - *(const double *)at) ? WRONG : RIGHT;
	}
	return WRONG;
}

#define SHARES 3

struct share {
	const char *key;
	enum stated stated;
};

static void list_shares(struct share shares[SHARES], const struct rsb_judgement *judgement,
			const struct rsb_finding *finding)
{
	shares[0].key = "balance_layout";
	shares[0].stated = find_stated(judgement, shares[0].key, finding->balance);
	shares[1].key = "misses_inside";
	shares[1].stated = find_stated(judgement, shares[1].key, finding->misses_inside);
	shares[2].key = "misses_callers";
	shares[2].stated = find_stated(judgement, shares[2].key, finding->misses_callers);
}

static size_t count(const struct share shares[SHARES], enum stated stated)
{
	size_t number = 0;

	for (size_t i = 0; i < SHARES; i++)
		number += shares[i].stated == stated;
	return number;
}

bool rsb_judgement_expected(const struct rsb_judgement *judgement,
			    const struct rsb_finding *finding)
{
	struct share shares[SHARES];

	list_shares(shares, judgement, finding);
	return !count(shares, UNSTATED) && !count(shares, WRONG);
}

static size_t append(char *out, size_t size, size_t used, const struct share shares[SHARES],
		     enum stated stated)
{
	size_t left = count(shares, stated);

	for (size_t i = 0; i < SHARES && used < size; i++)
		if (shares[i].stated == stated)
			used += (size_t)snprintf(out + used, size - used, "%s%s", shares[i].key,
						 --left ? " and " : "");
	return used;
}

/* What is stated wrongly has a finding of its own. */
void rsb_judgement_partly(const struct rsb_judgement *judgement, const struct rsb_finding *finding,
			  char *out, size_t size)
{
	struct share shares[SHARES];
	size_t used;

	list_shares(shares, judgement, finding);
	*out = '\0';
	if (!count(shares, RIGHT) || !count(shares, UNSTATED) || count(shares, WRONG))
		return;
	used = (size_t)snprintf(out, size, "not all of it is expected: the layout's file states ");
	used = append(out, size, used, shares, RIGHT);
	if (used < size)
		used += (size_t)snprintf(out + used, size - used, ", not ");
	append(out, size, used, shares, UNSTATED);
}
