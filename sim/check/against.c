/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares two versions of layouts, case by case. */
#include "sim/check/against.h"

#include "sim/check/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As rsb_figure_is(): averages are sums of fractions. */
#define NOTHING 1e-9

struct rsb_check_figures rsb_against_figures(const struct rsb_score *score)
{
	const struct rsb_per_call *p = &score->per_call;

	return (struct rsb_check_figures){ p->balance_layout, p->misses_inside - p->intended_inside,
					   p->misses_callers - p->intended_callers };
}

static bool grew(double base, double head)
{
	return fabs(head) > fabs(base) + NOTHING;
}

bool rsb_against_is_worse(const struct rsb_check_figures *base,
			  const struct rsb_check_figures *head)
{
	return grew(base->balance, head->balance) || grew(base->inside, head->inside) ||
	       grew(base->callers, head->callers);
}

static enum rsb_change compare(const struct rsb_check_figures *base,
			       const struct rsb_check_figures *head)
{
	if (rsb_against_is_worse(base, head))
		return RSB_CHANGE_WORSE;
	return rsb_against_is_worse(head, base) ? RSB_CHANGE_BETTER : RSB_CHANGE_SAME;
}

static const struct rsb_check_case *find(const struct rsb_check *check, const char *layout,
					 const char *cpu)
{
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		if (one->cpu && !strcmp(one->layout, layout) && !strcmp(one->cpu, cpu))
			return one;
	}
	return NULL;
}

bool rsb_against_set(struct rsb_check_case *one, const struct rsb_check *base,
		     const char *base_layout, struct rsb_error *error)
{
	const struct rsb_check_case *found = find(base, base_layout, one->cpu);

	one->change = RSB_CHANGE_ADDED;
	if (!found)
		return true;
	if (found->trouble) {
		one->change = RSB_CHANGE_NONE;
		return rsb_error_set(error, "the base: %s", found->trouble);
	}
	one->base = found->figures;
	one->change = compare(&one->base, &one->figures);
	return true;
}

static bool add_gone(struct rsb_check *check, const struct rsb_check_case *was)
{
	struct rsb_check_case *one = rsb_check_add_case(check, was->layout, was->path);

	if (!one)
		return false;
	one->scenario = was->scenario;
	one->base = was->figures;
	one->change = RSB_CHANGE_GONE;
	one->cpu = strdup(was->cpu);
	one->model = strdup(was->model);
	one->version = strdup(was->version);
	return one->cpu && one->model && one->version;
}

bool rsb_check_gone(struct rsb_check *check, const struct rsb_check *base)
{
	for (size_t i = 0; i < base->count; i++) {
		const struct rsb_check_case *was = &base->cases[i];

		if (was->cpu && !was->trouble && !find(check, was->layout, was->cpu) &&
		    !add_gone(check, was))
			return false;
	}
	return true;
}
