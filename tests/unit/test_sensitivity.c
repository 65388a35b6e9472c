/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hangs on assumed fields: the scores with their other values, and the notes about the order
 * of the layouts. Scores are made by hand, but for one of a real run.
 */
#include "sim/score/sensitivity.h"

#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct rsb_error error;

static struct rsb_score make_score(const char *layout, double misses, struct rsb_variant *variants,
				   size_t count)
{
	struct rsb_score score = {
		.layout = (char *)layout,
		.cpu = (char *)"cpu",
		.return_thunk = (char *)"none",
		.scenario = RSB_SCENARIO_BENCH,
		.variants = variants,
		.variant_count = count,
	};

	score.per_call.misses_inside = misses;
	return score;
}

static struct rsb_variant make_variant(const char *value, double misses)
{
	return (struct rsb_variant){
		"underflow", (char *)"stale", (char *)value, { misses, 0, 0 }
	};
}

static void free_notes(struct rsb_score *score)
{
	for (size_t i = 0; i < score->note_count; i++)
		free(score->notes[i]);
	free(score->notes);
}

/* Notes on two scores, in the order of the report; there must be as many as texts. */
static void check_notes(struct rsb_score *first, struct rsb_score *second, const char *const *texts,
			size_t count)
{
	struct rsb_score *scores[] = { first, second };

	ck_assert(rsb_sensitivity_note(scores, 2, &error));
	for (size_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(scores[i]->note_count, count);
		for (size_t k = 0; k < count; k++)
			ck_assert_str_eq(scores[i]->notes[k], texts[k]);
		free_notes(scores[i]);
	}
}

/* Two misses against one become less with the other value. */
START_TEST(an_order_that_would_change)
{
	static const char *const notes[] = {
		"cpu: with underflow none in place of stale the order of "
		"the layouts would change: b would come before a"
	};
	struct rsb_variant variant = make_variant("none", 0.5);
	struct rsb_score a = make_score("a", 1, NULL, 0), b = make_score("b", 2, &variant, 1);

	check_notes(&a, &b, notes, 1);
}
END_TEST

/* All values that change nothing share a note, whichever of the layouts needed the field. */
START_TEST(an_order_that_would_not_change)
{
	static const char *const notes[] = {
		"cpu: with underflow none or indirect in place of stale the order of the layouts "
		"would not change"
	};
	struct rsb_variant of_a[] = { make_variant("none", 1.5), make_variant("indirect", 0) };
	struct rsb_variant of_b[] = { make_variant("none", 3) };
	struct rsb_score a = make_score("a", 1, of_a, 2), b = make_score("b", 2, of_b, 1);

	check_notes(&a, &b, notes, 1);
}
END_TEST

/* One value would change it and another not. */
START_TEST(values_that_differ)
{
	static const char *const notes[] = {
		"cpu: with underflow indirect in place of stale the order of the layouts would "
		"change: b would come before a",
		"cpu: with underflow none in place of stale the order of the layouts would not change"
	};
	struct rsb_variant of_b[] = { make_variant("none", 3), make_variant("indirect", 0) };
	struct rsb_score a = make_score("a", 1, NULL, 0), b = make_score("b", 2, of_b, 2);

	check_notes(&a, &b, notes, 2);
}
END_TEST

/* Layouts that become equal stand by their names, as in the report. */
START_TEST(ties)
{
	static const char *const calm[] = {
		"cpu: with underflow none in place of stale the order of "
		"the layouts would not change"
	};
	static const char *const change[] = {
		"cpu: with underflow none in place of stale the order "
		"of the layouts would change: a would come before b"
	};
	struct rsb_variant variant = make_variant("none", 1);
	struct rsb_score a = make_score("a", 1, NULL, 0), b = make_score("b", 2, &variant, 1);
	struct rsb_score low = make_score("b", 1, NULL, 0), high = make_score("a", 2, &variant, 1);

	check_notes(&a, &b, calm, 1);
	check_notes(&low, &high, change, 1);
}
END_TEST

/* One layout has no order; and layouts of different scenarios are not compared. */
START_TEST(nothing_to_compare)
{
	struct rsb_variant variant = make_variant("none", 0);
	struct rsb_score a = make_score("a", 1, &variant, 1), b = make_score("b", 2, &variant, 1);

	b.scenario = RSB_SCENARIO_UNWIND;
	check_notes(&a, &b, NULL, 0);
}
END_TEST

static struct rsb_score *score_zen5(unsigned depth)
{
	const struct rsb_scenario scenario = { "own", depth, 1, 128 };
	const struct rsb_run_options run_options = { .kinds = RSB_KIND_ALL };
	const struct rsb_score_options options = { .vary = true };
	struct rsb_profile *profile = rsb_profile_load("amd-zen5", &error);
	struct rsb_image *image = listing_family("plain-call", "", &scenario, &error);
	struct rsb_run *run = image ? rsb_run_new(image, &run_options, &error) : NULL;
	struct rsb_score *score;

	ck_assert_msg(profile && run, "%s", error.text);
	score = rsb_score_new(run, "plain-call", profile, &scenario, &options, &error);
	ck_assert_msg(score, "%s", error.text);
	rsb_run_free(run);
	rsb_image_free(image);
	rsb_profile_free(profile);
	return score;
}

/* Zen 5: 52 entries, what an empty stack does is not known. 61 open calls are 9 too many. */
START_TEST(variants_of_a_run)
{
	struct rsb_score *score = score_zen5(60);

	ck_assert_uint_eq(score->variant_count, 1);
	ck_assert_str_eq(score->variants[0].field, "underflow");
	ck_assert_str_eq(score->variants[0].assumed, "stale");
	ck_assert_str_eq(score->variants[0].value, "none");
	ck_assert(score->variants[0].standing.misses == 9);
	rsb_score_free(score);
}
END_TEST

/* A field that the run did not need is not tried. */
START_TEST(no_variants)
{
	struct rsb_score *score = score_zen5(8);

	ck_assert_uint_eq(score->variant_count, 0);
	rsb_score_free(score);
}
END_TEST

UNIT_MAIN("sensitivity", an_order_that_would_change, an_order_that_would_not_change,
	  values_that_differ, ties, nothing_to_compare, variants_of_a_run, no_variants)
