/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a table holds (table.c), and how its columns are placed (table_place.c). */
#ifndef RSB_SIM_REPORT_TABLE_PRIVATE_H
#define RSB_SIM_REPORT_TABLE_PRIVATE_H

#include "sim/report/table.h"

struct rsb_table_field {
	char *heading;
	enum rsb_table_align align;
	unsigned gap;
	size_t width;
};

/* A heading over the columns from first up to end. */
struct rsb_table_over {
	char *heading, *detail;
	size_t first, end;
};

struct rsb_table_item {
	char *text;
	enum rsb_style style;
};

struct rsb_table {
	struct rsb_table_field columns[RSB_TABLE_COLUMNS];
	struct rsb_table_over groups[RSB_TABLE_GROUPS];
	struct rsb_table_item *cells;
	size_t column_count, group_count, cell_count;
	size_t keys; /* columns that are in every part */
	bool failed;
};

/* What may give way where a line is too long; each is tried where those before are not enough. */
enum rsb_table_yield {
	RSB_TABLE_NATURAL,
	RSB_TABLE_CLOSE,  /* one space between columns */
	RSB_TABLE_SHRUNK, /* the first column: what does not fit has a line of its own */
	RSB_TABLE_BOTH,
	RSB_TABLE_BROKEN, /* and other words are broken */
};

/* A part of a table: the keys and the columns from from up to end. */
struct rsb_table_place {
	size_t from, end;
	size_t start[RSB_TABLE_COLUMNS], width[RSB_TABLE_COLUMNS];
	size_t total;
};

bool rsb_table_is_shown(const struct rsb_table *table, const struct rsb_table_place *place,
			size_t column);

/* Places the columns of a part so. Does a line fit? */
bool rsb_table_place(const struct rsb_table *table, struct rsb_table_place *place, size_t columns,
		     enum rsb_table_yield yield);

/*
 * Places the part that begins with column from: as many columns as fit, those of a group together
 * if they can be. All of them, if that can be had by giving way.
 */
void rsb_table_place_part(const struct rsb_table *table, struct rsb_table_place *place, size_t from,
			  size_t columns);

#endif
