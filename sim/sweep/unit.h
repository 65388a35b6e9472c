/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a sweep that are replayed together: all depths of a return stack, or a few models. */
#ifndef RSB_SIM_SWEEP_UNIT_H
#define RSB_SIM_SWEEP_UNIT_H

#include "models/depths.h"
#include "sim/score/trace_replay.h"
#include "sim/sweep/sweep.h"

#define RSB_UNIT_MODELS 16 /* what one pass of models takes at once */

/* Events of one thread. */
struct rsb_sweep_segment {
	uint64_t id;   /* of the thread in the trace */
	size_t thread; /* its number, from 0 */
	size_t first, count;
};

/* What is replayed at once. */
struct rsb_sweep_buffer {
	const struct rsb_sites *sites;
	struct rsb_event *events;
	uint8_t *unjudged; /* for each event: is it a return that cannot be judged? */
	struct rsb_sweep_segment *segments;
	size_t count, segment_count;
};

struct rsb_sweep_unit {
	size_t first, count; /* rows */

	/* All depths: the parameters but for the depth, and the stacks of each thread. */
	const struct rsb_model_type *type; /* NULL: these are models */
	int64_t values[RSB_PARAMETERS_MAX];
	uint32_t *depth_of; /* of each row */
	uint32_t deepest;
	struct rsb_depths **depths;
	size_t threads;

	/* Models. */
	struct rsb_trace_replay *replay;
	uint64_t *misses; /* of each row */
};

/*
 * The unit that begins at row, of at most so many models. False: error; it is still to be cleared.
 */
bool rsb_sweep_unit_make(struct rsb_sweep_unit *unit, const struct rsb_sweep *sweep, size_t row,
			 size_t models, struct rsb_error *error);
void rsb_sweep_unit_clear(struct rsb_sweep_unit *unit);

bool rsb_sweep_unit_replay(struct rsb_sweep_unit *unit, const struct rsb_sweep_buffer *buffer,
			   struct rsb_error *error);

/* Misses of its row number index, all threads together. */
uint64_t rsb_sweep_unit_misses(const struct rsb_sweep_unit *unit, size_t index);

#endif
