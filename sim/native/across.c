/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far the variants of a layout are apart. */
#include "sim/native/comparison.h"

#include <math.h>

/* Of one alone there is no least and most. */
static void find_across(const struct rsb_comparison_row *row, bool helpers, double *low,
			double *high)
{
	size_t count = 0;

	*low = *high = NAN;
	for (size_t i = 0; i < RSB_SUBJECT_VARIANTS; i++) {
		double misses = row->variants[i].measured.median;

		if (isnan(misses) ||
		    (helpers ? rsb_subject_variants[i].shift : rsb_subject_variants[i].helpers))
			continue;
		*low = fmin(*low, misses);
		*high = fmax(*high, misses);
		count++;
	}
	if (count < 2)
		*low = *high = NAN;
}

void rsb_comparison_by_alignment(const struct rsb_comparison_row *row, double *low, double *high)
{
	find_across(row, false, low, high);
}

void rsb_comparison_by_helpers(const struct rsb_comparison_row *row, double *low, double *high)
{
	find_across(row, true, low, high);
}
