/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounded return stack over many events. Where calls only push and returns only pop, the stack
 * is kept as words, with the pointer in registers; four such models go side by
 * side, one in each lane of a vector, so that they share the reading of the events and the host's
 * mispredicted branches. All else is left to the plain functions.
 */
#include "models/stack.h"

#include "models/step.h"

#define GROUP 4

/* What only the plain functions do; of calls, those that may not push. */
#define RARE_KINDS                                                                         \
	(RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_SWAP) | RSB_KIND_BIT(RSB_ENVIRONMENT) | \
	 RSB_KIND_BIT(RSB_SPECULATE) | RSB_KIND_BIT(RSB_SQUASH))

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

/* An entry in one word: the site that pushed it, and below it the id of its address. */
static inline uint64_t pack(uint32_t site, uint32_t address)
{
	return (uint64_t)site << 32 | address;
}

static inline uint32_t site_of(uint64_t packed)
{
	return (uint32_t)(packed >> 32);
}

static inline bool hits(uint64_t packed, uint32_t target)
{
	return (uint32_t)packed == target;
}

/*
 * Of a slot that never held anything, or for a stack that knows it is empty: all bits set, so that
 * it can be made without a branch. No site and no address has such an id.
 */
#define NOTHING UINT64_MAX

/* False: an entry is not of this site table. */
static bool pack_stack(struct rsb_stack *stack, const struct rsb_batch *batch)
{
	for (uint32_t i = 0; i < stack->depth; i++) {
		const struct rsb_stack_entry *entry = &stack->entries[i];

		stack->packed[i] = NOTHING;
		if (!entry->pushes)
			continue;
		if (entry->pushed_by >= batch->site_count ||
		    batch->sites[entry->pushed_by].fall_through != entry->address)
			return false;
		stack->packed[i] =
			pack(entry->pushed_by, batch->sites[entry->pushed_by].fall_through_id);
	}
	return true;
}

static void unpack_stack(struct rsb_stack *stack, const struct rsb_batch *batch)
{
	for (uint32_t i = 0; i < stack->depth; i++) {
		uint32_t site = site_of(stack->packed[i]);

		if (site != RSB_SITE_NONE)
			stack->entries[i] =
				(struct rsb_stack_entry){ batch->sites[site].fall_through, site,
							  1 };
	}
}

/* Apart from the loops, which have no registers to spare. */
static __attribute__((noinline)) void miss(struct rsb_lane *lane, const struct rsb_batch *batch,
					   const struct rsb_event *event, uint64_t packed,
					   bool held)
{
	struct rsb_prediction prediction = { .valid = false };

	if (packed != NOTHING)
		prediction = (struct rsb_prediction){ true, !held, site_of(packed),
						      batch->sites[site_of(packed)].fall_through };
	lane->missed[lane->misses++] =
		rsb_miss_of(&prediction, batch->first + (uint32_t)(event - batch->events));
}

static inline bool pushes(const struct rsb_site *site)
{
	return site->kind == RSB_CALL && !(site->flags & RSB_SITE_ZERO_CALL);
}

static void note(struct rsb_stack *stack, bool overflow, bool underflow)
{
	if (overflow)
		stack->exercised |= stack->overflow_rows;
	if (underflow)
		stack->exercised |= stack->underflow_rows;
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
	const struct rsb_site *sites = batch->sites;
	uint64_t *packed = stack->packed;
	uint32_t top = stack->top, held = stack->held, last = stack->depth - 1;
	uint32_t roomy = 1, filled = 1; /* for each push, each pop */

	for (; event < end; event++) {
		const struct rsb_site *site = &sites[event->site];

		if (pushes(site)) {
			uint32_t room = held <= last;

			top = top == last ? 0 : top + 1;
			packed[top] = pack(event->site, site->fall_through_id);
			held += room;
			roomy &= room;
		} else if (site->kind == RSB_RETURN) {
			uint32_t any = held > 0, moves = checked ? any : 1;
			uint64_t newest = packed[top] | ((uint64_t)moves - 1);

			if (!hits(newest, event->target))
				miss(lane, batch, event, newest, any);
			top -= moves;
			top = top > last ? last : top;
			held -= any;
			filled &= any;
		} else if (RARE_KINDS & RSB_KIND_BIT(site->kind)) {
			break;
		}
	}
	stack->top = top;
	stack->held = held;
	note(stack, !roomy, !filled);
	return (size_t)(event - batch->events);
}

/* The same for four models at once, all of them checked or none. */
static inline __attribute__((always_inline)) size_t run_four(struct rsb_lane *const *lanes,
							     const struct rsb_batch *batch,
							     size_t at, bool checked)
{
	const struct rsb_event *end = batch->events + batch->count;
	const struct rsb_event *event = batch->events + at;
	const struct rsb_site *sites = batch->sites;
	four top, held, last, overflow = { 0 }, underflow = { 0 };
	uint64_t *packed[GROUP];

	for (int i = 0; i < GROUP; i++) {
		const struct rsb_stack *stack = lanes[i]->state;

		packed[i] = stack->packed;
		top[i] = (int32_t)stack->top;
		held[i] = (int32_t)stack->held;
		last[i] = (int32_t)stack->depth - 1;
	}
	for (; event < end; event++) {
		const struct rsb_site *site = &sites[event->site];

		if (pushes(site)) {
			uint64_t entry = pack(event->site, site->fall_through_id);

			top = (top + 1) & ~(top == last);
			overflow |= held > last;
			held -= held <= last;
			for (int i = 0; i < GROUP; i++)
				packed[i][top[i]] = entry;
		} else if (site->kind == RSB_RETURN) {
			four empty = held == 0, gone = checked ? empty : empty & 0;

#pragma GCC unroll 4
			for (int i = 0; i < GROUP; i++) {
				uint64_t newest = packed[i][top[i]] | (uint64_t)(int64_t)gone[i];

				if (!hits(newest, event->target))
					miss(lanes[i], batch, event, newest, held[i]);
			}
			underflow |= empty;
			top -= 1 + gone;
			top += (last + 1) & (top < 0);
			held -= 1 + empty;
		} else if (RARE_KINDS & RSB_KIND_BIT(site->kind)) {
			break;
		}
	}
	for (int i = 0; i < GROUP; i++) {
		struct rsb_stack *stack = lanes[i]->state;

		stack->top = (uint32_t)top[i];
		stack->held = (uint32_t)held[i];
		note(stack, overflow[i], underflow[i]);
	}
	return (size_t)(event - batch->events);
}

/* One copy of each loop for each of the two policies. */
static __attribute__((noinline)) size_t run(struct rsb_lane *const *lanes, unsigned count,
					    const struct rsb_batch *batch, size_t at)
{
	const struct rsb_stack *stack = lanes[0]->state;
	bool checked = stack->underflow == RSB_UNDERFLOW_NONE;

	if (count == GROUP)
		return checked ? run_four(lanes, batch, at, true)
			       : run_four(lanes, batch, at, false);
	return checked ? run_one(lanes[0], batch, at, true) : run_one(lanes[0], batch, at, false);
}

static bool pack_all(struct rsb_lane *const *lanes, unsigned count, const struct rsb_batch *batch)
{
	for (unsigned i = 0; i < count; i++)
		if (!pack_stack(lanes[i]->state, batch))
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
				unpack_stack(lanes[i]->state, batch);
		}
		end = batch->count - at < depth ? batch->count : at + depth;
		for (unsigned i = 0; i < count; i++)
			replay_plainly(lanes[i], batch, at, end);
		at = end;
	}
}

void rsb_stack_replay(struct rsb_lane *lanes, size_t count, const struct rsb_batch *batch)
{
	struct rsb_lane *groups[2][GROUP]; /* of stale and of checked stacks */
	unsigned grouped[2] = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		const struct rsb_stack *stack = lanes[i].state;
		bool checked = stack->underflow == RSB_UNDERFLOW_NONE;

		if (!is_common(stack)) {
			replay_plainly(&lanes[i], batch, 0, batch->count);
			continue;
		}
		groups[checked][grouped[checked]++] = &lanes[i];
		if (grouped[checked] == GROUP) {
			replay_common(groups[checked], GROUP, batch);
			grouped[checked] = 0;
		}
	}
	for (int checked = 0; checked < 2; checked++)
		for (unsigned i = 0; i < grouped[checked]; i++)
			replay_common(&groups[checked][i], 1, batch);
}
