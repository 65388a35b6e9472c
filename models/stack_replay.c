/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounded return stack over many events: the fast loops where a call only pushes and a return
 * only pops, the plain functions for all else.
 */
#include "models/stack_run.h"

#include "models/step.h"

/* Events from at to end by predict and update. */
static void replay_plainly(struct rsb_lane *lane, const struct rsb_batch *batch, size_t at,
			   size_t end)
{
	struct rsb_stack *stack = lane->state;
	uint32_t predicts = stack->indirect ? RSB_STACK_PREDICTS : RSB_STACK_RETURNS;

	for (; at < end; at++) {
		struct rsb_step step = rsb_step_of(batch->sites, batch->events[at].site);
		uint64_t target = batch->addresses[batch->events[at].target];

		if (rsb_step_asks(&step, predicts))
			rsb_lane_resolve(lane, rsb_stack_predict(stack, &step), target,
					 batch->first + (uint32_t)at);
		if (RSB_STACK_KINDS & RSB_KIND_BIT(step.kind))
			rsb_stack_update(stack, &step, target);
	}
}

/* Is a call no more than a push, and a return no more than a pop? */
static bool is_common(const struct rsb_stack *stack)
{
	return stack->depth && stack->overflow == RSB_OVERFLOW_OVERWRITE &&
	       stack->underflow <= RSB_UNDERFLOW_NONE && stack->counter_max == 1 &&
	       !stack->spacing && !stack->in_flight && !stack->quirk && !stack->indirect;
}

static bool pack_all(struct rsb_lane *const *lanes, unsigned count, const struct rsb_batch *batch)
{
	for (unsigned i = 0; i < count; i++)
		if (!rsb_stack_pack(lanes[i]->state, batch))
			return false;
	return true;
}

static size_t deepest(struct rsb_lane *const *lanes, unsigned count)
{
	uint32_t depth = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct rsb_stack *stack = lanes[i]->state;

		depth = stack->depth > depth ? stack->depth : depth;
	}
	return depth;
}

/*
 * One or four common models. To pack and unpack costs as much as some depth events do: after a rare
 * event so many are replayed plainly, and fewer than that are not worth it.
 */
static void replay_common(struct rsb_lane *const *lanes, unsigned count,
			  const struct rsb_batch *batch)
{
	size_t depth = deepest(lanes, count);
	size_t at = 0;

	while (at < batch->count) {
		size_t end;

		if (batch->count - at >= depth && pack_all(lanes, count, batch)) {
			at = rsb_stack_run(lanes, count, batch, at);
			for (unsigned i = 0; i < count; i++)
				rsb_stack_unpack(lanes[i]->state, batch);
		}
		end = batch->count - at < depth ? batch->count : at + depth;
		for (unsigned i = 0; i < count; i++)
			replay_plainly(lanes[i], batch, at, end);
		at = end;
	}
}

void rsb_stack_replay(struct rsb_lane *lanes, size_t count, const struct rsb_batch *batch)
{
	struct rsb_lane *groups[2][RSB_STACK_GROUP]; /* of stale and of checked stacks */
	unsigned grouped[2] = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		const struct rsb_stack *stack = lanes[i].state;
		bool checked = stack->underflow == RSB_UNDERFLOW_NONE;

		if (!is_common(stack)) {
			replay_plainly(&lanes[i], batch, 0, batch->count);
			continue;
		}
		groups[checked][grouped[checked]++] = &lanes[i];
		if (grouped[checked] == RSB_STACK_GROUP) {
			replay_common(groups[checked], RSB_STACK_GROUP, batch);
			grouped[checked] = 0;
		}
	}
	for (int checked = 0; checked < 2; checked++)
		for (unsigned i = 0; i < grouped[checked]; i++)
			replay_common(&groups[checked][i], 1, batch);
}
