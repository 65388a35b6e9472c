/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow by one. */
#include "tests/unit/unit.h"
#include "traces/util/grow.h"

#include <stdint.h>
#include <stdlib.h>

/* What was put in stays, in order; valgrind and AddressSanitizer see that there is room for it. */
START_TEST(keeps_what_is_there)
{
	uint32_t *numbers = NULL;
	size_t count = 0;

	for (; count < 1000; count++) {
		ck_assert(RSB_GROW(numbers, count));
		numbers[count] = (uint32_t)count;
	}
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(numbers[i], i);
	free(numbers);
}
END_TEST

/* An array that became shorter, or is begun anew, grows as one that never was longer. */
START_TEST(grows_after_it_was_cut)
{
	const size_t cuts[] = { 0, 1, 15, 16, 17, 31, 32, 33, 64, 99 };
	char **words = NULL;

	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++) {
		for (size_t count = i ? cuts[i - 1] : 0; count < 100; count++) {
			ck_assert(RSB_GROW(words, count));
			words[count] = NULL;
		}
	}
	free(words);
}
END_TEST

UNIT_MAIN("arrays that grow", keeps_what_is_there, grows_after_it_was_cut)
