/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The quantities of a CPU profile: intervals, such as the penalty of a miss. */
#include "tests/unit/profiled.h"
#include "tests/unit/unit.h"

#include <stdio.h>

#define PENALTY(text) \
	PROFILED_FIELDS("'penalty': { 'source': 's', 'strength': 'measured',\n'value': " text " }")

/* A penalty is an interval of cycles, which may be a single point and need not be whole. */
START_TEST(reads_a_penalty)
{
	static const struct {
		const char *text;
		double low, high;
		const char *shown;
	} good[] = {
		{ PENALTY("[ 14, 17 ]"), 14, 17, "14 to 17" },
		{ PENALTY("[ 13.5, 13.5 ]"), 13.5, 13.5, "13.5" },
		{ PENALTY("[ 0, 0 ]"), 0, 0, "0" },
		{ PENALTY("[ 0, 100000 ]"), 0, 100000, "0 to 100000" },
	};
	double low, high;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct rsb_profile *profile = profiled_text(good[i].text);

		ck_assert(rsb_profile_penalty(profile, &low, &high));
		ck_assert_double_eq(low, good[i].low);
		ck_assert_double_eq(high, good[i].high);
		ck_assert_str_eq(profiled_fact(profile, "penalty")->value, good[i].shown);
		rsb_profile_free(profile);
	}
}
END_TEST

/* A penalty of null is not known, nothing is assumed in its place, and it decides nothing. */
START_TEST(takes_no_penalty)
{
	struct rsb_profile *profile = profiled_text(PROFILED_FIELDS(
		"'penalty': { 'value': null, 'source': 'nobody said', 'strength': 'assumed' }"));
	double low, high;

	ck_assert(!rsb_profile_penalty(profile, &low, &high));
	ck_assert_str_eq(profiled_fact(profile, "penalty")->value, "unknown");
	ck_assert_str_eq(profiled_fact(profile, "penalty")->source, "nobody said");
	ck_assert_ptr_null(profiled_fact(profile, "penalty")->assumed);
	rsb_profile_free(profile);
}
END_TEST

/* All else in a penalty's place is refused. */
START_TEST(refuses_bad_penalties)
{
	static const char *const values[] = {
		"15",          "'15'",          "[]",           "[ 15 ]",
		"[ 1, 2, 3 ]", "[ 17, 14 ]",    "[ -1, 2 ]",    "[ 'a', 'b' ]",
		"[ null, 2 ]", "[ 1, 100001 ]", "[ 1, 1e999 ]", "{}"
	};
	char text[256];

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		snprintf(text, sizeof(text),
			 PROFILED_FIELDS("'penalty': { 'source': 's', 'strength': 'measured',\n"
					 "'value': %s }"),
			 values[i]);
		profiled_refuses(
			text, "3: penalty: expected null or [low, high], cycles from 0 to 100000");
	}
	profiled_refuses(
		PROFILED_FIELDS("'penalty': { 'value': null, 'assumed': 15, 'source': 's',\n"
				"'strength': 'assumed' }"),
		"2: penalty: expected neither assumed nor others: one that is not known is not "
		"used");
}
END_TEST

/* Each quantity is read into its own place, in its own bounds, and one left out is not known. */
START_TEST(tells_the_quantities_apart)
{
	char text[512], expected[256];
	double low, high;

	for (int i = 0; i < RSB_QUANTITIES; i++) {
		const struct rsb_quantity_row *row = &rsb_quantities[i];
		const char *form = PROFILED_FIELDS("'%s': { 'source': 's', 'strength': 'vendor',\n"
						   "'value': [ %g, %g ] }");
		struct rsb_profile *profile;

		snprintf(text, sizeof(text), form, row->name, 1.5, row->maximum);
		profile = profiled_text(text);
		for (int k = 0; k < RSB_QUANTITIES; k++)
			ck_assert(rsb_profile_quantity(profile, (enum rsb_quantity)k, &low,
						       &high) == (k == i));
		ck_assert(rsb_profile_quantity(profile, (enum rsb_quantity)i, &low, &high));
		ck_assert_double_eq(low, 1.5);
		ck_assert_double_eq(high, row->maximum);
		rsb_profile_free(profile);
		snprintf(text, sizeof(text), form, row->name, 1.5, row->maximum + 1);
		snprintf(expected, sizeof(expected),
			 "3: %s: expected null or [low, high], %s from 0 to %g", row->name,
			 row->unit, row->maximum);
		profiled_refuses(text, expected);
	}
}
END_TEST

UNIT_MAIN("quantities of CPU profiles", reads_a_penalty, takes_no_penalty, refuses_bad_penalties,
	  tells_the_quantities_apart)
