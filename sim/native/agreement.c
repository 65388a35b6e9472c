/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How well what is simulated and what is measured agree. */
#include "sim/native/agreement.h"

#include <math.h>
#include <stdlib.h>

#define APART 1.0 /* misses: less than that decides no order */
#define HALF  0.5 /* a miss, and ... */
#define TENTH 0.1 /* ... of what is simulated: further off is told */

static bool has(const struct rsb_compared *row)
{
	return !isnan(row->measured.median) && !isnan(row->simulated);
}

static void add_pairs(struct rsb_agreement *agreement, const struct rsb_compared *rows,
		      size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++) {
			double apart = rows[i].simulated - rows[j].simulated;

			if (!has(&rows[i]) || !has(&rows[j]) || !(fabs(apart) >= APART))
				continue;
			agreement->pairs++;
			if (apart * (rows[i].measured.median - rows[j].measured.median) > 0)
				agreement->kept++;
		}
}

static double correlate(const struct rsb_compared *rows, size_t count)
{
	double *values = calloc(count + 1, 2 * sizeof(*values)), result = NAN;
	size_t used = 0;

	if (!values)
		return NAN;
	for (size_t i = 0; i < count; i++)
		if (has(&rows[i])) {
			values[used] = rows[i].simulated;
			values[count + used++] = rows[i].measured.median;
		}
	result = rsb_correlation(values, values + count, used);
	free(values);
	return result;
}

struct rsb_agreement rsb_agreement_of(const struct rsb_compared *rows, size_t count)
{
	struct rsb_agreement agreement = { .correlation = correlate(rows, count) };
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		double error;

		if (!has(&rows[i]))
			continue;
		error = fabs(rows[i].measured.median - rows[i].simulated);
		agreement.count++;
		sum += error;
		if (agreement.count == 1 || error > agreement.worst_error) {
			agreement.worst_error = error;
			agreement.worst = i;
		}
		if (error > HALF + TENTH * rows[i].simulated)
			agreement.beyond++;
	}
	agreement.mean_error = agreement.count ? sum / (double)agreement.count : NAN;
	add_pairs(&agreement, rows, count);
	return agreement;
}

size_t rsb_agreement_rank(const struct rsb_compared *rows, size_t count, size_t index, bool *tied)
{
	size_t rank = 1;

	*tied = false;
	if (!has(&rows[index]))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (i == index || !has(&rows[i]))
			continue;
		if (rsb_spread_meet(&rows[i].measured, &rows[index].measured))
			*tied = true;
		else if (rows[i].measured.high < rows[index].measured.low)
			rank++;
	}
	return rank;
}
