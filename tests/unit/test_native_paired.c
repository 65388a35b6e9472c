/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which returns every return stack predicts, and the images that native compares: nothing here runs
 * natively. Numbers of calls are those that were counted on Linux 6.12, or follow from the code.
 */
#include "sim/native/paired.h"
#include "sim/native/returns.h"
#include "sim/native/runner.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct rsb_scenario scenario = { "own", 8, 2, 128 };

/* Paired returns of a round, in which there are two traced calls. */
static double paired_returns(const char *name)
{
	struct rsb_error error;
	struct rsb_layout *layout = rsb_layout_load(name, &error);
	struct rsb_image *image = rsb_layout_image(layout, &scenario, &error);
	struct rsb_run *run = rsb_expect_run(image, false, &error);
	struct rsb_paired paired;
	double returns;

	ck_assert_msg(run != NULL, "%s", error.text);
	ck_assert(rsb_paired_find(&paired, image, run, &error));
	returns = paired.returns;
	rsb_paired_clear(&paired);
	rsb_run_free(run);
	rsb_image_free(image);
	rsb_layout_free(layout);
	return returns;
}

/* A function that calls nothing has its landing return only, which is never one of them. */
START_TEST(landings_and_callers_are_not_paired)
{
	ck_assert_double_eq_tol(paired_returns("plain-call"), 0, 1e-9);
	ck_assert_double_eq_tol(paired_returns("call-over-pop"), 0, 1e-9);
}
END_TEST

/*
 * A fexit trampoline that is entered by jmp makes 13 calls and returns, the caller's among them
 * (Linux 6.12 with CONFIG_PREEMPT): all but the landing are paired. The form that is entered by
 * call and drops an address has the same 12, and one call more that nothing returns from.
 */
START_TEST(balanced_calls_of_a_trampoline_are_paired)
{
	ck_assert_double_eq_tol(paired_returns("bpf-fexit-jmp"), 2 * 12, 1e-9);
	ck_assert_double_eq_tol(paired_returns("bpf-fexit-skip"), 2 * 12, 1e-9);
}
END_TEST

/* A retpoline's return goes elsewhere, and all of recursion 24 deep return by one instruction. */
START_TEST(what_may_miss_is_not_paired)
{
	ck_assert_double_eq_tol(paired_returns("retpoline-jmp"), 0, 1e-9);
	ck_assert_double_eq_tol(paired_returns("recursion-24"), 0, 1e-9);
	ck_assert_double_eq_tol(paired_returns("rsb-fill-32"), 0, 1e-9);
}
END_TEST

/* Images are made only where they could be run: under valgrind, say, there is no filter. */
static bool available(void)
{
	struct rsb_error ignored;

	return rsb_native_available(&ignored);
}

static void make(struct rsb_subject *subject, struct rsb_layout *layout)
{
	struct rsb_error error;
	struct rsb_profile *profile = rsb_profile_load("amd-zen4", &error);
	const struct rsb_subject_options options = { .profile = profile,
						     .variants = RSB_SUBJECT_VARIANTS };

	ck_assert_msg(rsb_subject_make(subject, layout, &scenario, &options, &error), "%s",
		      error.text);
	ck_assert_uint_eq(subject->count, RSB_SUBJECT_VARIANTS);
	rsb_profile_free(profile);
}

/* Everything but the returns themselves is at the same place in a layout and in its twin. */
START_TEST(twins_lie_alike)
{
	static const char *const names[] = { "bpf-38-fexit-skip", "return-thunk-srso",
					     "go-morestack" };

	if (!available())
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct rsb_error error;
		struct rsb_layout *layout = rsb_layout_load(names[i], &error);
		struct rsb_subject subject;

		make(&subject, layout);
		for (size_t j = 0; j < subject.count; j++) {
			const struct rsb_subject_images *images = &subject.variants[j];
			size_t own = 0, against = 0;
			const char *name, *other;
			uint64_t address, elsewhere;

			while (rsb_image_symbol_next(images->own, &own, &name, &address)) {
				ck_assert(rsb_image_symbol_next(images->against, &against, &other,
								&elsewhere));
				ck_assert_str_eq(name, other);
				ck_assert_uint_eq(address, elsewhere);
			}
		}
		rsb_subject_clear(&subject);
		rsb_layout_free(layout);
	}
}
END_TEST

/*
 * Neither where code lies nor balanced calls between change what a ring of 32 misses: 10 of a round
 * below 8 callers, and one more of the second call. Each helper is a return more a traced call, and
 * paired.
 */
START_TEST(variants_miss_alike)
{
	struct rsb_error error;
	struct rsb_layout *layout;
	struct rsb_subject subject;

	if (!available())
		return;
	layout = rsb_layout_load("bpf-fexit-skip", &error);
	make(&subject, layout);
	for (size_t i = 0; i < subject.count; i++) {
		const struct rsb_subject_images *images = &subject.variants[i];

		ck_assert_double_eq_tol(images->expected.misses, 11, 1e-9);
		ck_assert_double_eq_tol(images->expected.returns -
						subject.variants[0].expected.returns,
					2.0 * rsb_subject_variants[i].helpers, 1e-9);
		ck_assert_double_eq_tol(images->jumps, subject.variants[0].jumps, 1e-9);
	}
	/* Two landings, eight callers, rsb_round. */
	ck_assert_double_eq_tol(subject.variants[0].jumps, 2 + 8 + 1, 1e-9);
	rsb_subject_clear(&subject);
	rsb_layout_free(layout);
}
END_TEST

static double misses_of(const struct rsb_image *image)
{
	struct rsb_error error;
	struct rsb_run *run = rsb_expect_run(image, false, &error);
	struct rsb_profile *profile = rsb_profile_load("amd-zen4", &error);
	struct rsb_expected expected;

	ck_assert_msg(run && profile, "%s", error.text);
	ck_assert(rsb_expect(run, profile, &expected, &error));
	rsb_profile_free(profile);
	rsb_run_free(run);
	return expected.misses;
}

/*
 * A return that is made to miss leaves all others as they were: below 8 callers, a layout of which
 * each frame misses has 10 misses whichever it is; of one that misses once, that return adds
 * nothing and each other adds one. rsb_round's is left out: the runner's return stands for it here.
 */
START_TEST(one_return_is_made_to_miss)
{
	static const struct {
		const char *layout;
		unsigned misses, none, one; /* how many returns add none, and one */
	} cases[] = {
		{ "plain-call", 0, 0, 9 },
		{ "bpf-fexit-skip", 10, 9, 0 },
		{ "bpf-fexit-double-ret", 1, 1, 9 },
	};
	const struct rsb_scenario unwind = RSB_SCENARIO_UNWIND;

	if (!available())
		return;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rsb_error error;
		struct rsb_profile *profile = rsb_profile_load("amd-zen4", &error);
		struct rsb_layout *layout = rsb_layout_load(cases[i].layout, &error);
		const struct rsb_subject_options options = { .profile = profile,
							     .variants = 1,
							     .each = true };
		struct rsb_subject subject;
		unsigned none = 0, one = 0;

		ck_assert(rsb_subject_make(&subject, layout, &unwind, &options, &error));
		for (size_t j = 0; j < subject.return_count; j++) {
			double more;

			if (!strncmp(subject.returns[j].place, "rsb_round", 9))
				continue;
			more = misses_of(subject.returns[j].image) - cases[i].misses;
			ck_assert_double_eq(subject.returns[j].runs, 1);
			none += fabs(more) < 1e-9;
			one += fabs(more - 1) < 1e-9;
		}
		ck_assert_uint_eq(none, cases[i].none);
		ck_assert_uint_eq(one, cases[i].one);
		rsb_subject_clear(&subject);
		rsb_layout_free(layout);
		rsb_profile_free(profile);
	}
}
END_TEST

/*
 * Of three returns the first costs a misprediction more, and was predicted; the second no more than
 * its push and jump, and missed; the third, which runs four times, missed half of them.
 */
START_TEST(verdicts_add_up)
{
	struct rsb_subject_return returns[] = { { .runs = 1, .place = "caller_2+0x7" },
						{ .runs = 1, .place = "stub+0x1" },
						{ .runs = 4, .place = "stub+0x2" } };
	const struct rsb_subject subject = { .returns = returns, .return_count = 3 };
	const struct rsb_measured own = { .visits = 1, .cycles = { 1000 } };
	const struct rsb_measured forced[] = { { .visits = 1, .cycles = { 1026 } },
					       { .visits = 1, .cycles = { 1003 } },
					       { .visits = 1, .cycles = { 1052 } } };
	const struct rsb_returns_measured measured = { &subject, &own, forced, 20, 2 };
	struct rsb_error error;
	struct rsb_spread misses;
	struct rsb_return_verdict *verdicts = rsb_returns_judge(&measured, &misses, &error);

	ck_assert(verdicts[0].missed == 0 && verdicts[0].caller);
	ck_assert(verdicts[1].missed == 1 && !verdicts[1].caller);
	ck_assert_double_eq_tol(verdicts[2].missed, 0.5, 1e-9);
	ck_assert_double_eq_tol(misses.median, (1 + 4 * 0.5) / 2, 1e-9);
	free(verdicts);
}
END_TEST

UNIT_MAIN("native images", landings_and_callers_are_not_paired,
	  balanced_calls_of_a_trampoline_are_paired, what_may_miss_is_not_paired, twins_lie_alike,
	  variants_miss_alike, one_return_is_made_to_miss, verdicts_add_up)
