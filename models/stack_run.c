/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loops of the bounded return stack. One model has its pointer in registers; four have theirs
 * in the lanes of vectors, and share the reading of the events and the host's mispredicted
 * branches.
 */
#include "models/stack_run.h"

#include "models/step.h"

/* What only the plain functions do; of calls, those that may not push. */
#define RARE_KINDS                                                                         \
	(RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_SWAP) | RSB_KIND_BIT(RSB_ENVIRONMENT) | \
	 RSB_KIND_BIT(RSB_SPECULATE) | RSB_KIND_BIT(RSB_SQUASH))

typedef int32_t four __attribute__((vector_size(RSB_STACK_GROUP * sizeof(int32_t))));

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
 * four stacks can make it without a branch. No site and no address has such an id.
 */
#define NOTHING UINT64_MAX

bool rsb_stack_pack(struct rsb_stack *stack, const struct rsb_batch *batch)
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

void rsb_stack_unpack(struct rsb_stack *stack, const struct rsb_batch *batch)
{
	for (uint32_t i = 0; i < stack->depth; i++) {
		uint32_t site = site_of(stack->packed[i]);

		if (site != RSB_SITE_NONE)
			stack->entries[i] =
				(struct rsb_stack_entry){ batch->sites[site].fall_through, site,
							  1 };
	}
}

/* What seldom happens is kept out of the loops, which have no registers to spare. */
#define SELDOM __attribute__((noinline, cold))

static SELDOM void note(struct rsb_stack *stack, bool overflow, bool underflow)
{
	if (overflow)
		stack->exercised |= stack->overflow_rows;
	if (underflow)
		stack->exercised |= stack->underflow_rows;
}

/* Notes too that the stack was empty, if it was. */
static SELDOM void miss(struct rsb_lane *lane, const struct rsb_batch *batch,
			const struct rsb_event *event, uint64_t packed, bool held)
{
	struct rsb_prediction prediction = { .valid = false };

	note(lane->state, false, !held);
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
	uint64_t *first = stack->packed, *beyond = first + stack->depth;
	uint64_t *top = first + stack->top;
	uint32_t held = stack->held, depth = stack->depth;

	for (; event < end; event++) {
		const struct rsb_site *site = &sites[event->site];

		if (pushes(site)) {
			top++;
			if (top == beyond)
				top = first;
			*top = pack(event->site, site->fall_through_id);
			if (held < depth)
				held++;
			else
				note(stack, true, false);
		} else if (site->kind == RSB_RETURN) {
			if (checked && !held) {
				miss(lane, batch, event, NOTHING, false);
				continue;
			}
			if (!hits(*top, event->target))
				miss(lane, batch, event, *top, held);
			if (top == first)
				top = beyond;
			top--;
			if (held)
				held--;
			else
				note(stack, false, true);
		} else if (RARE_KINDS & RSB_KIND_BIT(site->kind)) {
			break;
		}
	}
	stack->top = (uint32_t)(top - first);
	stack->held = held;
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
	uint64_t *packed[RSB_STACK_GROUP];

	for (int i = 0; i < RSB_STACK_GROUP; i++) {
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
			for (int i = 0; i < RSB_STACK_GROUP; i++)
				packed[i][top[i]] = entry;
		} else if (site->kind == RSB_RETURN) {
			four empty = held == 0, gone = checked ? empty : empty & 0;

#pragma GCC unroll 4
			for (int i = 0; i < RSB_STACK_GROUP; i++) {
				uint64_t newest = packed[i][top[i]] | (uint64_t)(int64_t)gone[i];

				if (!hits(newest, event->target))
					miss(lanes[i], batch, event, newest, held[i]);
			}
			if (!checked)
				underflow |= empty;
			top -= 1 + gone;
			top += (last + 1) & (top < 0);
			held -= 1 + empty;
		} else if (RARE_KINDS & RSB_KIND_BIT(site->kind)) {
			break;
		}
	}
	for (int i = 0; i < RSB_STACK_GROUP; i++) {
		struct rsb_stack *stack = lanes[i]->state;

		stack->top = (uint32_t)top[i];
		stack->held = (uint32_t)held[i];
		note(stack, overflow[i], underflow[i]);
	}
	return (size_t)(event - batch->events);
}

/* One copy of each loop for each of the two policies. */
size_t rsb_stack_run(struct rsb_lane *const *lanes, unsigned count, const struct rsb_batch *batch,
		     size_t at)
{
	const struct rsb_stack *stack = lanes[0]->state;
	bool checked = stack->underflow == RSB_UNDERFLOW_NONE;

	if (count == RSB_STACK_GROUP)
		return checked ? run_four(lanes, batch, at, true)
			       : run_four(lanes, batch, at, false);
	return checked ? run_one(lanes[0], batch, at, true) : run_one(lanes[0], batch, at, false);
}
