/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB012: the layout is worse than its base. */
#include "sim/check/against.h"
#include "sim/check/judgement.h"
#include "sim/report/number.h"

/* What costs the most of what is not intended. NULL: nothing does. */
static const struct rsb_finding *find_worst(const struct rsb_judgement *judgement)
{
	const struct rsb_explanation *explanation = judgement->explanation;

	/* They are sorted by what they cost. */
	for (size_t i = 0; i < explanation->count; i++) {
		enum rsb_judged_as as = rsb_judged_as(judgement, &explanation->findings[i]);

		if (as != RSB_JUDGED_NOTHING && as != RSB_JUDGED_INTENDED)
			return &explanation->findings[i];
	}
	return NULL;
}

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	const struct rsb_check_case *into = judgement->into;
	const struct rsb_check_figures *base = &into->base, *head = &into->figures;
	const struct rsb_finding *worst = find_worst(judgement);
	char numbers[6][RSB_NUMBER_SIZE];
	struct rsb_check_result *result;

	if (!rsb_against_is_worse(base, head))
		return true;
	rsb_number_signed(numbers[0], RSB_NUMBER_SIZE, base->balance, 2);
	rsb_number_signed(numbers[1], RSB_NUMBER_SIZE, head->balance, 2);
	rsb_number_brief(numbers[2], RSB_NUMBER_SIZE, base->inside, 2);
	rsb_number_brief(numbers[3], RSB_NUMBER_SIZE, head->inside, 2);
	rsb_number_brief(numbers[4], RSB_NUMBER_SIZE, base->callers, 2);
	rsb_number_brief(numbers[5], RSB_NUMBER_SIZE, head->callers, 2);
	result = rsb_judgement_add(judgement, worst ? &worst->culprit : NULL,
				   worst && worst->culprit.symbol ? NULL : "comparison", error,
				   "balance %s, was %s; misses inside %s, were %s; in callers %s, "
				   "were %s",
				   numbers[1], numbers[0], numbers[3], numbers[2], numbers[5],
				   numbers[4]);
	return result && (!worst || !worst->culprit.symbol ||
			  rsb_judgement_step(result, &worst->culprit, error, "%s", worst->story));
}

const struct rsb_rule rsb_rule_worse = {
	.id = "RSB012",
	.name = "worse",
	.level = RSB_LEVEL_ERROR,
	.sentence = "The layout is further from balance, or misses more, than its base.",
	.meaning = "With --against, each layout is compared with the one of its name in the "
		   "base: its balance, and its misses inside and in callers, those that a "
		   "mitigation wants left out. A layout that the base does not have is compared "
		   "with one that costs nothing.",
	.example = "rsbsim check --against bpf-fexit-jmp bpf-fexit-skip",
	.cause = "The change between the two.",
	.cure = "git bisect run rsbsim check --against GOOD LAYOUT finds the change; rsbsim "
		"explain LAYOUT tells the instruction.",
	.compares = true,
	.judge = judge,
};
