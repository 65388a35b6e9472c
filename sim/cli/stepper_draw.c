/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stepper shows: the view of each side, its pages, and the last row. */
#include "sim/cli/stepper.h"

#include <string.h>

#define GAP 3 /* columns between the sides */

static const char *const help[] = {
	"s, space, right   one instruction on",
	"b, left           one instruction back",
	"n, down           on to behind the next call or return",
	"p, up             back to behind the one before",
	"m / M             on, or back, to behind the next return that misses",
	"x / X             on, or back, to behind what a shadow stack, or branch",
	"                  tracking, would refuse",
	"r                 run, event by event; any key stops it",
	"g                 go to a round: its number, then enter",
	"0, home / $, end  to the start, to the end",
	"c / C             another CPU, or the one before it, at the same place",
	"w                 why: all that is known of the miss that happened last",
	"q                 quit",
	"",
	"RSB               what the next returns are predicted to do, the first on top;",
	"                  the number is the slot; in brackets: popped before, stale",
	"real stack        where they will go. *: rewritten since the call; +: no call",
	"                  pushed it. A row whose two sides differ is a miss to come,",
	"                  unless code changes it before",
};

static void draw_help(const struct rsb_area *area)
{
	rsb_area_text(area, 0, 0, RSB_SCREEN_TITLE, "Keys");
	for (unsigned i = 0; i < sizeof(help) / sizeof(*help); i++)
		rsb_area_text(area, i + 2, 2, RSB_SCREEN_PLAIN, "%s", help[i]);
}

static void draw_sides(const struct cli_stepper *stepper, const struct rsb_area *area)
{
	unsigned width = (area->columns - GAP * (unsigned)(stepper->side_count - 1)) /
			 (unsigned)stepper->side_count;

	for (size_t i = 0; i < stepper->side_count; i++) {
		unsigned column = (unsigned)i * (width + GAP);
		struct rsb_area side = rsb_area_part(area, 0, column, area->rows, width);

		if (i)
			rsb_area_down(area, column - 2);
		if (stepper->mode == CLI_STEPPER_WHY)
			rsb_view_why(&side, &stepper->cursors[i]);
		else
			rsb_view_draw(&side, &stepper->cursors[i]);
	}
}

static void draw_last_row(const struct cli_stepper *stepper, const struct rsb_area *area)
{
	unsigned row = area->rows - 1;
	const char *keys =
		"n next  p prev  m miss  s step  b back  g round  c CPU  w why  ? help  q quit";

	if (stepper->mode == CLI_STEPPER_ROUND)
		rsb_area_text(area, row, 0, RSB_SCREEN_NOTE, "round: %s_", stepper->typed);
	else if (*stepper->message)
		rsb_area_cut(area, row, 0, area->columns, RSB_SCREEN_NOTE, stepper->message);
	else if (stepper->running)
		rsb_area_text(area, row, 0, RSB_SCREEN_NOTE, "running; any key stops it");
	else if (stepper->mode == CLI_STEPPER_HELP || stepper->mode == CLI_STEPPER_WHY)
		rsb_area_text(area, row, 0, RSB_SCREEN_NOTE, "any key: back to the code");
	else
		rsb_area_cut(area, row, 0, area->columns, RSB_SCREEN_NOTE, keys);
}

void cli_stepper_draw(const struct cli_stepper *stepper, struct rsb_screen *screen)
{
	struct rsb_area area = rsb_screen_area(screen), rest;
	unsigned columns = (RSB_VIEW_COLUMNS + GAP) * (unsigned)stepper->side_count - GAP;

	memset(screen->cells, 0, (size_t)screen->rows * screen->columns * sizeof(*screen->cells));
	if (area.rows < RSB_VIEW_ROWS + 1 || area.columns < columns) {
		unsigned row = rsb_area_wrap(&area, 0, RSB_SCREEN_PLAIN, "This is too small.");

		rsb_area_text(&area, row, 0, RSB_SCREEN_PLAIN, "Needed: %ux%u", columns,
			      RSB_VIEW_ROWS + 1);
		return;
	}
	rest = rsb_area_part(&area, 0, 0, area.rows - 1, area.columns);
	if (stepper->mode == CLI_STEPPER_HELP)
		draw_help(&rest);
	else
		draw_sides(stepper, &rest);
	draw_last_row(stepper, &area);
}
