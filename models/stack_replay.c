/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounded return stack over many events. Where calls only push and returns only pop, the stack
 * is kept as the sites of its entries, with the pointer in registers; four such models go side by
 * side, one in each lane of a vector, so that they share the reading of the events and the host's
 * mispredicted branches. All else is left to the plain functions.
 */
#include "models/stack.h"

#include "models/step.h"

#define GROUP 4

/* What a stack met. */
enum { OVERFLOW = 1, UNDERFLOW = 2 };

/* What only the plain functions do. */
#define RARE_KINDS                                                                              \
	(RSB_KIND_BIT(RSB_SWAP) | RSB_KIND_BIT(RSB_ENVIRONMENT) | RSB_KIND_BIT(RSB_SPECULATE) | \
	 RSB_KIND_BIT(RSB_SQUASH))

typedef int32_t four __attribute__((vector_size(GROUP * sizeof(int32_t))));

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
	       !stack->spacing && !stack->quirk && !stack->indirect;
}

/* From entries to sites. False: an entry is not of this site table. */
static bool pack(struct rsb_stack *stack, const struct rsb_batch *batch)
{
	for (uint32_t i = 0; i < stack->depth; i++) {
		const struct rsb_stack_entry *entry = &stack->entries[i];

		stack->sites[i] = entry->pushes ? entry->pushed_by : RSB_SITE_NONE;
		if (entry->pushes &&
		    (entry->pushed_by >= batch->site_count ||
		     batch->sites[entry->pushed_by].fall_through != entry->address))
			return false;
	}
	return true;
}

static void unpack(struct rsb_stack *stack, const struct rsb_batch *batch)
{
	for (uint32_t i = 0; i < stack->depth; i++) {
		uint32_t site = stack->sites[i];

		if (site != RSB_SITE_NONE)
			stack->entries[i] =
				(struct rsb_stack_entry){ batch->sites[site].fall_through, site,
							  1 };
	}
}

/* Does the entry that this site pushed predict the target? */
static inline bool hits(const struct rsb_site *table, uint32_t site, uint32_t target)
{
	return site != RSB_SITE_NONE && table[site].fall_through_id == target;
}

static __attribute__((noinline)) void miss(struct rsb_lane *lane, const struct rsb_batch *batch,
					   const struct rsb_event *event, uint32_t site, bool valid,
					   bool held)
{
	struct rsb_prediction prediction = { .valid = false };

	if (valid && site != RSB_SITE_NONE)
		prediction = (struct rsb_prediction){ true, !held, site,
						      batch->sites[site].fall_through };
	lane->missed[lane->misses++] =
		rsb_miss_of(&prediction, batch->first + (uint32_t)(event - batch->events));
}

/*
 * One model from at on. Returns where it stopped: at the end, or before an event for the plain
 * functions. checked is a constant where this is called, so that no event has to ask for it.
 */
static inline __attribute__((always_inline)) size_t run_one(struct rsb_lane *lane,
							    const struct rsb_batch *batch,
							    size_t at, bool checked)
{
	struct rsb_stack *stack = lane->state;
	const struct rsb_event *end = batch->events + batch->count;
	const struct rsb_event *event = batch->events + at;
	const struct rsb_site *table = batch->sites;
	uint32_t *sites = stack->sites;
	uint32_t top = stack->top, held = stack->held, last = stack->depth - 1;
	uint32_t edges = 0;

	for (; event < end; event++) {
		const struct rsb_site *site = &table[event->site];

		if (site->kind == RSB_CALL && !(site->flags & RSB_SITE_ZERO_CALL)) {
			top = top == last ? 0 : top + 1;
			sites[top] = event->site;
			edges |= held > last ? OVERFLOW : 0;
			held += held <= last;
		} else if (site->kind == RSB_RETURN) {
			bool moves = !checked || held;

			if (!moves || !hits(table, sites[top], event->target))
				miss(lane, batch, event, sites[top], moves, held);
			edges |= held ? 0 : UNDERFLOW;
			top -= moves;
			top = top > last ? last : top;
			held -= held > 0;
		} else if (site->kind == RSB_CALL || (RARE_KINDS & RSB_KIND_BIT(site->kind))) {
			break;
		}
	}
	stack->top = top;
	stack->held = held;
	stack->exercised |= (edges & OVERFLOW ? stack->overflow_rows : 0) |
			    (edges & UNDERFLOW ? stack->underflow_rows : 0);
	return (size_t)(event - batch->events);
}

/* One copy of the loop for each of the two policies: together they would want too many registers. */
static __attribute__((noinline)) size_t run_stale(struct rsb_lane *lane,
						  const struct rsb_batch *batch, size_t at)
{
	return run_one(lane, batch, at, false);
}

static __attribute__((noinline)) size_t run_checked(struct rsb_lane *lane,
						    const struct rsb_batch *batch, size_t at)
{
	return run_one(lane, batch, at, true);
}

/* The same for four models at once. */
static size_t run_four(struct rsb_lane *const *lanes, const struct rsb_batch *batch, size_t at)
{
	four top, held, last, checked, overflow = { 0 }, underflow = { 0 };
	uint32_t *sites[GROUP];

	for (int i = 0; i < GROUP; i++) {
		const struct rsb_stack *stack = lanes[i]->state;

		sites[i] = stack->sites;
		top[i] = (int32_t)stack->top;
		held[i] = (int32_t)stack->held;
		last[i] = (int32_t)stack->depth - 1;
		checked[i] = -(stack->underflow == RSB_UNDERFLOW_NONE);
	}
	for (; at < batch->count; at++) {
		const struct rsb_event *event = &batch->events[at];
		const struct rsb_site *site = &batch->sites[event->site];

		if (site->kind == RSB_CALL && !(site->flags & RSB_SITE_ZERO_CALL)) {
			top = (top + 1) & ~(top == last);
			overflow |= held > last;
			held -= held <= last;
			for (int i = 0; i < GROUP; i++)
				sites[i][top[i]] = event->site;
		} else if (site->kind == RSB_RETURN) {
			four empty = held == 0, stays = empty & checked;

			for (int i = 0; i < GROUP; i++) {
				uint32_t newest = sites[i][top[i]];

				if (stays[i] || !hits(batch->sites, newest, event->target))
					miss(lanes[i], batch, event, newest, !stays[i], held[i]);
			}
			underflow |= empty;
			top += ~stays;
			top += (last + 1) & (top < 0);
			held -= 1 + empty;
		} else if (site->kind == RSB_CALL || (RARE_KINDS & RSB_KIND_BIT(site->kind))) {
			break;
		}
	}
	for (int i = 0; i < GROUP; i++) {
		struct rsb_stack *stack = lanes[i]->state;

		stack->top = (uint32_t)top[i];
		stack->held = (uint32_t)held[i];
		stack->exercised |= (overflow[i] ? stack->overflow_rows : 0) |
				    (underflow[i] ? stack->underflow_rows : 0);
	}
	return at;
}

static size_t run(struct rsb_lane *const *lanes, unsigned count, const struct rsb_batch *batch,
		  size_t at)
{
	const struct rsb_stack *stack = lanes[0]->state;

	if (count == GROUP)
		return run_four(lanes, batch, at);
	if (stack->underflow == RSB_UNDERFLOW_NONE)
		return run_checked(lanes[0], batch, at);
	return run_stale(lanes[0], batch, at);
}

static bool pack_all(struct rsb_lane *const *lanes, unsigned count, const struct rsb_batch *batch)
{
	for (unsigned i = 0; i < count; i++)
		if (!pack(lanes[i]->state, batch))
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
			at = run(lanes, count, batch, at);
			for (unsigned i = 0; i < count; i++)
				unpack(lanes[i]->state, batch);
		}
		end = batch->count - at < depth ? batch->count : at + depth;
		for (unsigned i = 0; i < count; i++)
			replay_plainly(lanes[i], batch, at, end);
		at = end;
	}
}

void rsb_stack_replay(struct rsb_lane *lanes, size_t count, const struct rsb_batch *batch)
{
	struct rsb_lane *group[GROUP];
	unsigned grouped = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_common(lanes[i].state)) {
			replay_plainly(&lanes[i], batch, 0, batch->count);
			continue;
		}
		group[grouped++] = &lanes[i];
		if (grouped == GROUP) {
			replay_common(group, GROUP, batch);
			grouped = 0;
		}
	}
	for (unsigned i = 0; i < grouped; i++)
		replay_common(&group[i], 1, batch);
}
