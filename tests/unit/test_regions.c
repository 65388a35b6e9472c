/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The regions of a program's memory, beside a table that has an entry for each page. */
#include "sim/machine/regions.h"
#include "tests/unit/unit.h"

#include <string.h>

#define PAGE  UINT64_C(4096)
#define PAGES 64
#define LOW   UINT64_C(0x10000)
#define STEPS 20000

struct entry {
	bool some;
	enum rsb_region_kind kind;
	unsigned access;
};

static struct rsb_regions regions;
static struct entry table[PAGES];

/* xorshift64 (Marsaglia, 2003) */
static uint64_t next(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t address_of(size_t page)
{
	return LOW + page * PAGE;
}

static void set(size_t from, size_t end, enum rsb_region_kind kind, unsigned access)
{
	const struct rsb_region region = { address_of(from), address_of(end), kind, access };

	ck_assert(rsb_regions_set(&regions, &region));
	for (size_t i = from; i < end; i++)
		table[i] = (struct entry){ true, kind, access };
}

/* What no region has becomes the image's, with other permissions. */
static void protect(size_t from, size_t end, unsigned access)
{
	ck_assert(rsb_regions_protect(&regions, address_of(from), address_of(end), access));
	for (size_t i = from; i < end; i++) {
		if (!table[i].some)
			table[i] = (struct entry){ true, RSB_REGION_IMAGE, 0 };
		table[i].access = access;
	}
}

static void compare(void)
{
	for (size_t i = 0; i < PAGES; i++) {
		const struct rsb_region *region =
			rsb_regions_find(&regions, address_of(i) + next() % PAGE);

		ck_assert_int_eq(region != NULL, table[i].some);
		if (!region)
			continue;
		ck_assert_int_eq(region->kind, table[i].kind);
		ck_assert_uint_eq(region->access, table[i].access);
	}
	for (size_t i = 1; i < regions.count; i++)
		ck_assert_uint_le(regions.all[i - 1].end, regions.all[i].first);
}

/* The first place where so many pages in a row have nothing. */
static size_t find_gap(size_t pages)
{
	size_t row = 0;

	for (size_t i = 0; i < PAGES; i++) {
		row = table[i].some && table[i].kind != RSB_REGION_NONE ? 0 : row + 1;
		if (row == pages)
			return i + 1 - pages;
	}
	return PAGES;
}

/*
 * After any changes each page is as the last change of it left it, and the first gap is the first.
 */
START_TEST(is_as_a_table_of_pages)
{
	for (size_t step = 0; step < STEPS; step++) {
		size_t from = next() % PAGES, end = from + 1 + next() % (PAGES - from);
		size_t pages = 1 + next() % 8, gap = find_gap(pages);
		uint64_t found;

		ck_assert_int_eq(
			rsb_regions_gap(&regions, LOW, address_of(PAGES), pages * PAGE, &found),
			gap < PAGES);
		if (gap < PAGES)
			ck_assert_uint_eq(found, address_of(gap));
		if (next() % 4 == 0)
			protect(from, end, next() % 8);
		else
			set(from, end > from + 8 ? from + 8 : end,
			    next() % 2 ? RSB_REGION_NONE : RSB_REGION_ZERO, next() % 8);
		compare();
	}
}
END_TEST

/* Where there is no room for more of them, nothing changes. */
START_TEST(refuses_too_many)
{
	struct rsb_region region = { 0, PAGE, RSB_REGION_ZERO, 4 };
	static struct rsb_regions before;

	memset(&regions, 0, sizeof(regions));
	while (rsb_regions_set(&regions, &region)) {
		region.first += 2 * PAGE;
		region.end += 2 * PAGE;
	}
	ck_assert_uint_le(regions.count, RSB_REGIONS_MAX);
	ck_assert_uint_ge(regions.count, RSB_REGIONS_MAX - 3);
	before = regions;
	ck_assert(!rsb_regions_set(&regions, &region));
	ck_assert(!rsb_regions_protect(&regions, 0, region.end, 1));
	ck_assert_mem_eq(&before, &regions, sizeof(regions));
}
END_TEST

UNIT_MAIN("regions", is_as_a_table_of_pages, refuses_too_many)
