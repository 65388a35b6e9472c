/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ideal stack of return addresses, and what it remembers of each entry. */
#include "sim/explain/lifo.h"
#include "tests/unit/unit.h"

/* Pushes entries of these sites, at addresses 0x1000 apart, all of round 0. */
static void push(struct rsb_lifo *lifo, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++)
		ck_assert_uint_ne(rsb_lifo_push(lifo, 0x1000 * (i + 1), i, 0, i), RSB_ENTRY_NONE);
}

/* Pops one, which must be that site's; returns what changed the stack since it was pushed. */
static uint32_t pop(struct rsb_lifo *lifo, uint32_t site, struct rsb_entry *entry)
{
	uint64_t index;
	uint32_t clobbered_by;

	ck_assert(rsb_lifo_pop(lifo, entry, &index, &clobbered_by));
	ck_assert_uint_eq(entry->site, site);
	ck_assert_uint_eq(entry->address, 0x1000 * (site + 1));
	return clobbered_by;
}

/* Last in, first out; and below the first there is nothing. */
START_TEST(pops_in_reverse)
{
	struct rsb_lifo lifo;
	struct rsb_entry entry;
	uint64_t index;
	uint32_t clobbered_by;

	rsb_lifo_open(&lifo, SIZE_MAX);
	push(&lifo, 0, 3);
	for (uint32_t site = 3; site-- > 0;)
		ck_assert_uint_eq(pop(&lifo, site, &entry), RSB_SITE_NONE);
	ck_assert(!rsb_lifo_pop(&lifo, &entry, &index, &clobbered_by));
	rsb_lifo_close(&lifo);
}
END_TEST

/* In a stack of 4 the fifth push takes the place of the first, the sixth that of the second. */
START_TEST(knows_who_would_overwrite)
{
	struct rsb_lifo lifo;
	struct rsb_entry entry;

	rsb_lifo_open(&lifo, 4);
	push(&lifo, 0, 6);
	for (uint32_t site = 6; site-- > 2;) {
		pop(&lifo, site, &entry);
		ck_assert_uint_eq(entry.overwritten_by, RSB_SITE_NONE);
	}
	pop(&lifo, 1, &entry);
	ck_assert_uint_eq(entry.overwritten_by, 5);
	ck_assert_uint_eq(entry.overwritten_at, 5);
	pop(&lifo, 0, &entry);
	ck_assert_uint_eq(entry.overwritten_by, 4);
	rsb_lifo_close(&lifo);
}
END_TEST

/*
 * What was there when the stack was changed from outside is known to be so, what came later is
 * not.
 */
START_TEST(knows_what_was_clobbered)
{
	struct rsb_lifo lifo;
	struct rsb_entry entry;

	rsb_lifo_open(&lifo, SIZE_MAX);
	push(&lifo, 0, 3);
	rsb_lifo_clobber(&lifo, 99);
	push(&lifo, 3, 1);
	ck_assert_uint_eq(pop(&lifo, 3, &entry), RSB_SITE_NONE);
	ck_assert_uint_eq(pop(&lifo, 2, &entry), 99);
	/* A new entry in the place of one that was clobbered is good. */
	push(&lifo, 2, 1);
	ck_assert_uint_eq(pop(&lifo, 2, &entry), RSB_SITE_NONE);
	ck_assert_uint_eq(pop(&lifo, 1, &entry), 99);
	rsb_lifo_close(&lifo);
}
END_TEST

/* However much is left behind, the newest entries and their indices stay. */
START_TEST(gives_up_the_oldest)
{
	const uint32_t count = 200000;
	struct rsb_lifo lifo;
	struct rsb_entry entry;

	rsb_lifo_open(&lifo, 16);
	push(&lifo, 0, count);
	ck_assert_ptr_null(rsb_lifo_entry(&lifo, 0));
	ck_assert_ptr_nonnull(rsb_lifo_entry(&lifo, count - 1));
	ck_assert_uint_lt(lifo.count, count);
	for (uint32_t site = count; site-- > count - 5000;)
		pop(&lifo, site, &entry);
	rsb_lifo_close(&lifo);
}
END_TEST

UNIT_MAIN("the ideal stack", pops_in_reverse, knows_who_would_overwrite, knows_what_was_clobbered,
	  gives_up_the_oldest)
