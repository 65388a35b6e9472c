/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks page tables. A table that is left out of a dump has nothing behind it. */
#include "sim/image/page_tables.h"

#include "traces/bytes.h"
#include "traces/util/grow.h"

#include <inttypes.h>
#include <stdlib.h>

#define ENTRIES 512u
#define BITS    9u /* of an address that each table takes */

/* Bits of an entry. */
#define PRESENT UINT64_C(1)
#define LARGE   UINT64_C(0x80) /* above the last table: a page of its whole range */
#define FRAME   UINT64_C(0x000ffffffffff000)

#define LAST_LISTED 2u /* the tables of 2 MiB pages */

/* So many as a kernel with KASAN has, and eight times that; what is forged ends soon. */
#define TABLES_MAX (1u << 17)
#define RANGES_MAX (1u << 18)

struct list {
	const struct rsb_page_tables *tables;
	struct rsb_page_range *ranges;
	size_t count, read;
};

/* How far up its bits are in an address; a table of level 1 has pages. */
static unsigned shift_of(unsigned level)
{
	return 12 + BITS * (level - 1);
}

static uint64_t frame_of(const struct rsb_page_tables *tables, uint64_t entry)
{
	return entry & FRAME & ~tables->ignored;
}

static bool append(struct list *list, uint64_t first, uint64_t last, struct rsb_error *error)
{
	if (list->count && list->ranges[list->count - 1].last + 1 == first) {
		list->ranges[list->count - 1].last = last;
		return true;
	}
	if (list->count == RANGES_MAX)
		return rsb_error_set(error, "the page tables have more than %u separate ranges",
				     RANGES_MAX);
	if (!RSB_GROW(list->ranges, list->count))
		return rsb_error_set(error, "out of memory");
	list->ranges[list->count++] = (struct rsb_page_range){ first, last };
	return true;
}

/* Reads a table; *there is false, without an error, if the memory lacks it. */
static bool read_table(const struct rsb_page_tables *tables, uint64_t at, uint8_t table[RSB_PAGE],
		       bool *there, struct rsb_error *error)
{
	error->text[0] = '\0';
	*there = tables->frame(tables->context, at, table, error);
	return *there || !error->text[0];
}

/* Lists what is behind a table that starts at an address; of the first one, the upper half. */
static bool walk(struct list *list, uint64_t at, unsigned level, uint64_t start,
		 struct rsb_error *error)
{
	uint64_t size = UINT64_C(1) << shift_of(level);
	uint8_t table[RSB_PAGE];
	bool there, good = true;

	if (list->read++ == TABLES_MAX)
		return rsb_error_set(error, "there are more than %u page tables", TABLES_MAX);
	if (!read_table(list->tables, at, table, &there, error))
		return false;
	for (unsigned i = level == list->tables->levels ? ENTRIES / 2 : 0;
	     there && good && i < ENTRIES; i++) {
		uint64_t entry = rsb_get_u64(table + i * sizeof(entry)), first = start + i * size;

		if (!(entry & PRESENT))
			continue;
		if (level == LAST_LISTED || (level == LAST_LISTED + 1 && (entry & LARGE)))
			good = append(list, first, first + (size - 1), error);
		else
			good = walk(list, frame_of(list->tables, entry), level - 1, first, error);
	}
	return good;
}

bool rsb_page_tables_list(const struct rsb_page_tables *tables, struct rsb_page_range **ranges,
			  size_t *count, struct rsb_error *error)
{
	struct list list = { .tables = tables };
	/* The upper half is what these bits, and all above them, are set in. */
	uint64_t start = ~UINT64_C(0) << shift_of(tables->levels) << BITS;

	if (!walk(&list, tables->root, tables->levels, start, error)) {
		free(list.ranges);
		return false;
	}
	*ranges = list.ranges;
	*count = list.count;
	return true;
}

bool rsb_page_tables_find(const struct rsb_page_tables *tables, uint64_t address,
			  uint64_t *physical, struct rsb_error *error)
{
	uint64_t at = tables->root;
	uint8_t table[RSB_PAGE];
	bool there;

	for (unsigned level = tables->levels; level; level--) {
		unsigned index = address >> shift_of(level) & (ENTRIES - 1);
		uint64_t entry, inside = (UINT64_C(1) << shift_of(level)) - 1;

		if (!read_table(tables, at, table, &there, error) || !there)
			return false;
		entry = rsb_get_u64(table + index * sizeof(entry));
		if (!(entry & PRESENT))
			return false;
		at = frame_of(tables, entry);
		if (level == 1 || (level <= LAST_LISTED + 1 && (entry & LARGE))) {
			/* Below a large page's address are bits that are none of it. */
			*physical = (at & ~inside) | (address & inside & ~(uint64_t)(RSB_PAGE - 1));
			return true;
		}
	}
	return false;
}
