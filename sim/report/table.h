/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of text: columns as wide as what stands in them. The last column, if it is words, is
 * wrapped. Where a line would be too long, columns move together, then the first one gives way (a
 * name that does not fit gets a line of its own), then other words are broken; where all of that
 * is not enough, the table is written in parts below each other, each with its first columns.
 *
 *	rsb_table_column(table, "layout", RSB_TABLE_WORDS, 0);
 *	rsb_table_group(table, "bench", "depth 8, batch 100");
 *	rsb_table_column(table, "inside", RSB_TABLE_NUMBER, 3);
 *	rsb_table_cell(table, RSB_STYLE_PLAIN, "plain-call");
 *	rsb_table_cell(table, RSB_STYLE_PLAIN, "0");
 *	rsb_table_write(table, stdout, 100, false);
 *
 * Want of memory is kept until rsb_table_write(), which then writes nothing and returns false.
 */
#ifndef RSB_SIM_REPORT_TABLE_H
#define RSB_SIM_REPORT_TABLE_H

#include "sim/report/style.h"

#include <stdio.h>

#define RSB_TABLE_COLUMNS 32
#define RSB_TABLE_GROUPS  4

enum rsb_table_align {
	RSB_TABLE_WORDS,  /* to the left */
	RSB_TABLE_NUMBER, /* to the right */
};

struct rsb_table;

struct rsb_table *rsb_table_new(void); /* NULL: no memory */
void rsb_table_free(struct rsb_table *table);

/* The columns added after this stand under one heading of two lines. */
void rsb_table_group(struct rsb_table *table, const char *heading, const char *detail);

/*
 * Adds a column, gap spaces after the one before; all of them before the first cell. Where all
 * headings are "", there is no line of them.
 */
void rsb_table_column(struct rsb_table *table, const char *heading, enum rsb_table_align align,
		      unsigned gap);

/* The columns up to here tell the rows apart: all parts have them. Else it is the first alone. */
void rsb_table_keys(struct rsb_table *table);

/* The next cell, row after row. */
void rsb_table_cell(struct rsb_table *table, enum rsb_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The columns that it would take if nothing had to give way. */
size_t rsb_table_width(const struct rsb_table *table);

/* Is it written whole, not in parts? */
bool rsb_table_is_whole(const struct rsb_table *table, unsigned columns);

bool rsb_table_write(const struct rsb_table *table, FILE *out, unsigned columns, bool colour);

#endif
