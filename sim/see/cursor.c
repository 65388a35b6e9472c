/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moving through a recording. */
#include "sim/see/cursor.h"

#include <stdlib.h>

/* The most places of the program's stack that are ever used. */
static size_t find_room(const struct rsb_recording *recording)
{
	size_t room = 1;

	for (size_t i = 0; i < recording->frame_change_count; i++)
		if (recording->frame_changes[i].index >= room)
			room = recording->frame_changes[i].index + 1;
	return room;
}

bool rsb_cursor_open(struct rsb_cursor *cursor, const struct rsb_recording *recording)
{
	*cursor = (struct rsb_cursor){
		.recording = recording,
		.top = recording->top,
		.frame_room = find_room(recording),
	};
	cursor->slots = calloc(recording->slot_count + 1, sizeof(*cursor->slots));
	cursor->frames = calloc(cursor->frame_room, sizeof(*cursor->frames));
	return cursor->slots && cursor->frames;
}

void rsb_cursor_close(struct rsb_cursor *cursor)
{
	free(cursor->slots);
	free(cursor->frames);
}

static const struct rsb_recorded_event *current(const struct rsb_cursor *cursor)
{
	return cursor->event < cursor->recording->event_count
		       ? &cursor->recording->events[cursor->event]
		       : NULL;
}

const struct rsb_recorded_event *rsb_cursor_last(const struct rsb_cursor *cursor)
{
	return cursor->event ? &cursor->recording->events[cursor->event - 1] : NULL;
}

static void set_frame(struct rsb_cursor *cursor, uint32_t index, uint32_t frame)
{
	cursor->frames[index] = frame;
	while (cursor->frame_count < cursor->frame_room && cursor->frames[cursor->frame_count])
		cursor->frame_count++;
	while (cursor->frame_count && !cursor->frames[cursor->frame_count - 1])
		cursor->frame_count--;
}

/* Applies, or undoes, the changes of the program's stack that come with a step. */
static void change_frames(struct rsb_cursor *cursor, const struct rsb_recorded_event *event,
			  uint32_t step, bool forwards)
{
	const struct rsb_frame_change *changes =
		&cursor->recording->frame_changes[event->first_frame_change];

	for (uint32_t i = 0; i < event->frame_changes; i++) {
		const struct rsb_frame_change *change =
			&changes[forwards ? i : event->frame_changes - 1 - i];

		if (change->step == step)
			set_frame(cursor, change->index, forwards ? change->after : change->before);
	}
}

/* How indirect jumps and calls fare is another matter. */
static bool is_return(const struct rsb_recording *recording, const struct rsb_recorded_event *event)
{
	uint8_t kind = recording->sites[event->site].kind;

	return kind == RSB_RETURN || kind == RSB_SWAP;
}

static void count(struct rsb_cursor *cursor, const struct rsb_recorded_event *event, int by)
{
	struct rsb_cursor_counts *counts = &cursor->counts;

	if (!is_return(cursor->recording, event))
		return;
	counts->returns += (uint32_t)by;
	if (!event->missed)
		counts->hits += (uint32_t)by;
	else if (event->inside)
		counts->inside += (uint32_t)by;
	else
		counts->callers += (uint32_t)by;
	if (event->missed && event->intended)
		counts->intended += (uint32_t)by;
}

/* What the event does to the return stack, or the same undone. */
static void change_slots(struct rsb_cursor *cursor, const struct rsb_recorded_event *event,
			 bool forwards)
{
	const struct rsb_slot_change *changes =
		&cursor->recording->slot_changes[event->first_slot_change];

	for (uint32_t i = 0; i < event->slot_changes; i++)
		cursor->slots[changes[i].index] = forwards ? changes[i].after : changes[i].before;
	cursor->top = forwards ? event->top_after : event->top_before;
	count(cursor, event, forwards ? 1 : -1);
}

static bool step(struct rsb_cursor *cursor)
{
	const struct rsb_recorded_event *event = current(cursor);

	if (!event)
		return false;
	if (!cursor->step)
		change_frames(cursor, event, 0, true);
	if (event->steps)
		change_frames(cursor, event, ++cursor->step, true);
	if (cursor->step < event->steps)
		return true;
	change_slots(cursor, event, true);
	cursor->event++;
	cursor->step = 0;
	return true;
}

static bool step_back(struct rsb_cursor *cursor)
{
	const struct rsb_recorded_event *event;

	if (!cursor->step) {
		if (!cursor->event)
			return false;
		event = &cursor->recording->events[--cursor->event];
		change_slots(cursor, event, false);
		cursor->step = event->steps;
	} else {
		event = current(cursor);
	}
	if (event->steps)
		change_frames(cursor, event, cursor->step--, false);
	if (!cursor->step)
		change_frames(cursor, event, 0, false);
	return true;
}

void rsb_cursor_seek(struct rsb_cursor *cursor, size_t event, uint32_t at)
{
	while (cursor->event < event || (cursor->event == event && cursor->step < at))
		if (!step(cursor))
			break;
	while (cursor->event > event || (cursor->event == event && cursor->step > at))
		if (!step_back(cursor))
			break;
}

static bool is_call_or_return(const struct rsb_recording *recording, size_t event)
{
	return recording->sites[recording->events[event].site].kind == RSB_CALL ||
	       is_return(recording, &recording->events[event]);
}

static bool is_miss(const struct rsb_recording *recording, size_t event)
{
	return recording->events[event].missed && is_return(recording, &recording->events[event]);
}

static bool is_refused(const struct rsb_recording *recording, size_t event)
{
	return recording->events[event].refused != RSB_REFUSED_NOT;
}

static bool is_event(const struct rsb_recording *recording, size_t event)
{
	(void)recording;
	(void)event;
	return true;
}

typedef bool wanted(const struct rsb_recording *recording, size_t event);

static bool go_on(struct rsb_cursor *cursor, wanted *is_wanted)
{
	for (size_t i = cursor->event; i < cursor->recording->event_count; i++) {
		if (!is_wanted(cursor->recording, i))
			continue;
		rsb_cursor_seek(cursor, i + 1, 0);
		return true;
	}
	return false;
}

/* The event behind us is where we are, unless instructions were run since. */
static bool go_back(struct rsb_cursor *cursor, wanted *is_wanted)
{
	for (size_t i = cursor->event; i-- > 0;) {
		if (!is_wanted(cursor->recording, i) || (i + 1 == cursor->event && !cursor->step))
			continue;
		rsb_cursor_seek(cursor, i + 1, 0);
		return true;
	}
	return false;
}

/* Goes to the start if nothing of the kind comes before. */
static bool go_back_or_start(struct rsb_cursor *cursor, wanted *is_wanted)
{
	if (go_back(cursor, is_wanted))
		return true;
	return rsb_cursor_move(cursor, RSB_MOVE_START);
}

bool rsb_cursor_move(struct rsb_cursor *cursor, enum rsb_move move)
{
	bool at_start = !cursor->event && !cursor->step;
	bool at_end = cursor->event == cursor->recording->event_count;

	switch (move) {
	case RSB_MOVE_STEP:
		return step(cursor);
	case RSB_MOVE_BACK:
		return step_back(cursor);
	case RSB_MOVE_NEXT:
		return go_on(cursor, is_call_or_return);
	case RSB_MOVE_PREVIOUS:
		return go_back_or_start(cursor, is_call_or_return);
	case RSB_MOVE_NEXT_MISS:
		return go_on(cursor, is_miss);
	case RSB_MOVE_PREVIOUS_MISS:
		return go_back(cursor, is_miss);
	case RSB_MOVE_NEXT_REFUSED:
		return go_on(cursor, is_refused);
	case RSB_MOVE_PREVIOUS_REFUSED:
		return go_back(cursor, is_refused);
	case RSB_MOVE_EVENT:
		return go_on(cursor, is_event);
	case RSB_MOVE_START:
		rsb_cursor_seek(cursor, 0, 0);
		return !at_start;
	case RSB_MOVE_END:
		rsb_cursor_seek(cursor, SIZE_MAX, 0);
		return !at_end;
	}
	return false;
}

bool rsb_cursor_round(struct rsb_cursor *cursor, uint64_t round)
{
	if (round >= cursor->recording->round_count)
		return false;
	rsb_cursor_seek(cursor, cursor->recording->rounds[round].first, 0);
	return true;
}

size_t rsb_cursor_in_round(const struct rsb_cursor *cursor)
{
	const struct rsb_recorded_event *event = current(cursor);

	if (!event)
		event = rsb_cursor_last(cursor);
	return event ? event->round : 0;
}

uint32_t rsb_cursor_line(const struct rsb_cursor *cursor)
{
	const struct rsb_recorded_event *event = current(cursor);

	if (!event)
		return RSB_RECORDING_NONE;
	/* Nothing is run for what comes from outside: the code goes on with the event after it. */
	while (!event->steps &&
	       event + 1 < cursor->recording->events + cursor->recording->event_count)
		event++;
	return event->steps
		       ? cursor->recording->paths[event->path +
						  (event == current(cursor) ? cursor->step : 0)]
		       : RSB_RECORDING_NONE;
}

size_t rsb_cursor_slot(const struct rsb_cursor *cursor, size_t below)
{
	size_t count = cursor->recording->slot_count;

	return (cursor->top + count - below) % count;
}
