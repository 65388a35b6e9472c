/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code around the instruction that comes next. */
#include "sim/see/view.h"
#include "traces/util/rank.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WITH_BYTES 78 /* columns from which bytes have room, and addresses stand before them */
#define BYTES      24 /* columns of theirs */

/* Is the line apart from the one before it? */
static bool is_apart(const struct rsb_recording *r, size_t line)
{
	return !line || r->lines[line - 1].pc + r->lines[line - 1].length != r->lines[line].pc;
}

/* Rows that a line takes: a label has its own, and an empty one before it where there is a gap. */
static unsigned count_rows(const struct rsb_recording *r, size_t line)
{
	return 1 + (r->lines[line].label != NULL) + (is_apart(r, line) && line);
}

/* The first line to show, so that this one stands in the upper half. */
static size_t find_first(const struct rsb_recording *r, size_t line, unsigned rows)
{
	unsigned above = count_rows(r, line);

	while (line && above + count_rows(r, line - 1) <= rows / 2)
		above += count_rows(r, --line);
	return line;
}

/* Did something miss there in this round, up to now? */
static bool has_missed(const struct rsb_cursor *cursor, size_t line)
{
	const struct rsb_recording *r = cursor->recording;
	size_t first = r->rounds[rsb_cursor_in_round(cursor)].first;

	for (size_t i = first; i < cursor->event; i++)
		if (r->events[i].missed && r->sites[r->events[i].site].line == line)
			return true;
	return false;
}

/* The lines are sorted. */
static const char *find_symbol(const struct rsb_recording *r, uint64_t address)
{
	size_t at = RSB_RANK_BELOW(r->lines, r->line_count, pc, address);

	return at < r->line_count && r->lines[at].pc == address ? r->lines[at].symbol : NULL;
}

/* The text, with the symbol for an address that is a direct transfer's operand. */
static void print_text(const struct rsb_recording *r, const struct rsb_recorded_line *line,
		       char *out, size_t size)
{
	const char *last = strrchr(line->text, ' ');
	const char *symbol = NULL;
	char *end;

	if (last && !strncmp(last, " 0x", 3) && (*line->text == 'c' || *line->text == 'j')) {
		uint64_t address = strtoull(last + 1, &end, 16);

		symbol = *end ? NULL : find_symbol(r, address);
	}
	if (symbol)
		snprintf(out, size, "%.*s %s", (int)(last - line->text), line->text, symbol);
	else
		snprintf(out, size, "%s", line->text);
}

static unsigned print_bytes(const struct rsb_area *area, unsigned row, unsigned column,
			    const struct rsb_recorded_line *line)
{
	column = rsb_area_text(area, row, column, RSB_SCREEN_FAINT, "%10" PRIx64 "  ", line->pc);
	for (unsigned i = 0; i < line->length && i < BYTES / 3; i++)
		rsb_area_text(area, row, column + 3 * i, RSB_SCREEN_FAINT, "%02x", line->bytes[i]);
	return column + BYTES + 1;
}

static void draw_line(const struct rsb_area *area, unsigned row, const struct rsb_cursor *cursor,
		      size_t index, bool current)
{
	const struct rsb_recorded_line *line = &cursor->recording->lines[index];
	const char *offset = strchr(line->symbol, '+');
	enum rsb_screen_style style = current ? RSB_SCREEN_CURRENT : RSB_SCREEN_PLAIN;
	unsigned column = 3;
	char text[256];

	if (area->columns >= WITH_BYTES)
		column = print_bytes(area, row, 2, line);
	rsb_area_text(area, row, column, RSB_SCREEN_FAINT, "%s", offset ? offset : "+0x0");
	column += 7;
	print_text(cursor->recording, line, text, sizeof(text));
	rsb_area_cut(area, row, column, area->columns > column ? area->columns - column : 0, style,
		     text);
	if (current) {
		rsb_area_style(area, row, 0, area->columns, style);
		rsb_area_sign(area, row, 0, style, RSB_SIGN_HERE);
	}
	if (has_missed(cursor, index))
		rsb_area_sign(area, row, 1, RSB_SCREEN_MISS, RSB_SIGN_MISS);
}

/* Where to look: at what comes next, or at what came last. */
static uint32_t find_place(const struct rsb_cursor *cursor)
{
	uint32_t line = rsb_cursor_line(cursor);
	const struct rsb_recorded_event *last = rsb_cursor_last(cursor);

	if (line == RSB_RECORDING_NONE && last)
		line = cursor->recording->sites[last->site].line;
	return line == RSB_RECORDING_NONE ? 0 : line;
}

void rsb_view_code(const struct rsb_area *area, const struct rsb_cursor *cursor)
{
	const struct rsb_recording *r = cursor->recording;
	uint32_t next = rsb_cursor_line(cursor);
	unsigned row = 0;

	if (!r->line_count)
		return;
	for (size_t line = find_first(r, find_place(cursor), area->rows);
	     line < r->line_count && row < area->rows; line++) {
		if (is_apart(r, line) && row)
			row++;
		if (r->lines[line].label) {
			unsigned end;

			rsb_area_cut(area, row, 0, area->columns - 1, RSB_SCREEN_TITLE,
				     r->lines[line].label);
			end = (unsigned)strlen(r->lines[line].label);
			if (end < area->columns)
				rsb_area_text(area, row, end, RSB_SCREEN_TITLE, ":");
			row++;
		}
		draw_line(area, row++, cursor, line, line == next);
	}
}
