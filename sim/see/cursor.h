/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cursor: a place in a recording, and the state there. It moves by applying the differences of
 * the recording, or undoing them, so that back is as quick as forwards.
 *
 * The place is before an instruction: that of number step among those of an event. What the event
 * does to the return stack is done with its last instruction.
 */
#ifndef RSB_SIM_SEE_CURSOR_H
#define RSB_SIM_SEE_CURSOR_H

#include "sim/see/recording.h"

/* What happened up to the place. */
struct rsb_cursor_counts {
	uint32_t returns, hits;
	uint32_t inside, callers; /* returns that missed */
	uint32_t intended;        /* of these, what a mitigation wants */
};

struct rsb_cursor {
	const struct rsb_recording *recording;
	size_t event;  /* the next one; the count of them: the end */
	uint32_t step; /* instructions of it that were run */

	uint32_t *slots;  /* entries */
	uint32_t *frames; /* frames, the outermost first; frame_count of them are there */
	size_t top, frame_count, frame_room;
	struct rsb_cursor_counts counts;
};

enum rsb_move {
	RSB_MOVE_STEP,             /* one instruction */
	RSB_MOVE_BACK,             /* one instruction back */
	RSB_MOVE_NEXT,             /* behind the next call or return */
	RSB_MOVE_PREVIOUS,         /* back behind the call or return before the one behind us */
	RSB_MOVE_NEXT_MISS,        /* behind the next return that misses */
	RSB_MOVE_PREVIOUS_MISS,    /* back behind the one before */
	RSB_MOVE_NEXT_REFUSED,     /* behind the next event that enforcement would refuse */
	RSB_MOVE_PREVIOUS_REFUSED, /* back behind the one before */
	RSB_MOVE_EVENT,            /* behind the next event of any kind */
	RSB_MOVE_START,
	RSB_MOVE_END,
};

/* At the start. False: no memory. The recording must outlive it. */
bool rsb_cursor_open(struct rsb_cursor *cursor, const struct rsb_recording *recording);
void rsb_cursor_close(struct rsb_cursor *cursor);

/* Moves. False: there is nothing there to go to, and the cursor stays. */
bool rsb_cursor_move(struct rsb_cursor *cursor, enum rsb_move move);

/* Goes to a place; behind the end is the end. */
void rsb_cursor_seek(struct rsb_cursor *cursor, size_t event, uint32_t step);

/* Goes to the start of a round. False: there is none of that number. */
bool rsb_cursor_round(struct rsb_cursor *cursor, uint64_t round);

/* The event that happened last. NULL: none did yet. */
const struct rsb_recorded_event *rsb_cursor_last(const struct rsb_cursor *cursor);

/* The round that the place is in. */
size_t rsb_cursor_in_round(const struct rsb_cursor *cursor);

/* The number of the slot that is so many below the top; there are slots. */
size_t rsb_cursor_slot(const struct rsb_cursor *cursor, size_t below);

/* The line of the instruction that comes next; RSB_RECORDING_NONE: there is none. */
uint32_t rsb_cursor_line(const struct rsb_cursor *cursor);

#endif
