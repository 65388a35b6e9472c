/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of text, written: whole, or in parts below each other. */
#include "sim/report/table_private.h"

#include "sim/report/wrap.h"

#include <stdint.h>
#include <string.h>

/* Where it is written to, and how. */
struct sheet {
	const struct rsb_table *table;
	const struct rsb_table_place *place;
	FILE *out;
	bool colour;
};

static bool is_shown(const struct sheet *sheet, size_t column)
{
	return rsb_table_is_shown(sheet->table, sheet->place, column);
}

static void write_spaces(FILE *out, size_t count)
{
	fprintf(out, "%*s", (int)count, "");
}

/* The bytes of a cell that go on this line. */
static size_t take(const struct sheet *sheet, size_t column, const char *text)
{
	if (!column || sheet->table->columns[column].align == RSB_TABLE_NUMBER)
		return strlen(text);
	return rsb_wrap_take(text, sheet->place->width[column]);
}

/* That much of a cell at its place; at is the column where the line stands. */
static size_t write_text(const struct sheet *sheet, size_t column, size_t at, const char *text,
			 size_t size, enum rsb_style style)
{
	size_t width = rsb_wrap_columns(text, size), start = sheet->place->start[column];

	if (!size)
		return at;
	if (sheet->table->columns[column].align == RSB_TABLE_NUMBER &&
	    width < sheet->place->width[column])
		start += sheet->place->width[column] - width;
	write_spaces(sheet->out, start > at ? start - at : 0);
	fputs(rsb_style_start(style, sheet->colour), sheet->out);
	fwrite(text, 1, size, sheet->out);
	fputs(rsb_style_end(style, sheet->colour), sheet->out);
	return start + width;
}

/* What is left of the cells of a row, as much of it as goes on a line. Is there still more? */
static bool write_line(const struct sheet *sheet, const struct rsb_table_item *cells,
		       const char *rest[])
{
	size_t at = 0, count = sheet->table->column_count;
	bool more = false;

	for (size_t i = 0; i < count; i++) {
		size_t size;

		if (!is_shown(sheet, i))
			continue;
		size = take(sheet, i, rest[i]);
		at = write_text(sheet, i, at, rest[i], size, cells[i].style);
		rest[i] += size;
		rest[i] += strspn(rest[i], " ");
		more |= *rest[i] != '\0';
		/* What does not fit there has a line of its own. */
		if (!i && at > sheet->place->start[0] + sheet->place->width[0] && count > 1) {
			fputc('\n', sheet->out);
			at = 0;
		}
	}
	fputc('\n', sheet->out);
	return more;
}

static void write_row(const struct sheet *sheet, const struct rsb_table_item *cells)
{
	const char *rest[RSB_TABLE_COLUMNS];

	for (size_t i = 0; i < sheet->table->column_count; i++)
		rest[i] = cells[i].text;
	while (write_line(sheet, cells, rest))
		;
}

static void write_group_line(const struct sheet *sheet, bool detail)
{
	const struct rsb_table_place *place = sheet->place;
	enum rsb_style style = detail ? RSB_STYLE_DIM : RSB_STYLE_BOLD;
	size_t at = 0;

	for (size_t i = 0; i < sheet->table->group_count; i++) {
		const struct rsb_table_over *group = &sheet->table->groups[i];
		const char *text = detail ? group->detail : group->heading;
		size_t first = group->first < place->from ? place->from : group->first;

		if (first >= group->end || first >= place->end)
			continue;
		write_spaces(sheet->out, place->start[first] > at ? place->start[first] - at : 0);
		fprintf(sheet->out, "%s%s%s", rsb_style_start(style, sheet->colour), text,
			rsb_style_end(style, sheet->colour));
		at = place->start[first] + rsb_wrap_width(text);
	}
	if (at)
		fputc('\n', sheet->out);
}

/* Columns that explain themselves have no headings. */
static bool has_headings(const struct rsb_table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (*table->columns[i].heading)
			return true;
	return false;
}

static void write_headings(const struct sheet *sheet)
{
	const struct rsb_table *table = sheet->table;
	struct rsb_table_item headings[RSB_TABLE_COLUMNS];

	write_group_line(sheet, false);
	write_group_line(sheet, true);
	for (size_t i = 0; i < table->column_count; i++)
		headings[i] = (struct rsb_table_item){ table->columns[i].heading, RSB_STYLE_BOLD };
	if (has_headings(table))
		write_row(sheet, headings);
}

static void write_part(const struct sheet *sheet)
{
	const struct rsb_table *table = sheet->table;

	write_headings(sheet);
	for (size_t i = 0; i + table->column_count <= table->cell_count; i += table->column_count)
		write_row(sheet, &table->cells[i]);
}

size_t rsb_table_width(const struct rsb_table *table)
{
	struct rsb_table_place place = { .from = 0, .end = table->column_count };

	if (!table->column_count)
		return 0;
	rsb_table_place(table, &place, SIZE_MAX, RSB_TABLE_NATURAL);
	return place.total;
}

bool rsb_table_is_whole(const struct rsb_table *table, unsigned columns)
{
	struct rsb_table_place place;

	rsb_table_place_part(table, &place, table->keys, columns);
	return place.end == table->column_count;
}

bool rsb_table_write(const struct rsb_table *table, FILE *out, unsigned columns, bool colour)
{
	struct rsb_table_place place;
	const struct sheet sheet = { table, &place, out, colour };
	size_t from = table->keys;

	if (table->failed || !table->column_count)
		return false;
	do {
		if (from > table->keys)
			fputc('\n', out);
		rsb_table_place_part(table, &place, from, columns);
		write_part(&sheet);
		from = place.end;
	} while (from < table->column_count);
	return true;
}
