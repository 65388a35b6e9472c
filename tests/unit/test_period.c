/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding a period in a sequence of rounds. */
#include "sim/score/period.h"

#include "tests/unit/unit.h"

#include <stdlib.h>

/* A sequence, as digits, with what holds of it; the answers are read off the digits. */
struct row {
	const char *digits;
	size_t warmup, repeats;
	bool found;
	size_t first, period;
};

static const struct row rows[] = {
	{ "1111", 0, 4, true, 0, 1 },    /* always the same */
	{ "0111", 0, 3, false, 0, 0 },   /* the first is another, and may not be left out */
	{ "0111", 1, 3, true, 1, 1 },    /* ... or may */
	{ "121212", 0, 3, true, 0, 2 },  /* two in turn */
	{ "1212121", 0, 3, true, 0, 2 }, /* the last period need not be whole */
	{ "12121", 0, 3, false, 0, 0 },  /* seen two and a half times, not three */
	{ "1112111211121", 0, 3, true, 0, 4 }, { "9911121112111211", 2, 3, true, 2, 4 },
	{ "11111112", 7, 2, false, 0, 0 }, /* a change at the very end */
	{ "11112222", 3, 2, false, 0, 0 }, /* a change that is too late for the warm-up */
	{ "11112222", 4, 2, true, 4, 1 },      { "1", 0, 1, true, 0, 1 },
};

static size_t read_digits(const char *digits, uint32_t *items)
{
	size_t count = 0;

	while (digits[count]) {
		items[count] = (uint32_t)(digits[count] - '0');
		count++;
	}
	return count;
}

/* Each row's first and period are found, and where there is none it is said so. */
START_TEST(finds_the_period_of_each_row)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];
		uint32_t items[32];
		size_t first = 0, period = 0, count = read_digits(row->digits, items);
		bool found =
			rsb_period_find(items, count, row->warmup, row->repeats, &first, &period);

		ck_assert_msg(found == row->found, "%s", row->digits);
		if (found) {
			ck_assert_msg(first == row->first, "%s: first %zu", row->digits, first);
			ck_assert_msg(period == row->period, "%s: period %zu", row->digits, period);
		}
	}
}
END_TEST

/* By trying every period, the plain way. */
static bool search(const uint32_t *items, size_t count, size_t warmup, size_t repeats,
		   size_t *first, size_t *period)
{
	for (*first = 0; *first <= warmup && *first < count; (*first)++) {
		for (*period = 1; *period <= (count - *first) / repeats; (*period)++) {
			size_t i = *first + *period;

			while (i < count && items[i] == items[i - *period])
				i++;
			if (i == count)
				return true;
		}
	}
	return false;
}

/* On random sequences with planted periods the answer is that of trying them all. */
START_TEST(agrees_with_trying_every_period)
{
	srand(1);
	for (int trial = 0; trial < 2000; trial++) {
		uint32_t items[64];
		size_t count = 1 + (size_t)rand() % 64, planted = 1 + (size_t)rand() % 9;
		size_t start = (size_t)rand() % 8, found[2], expected[2];
		bool there;

		for (size_t i = 0; i < count; i++)
			items[i] = i < start + planted ? (uint32_t)rand() % 3 : items[i - planted];
		if (rand() % 4 == 0)
			items[(size_t)rand() % count] ^= 1;
		there = search(items, count, 6, 3, &expected[0], &expected[1]);
		ck_assert(rsb_period_find(items, count, 6, 3, &found[0], &found[1]) == there);
		if (there) {
			ck_assert_uint_eq(found[0], expected[0]);
			ck_assert_uint_eq(found[1], expected[1]);
		}
	}
}
END_TEST

/* A period is reduced to its smallest divisor that still repeats. */
START_TEST(reduces_a_period)
{
	uint32_t items[32];

	ck_assert_uint_eq(rsb_period_reduce(items, read_digits("111111", items)), 1);
	ck_assert_uint_eq(rsb_period_reduce(items, read_digits("121212", items)), 2);
	ck_assert_uint_eq(rsb_period_reduce(items, read_digits("112112", items)), 3);
	ck_assert_uint_eq(rsb_period_reduce(items, read_digits("121213", items)), 6);
	ck_assert_uint_eq(rsb_period_reduce(items, read_digits("11112", items)), 5);
}
END_TEST

UNIT_MAIN("period", finds_the_period_of_each_row, agrees_with_trying_every_period, reduces_a_period)
