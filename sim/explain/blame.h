/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whom to blame for a return that the ideal stack, or only the real one, predicts wrongly. */
#ifndef RSB_SIM_EXPLAIN_BLAME_H
#define RSB_SIM_EXPLAIN_BLAME_H

#include "sim/explain/lifo.h"
#include "sim/explain/walk.h"

/* A call whose frame may still be returned to. */
struct rsb_walk_frame {
	uint64_t entry;    /* its entry's index; RSB_ENTRY_NONE: it is not on the stack */
	uint64_t left_by;  /* the instruction that left it last; 0: none */
	uint32_t site;     /* of the call */
	uint32_t taken_by; /* the origin whose return popped its entry; RSB_ORIGIN_NONE: none */
	bool pushed;       /* it made an entry */
};

/* The frames of one round, by the places of their calls. */
struct rsb_walk_row {
	struct rsb_walk_frame *frames;
	size_t room;
};

struct rsb_walk_state {
	const struct rsb_walk *walk;
	const struct rsb_image *image;
	const struct rsb_run *run;
	const struct rsb_site *sites;
	const uint64_t *addresses;
	struct rsb_origins *origins;
	struct rsb_lifo lifo;
	struct rsb_model *model;
	struct rsb_miss *missed;
	struct rsb_walk_row *rows; /* of the newest rounds, that of a round at round % row_count */
	size_t row_count;
	bool zero_call_pushes;
	bool crowds;        /* a full stack gives up more, or other, than its oldest entry */
	bool quirk;         /* a return that misses puts it out of place */
	uint64_t missed_at; /* the return that missed last; 0: none */
	bool failed;        /* no memory */

	/* The round under way. */
	uint64_t round;
	size_t watched; /* the watched round that is like it */
	uint32_t place;
	size_t move;
	bool inside;
};

/* A return, and what it met. */
struct rsb_meeting {
	const struct rsb_frame_step *step;
	uint32_t site;
	uint64_t target;
	struct rsb_walk_frame *own; /* the frame that it answers; NULL: none */
	struct rsb_entry entry;     /* that it popped */
	uint64_t index;
	uint32_t clobbered_by;
	bool popped; /* there was one */
};

/* Is the round under way one of the steady ones? */
static inline bool rsb_walk_is_steady(const struct rsb_walk_state *s)
{
	return s->round >= s->walk->from;
}

/*
 * The origin of this cause at the instruction at culprit, about the entry that the call pushed;
 * that of the mitigation, where either is part of one. RSB_ORIGIN_NONE: no memory, and s->failed
 * is set.
 */
uint32_t rsb_blame_at(struct rsb_walk_state *s, enum rsb_cause cause, uint64_t culprit,
		      uint32_t call);

/* Why the entry on top does not say where the return goes. RSB_ORIGIN_NONE: it does. */
uint32_t rsb_blame_return(struct rsb_walk_state *s, const struct rsb_meeting *m);

/* Enters a miss where it belongs; origin is what rsb_blame_return() said. */
void rsb_blame_miss(struct rsb_walk_state *s, const struct rsb_meeting *m,
		    const struct rsb_miss *miss, uint32_t origin);

#endif
