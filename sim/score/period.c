/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding a period. */
#include "sim/score/period.h"

#include <stdlib.h>

/*
 * A suffix of length k has the smallest period k - border(k), where border(k) is the length of the
 * longest proper prefix of the reversed sequence's first k items that is also their suffix (Knuth,
 * Morris and Pratt's failure function). So one linear pass answers for every start at once.
 */
bool rsb_period_find(const uint32_t *items, size_t count, size_t warmup, size_t repeats,
		     size_t *first, size_t *period)
{
	size_t *border = calloc(count + 1, sizeof(*border));
	bool found = false;

	if (!border)
		return false;
	for (size_t k = 2; k <= count; k++) {
		uint32_t item = items[count - k];
		size_t b = border[k - 1];

		while (b && items[count - 1 - b] != item)
			b = border[b];
		border[k] = items[count - 1 - b] == item ? b + 1 : 0;
	}
	for (size_t start = 0; start <= warmup && start < count && !found; start++) {
		size_t k = count - start;

		*first = start;
		*period = k - border[k];
		found = *period <= k / repeats;
	}
	free(border);
	return found;
}

size_t rsb_period_reduce(const uint32_t *items, size_t period)
{
	for (size_t p = 1; p <= period / 2; p++) {
		size_t i = p;

		if (period % p)
			continue;
		while (i < period && items[i] == items[i - p])
			i++;
		if (i == period)
			return p;
	}
	return period;
}
