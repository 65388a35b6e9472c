/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB009: the layout's own "expect" is not met. */
#include "sim/check/judgement.h"

#include "sim/report/number.h"

static bool judge_figure(struct rsb_judgement *judgement, const struct rsb_figure *figure,
			 struct rsb_error *error)
{
	const char *at = (const char *)&judgement->score->per_call + figure->offset;
	char want[RSB_NUMBER_SIZE], got[RSB_NUMBER_SIZE];
	double value = *(const double *)at, expected;

	if (!rsb_layout_expect(judgement->layout, figure->key, &expected) ||
	    !rsb_figure_is(value - expected))
		return true;
	rsb_number_data(want, sizeof(want), expected);
	rsb_number_data(got, sizeof(got), value);
	return rsb_judgement_add(judgement, NULL, figure->key, error,
				 "the layout expects %s %s, a run gives %s", figure->key, want,
				 *got ? got : "no number") != NULL;
}

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	if (judgement->altered)
		return true;
	for (const struct rsb_figure *figure = rsb_figures(); figure->key; figure++)
		if (!judge_figure(judgement, figure, error))
			return false;
	return true;
}

const struct rsb_rule rsb_rule_expectation = {
	.id = "RSB009",
	.name = "expectation",
	.level = RSB_LEVEL_ERROR,
	.sentence = "A figure is not what the layout's \"expect\" states.",
	.meaning = "A layout file may state figures of a score. A run that gives another value "
		   "means that the code has changed, for better or for worse, or that the "
		   "statement was never true on this CPU or in this scenario. What is stated, "
		   "and is so, its author accepts: a result whose balance and misses are all "
		   "stated is no finding.",
	.example = "\"expect\": { \"balance_layout\": 0 } in a layout whose trampoline now drops "
		   "a return address.",
	.cause = "A change of the code, of the scenario, or of the CPU's profile.",
	.cure = "Repair the code, or state the new figure and say why in the change that does so.",
	.judge = judge,
};
