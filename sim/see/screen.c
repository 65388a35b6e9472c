/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawing on a screen of cells. */
#include "sim/see/screen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Each sign: in Unicode, and in ASCII. */
static const struct {
	uint32_t unicode;
	char plain;
} signs[] = {
	[RSB_SIGN_ACROSS] = { 0x2500, '-' }, [RSB_SIGN_DOWN] = { 0x2502, '|' },
	[RSB_SIGN_CUT] = { 0x2026, '~' },    [RSB_SIGN_HERE] = { 0x25b6, '>' },
	[RSB_SIGN_MISS] = { 0x2717, 'x' },   [RSB_SIGN_SAME] = { '=', '=' },
	[RSB_SIGN_OTHER] = { 0x2260, '!' },
};

bool rsb_screen_open(struct rsb_screen *screen, unsigned rows, unsigned columns, bool unicode)
{
	*screen = (struct rsb_screen){ .rows = rows, .columns = columns, .unicode = unicode };
	screen->cells = calloc((size_t)rows * columns + 1, sizeof(*screen->cells));
	return screen->cells != NULL;
}

void rsb_screen_close(struct rsb_screen *screen)
{
	free(screen->cells);
}

struct rsb_area rsb_screen_area(struct rsb_screen *screen)
{
	return (struct rsb_area){ screen, 0, 0, screen->rows, screen->columns };
}

static unsigned lesser(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

struct rsb_area rsb_area_part(const struct rsb_area *area, unsigned row, unsigned column,
			      unsigned rows, unsigned columns)
{
	row = lesser(row, area->rows);
	column = lesser(column, area->columns);
	return (struct rsb_area){
		.screen = area->screen,
		.row = area->row + row,
		.column = area->column + column,
		.rows = lesser(rows, area->rows - row),
		.columns = lesser(columns, area->columns - column),
	};
}

static struct rsb_cell *find(const struct rsb_area *area, unsigned row, unsigned column)
{
	if (row >= area->rows || column >= area->columns)
		return NULL;
	return &area->screen->cells[(size_t)(area->row + row) * area->screen->columns +
				    area->column + column];
}

static void put(const struct rsb_area *area, unsigned row, unsigned column,
		enum rsb_screen_style style, uint32_t character)
{
	struct rsb_cell *cell = find(area, row, column);

	if (cell)
		*cell = (struct rsb_cell){ character, (uint8_t)style };
}

static uint32_t printable(char byte)
{
	return byte >= ' ' && byte <= '~' ? (uint32_t)byte : '?';
}

static unsigned put_text(const struct rsb_area *area, unsigned row, unsigned column,
			 enum rsb_screen_style style, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		put(area, row, column++, style, printable(text[i]));
	return column;
}

unsigned rsb_area_text(const struct rsb_area *area, unsigned row, unsigned column,
		       enum rsb_screen_style style, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return put_text(area, row, column, style, text, strlen(text));
}

void rsb_area_cut(const struct rsb_area *area, unsigned row, unsigned column, unsigned width,
		  enum rsb_screen_style style, const char *text)
{
	size_t size = strlen(text);

	if (size <= width) {
		put_text(area, row, column, style, text, size);
	} else if (width) {
		put_text(area, row, column, style, text, width - 1);
		rsb_area_sign(area, row, column + width - 1, style, RSB_SIGN_CUT);
	}
}

/* How much of the text goes into a row: up to the last space that fits. */
static size_t find_break(const char *text, size_t width)
{
	size_t size = strlen(text), at = width;

	if (size <= width)
		return size;
	while (at && text[at] != ' ')
		at--;
	return at ? at : width;
}

unsigned rsb_area_wrap(const struct rsb_area *area, unsigned row, enum rsb_screen_style style,
		       const char *text)
{
	while (*text && area->columns) {
		size_t size = find_break(text, area->columns);

		put_text(area, row, 0, style, text, size);
		text += size;
		text += strspn(text, " ");
		/* What does not fit any more is told of. */
		if (*text && row + 1 == area->rows)
			rsb_area_sign(area, row, area->columns - 1, style, RSB_SIGN_CUT);
		row++;
	}
	return row;
}

void rsb_area_sign(const struct rsb_area *area, unsigned row, unsigned column,
		   enum rsb_screen_style style, enum rsb_sign sign)
{
	put(area, row, column, style,
	    area->screen->unicode ? signs[sign].unicode : (uint32_t)signs[sign].plain);
}

void rsb_area_across(const struct rsb_area *area, unsigned row)
{
	for (unsigned i = 0; i < area->columns; i++)
		rsb_area_sign(area, row, i, RSB_SCREEN_FAINT, RSB_SIGN_ACROSS);
}

void rsb_area_down(const struct rsb_area *area, unsigned column)
{
	for (unsigned i = 0; i < area->rows; i++)
		rsb_area_sign(area, i, column, RSB_SCREEN_FAINT, RSB_SIGN_DOWN);
}

void rsb_area_style(const struct rsb_area *area, unsigned row, unsigned column, unsigned width,
		    enum rsb_screen_style style)
{
	for (unsigned i = 0; i < width; i++) {
		struct rsb_cell *cell = find(area, row, column + i);

		if (cell)
			cell->style = (uint8_t)style;
	}
}

unsigned rsb_character_bytes(uint32_t character, char out[5])
{
	if (character < 0x80) {
		out[0] = (char)(character ? character : ' ');
		out[1] = '\0';
		return 1;
	}
	/* The signs above are all of three bytes. */
	out[0] = (char)(0xe0 | character >> 12);
	out[1] = (char)(0x80 | (character >> 6 & 0x3f));
	out[2] = (char)(0x80 | (character & 0x3f));
	out[3] = '\0';
	return 3;
}

void rsb_screen_print(const struct rsb_screen *screen, FILE *out)
{
	for (unsigned row = 0; row < screen->rows; row++) {
		const struct rsb_cell *cells = &screen->cells[(size_t)row * screen->columns];
		unsigned end = screen->columns;

		while (end && (!cells[end - 1].character || cells[end - 1].character == ' '))
			end--;
		for (unsigned i = 0; i < end; i++) {
			char bytes[5];

			rsb_character_bytes(cells[i].character, bytes);
			fputs(bytes, out);
		}
		fputc('\n', out);
	}
}
