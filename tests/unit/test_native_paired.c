/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which returns every return stack predicts, and the images that native compares: nothing here runs
 * natively. Numbers of calls are those that were counted on Linux 6.12, or follow from the code.
 */
#include "sim/native/paired.h"
#include "sim/native/subject.h"
#include "tests/unit/unit.h"

#include <math.h>
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
 * (Linux 6.12 with CONFIG_PREEMPT): all but the landing are paired. The form that is entered by call
 * and drops an address has the same 12, and one call more that nothing returns from.
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
	struct rsb_layout *layout = rsb_layout_load("bpf-fexit-skip", &error);
	struct rsb_subject subject;

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

UNIT_MAIN("native images", landings_and_callers_are_not_paired,
	  balanced_calls_of_a_trampoline_are_paired, what_may_miss_is_not_paired, twins_lie_alike,
	  variants_miss_alike)
