/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB011: an imbalance that nothing is paid for here. */
#include "sim/check/judgement.h"

#include <stdio.h>

/* A mitigation whose returns miss as it is. NULL: none. */
static const char *find_mitigation(const struct rsb_explanation *explanation)
{
	for (size_t i = 0; i < explanation->count; i++)
		if (explanation->findings[i].cause == RSB_CAUSE_INTENDED)
			return explanation->findings[i].mitigation;
	return NULL;
}

static bool add(struct rsb_judgement *judgement, const struct rsb_finding *finding,
		const char *mitigation, struct rsb_error *error)
{
	char more[512] = ": it costs nothing on this CPU in this scenario";

	if (mitigation)
		snprintf(more, sizeof(more),
			 ": it costs nothing while each return misses by %s; with plain returns, "
			 "mitigations off, it would cost a miss for the landing and one for each "
			 "open caller",
			 mitigation);
	return rsb_judgement_add_finding(judgement, finding, more, error) != NULL;
}

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	const struct rsb_explanation *explanation = judgement->explanation;
	const char *mitigation = find_mitigation(explanation);

	for (size_t i = 0; i < explanation->count; i++)
		if (rsb_judged_as(judgement, &explanation->findings[i]) ==
			    RSB_JUDGED_FREE_IMBALANCE &&
		    !add(judgement, &explanation->findings[i], mitigation, error))
			return false;
	return true;
}

const struct rsb_rule rsb_rule_free_imbalance = {
	.id = "RSB011",
	.name = "free-imbalance",
	.level = RSB_LEVEL_NOTE,
	.sentence = "An imbalance that costs nothing under this run's mitigations.",
	.meaning = "The layout makes more calls than returns, or fewer, but here every return "
		   "misses already, or the CPU does not predict by a return stack. On a CPU "
		   "without that mitigation the same code costs misses.",
	.example = "linux-6.12 with safe RET: the trampoline of a fexit program is one call too "
		   "many, and all its returns miss with or without it.",
	.cause = "As for RSB002.",
	.cure = "As for RSB002, if the code also runs where it is paid for. --rule "
		"RSB011=warning makes it a finding.",
	.judge = judge,
};
