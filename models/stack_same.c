/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do two bounded return stacks behave alike? They are compared from the newest entry downwards,
 * only as far as can matter: a stack that gains an entry in each round becomes the same as it was.
 */
#include "models/stack_flight.h"

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many entries from the top can matter when code pops no more than depth of them. */
static size_t reach_of(const struct rsb_stack *stack, size_t depth)
{
	/* A call that makes no entry has its return pop another call's. */
	bool everything = stack->overflow == RSB_OVERFLOW_REFUSE || stack->spacing ||
			  stack->counter_max > 1;

	if (everything || depth == SIZE_MAX)
		return SIZE_MAX;
	/* The pop that is late comes on top, and the ones that are still to come. */
	return depth + stack->quirk + stack->below;
}

static bool same_held(const struct rsb_stack *a, const struct rsb_stack *b, size_t reach)
{
	/* These decide by how full the stack is; overwriting does not care how many are lost. */
	if (a->overflow != RSB_OVERFLOW_OVERWRITE)
		return a->held == b->held;
	return lesser(a->held, reach) == lesser(b->held, reach);
}

static bool same_entries(const struct rsb_stack *a, const struct rsb_stack *b, size_t reach)
{
	uint32_t visible = a->underflow == RSB_UNDERFLOW_STALE ? a->depth : a->held;
	uint32_t count = (uint32_t)lesser(reach, visible);

	for (uint32_t i = 0; i < count; i++) {
		const struct rsb_stack_entry *mine = rsb_stack_entry_at(a, i),
					     *other = rsb_stack_entry_at(b, i);

		if (mine->address != other->address || mine->pushed_by != other->pushed_by ||
		    mine->pushes != other->pushes)
			return false;
	}
	return true;
}

static bool same_mode(const struct rsb_stack *a, const struct rsb_stack *b)
{
	/* What a squash would bring back is not compared: rounds do not end on a wrong path. */
	if (a->repair != RSB_REPAIR_NONE && (a->wrong_paths || b->wrong_paths))
		return false;
	return a->shifted == b->shifted;
}

bool rsb_stack_same(const void *a, const void *b, size_t depth)
{
	const struct rsb_stack *left = a, *right = b;
	size_t reach = reach_of(left, depth);

	if (!same_mode(left, right) || !rsb_stack_flight_same(left, right) ||
	    !same_held(left, right, reach) || !same_entries(left, right, reach))
		return false;
	return !left->indirect || rsb_indirect_same(left->indirect, right->indirect);
}
