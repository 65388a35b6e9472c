/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arithmetic of measurements. */
#include "sim/native/spread.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double at(const double *values, size_t count, double part)
{
	double place = part * (double)(count - 1);
	size_t below = (size_t)place;

	if (below + 1 >= count)
		return values[count - 1];
	return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}

struct rsb_spread rsb_spread_of(double *values, size_t count)
{
	if (!count)
		return (struct rsb_spread){ NAN, NAN, NAN, 0 };
	qsort(values, count, sizeof(*values), compare);
	return (struct rsb_spread){ at(values, count, 0.25), at(values, count, 0.5),
				    at(values, count, 0.75), count };
}

int rsb_spread_meet(const struct rsb_spread *a, const struct rsb_spread *b)
{
	return a->low <= b->high && b->low <= a->high;
}

static double mean(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

/* The sum of the products of how far both are from their means. */
static double together(const double *a, const double *b, size_t count)
{
	double mean_a = mean(a, count), mean_b = mean(b, count), sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (a[i] - mean_a) * (b[i] - mean_b);
	return sum;
}

double rsb_correlation(const double *a, const double *b, size_t count)
{
	double square;

	if (count < 2)
		return NAN;
	square = together(a, a, count) * together(b, b, count);
	return square > 0 ? together(a, b, count) / sqrt(square) : NAN;
}

struct rsb_line rsb_line_of(const double *x, const double *y, size_t count)
{
	double square = count ? together(x, x, count) : 0;
	double slope = square > 0 ? together(x, y, count) / square : NAN;

	return (struct rsb_line){ slope, count ? mean(y, count) - slope * mean(x, count) : NAN };
}
