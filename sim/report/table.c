/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of text: lays out columns, and what does not fit. */
#include "sim/report/table.h"

#include "sim/report/wrap.h"
#include "traces/util/clean.h"
#include "traces/util/grow.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_MIN 8 /* columns that the first one is never narrower than, nor than its heading */

struct column {
	char *heading;
	enum rsb_table_align align;
	unsigned gap;
	size_t width;
};

/* A heading over the columns from first up to end. */
struct group {
	char *heading, *detail;
	size_t first, end;
};

struct cell {
	char *text;
	enum rsb_style style;
};

struct rsb_table {
	struct column columns[RSB_TABLE_COLUMNS];
	struct group groups[RSB_TABLE_GROUPS];
	struct cell *cells;
	size_t column_count, group_count, cell_count;
	bool failed;
};

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
	struct group *group = &table->groups[table->group_count];

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
	struct column *column = &table->columns[table->column_count];

	if (table->column_count == RSB_TABLE_COLUMNS) {
		table->failed = true;
		return;
	}
	column->heading = copy(table, heading);
	column->align = align;
	column->gap = gap;
	column->width = rsb_wrap_width(heading);
	table->column_count++;
	if (table->group_count)
		table->groups[table->group_count - 1].end = table->column_count;
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
	struct column *column = &table->columns[table->cell_count % table->column_count];
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
	table->cells[table->cell_count++] = (struct cell){ text, style };
}

static void write_spaces(FILE *out, size_t count)
{
	fprintf(out, "%*s", (int)count, "");
}

/* How columns are placed when the table is written. */
struct place {
	size_t start[RSB_TABLE_COLUMNS + 1], width[RSB_TABLE_COLUMNS];
	size_t columns; /* of the line */
	size_t wrapped; /* column that is wrapped, or column_count */
	bool colour;
};

static size_t total_width(const struct place *place, const struct rsb_table *table)
{
	size_t count = table->column_count;

	return count ? place->start[count - 1] + place->width[count - 1] : 0;
}

/* A group whose heading is wider than its columns widens the last of them. */
static void place_columns(struct place *place, const struct rsb_table *table)
{
	size_t group = 0, at = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		at += table->columns[i].gap;
		place->start[i] = at;
		at += place->width[i];
		while (group < table->group_count && table->groups[group].end <= i)
			group++;
		if (group < table->group_count && table->groups[group].end == i + 1) {
			const struct group *over = &table->groups[group];
			size_t detail = rsb_wrap_width(over->detail);
			size_t heading = rsb_wrap_width(over->heading);
			size_t end = place->start[over->first] +
				     (detail > heading ? detail : heading);

			if (at < end)
				at = end;
		}
	}
}

static struct place make_place(const struct rsb_table *table, unsigned columns, bool colour)
{
	struct place place = { .columns = columns, .colour = colour };
	size_t last, total, most, least, reserve = 0;

	if (!table->column_count)
		return place;
	last = table->column_count - 1;
	place.wrapped = table->column_count;
	for (size_t i = 0; i <= last; i++)
		place.width[i] = table->columns[i].width;
	if (last && table->columns[last].align == RSB_TABLE_WORDS) {
		place.wrapped = last;
		reserve = place.width[last] < columns / 4 ? place.width[last] : columns / 4;
		place.width[last] = 0;
	}
	place_columns(&place, table);
	total = total_width(&place, table) + reserve;
	if (total > columns) {
		most = total - columns < place.width[0] ? place.width[0] - (total - columns) : 0;
		least = rsb_wrap_width(table->columns[0].heading);
		if (least < FIRST_MIN)
			least = FIRST_MIN;
		place.width[0] = most < least ? least : most;
		place_columns(&place, table);
	}
	return place;
}

/* One cell at its place; at is the column where the line stands. */
static size_t write_cell(FILE *out, const struct rsb_table *table, const struct place *place,
			 size_t i, size_t at, const struct cell *cell)
{
	size_t width = rsb_wrap_width(cell->text);
	size_t start = place->start[i];

	if (!width)
		return at;
	if (table->columns[i].align == RSB_TABLE_NUMBER && width < place->width[i])
		start += place->width[i] - width;
	write_spaces(out, start > at ? start - at : 0);
	fputs(rsb_style_start(cell->style, place->colour), out);
	if (i == place->wrapped)
		rsb_wrap_write(out, cell->text, start, start, place->columns);
	else
		fputs(cell->text, out);
	fputs(rsb_style_end(cell->style, place->colour), out);
	return start + width;
}

static void write_row(FILE *out, const struct rsb_table *table, const struct place *place,
		      const struct cell *cells)
{
	size_t at = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		at = write_cell(out, table, place, i, at, &cells[i]);
		if (i == 0 && at > place->width[0] && table->column_count > 1) {
			fputc('\n', out);
			at = 0;
		}
	}
	if (place->wrapped == table->column_count || !*cells[place->wrapped].text)
		fputc('\n', out);
}

static void write_group_line(FILE *out, const struct rsb_table *table, const struct place *place,
			     bool detail)
{
	size_t at = 0;

	for (size_t i = 0; i < table->group_count; i++) {
		const struct group *group = &table->groups[i];
		enum rsb_style style = detail ? RSB_STYLE_DIM : RSB_STYLE_BOLD;
		const char *text = detail ? group->detail : group->heading;
		size_t start = place->start[group->first];

		write_spaces(out, start > at ? start - at : 0);
		fprintf(out, "%s%s%s", rsb_style_start(style, place->colour), text,
			rsb_style_end(style, place->colour));
		at = start + rsb_wrap_width(text);
	}
	if (table->group_count)
		fputc('\n', out);
}

static void write_headings(FILE *out, const struct rsb_table *table, const struct place *place)
{
	struct cell headings[RSB_TABLE_COLUMNS];

	write_group_line(out, table, place, false);
	write_group_line(out, table, place, true);
	for (size_t i = 0; i < table->column_count; i++)
		headings[i] = (struct cell){ table->columns[i].heading, RSB_STYLE_BOLD };
	write_row(out, table, place, headings);
}

size_t rsb_table_width(const struct rsb_table *table)
{
	const struct place place = make_place(table, UINT_MAX, false);

	return total_width(&place, table);
}

bool rsb_table_write(const struct rsb_table *table, FILE *out, unsigned columns, bool colour)
{
	struct place place;

	if (table->failed || !table->column_count)
		return false;
	place = make_place(table, columns, colour);
	write_headings(out, table, &place);
	for (size_t i = 0; i + table->column_count <= table->cell_count; i += table->column_count)
		write_row(out, table, &place, &table->cells[i]);
	return true;
}
