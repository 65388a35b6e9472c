/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Misses that come from what a stack does when it is full, or after a miss, or with calls that are
 * close together: each has an instruction that it comes from. Below 8 callers 9 calls are open at
 * the function: rsb_round's, the callers', of which the last is the traced one.
 */
#include "tests/unit/explained.h"
#include "tests/unit/listing.h"
#include "tests/unit/scored.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

/* With "name=value ..." set in the CPU's profile. */
static struct rsb_explanation *explain(const char *family, const char *set, const char *policy)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = scored_profile("intel-haswell");
	struct rsb_image *image = listing_make(family, set);
	struct rsb_explanation *explanation;
	struct rsb_error error;
	char words[128];

	snprintf(words, sizeof(words), "%s", policy);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		char *value = strchr(word, '=');

		*value++ = '\0';
		ck_assert_msg(rsb_profile_set(profile, word, value, &error), "%s", error.text);
	}
	explanation = explained_image(image, profile, &scenario);
	rsb_profile_free(profile);
	return explanation;
}

/*
 * A stack of 6 that takes no entry when it is full: the 7th call is caller_6's. It and the two that
 * follow have no entry; their returns take those of others, so that all 9 miss.
 */
START_TEST(refused)
{
	const struct explained_finding expected = {
		RSB_CAUSE_OVERFLOW, "caller_6+0x1: call", 1, 8, 0, NULL
	};
	struct rsb_explanation *explanation = explain("plain-call", "", "depth=6 overflow=refuse");

	explained_check(explanation, "refuse", &expected, 1);
	ck_assert_ptr_nonnull(strstr(explanation->findings[0].story, "are not entered"));
	rsb_explanation_free(explanation);
}
END_TEST

/* One that forgets all when it is full: the 7th call's entry and two more are there, 6 are not. */
START_TEST(cleared)
{
	const struct explained_finding expected = {
		RSB_CAUSE_OVERFLOW, "caller_6+0x1: call", 0, 6, 0, NULL
	};
	struct rsb_explanation *explanation =
		explain("plain-call", "", "depth=6 overflow=clear-all");

	explained_check(explanation, "clear-all", &expected, 1);
	ck_assert_ptr_nonnull(strstr(explanation->findings[0].story, "gives up all of them"));
	rsb_explanation_free(explanation);
}
END_TEST

/* One that is left out of place by a miss: the next return misses for the one before it. */
START_TEST(out_of_place)
{
	struct rsb_explanation *explanation =
		explain("bpf-trampoline", "fexit=1 exit=skip-frame", "quirk=true");
	const struct rsb_finding *last = &explanation->findings[explanation->count - 1];

	ck_assert_uint_eq(explanation->count, 2);
	ck_assert_int_eq(explanation->findings[0].cause, RSB_CAUSE_SKIPPED_FRAME);
	ck_assert_int_eq(last->cause, RSB_CAUSE_PREDICTOR);
	ck_assert_str_eq(last->culprit.text, "ret");
	ck_assert_ptr_nonnull(strstr(last->story, "misses and puts the return stack out of place"));
	rsb_explanation_free(explanation);
}
END_TEST

/* Whatever the policy, each finding is about an instruction. */
START_TEST(always_an_instruction)
{
	static const char *const policies[] = {
		"depth=6 overflow=refuse",
		"depth=6 overflow=clear-all",
		"depth=4 underflow=none",
		"depth=6 quirk=true",
		"spacing=400",
		"merge=true counter_max=1",
	};
	static const char *const layouts[][2] = {
		{ "plain-call", "" },
		{ "bpf-trampoline", "fexit=1 exit=skip-frame" },
		{ "bpf-trampoline", "fexit=1 attach=jmp return_thunk=srso" },
		{ "rethook", "" },
	};

	for (size_t i = 0; i < 6 * 4; i++) {
		struct rsb_explanation *explanation =
			explain(layouts[i % 4][0], layouts[i % 4][1], policies[i / 4]);

		for (size_t k = 0; k < explanation->count; k++)
			ck_assert_msg(explanation->findings[k].culprit.symbol, "%s %s: %s",
				      layouts[i % 4][0], policies[i / 4],
				      explanation->findings[k].story);
		rsb_explanation_free(explanation);
	}
}
END_TEST

UNIT_MAIN("explanations of policies", refused, cleared, out_of_place, always_an_instruction)
