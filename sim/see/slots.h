/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slots of a model's return stack. A model that shows its own is asked for them; of any other,
 * a copy is popped until it has no more to say, which gives what its next returns would be
 * predicted as. These are laid out like a ring too: where the pointer moved is what changes least.
 */
#ifndef RSB_SIM_SEE_SLOTS_H
#define RSB_SIM_SEE_SLOTS_H

#include "models/model.h"

#define RSB_SLOTS_PROBED 64 /* slots of a model that does not show its own, at the most */

struct rsb_slots {
	struct rsb_slot *all;
	size_t count, top;
	bool exact;             /* the model's own */
	struct rsb_slot *found; /* room for what a copy gives, the next to be popped first */
};

/* depth: as rsb_profile_depth() has it. False: no memory. */
bool rsb_slots_open(struct rsb_slots *slots, const struct rsb_model *model, size_t depth);
void rsb_slots_close(struct rsb_slots *slots);

/* Looks at the model. next is a return that may come next. False: no memory. */
bool rsb_slots_look(struct rsb_slots *slots, const struct rsb_model *model,
		    const struct rsb_step *next);

bool rsb_slot_same(const struct rsb_slot *a, const struct rsb_slot *b);

#endif
