/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dividing the area among the parts of the view. */
#include "sim/see/view.h"

#include <string.h>

#define WIDE 76 /* columns from which code and stacks stand side by side */

static unsigned clamp(unsigned value, unsigned least, unsigned most)
{
	return value < least ? least : value > most ? most : value;
}

static void draw_title(const struct rsb_area *area, const struct rsb_cursor *cursor)
{
	const struct rsb_recording *r = cursor->recording;
	size_t round = rsb_cursor_in_round(cursor);
	char where[64], what[256], more[64];
	unsigned width;

	snprintf(where, sizeof(where), "round %zu of %zu, %s", round, r->round_count,
		 r->round_count ? rsb_phase_name(r->rounds[round].phase) : "");
	snprintf(what, sizeof(what), "%s on %s (%s)", r->layout, r->cpu, r->model);
	snprintf(more, sizeof(more), ", %s: depth %u, batch %u", r->scenario.name,
		 r->scenario.depth, r->scenario.batch);
	width = area->columns > strlen(where) + 1 ? area->columns - (unsigned)strlen(where) - 1 : 0;
	if (strlen(what) + strlen(more) <= width)
		strncat(what, more, sizeof(what) - strlen(what) - 1);
	rsb_area_cut(area, 0, 0, width, RSB_SCREEN_TITLE, what);
	if (width)
		rsb_area_text(area, 0, width + 1, RSB_SCREEN_PLAIN, "%s", where);
}

/* The code on the left, the stacks on the right. */
static void draw_beside(const struct rsb_area *area, const struct rsb_cursor *cursor)
{
	unsigned stacks = clamp(area->columns * 5 / 8, 50, 78);
	unsigned code = area->columns - stacks - 2;
	struct rsb_area left = rsb_area_part(area, 0, 0, area->rows, code);
	struct rsb_area right = rsb_area_part(area, 0, code + 2, area->rows, stacks);

	rsb_view_code(&left, cursor);
	rsb_area_down(area, code);
	rsb_view_stacks(&right, cursor);
}

/* The code above, the stacks below. */
static void draw_below(const struct rsb_area *area, const struct rsb_cursor *cursor)
{
	unsigned code = area->rows * 2 / 5;
	struct rsb_area above = rsb_area_part(area, 0, 0, code, area->columns);
	struct rsb_area below =
		rsb_area_part(area, code + 1, 0, area->rows - code - 1, area->columns);

	rsb_view_code(&above, cursor);
	rsb_area_across(area, code);
	rsb_view_stacks(&below, cursor);
}

void rsb_view_draw(const struct rsb_area *area, const struct rsb_cursor *cursor)
{
	unsigned told = clamp(area->rows / 4 + 1, 4, 9);
	unsigned rest = area->rows - told - 2;
	struct rsb_area middle = rsb_area_part(area, 1, 0, rest, area->columns);
	struct rsb_area event = rsb_area_part(area, rest + 2, 0, told, area->columns);

	draw_title(area, cursor);
	if (area->columns >= WIDE)
		draw_beside(&middle, cursor);
	else
		draw_below(&middle, cursor);
	rsb_area_across(area, rest + 1);
	rsb_view_event(&event, cursor);
}
