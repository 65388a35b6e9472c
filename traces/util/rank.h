/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binary search in arrays that are sorted by one of their members, a uint64_t. */
#ifndef RSB_TRACES_UTIL_RANK_H
#define RSB_TRACES_UTIL_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many elements have a key below the value, or up to it: the index of the first other one. */
#define RSB_RANK_BELOW(array, count, key, value) RSB_RANK(array, count, key, value, false)
#define RSB_RANK_UP_TO(array, count, key, value) RSB_RANK(array, count, key, value, true)

#define RSB_RANK(array, count, key, value, with_equal)                                       \
	rsb_rank(array, count, sizeof(*(array)), offsetof(__typeof__(*(array)), key), value, \
		 with_equal)

static inline size_t rsb_rank(const void *array, size_t count, size_t size, size_t key_at,
			      uint64_t value, bool with_equal)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t key;

		memcpy(&key, (const char *)array + middle * size + key_at, sizeof(key));
		if (key < value || (with_equal && key == value))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
