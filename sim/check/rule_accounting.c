/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RSB008: the kernel's count of open calls is not what the hardware has. */
#include "sim/check/judgement.h"

#include "sim/report/number.h"

static bool judge(struct rsb_judgement *judgement, struct rsb_error *error)
{
	const struct rsb_accounting *accounting = &judgement->explanation->accounting;
	char software[RSB_NUMBER_SIZE], hardware[RSB_NUMBER_SIZE];
	struct rsb_check_result *result;

	if (!accounting->known ||
	    !rsb_figure_is(accounting->software_balance - accounting->hardware_balance))
		return true;
	rsb_number_signed(software, sizeof(software), accounting->software_balance, 2);
	rsb_number_signed(hardware, sizeof(hardware), accounting->hardware_balance, 2);
	result = rsb_judgement_add(judgement, &accounting->culprit,
				   accounting->culprit.symbol ? NULL : "accounting", error,
				   "a call is accounted for as %s, the return stack is left at %s",
				   software, hardware);
	if (!result)
		return false;
	return !accounting->culprit.symbol || !accounting->what ||
	       rsb_judgement_step(result, &accounting->culprit, error, "%s", accounting->what);
}

const struct rsb_rule rsb_rule_accounting = {
	.id = "RSB008",
	.name = "accounting",
	.level = RSB_LEVEL_WARNING,
	.sentence = "Software call-depth accounting differs from what the code calls and returns.",
	.meaning = "Linux on Skylake can count calls and returns in a per-CPU variable (sarq, "
		   "shlq) to refill the return stack before it runs empty. Where the code "
		   "accounts for a call that it does not make, or the other way round, the "
		   "refill comes too early or too late; too late is what the mitigation is there "
		   "to prevent.",
	.example = "bpf-fexit-jmp with call-depth tracking: the trampoline is entered by jmp, "
		   "and accounts as if it had been called.",
	.cause = "A call that became a jmp while its accounting stayed, or a return that does "
		 "not go through the return thunk.",
	.cure = "Account exactly where there is a call: leave the sarq out where the trampoline "
		"is entered by jmp.",
	.judge = judge,
};
