/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the columns of a table stand, and which of them give way on a line that is too short. */
#include "sim/report/table_private.h"

#include "sim/report/wrap.h"

#define FIRST_MIN 8  /* columns that the first one is never narrower than, nor than its heading */
#define WORDS_MIN 12 /* the same of other words */

bool rsb_table_is_shown(const struct rsb_table *table, const struct rsb_table_place *place,
			size_t column)
{
	return column < table->keys || (column >= place->from && column < place->end);
}

/* The last column of the table, if it is words, takes what others leave. */
static bool is_open(const struct rsb_table *table, size_t column)
{
	return column && column + 1 == table->column_count &&
	       table->columns[column].align == RSB_TABLE_WORDS;
}

static size_t widest(const struct rsb_table_over *group)
{
	size_t detail = rsb_wrap_width(group->detail), heading = rsb_wrap_width(group->heading);

	return detail > heading ? detail : heading;
}

/* The last column of a group in this part ends at: its heading may be wider. */
static size_t end_group(const struct rsb_table *table, const struct rsb_table_place *place,
			size_t column, size_t at)
{
	for (size_t i = 0; i < table->group_count; i++) {
		const struct rsb_table_over *group = &table->groups[i];
		size_t first = group->first < place->from ? place->from : group->first;
		size_t end = group->end > place->end ? place->end : group->end;

		if (first < end && end == column + 1 && at < place->start[first] + widest(group))
			return place->start[first] + widest(group);
	}
	return at;
}

static void set_starts(const struct rsb_table *table, struct rsb_table_place *place, bool close)
{
	size_t at = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		unsigned gap = table->columns[i].gap;

		if (!rsb_table_is_shown(table, place, i))
			continue;
		at += close && i && gap == 2 ? 1 : gap;
		place->start[i] = at;
		at += place->width[i];
		place->total = at;
		at = end_group(table, place, i, at);
	}
}

/* Takes from a column what a line has too much, down to the least. */
static void give(struct rsb_table_place *place, size_t column, size_t least, size_t columns)
{
	size_t over = place->total > columns ? place->total - columns : 0;
	size_t width = place->width[column];
	size_t spare = width > least ? width - least : 0;

	place->width[column] -= over < spare ? over : spare;
}

static size_t least_width(const struct rsb_table *table, size_t column, size_t least)
{
	size_t heading = rsb_wrap_width(table->columns[column].heading);

	return heading > least ? heading : least;
}

/* The widest words besides the first column and the open one that are wider than they must be. */
static size_t find_widest(const struct rsb_table *table, const struct rsb_table_place *place)
{
	size_t found = 0;

	for (size_t i = 1; i < table->column_count; i++)
		if (rsb_table_is_shown(table, place, i) && !is_open(table, i) &&
		    table->columns[i].align == RSB_TABLE_WORDS &&
		    place->width[i] > least_width(table, i, WORDS_MIN) &&
		    (!found || place->width[i] > place->width[found]))
			found = i;
	return found;
}

static void squeeze(const struct rsb_table *table, struct rsb_table_place *place, size_t columns)
{
	size_t column;

	while (place->total > columns && (column = find_widest(table, place))) {
		place->width[column]--;
		set_starts(table, place, true);
	}
}

bool rsb_table_place(const struct rsb_table *table, struct rsb_table_place *place, size_t columns,
		     enum rsb_table_yield yield)
{
	size_t last = table->column_count - 1;
	bool close = yield != RSB_TABLE_NATURAL && yield != RSB_TABLE_SHRUNK;
	bool open = rsb_table_is_shown(table, place, last) && is_open(table, last);

	for (size_t i = 0; i < table->column_count; i++)
		place->width[i] = table->columns[i].width;
	if (open && place->width[last] > columns / 4)
		place->width[last] = columns / 4;
	set_starts(table, place, close);
	if (yield >= RSB_TABLE_SHRUNK) {
		give(place, 0, least_width(table, 0, FIRST_MIN), columns);
		set_starts(table, place, close);
	}
	if (yield == RSB_TABLE_BROKEN)
		squeeze(table, place, columns);
	if (place->total > columns)
		return false;
	if (open)
		place->width[last] = columns - place->start[last];
	return true;
}

static bool place_up_to(const struct rsb_table *table, struct rsb_table_place *place,
			size_t columns, enum rsb_table_yield most)
{
	for (unsigned yield = RSB_TABLE_NATURAL; yield <= most; yield++)
		if (rsb_table_place(table, place, columns, yield))
			return true;
	return false;
}

/* Where the columns end that stay together with column. */
static size_t end_unit(const struct rsb_table *table, size_t column)
{
	for (size_t i = 0; i < table->group_count; i++)
		if (column >= table->groups[i].first && column < table->groups[i].end)
			return table->groups[i].end;
	return column + 1;
}

/* How far a part that begins with column from goes. */
static size_t find_end(const struct rsb_table *table, size_t from, size_t columns)
{
	struct rsb_table_place part = { .from = from };
	size_t end = from;

	while (end < table->column_count) {
		part.end = end_unit(table, end);
		if (!place_up_to(table, &part, columns, RSB_TABLE_CLOSE))
			break;
		end = part.end;
	}
	if (end > from)
		return end;
	/* Of a group that is too wide by itself as many columns as fit, and one at least. */
	do {
		part.end = ++end + 1;
	} while (end < table->column_count && place_up_to(table, &part, columns, RSB_TABLE_CLOSE));
	return end;
}

void rsb_table_place_part(const struct rsb_table *table, struct rsb_table_place *place, size_t from,
			  size_t columns)
{
	*place = (struct rsb_table_place){ .from = from, .end = table->column_count };
	if (place_up_to(table, place, columns, RSB_TABLE_BROKEN))
		return;
	place->end = find_end(table, from, columns);
	place_up_to(table, place, columns, RSB_TABLE_BROKEN);
}
