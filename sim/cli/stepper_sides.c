/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping two layouts together. */
#include "sim/cli/stepper.h"

#include <stdlib.h>

uint32_t *cli_sides_progress(const struct rsb_recording *recording)
{
	uint32_t *progress = calloc(recording->event_count + 1, sizeof(*progress));

	for (size_t i = 0; progress && i < recording->event_count; i++) {
		const struct rsb_recorded_event *event = &recording->events[i];

		progress[i + 1] = progress[i] + (!event->inside || event->landing);
	}
	return progress;
}

static uint32_t progress_at(const struct cli_stepper *stepper, size_t side)
{
	return stepper->progress[side][stepper->cursors[side].event];
}

/* Brings a side to where the other's progress is, as long as its own run goes. */
static void follow(struct cli_stepper *stepper, size_t side, uint32_t progress)
{
	struct rsb_cursor *cursor = &stepper->cursors[side];
	const uint32_t *own = stepper->progress[side];
	size_t event = 0;

	if (own[cursor->event] == progress)
		return;
	while (event < cursor->recording->event_count && own[event] < progress)
		event++;
	rsb_cursor_seek(cursor, event, 0);
}

/* To the miss, or what is refused, that comes first, of any side; the others come along. */
static bool move_to_first(struct cli_stepper *stepper, enum rsb_move move)
{
	struct rsb_cursor *cursors = stepper->cursors;
	bool moved[CLI_SIDES] = { false }, any = false;
	bool forwards = move == RSB_MOVE_NEXT_MISS || move == RSB_MOVE_NEXT_REFUSED;
	size_t from[CLI_SIDES] = { 0 };
	uint32_t step[CLI_SIDES] = { 0 }, best = 0;

	for (size_t i = 0; i < stepper->side_count; i++) {
		uint32_t progress;

		from[i] = cursors[i].event;
		step[i] = cursors[i].step;
		moved[i] = rsb_cursor_move(&cursors[i], move);
		progress = progress_at(stepper, i);
		if (moved[i] && (!any || (forwards ? progress < best : progress > best)))
			best = progress;
		any |= moved[i];
	}
	for (size_t i = 0; any && i < stepper->side_count; i++) {
		if (moved[i] && progress_at(stepper, i) == best)
			continue;
		rsb_cursor_seek(&cursors[i], from[i], step[i]);
		follow(stepper, i, best);
	}
	return any;
}

bool cli_sides_move(struct cli_stepper *stepper, enum rsb_move move)
{
	bool back = move == RSB_MOVE_BACK || move == RSB_MOVE_PREVIOUS, moved = false;
	bool all = move == RSB_MOVE_START || move == RSB_MOVE_END;
	uint32_t at[CLI_SIDES] = { 0 }, last;

	if (move == RSB_MOVE_NEXT_MISS || move == RSB_MOVE_PREVIOUS_MISS ||
	    move == RSB_MOVE_NEXT_REFUSED || move == RSB_MOVE_PREVIOUS_REFUSED)
		return move_to_first(stepper, move);
	for (size_t i = 0; i < stepper->side_count; i++)
		at[i] = progress_at(stepper, i);
	/* The one that is behind moves, or both if none is. */
	last = at[0];
	for (size_t i = 1; i < stepper->side_count; i++)
		if (back ? at[i] > last : at[i] < last)
			last = at[i];
	for (size_t i = 0; i < stepper->side_count; i++)
		if (all || at[i] == last)
			moved |= rsb_cursor_move(&stepper->cursors[i], move);
	/* One that is at its end does not keep the other from going on. */
	for (size_t i = 0; !moved && i < stepper->side_count; i++)
		moved |= rsb_cursor_move(&stepper->cursors[i], move);
	return moved;
}
