/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of all depths together (depths_replay.c says how it works), and of each apart. */
#ifndef RSB_MODELS_DEPTHS_STATE_H
#define RSB_MODELS_DEPTHS_STATE_H

#include "models/depths.h"
#include "models/stack.h"

#define RSB_DEPTHS_NOTHING (-1) /* in place of an address id; these are below 2^31 */

#define RSB_DEPTHS_LANES 4 /* depths that a vector takes at once */

struct rsb_depths {
	int64_t values[RSB_PARAMETERS_MAX];
	enum rsb_stack_underflow underflow;
	uint32_t deepest;
	int64_t top;   /* place of the newest entry */
	int64_t reach; /* highest top since the push to that place, or to one below it */
	struct rsb_indirect *indirect; /* NULL: none is needed */

	/*
	 * By place % size, which is a power of 2 above deepest; entries and excess twice over, so
	 * that the places above any one are next to each other.
	 */
	size_t size;
	int32_t *entries; /* id of the address last pushed there, or RSB_DEPTHS_NOTHING */
	int64_t *reached; /* of places below the top: what reach was when the top left them */
	int32_t *excess;  /* of places above: how far the top had been above, at their last pop */
	int32_t *kept;    /* of those, for each depth from 1 up to that: what the ring had there */
	size_t stride;    /* of kept, from place to place */

	/* Misses of that depth; of all depths above it; and of all up to it. */
	uint64_t *missed, *missed_deeper, *missed_empty;
	int32_t *missed_now; /* by depth - 1; not in missed yet */

	struct rsb_stack **stacks; /* one for each depth, from none on; NULL: not yet */
};

/* What the ring of that depth has in its slot for a place that was popped. */
static inline int32_t rsb_depths_entry(const struct rsb_depths *depths, int64_t place,
				       uint32_t depth)
{
	size_t index = (size_t)place & (depths->size - 1);

	return (int32_t)depth > depths->excess[index]
		       ? depths->entries[index]
		       : depths->kept[index * depths->stride + depth - 1];
}

/* All stacks are empty from here on. */
void rsb_depths_forget(struct rsb_depths *depths);

/*
 * A wrong path sets the tops of the stacks back, and then they have unlike entries: from there on
 * each is a stack of its own. batch may be NULL if nothing was pushed yet. False: no memory.
 */
bool rsb_depths_part(struct rsb_depths *depths, const struct rsb_batch *batch);
void rsb_depths_parted_free(struct rsb_depths *depths);

void rsb_depths_replay_parted(struct rsb_depths *depths, const struct rsb_batch *batch,
			      const uint8_t *unjudged);

#endif
