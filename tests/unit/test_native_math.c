/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arithmetic of measurements, with numbers whose answer can be worked out by hand. */
#include "sim/native/agreement.h"
#include "sim/native/measure.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

/* Quartiles of 1 to 5 are 2, 3 and 4, in whatever order they come; between values, in proportion.
 */
START_TEST(takes_quartiles)
{
	double five[] = { 5, 1, 4, 2, 3 }, two[] = { 10, 20 };
	struct rsb_spread spread = rsb_spread_of(five, 5);

	ck_assert(spread.low == 2 && spread.median == 3 && spread.high == 4 && spread.count == 5);
	spread = rsb_spread_of(two, 2);
	ck_assert(spread.low == 12.5 && spread.median == 15 && spread.high == 17.5);
	spread = rsb_spread_of(two, 1);
	ck_assert(spread.low == 10 && spread.high == 10);
	ck_assert(isnan(rsb_spread_of(two, 0).median));
}
END_TEST

/* y = 3x + 2 has that slope and start; a series that does not vary has no correlation. */
START_TEST(fits_lines)
{
	const double x[] = { 1, 2, 4 }, y[] = { 5, 8, 14 }, flat[] = { 7, 7, 7 };
	struct rsb_line line = rsb_line_of(x, y, 3);

	ck_assert_double_eq_tol(line.slope, 3, 1e-12);
	ck_assert_double_eq_tol(line.start, 2, 1e-12);
	ck_assert_double_eq_tol(rsb_correlation(x, y, 3), 1, 1e-12);
	ck_assert(isnan(rsb_correlation(x, flat, 3)));
	ck_assert(isnan(rsb_line_of(flat, x, 3).slope));
}
END_TEST

static struct rsb_compared row(double simulated, double low, double median, double high)
{
	return (struct rsb_compared){ simulated, { low, median, high, 9 } };
}

/*
 * Errors are 0.1, 0.5 and 2, so the mean is 2.6 / 3; 2 is more than half a miss and a tenth of 10,
 * the others are not. Of three pairs, all a miss or more apart, one is measured the other way.
 */
START_TEST(judges_agreement)
{
	const struct rsb_compared rows[] = {
		row(0, 0.05, 0.1, 0.2),
		row(1, 12.4, 0.5, 12.6),
		row(10, 7.9, 8, 8.1),
		row(1, NAN, NAN, NAN),
	};
	struct rsb_compared swapped[3] = { rows[0], rows[1], rows[2] };
	struct rsb_agreement agreement = rsb_agreement_of(rows, 4);

	ck_assert_uint_eq(agreement.count, 3);
	ck_assert_double_eq_tol(agreement.mean_error, 2.6 / 3, 1e-12);
	ck_assert_double_eq_tol(agreement.worst_error, 2, 1e-12);
	ck_assert_uint_eq(agreement.worst, 2);
	ck_assert_uint_eq(agreement.beyond, 1);
	ck_assert_uint_eq(agreement.pairs, 3);
	ck_assert_uint_eq(agreement.kept, 3);
	swapped[0].measured.median = 0.7;
	ck_assert_uint_eq(rsb_agreement_of(swapped, 3).kept, 2);
}
END_TEST

/* Ranges that meet are tied, and have as many before them as lie wholly below. */
START_TEST(ties_what_overlaps)
{
	const struct rsb_compared rows[] = {
		row(0, 0, 1, 2),
		row(0, 1.5, 2, 3),
		row(0, 4, 5, 6),
		row(0, NAN, NAN, NAN),
	};
	bool tied;

	ck_assert_uint_eq(rsb_agreement_rank(rows, 4, 0, &tied), 1);
	ck_assert(tied);
	ck_assert_uint_eq(rsb_agreement_rank(rows, 4, 1, &tied), 1);
	ck_assert(tied);
	ck_assert_uint_eq(rsb_agreement_rank(rows, 4, 2, &tied), 3);
	ck_assert(!tied);
	ck_assert_uint_eq(rsb_agreement_rank(rows, 4, 3, &tied), 0);
}
END_TEST

/*
 * Two ticks are a cycle here: 4096 additions take 8192. Rounds of 100 cycles are found; a sample
 * whose chains differ by a tenth, and one that was interrupted for a hundred times as long, are
 * dropped.
 */
START_TEST(drops_unsteady_samples)
{
	struct rsb_native_samples *samples = calloc(1, sizeof(*samples));
	struct rsb_spread spread;
	size_t dropped = 0;

	ck_assert_ptr_nonnull(samples);
	samples->count = 8;
	for (size_t i = 0; i < 8; i++)
		samples->samples[i] = (struct rsb_native_sample){ 2000, 8192, 8192 };
	samples->samples[3].after = 9100;
	samples->samples[5].ticks = 200000;
	spread = rsb_measure_samples(samples, 10, &dropped);
	ck_assert_double_eq_tol(spread.low, 100, 1e-9);
	ck_assert_double_eq_tol(spread.high, 100, 1e-9);
	ck_assert_uint_eq(spread.count, 6);
	ck_assert_uint_eq(dropped, 2);
	free(samples);
}
END_TEST

/* The calmest visit of one is compared with the calmest of the other, and less is taken off. */
START_TEST(compares_visits)
{
	const struct rsb_measured a = { .visits = 3, .cycles = { 110, 111, 112 } };
	const struct rsb_measured b = { .visits = 3, .cycles = { 100, 101, 102 } };
	struct rsb_spread spread = rsb_measured_difference(&a, &b, 4);

	ck_assert_double_eq_tol(spread.low, 6, 1e-9);
	ck_assert_double_eq_tol(spread.high, 6, 1e-9);
	ck_assert_double_eq_tol(rsb_measured_cycles(&a).median, 111, 1e-9);
}
END_TEST

UNIT_MAIN("native arithmetic", takes_quartiles, fits_lines, judges_agreement, ties_what_overlaps,
	  drops_unsteady_samples, compares_visits)
