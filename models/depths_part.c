/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Depths that go on apart, each as the stack that it is. */
#include "models/depths_state.h"

#include "models/step.h"

#include <stdlib.h>

/* The entries of one ring, the newest in its last slot; and how many of them it has not popped. */
static void copy_entries(const struct rsb_depths *depths, struct rsb_stack *stack,
			 const uint64_t *addresses)
{
	size_t mask = depths->size - 1;
	int64_t reach = depths->reach;
	bool held = true;

	for (uint32_t i = 0; i < stack->depth; i++) {
		int64_t place = depths->top - i, below;
		int32_t entry = depths->entries[(size_t)place & mask];
		bool intact = (int64_t)stack->depth > reach - place;

		held = held && intact && entry != RSB_DEPTHS_NOTHING;
		stack->held += held;
		if (!intact && depths->underflow == RSB_UNDERFLOW_STALE)
			entry = rsb_depths_entry(depths, place + stack->depth, stack->depth);
		if (entry != RSB_DEPTHS_NOTHING)
			stack->entries[stack->depth - 1 - i] =
				(struct rsb_stack_entry){ addresses[entry], RSB_SITE_NONE, 1 };
		below = depths->reached[(size_t)(place - 1) & mask];
		reach = reach > below ? reach : below;
	}
	stack->top = stack->depth ? stack->depth - 1 : 0;
}

bool rsb_depths_part(struct rsb_depths *depths, const struct rsb_batch *batch)
{
	struct rsb_error error;

	depths->stacks = calloc(depths->deepest + 1, sizeof(struct rsb_stack *));
	for (uint32_t depth = 0; depths->stacks && depth <= depths->deepest; depth++) {
		struct rsb_stack *stack;

		depths->values[RSB_STACK_DEPTH] = depth;
		stack = rsb_stack_create(depths->values, &error);
		if (!stack)
			return false;
		depths->stacks[depth] = stack;
		if (batch)
			copy_entries(depths, stack, batch->addresses);
		if (depths->indirect)
			rsb_indirect_assign(stack->indirect, depths->indirect);
	}
	return depths->stacks;
}

void rsb_depths_parted_free(struct rsb_depths *depths)
{
	for (uint32_t depth = 0; depths->stacks && depth <= depths->deepest; depth++)
		rsb_stack_destroy(depths->stacks[depth]);
	free(depths->stacks);
}

void rsb_depths_replay_parted(struct rsb_depths *depths, const struct rsb_batch *batch,
			      const uint8_t *unjudged)
{
	for (size_t at = 0; at < batch->count; at++) {
		const struct rsb_event *event = &batch->events[at];
		struct rsb_step step = rsb_step_of(batch->sites, event->site);
		uint64_t target = batch->addresses[event->target];
		bool judged = rsb_step_asks(&step, RSB_STACK_RETURNS) &&
			      !(unjudged && unjudged[at]);

		if (!(RSB_STACK_KINDS & RSB_KIND_BIT(step.kind)))
			continue;
		for (uint32_t depth = 0; depth <= depths->deepest; depth++) {
			struct rsb_stack *stack = depths->stacks[depth];

			if (judged) {
				struct rsb_prediction prediction = rsb_stack_predict(stack, &step);

				depths->missed[depth] += !rsb_prediction_hits(&prediction, target);
			}
			rsb_stack_update(stack, &step, target);
		}
	}
}
