/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB002: the layout makes more calls than returns, or fewer, and that is paid for. */
#include "sim/check/judgement.h"

#include "sim/report/number.h"

/* The balance is a count and needs no explanation: what none explains is still said. */
static bool judge_unexplained(struct rsb_judgement *judgement, struct rsb_error *error)
{
	const struct rsb_explanation *explanation = judgement->explanation;
	double balance = judgement->score->per_call.balance_layout;
	char text[RSB_NUMBER_SIZE];

	if (!rsb_figure_is(balance))
		return true;
	for (size_t i = 0; i < explanation->count; i++) {
		enum rsb_judged_as as = rsb_judged_as(judgement, &explanation->findings[i]);

		if (as == RSB_JUDGED_IMBALANCE || as == RSB_JUDGED_FREE_IMBALANCE)
			return true;
	}
	rsb_number_signed(text, sizeof(text), balance, 2);
	return rsb_judgement_add(judgement, NULL, "balance", error,
				 "each call leaves the return stack at %s, and no instruction was "
				 "found to be at fault",
				 text) != NULL;
}

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	return rsb_judgement_findings(judgement, RSB_JUDGED_IMBALANCE, error) &&
	       judge_unexplained(judgement, error);
}

const struct rsb_rule rsb_rule_imbalance = {
	.id = "RSB002",
	.name = "imbalance",
	.level = RSB_LEVEL_ERROR,
	.sentence = "The layout makes more calls than returns, or fewer.",
	.meaning = "After a call through the layout the return stack is not as deep as it was "
		   "before. Every entry below is out of place from then on: the return that "
		   "lands misses, and so does that of each caller which is open at that moment. "
		   "Mitigations are taken for the plain instructions that they stand for.",
	.example = "bpf-fexit-skip: the trampoline calls the traced function's body, then drops "
		   "its own return address with `add rsp, 8` and returns to the caller. Below "
		   "eight callers that is one miss inside and eight in the callers, a call.",
	.cause = "A pushed return address that is dropped, a return to an address that no call "
		 "pushed, or a call that is used to read the instruction pointer where the "
		 "processor takes it for a call.",
	.cure = "Enter by jmp, so that there is nothing to drop; or return to the address that "
		"would be dropped, to a ret there. rsbsim explain LAYOUT names the instruction "
		"and the way out.",
	.judge = judge,
};
