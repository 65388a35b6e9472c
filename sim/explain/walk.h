/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk: the rounds of a run on a model, with the ideal stack and the frames beside it, which
 * tell of each miss what it comes from.
 */
#ifndef RSB_SIM_EXPLAIN_WALK_H
#define RSB_SIM_EXPLAIN_WALK_H

#include "sim/explain/frame.h"
#include "sim/explain/origins.h"

struct rsb_walk {
	const struct rsb_frames *frames;
	const struct rsb_profile *profile;
	uint64_t from, end;    /* the steady rounds */
	struct rsb_told *told; /* NULL: nobody asks for each miss */
};

/* The misses one by one; finding is an origin here. */
struct rsb_told {
	struct rsb_told_miss *all;
	size_t count;
};

/* Walks rounds 0 up to end and enters the origins of all misses. False: error. */
bool rsb_walk_rounds(const struct rsb_walk *walk, struct rsb_origins *origins,
		     struct rsb_error *error);

#endif
