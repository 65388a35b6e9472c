/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounded return stack over many events. Calls and returns of a stack without the rarer
 * policies are done here, with the pointer in registers; all else is left to the plain functions.
 */
#include "models/stack.h"

#include "models/step.h"

/* One event as predict and update do it. */
static size_t replay_one(struct rsb_stack *stack, const struct rsb_site *sites,
			 const uint64_t *addresses, const struct rsb_event *event, uint32_t index,
			 struct rsb_miss *missed)
{
	struct rsb_step step = rsb_step_of(sites, event->site);
	uint32_t predicts = RSB_KIND_BIT(RSB_RETURN) | RSB_KIND_BIT(RSB_SWAP);
	uint64_t target = addresses[event->target];
	size_t misses = 0;

	if (stack->indirect)
		predicts = RSB_STACK_PREDICTS;
	if (rsb_step_asks(&step, predicts)) {
		struct rsb_prediction prediction = rsb_stack_predict(stack, &step);

		if (!rsb_prediction_hits(&prediction, target))
			missed[misses++] = rsb_miss_of(&prediction, index);
	}
	if (RSB_STACK_KINDS & RSB_KIND_BIT(step.kind))
		rsb_stack_update(stack, &step, target);
	return misses;
}

/* Is a call no more than a push, and a return no more than a pop? */
static bool is_common(const struct rsb_stack *stack)
{
	return stack->depth && stack->overflow == RSB_OVERFLOW_OVERWRITE &&
	       stack->counter_max == 1 && !stack->spacing && !stack->quirk && !stack->indirect;
}

static size_t replay_common(struct rsb_stack *stack, const struct rsb_site *sites,
			    const uint64_t *addresses, const struct rsb_event *events, size_t count,
			    struct rsb_miss *missed)
{
	struct rsb_stack_entry *entries = stack->entries;
	uint32_t top = stack->top, held = stack->held, last = stack->depth - 1;
	bool zero_call_pushes = stack->zero_call_pushes;
	size_t misses = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rsb_site *site = &sites[events[i].site];

		if (site->kind == RSB_CALL &&
		    (zero_call_pushes || !(site->flags & RSB_SITE_ZERO_CALL))) {
			top = top == last ? 0 : top + 1;
			entries[top] =
				(struct rsb_stack_entry){ site->fall_through, events[i].site, 1 };
			if (held > last)
				stack->exercised |= stack->overflow_rows;
			else
				held++;
		} else if (site->kind == RSB_RETURN && held) {
			const struct rsb_stack_entry *newest = &entries[top];

			if (newest->address != addresses[events[i].target])
				missed[misses++] =
					(struct rsb_miss){ (uint32_t)i, newest->pushed_by,
							   newest->address, RSB_MISS_OTHER };
			top = top ? top - 1 : last;
			held--;
		} else {
			stack->top = top;
			stack->held = held;
			misses += replay_one(stack, sites, addresses, &events[i], (uint32_t)i,
					     missed + misses);
			top = stack->top;
			held = stack->held;
		}
	}
	stack->top = top;
	stack->held = held;
	return misses;
}

size_t rsb_stack_replay(void *state, const struct rsb_site *sites, const uint64_t *addresses,
			const struct rsb_event *events, size_t count, struct rsb_miss *missed)
{
	struct rsb_stack *stack = state;
	size_t misses = 0;

	if (is_common(stack))
		return replay_common(stack, sites, addresses, events, count, missed);
	for (size_t i = 0; i < count; i++)
		misses += replay_one(stack, sites, addresses, &events[i], (uint32_t)i,
				     missed + misses);
	return misses;
}
