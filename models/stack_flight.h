/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls in flight: the newest calls of a bounded return stack, as many as in_flight says, that have
 * entries of their own beside it. The stack itself is as the events before them left it: an entry
 * takes its place there when in_flight more calls were made, or at a mispredicted return, and only
 * then do the returns behind it take theirs. A return that is predicted takes the newest call in
 * flight that none has taken, or else what stands below the entries already taken.
 *
 * So a chain of calls returns as if the stack were in_flight entries deeper, as long as nothing
 * mispredicts; code that calls and returns before it goes up, or that mispredicts, has the stack's
 * own depth and no more. Measured of Raptor Cove by this project (doc/native.md); XiangShan is
 * built like this (frontend/newRAS.scala: a queue of RasSpecSize calls that are not committed,
 * before a stack of RasSize). A real processor commits by time, which is not simulated; here only
 * calls count.
 */
#ifndef RSB_MODELS_STACK_FLIGHT_H
#define RSB_MODELS_STACK_FLIGHT_H

#include "models/stack.h"

/* These two are for a stack that can have calls in flight, the others for any. */
void rsb_stack_flight_call(struct rsb_stack *stack, uint64_t address, uint32_t pushed_by);
void rsb_stack_flight_return(struct rsb_stack *stack, bool hit);

/* All calls in flight take their place in the stack, and the returns theirs. */
void rsb_stack_flight_land(struct rsb_stack *stack);

/* The newest call in flight that no return has taken. NULL: none. */
struct rsb_stack_flight *rsb_stack_flight_newest(const struct rsb_stack *stack);

bool rsb_stack_flight_same(const struct rsb_stack *a, const struct rsb_stack *b);

/*
 * See slots in models/model.h: a place for each entry there can be, in a ring of them all. Without
 * calls in flight rsb_stack_slots() has the stack's own.
 */
size_t rsb_stack_flight_slots(const struct rsb_stack *stack, struct rsb_slot *slots, size_t room,
			      size_t *top);

#endif
