/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of a call: sums worked out by hand from the penalty, width and clock of a profile that
 * is written here, so that they hang on no CPU.
 */
#include "sim/score/score.h"

#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define CLOSE 1e-9

#define PENALTY \
	"\"penalty\": { \"value\": [ 10, 20 ], \"source\": \"s\", \"strength\": \"vendor\" }"
#define WIDTH "\"width\": { \"value\": [ 4, 4 ], \"source\": \"s\", \"strength\": \"vendor\" }"
#define CLOCK "\"clock\": { \"value\": [ 2, 2 ], \"source\": \"s\", \"strength\": \"vendor\" }"

static const struct rsb_time_options nothing_given = { .base_ns = NAN, .ghz = NAN };

static struct rsb_profile *profile_with(const char *fields)
{
	char path[] = "./test_time.XXXXXX", text[1024];
	struct rsb_profile *profile;
	struct rsb_error error;
	FILE *file;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	file = fdopen(fd, "w");
	snprintf(text, sizeof(text),
		 "{ \"name\": \"mine\", \"model\": \"ideal\", \"fields\": { %s } }", fields);
	fputs(text, file);
	fclose(file);
	profile = rsb_profile_load(path, &error);
	unlink(path);
	ck_assert_msg(profile != NULL, "%s", error.text);
	return profile;
}

static struct rsb_time time_of(const struct rsb_per_call *figures, const char *fields,
			       const struct rsb_time_options *options)
{
	struct rsb_profile *profile = profile_with(fields);
	struct rsb_time time;

	rsb_time_work_out(&time, figures, profile, options);
	rsb_profile_free(profile);
	return time;
}

static void is(struct rsb_interval got, double low, double high)
{
	ck_assert_double_eq_tol(got.low, low, CLOSE);
	ck_assert_double_eq_tol(got.high, high, CLOSE);
}

static const struct rsb_per_call two_misses = {
	.instructions = 80, .misses_inside = 1, .misses_callers = 0.5, .misses_indirect = 0.5
};

/* 80 instructions over 4 are 20 cycles; 2 misses at 10 to 20 are 20 to 40; half of that in ns. */
START_TEST(adds_the_terms)
{
	struct rsb_time time = time_of(&two_misses, PENALTY "," WIDTH "," CLOCK, &nothing_given);

	ck_assert_int_eq(time.base, RSB_TIME_ESTIMATED);
	is(time.terms[0].cycles, 20, 20);
	is(time.terms[1].cycles, 15, 30);
	is(time.terms[2].cycles, 5, 10);
	is(time.cycles, 40, 60);
	is(time.ns, 20, 30);
	is(time.calls_per_second, 1e9 / 30, 1e9 / 20);
	ck_assert_int_eq(rsb_time_lacks(&time), RSB_QUANTITIES);
}
END_TEST

/* A stated base is in nanoseconds whatever the clock; only what misses cost hangs on that. */
START_TEST(takes_a_stated_base)
{
	const struct rsb_time_options options = { .base_ns = 7, .ghz = NAN };
	struct rsb_time time = time_of(&two_misses, PENALTY "," WIDTH "," CLOCK, &options);

	ck_assert_int_eq(time.base, RSB_TIME_STATED);
	is(time.terms[0].cycles, 14, 14);
	is(time.ns, 7 + 10, 7 + 20);
}
END_TEST

/* A stated clock comes before the profile's: at 4 GHz a cycle is a quarter of a nanosecond. */
START_TEST(takes_a_stated_clock)
{
	const struct rsb_time_options options = { .base_ns = NAN, .ghz = 4 };
	struct rsb_time time = time_of(&two_misses, PENALTY "," WIDTH "," CLOCK, &options);

	is(time.cycles, 40, 60);
	is(time.ns, 10, 15);
}
END_TEST

/*
 * The least time is that of the widest core, the fewest cycles lost and the fastest clock: 80
 * instructions over 8 to 4 and 2 misses at 10 to 20 are 30 to 60 cycles, at 4 to 2 GHz. Of a stated
 * base only the misses, 20 to 40 cycles, hang on the clock.
 */
START_TEST(takes_ranges_the_right_way_round)
{
	static const char fields[] = PENALTY
		", \"width\": { \"value\": [ 4, 8 ], \"source\": \"s\", "
		"\"strength\": \"vendor\" }, "
		"\"clock\": { \"value\": [ 2, 4 ], \"source\": \"s\", "
		"\"strength\": \"vendor\" }";
	const struct rsb_time_options options = { .base_ns = 7, .ghz = NAN };
	struct rsb_time time = time_of(&two_misses, fields, &nothing_given);

	is(time.terms[0].cycles, 10, 20);
	is(time.cycles, 30, 60);
	is(time.ns, 7.5, 30);
	is(time.calls_per_second, 1e9 / 30, 1e9 / 7.5);
	time = time_of(&two_misses, fields, &options);
	is(time.ns, 7 + 5, 7 + 20);
}
END_TEST

/* What is not known makes the time unknown, and is named; nothing is put in its place. */
START_TEST(names_what_it_lacks)
{
	static const struct {
		const char *fields;
		enum rsb_quantity lacks;
	} cases[] = {
		{ PENALTY "," WIDTH, RSB_QUANTITY_CLOCK },
		{ PENALTY "," CLOCK, RSB_QUANTITY_WIDTH },
		{ WIDTH "," CLOCK, RSB_QUANTITY_PENALTY },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rsb_time time = time_of(&two_misses, cases[i].fields, &nothing_given);

		ck_assert_int_eq(rsb_time_lacks(&time), cases[i].lacks);
		ck_assert(isnan(time.ns.low) && isnan(time.ns.high));
		ck_assert(isnan(time.calls_per_second.low));
	}
}
END_TEST

/* What never misses needs no penalty, and what no model predicts is not counted. */
START_TEST(needs_no_cost_of_what_never_happens)
{
	const struct rsb_per_call none = { .instructions = 8, .misses_indirect = NAN };
	struct rsb_time time = time_of(&none, WIDTH "," CLOCK, &nothing_given);

	ck_assert_int_eq(rsb_time_lacks(&time), RSB_QUANTITIES);
	is(time.ns, 1, 1);
}
END_TEST

UNIT_MAIN("time", adds_the_terms, takes_a_stated_base, takes_a_stated_clock,
	  takes_ranges_the_right_way_round, names_what_it_lacks,
	  needs_no_cost_of_what_never_happens)
