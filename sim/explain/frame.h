/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept of the frames: for each call and return of a round, in their order, what it was
 * about. A place is a number among the calls and returns of a round, from 0.
 */
#ifndef RSB_SIM_EXPLAIN_FRAME_H
#define RSB_SIM_EXPLAIN_FRAME_H

#include "sim/explain/frames.h"

#define RSB_PLACE_NONE UINT32_MAX

/* A frame is named by the call that made it. */
struct rsb_frame_name {
	uint32_t round, place; /* place RSB_PLACE_NONE: no frame */
};

/* A return; all zeros but for the name of a call's. */
struct rsb_frame_step {
	struct rsb_frame_name answers; /* the frame at the slot that it took its target from */
	uint64_t culprit; /* what stored the target there, unless the frame's call did; else 0 */
};

/* The stack pointer moved over a frame's slot, or the stack that it is on was left. */
struct rsb_frame_move {
	struct rsb_frame_name frame;
	uint64_t culprit; /* the instruction; 0: the stack pointer came back below the slot */
	uint32_t place;   /* before that call or return */
	bool for_good;    /* no return took the frame afterwards */
};

/* An instruction that accounts for a call or a return in software. */
struct rsb_frame_account {
	uint64_t pc;
	uint32_t place;  /* before that call or return */
	bool is_return;  /* shlq; else sarq */
	bool after_call; /* it is where a call went to */
};

struct rsb_frame_round {
	struct rsb_frame_step *steps;
	size_t step_count;
	struct rsb_frame_move *moves;
	size_t move_count;
	struct rsb_frame_account *accounts;
	size_t account_count;
};

const struct rsb_image *rsb_frames_image(const struct rsb_frames *frames);
const struct rsb_run *rsb_frames_run(const struct rsb_frames *frames);

/* Rounds that can be told; UINT64_MAX: all. */
uint64_t rsb_frames_reach(const struct rsb_frames *frames);

/* Which of the watched rounds is like that round, and what is known of a watched round. */
size_t rsb_frames_like(const struct rsb_frames *frames, uint64_t round);
const struct rsb_frame_round *rsb_frames_round(const struct rsb_frames *frames, size_t watched);

/* How many rounds back a return's frame was made, at the most. */
uint64_t rsb_frames_back(const struct rsb_frames *frames);

#endif
