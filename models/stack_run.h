/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loops over calls that only push and returns that only pop. For these, the entries are packed:
 * a word each, in ids of the batch's tables.
 */
#ifndef RSB_MODELS_STACK_RUN_H
#define RSB_MODELS_STACK_RUN_H

#include "models/stack.h"

#define RSB_STACK_GROUP 4 /* models that go side by side */

/* False: an entry is not of the batch's site table. */
bool rsb_stack_pack(struct rsb_stack *stack, const struct rsb_batch *batch);
void rsb_stack_unpack(struct rsb_stack *stack, const struct rsb_batch *batch);

/*
 * Replays the batch from event at on, by one packed stack or by a whole group, all of which are
 * checked or none. Returns where it stopped: at the end, or before an event for the plain
 * functions.
 */
size_t rsb_stack_run(struct rsb_lane *const *lanes, unsigned count, const struct rsb_batch *batch,
		     size_t at);

#endif
