/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of text: what is in it. */
#include "sim/report/table_private.h"

#include "sim/report/wrap.h"
#include "traces/util/clean.h"
#include "traces/util/grow.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct rsb_table *rsb_table_new(void)
{
	return calloc(1, sizeof(struct rsb_table));
}

void rsb_table_free(struct rsb_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->column_count; i++)
		free(table->columns[i].heading);
	for (size_t i = 0; i < table->group_count; i++) {
		free(table->groups[i].heading);
		free(table->groups[i].detail);
	}
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i].text);
	free(table->cells);
	free(table);
}

static char *copy(struct rsb_table *table, const char *text)
{
	char *copied = strdup(text);

	table->failed |= !copied;
	return copied;
}

void rsb_table_group(struct rsb_table *table, const char *heading, const char *detail)
{
	struct rsb_table_over *group = &table->groups[table->group_count];

	if (table->group_count == RSB_TABLE_GROUPS) {
		table->failed = true;
		return;
	}
	table->group_count++;
	group->heading = copy(table, heading);
	group->detail = copy(table, detail);
	group->first = group->end = table->column_count;
}

void rsb_table_column(struct rsb_table *table, const char *heading, enum rsb_table_align align,
		      unsigned gap)
{
	struct rsb_table_field *column = &table->columns[table->column_count];

	if (table->column_count == RSB_TABLE_COLUMNS) {
		table->failed = true;
		return;
	}
	column->heading = copy(table, heading);
	column->align = align;
	column->gap = gap;
	column->width = rsb_wrap_width(heading);
	table->column_count++;
	if (table->column_count == 1)
		table->keys = 1;
	if (table->group_count)
		table->groups[table->group_count - 1].end = table->column_count;
}

void rsb_table_keys(struct rsb_table *table)
{
	table->keys = table->column_count;
}

static char *print(const char *format, va_list arguments)
{
	va_list again;
	int size;
	char *text;

	va_copy(again, arguments);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = size < 0 ? NULL : malloc((size_t)size + 1);
	if (text)
		vsnprintf(text, (size_t)size + 1, format, arguments);
	return text;
}

void rsb_table_cell(struct rsb_table *table, enum rsb_style style, const char *format, ...)
{
	struct rsb_table_field *column = &table->columns[table->cell_count % table->column_count];
	va_list arguments;
	char *text;

	if (!RSB_GROW(table->cells, table->cell_count)) {
		table->failed = true;
		return;
	}
	va_start(arguments, format);
	text = print(format, arguments);
	va_end(arguments);
	table->failed |= !text;
	if (!text)
		return;
	rsb_clean(text); /* names come from files */
	if (rsb_wrap_width(text) > column->width)
		column->width = rsb_wrap_width(text);
	table->cells[table->cell_count++] = (struct rsb_table_item){ text, style };
}
