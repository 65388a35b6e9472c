/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The view of a cursor: the code, the return stack beside the program's stack, what happened last
 * and why, and the score so far. It fits itself to the area it is given.
 */
#ifndef RSB_SIM_SEE_VIEW_H
#define RSB_SIM_SEE_VIEW_H

#include "sim/see/cursor.h"
#include "sim/see/screen.h"

/* What a view needs at the least. */
#define RSB_VIEW_ROWS    12
#define RSB_VIEW_COLUMNS 38

void rsb_view_draw(const struct rsb_area *area, const struct rsb_cursor *cursor);

/* All that is known of the miss that happened last: its finding, in full. */
void rsb_view_why(const struct rsb_area *area, const struct rsb_cursor *cursor);

/* The parts of it. */
void rsb_view_code(const struct rsb_area *area, const struct rsb_cursor *cursor);
void rsb_view_stacks(const struct rsb_area *area, const struct rsb_cursor *cursor);
void rsb_view_event(const struct rsb_area *area, const struct rsb_cursor *cursor);

#endif
