/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic of measurements: quartiles, what is dropped, and what two series say together. It
 * knows nothing of clocks, so that it can be tried with numbers whose answer is known.
 */
#ifndef RSB_SIM_NATIVE_SPREAD_H
#define RSB_SIM_NATIVE_SPREAD_H

#include <stddef.h>

/* Quartiles; all NAN when there were no values. */
struct rsb_spread {
	double low, median, high; /* the first, second and third quartile */
	size_t count;
};

/* Of values, which are sorted by this. Between two values a quartile lies in proportion. */
struct rsb_spread rsb_spread_of(double *values, size_t count);

/* Do their ranges from low to high meet? */
int rsb_spread_meet(const struct rsb_spread *a, const struct rsb_spread *b);

/* Pearson's correlation; NAN for fewer than two pairs or a series that does not vary. */
double rsb_correlation(const double *a, const double *b, size_t count);

/* The straight line through points that has the least squares. NAN: fewer than two places. */
struct rsb_line {
	double slope, start; /* start: at x = 0 */
};
struct rsb_line rsb_line_of(const double *x, const double *y, size_t count);

#endif
