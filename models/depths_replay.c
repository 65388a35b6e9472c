/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every depth of a return stack in one pass.
 *
 * Number the places of an endless stack. A push goes to place top + 1, a pop takes from place top,
 * in stacks of all depths alike: a ring of depth d keeps place p in its slot p % d. What it
 * predicts at place p is the last entry pushed to p, p + d, p + 2d, ... (nothing below p was
 * pushed later: to come back up, the top passes p with a push). If the top has been no higher than
 * p + m since the push to p, every ring deeper than m still has that entry, and one comparison
 * serves all of them. The other rings have what they had when place p + d was popped, which has
 * not changed since.
 *
 * Stacks that know that they are empty need no more: those deeper than m predict that entry, the
 * others are empty, and whatever predicts a return then is the same for all of them.
 */
#include "models/depths_state.h"

#include <string.h>

#define LANES RSB_DEPTHS_LANES
#define FIRST_DEPTHS       \
	{                  \
		1, 2, 3, 4 \
	}

typedef int32_t lanes __attribute__((vector_size(LANES * sizeof(int32_t))));

static inline size_t index_of(const struct rsb_depths *depths, int64_t place)
{
	return (size_t)place & (depths->size - 1);
}

static inline void push(struct rsb_depths *depths, uint32_t address)
{
	size_t index;

	depths->reached[index_of(depths, depths->top)] = depths->reach;
	depths->reach = ++depths->top;
	index = index_of(depths, depths->top);
	depths->entries[index] = depths->entries[index + depths->size] = (int32_t)address;
}

/* More entries than the places that matter only move the top. */
static void fill(struct rsb_depths *depths, const struct rsb_site *site)
{
	uint32_t count = site->count;

	if (count > depths->size) {
		depths->top += (int64_t)(count - depths->size);
		count = (uint32_t)depths->size;
	}
	while (count--)
		push(depths, site->fall_through_id);
}

static inline void pop(struct rsb_depths *depths, uint32_t excess)
{
	size_t index = index_of(depths, depths->top);
	int64_t below;

	depths->excess[index] = depths->excess[index + depths->size] = (int32_t)excess;
	below = depths->reached[index_of(depths, --depths->top)];
	depths->reach = depths->reach > below ? depths->reach : below;
}

static inline int32_t newest(const struct rsb_depths *depths)
{
	return depths->entries[index_of(depths, depths->top)];
}

/* How far above the newest entry the top has been, as far as that matters. */
static inline uint32_t excess_of(const struct rsb_depths *depths)
{
	int64_t excess = depths->reach - depths->top;

	return excess < depths->deepest ? (uint32_t)excess : depths->deepest;
}

/* What the rings up to excess kept when the place that many above was popped. */
static void gather(const struct rsb_depths *depths, size_t index, size_t excess)
{
	size_t step = depths->stride + 1, wrap = depths->size - 1 - index;
	const int32_t *from = depths->kept + index * depths->stride - 1;
	int32_t *row = &depths->kept[index * depths->stride];

	for (size_t depth = 1; depth <= excess; depth++) {
		from += step;
		if (depth == wrap + 1)
			from -= depths->size * depths->stride;
		row[depth - 1] = *from;
	}
}

static inline lanes load(const int32_t *from)
{
	lanes loaded;

	memcpy(&loaded, from, sizeof(loaded));
	return loaded;
}

static inline void store(int32_t *to, lanes stored)
{
	memcpy(to, &stored, sizeof(stored));
}

/* Rings: those no deeper than excess have overwritten the newest entry. */
static void resolve_overwritten(struct rsb_depths *depths, int32_t target, uint32_t excess,
				bool judged)
{
	size_t index = index_of(depths, depths->top);
	const int32_t *above = &depths->entries[index + 1], *excesses = &depths->excess[index + 1];
	int32_t *row = &depths->kept[index * depths->stride], *missed = depths->missed_now;
	int32_t counted = judged ? (int32_t)excess : 0;
	lanes depth = FIRST_DEPTHS;

	gather(depths, index, excess);
	for (size_t i = 0; i < excess; i += LANES, depth += LANES) {
		lanes intact = depth > load(excesses + i);
		lanes entry = (intact & load(above + i)) | (~intact & load(row + i));

		store(row + i, entry);
		store(missed + i, load(missed + i) - ((entry != target) & (depth <= counted)));
	}
	depths->missed[0] += judged;
	depths->missed_deeper[excess] += judged && newest(depths) != target;
}

static bool hits_empty(const struct rsb_depths *depths, uint64_t pc, uint64_t target)
{
	uint64_t predicted;

	switch (depths->underflow) {
	case RSB_UNDERFLOW_FIXED:
		return target == (uint64_t)depths->values[RSB_STACK_FIXED_TARGET];
	case RSB_UNDERFLOW_INDIRECT:
		return rsb_indirect_predict(depths->indirect, pc, &predicted) &&
		       predicted == target;
	default:
		return false;
	}
}

/* The stacks that are empty: those no deeper than excess, or all where there never was an entry. */
static void resolve_empty(struct rsb_depths *depths, const struct rsb_batch *batch,
			  const struct rsb_event *event, uint32_t excess, bool judged)
{
	bool never = newest(depths) == RSB_DEPTHS_NOTHING;

	if (!hits_empty(depths, batch->sites[event->site].pc, batch->addresses[event->target]))
		depths->missed_empty[never ? depths->deepest : excess] += judged;
	if (!never && newest(depths) != (int32_t)event->target)
		depths->missed_deeper[excess] += judged;
}

static inline void resolve(struct rsb_depths *depths, const struct rsb_batch *batch,
			   const struct rsb_event *event, bool judged)
{
	uint32_t excess = excess_of(depths);

	if (depths->underflow == RSB_UNDERFLOW_STALE)
		resolve_overwritten(depths, (int32_t)event->target, excess, judged);
	else
		resolve_empty(depths, batch, event, excess, judged);
	pop(depths, excess);
}

static void change(struct rsb_depths *depths, const struct rsb_site *site)
{
	bool barrier = site->detail == RSB_ENVIRONMENT_IBPB;

	if (site->detail == RSB_ENVIRONMENT_CLEAR ||
	    (barrier && depths->values[RSB_STACK_IBPB_CLEARS]))
		rsb_depths_forget(depths);
	if (site->detail == RSB_ENVIRONMENT_FILL)
		fill(depths, site);
	if (barrier && depths->indirect)
		rsb_indirect_clear(depths->indirect);
}

/* As in stack_step.c: which returns find their stack empty is not asked. */
static void train(struct rsb_depths *depths, const struct rsb_site *site, uint64_t target)
{
	bool indirect = site->kind == RSB_JUMP_INDIRECT ||
			(site->kind == RSB_CALL && (site->flags & RSB_SITE_INDIRECT));
	bool returns = site->kind == RSB_RETURN || site->kind == RSB_SWAP;

	if (indirect || returns)
		rsb_indirect_train(depths->indirect, site->pc, target);
	if (indirect || returns || site->kind == RSB_CALL)
		rsb_indirect_follow(depths->indirect, target);
}

/* Returns where it stopped: at the end, or before a wrong path. */
static size_t replay_together(struct rsb_depths *depths, const struct rsb_batch *batch,
			      const uint8_t *unjudged)
{
	bool zero_call_pushes = depths->values[RSB_STACK_ZERO_CALL_PUSHES];

	for (size_t at = 0; at < batch->count; at++) {
		const struct rsb_event *event = &batch->events[at];
		const struct rsb_site *site = &batch->sites[event->site];

		switch (site->kind) {
		case RSB_CALL:
			if (!(site->flags & RSB_SITE_ZERO_CALL) || zero_call_pushes)
				push(depths, site->fall_through_id);
			break;
		case RSB_RETURN:
		case RSB_SWAP:
			resolve(depths, batch, event, !unjudged || !unjudged[at]);
			if (site->kind == RSB_SWAP)
				push(depths, site->fall_through_id);
			break;
		case RSB_ENVIRONMENT:
			change(depths, site);
			break;
		case RSB_SPECULATE:
			return at;
		default:
			break;
		}
		if (depths->indirect)
			train(depths, site, batch->addresses[event->target]);
	}
	return batch->count;
}

/* Adds what the vectors counted to the totals. */
static void settle(struct rsb_depths *depths)
{
	for (uint32_t depth = 1; depth <= depths->deepest; depth++) {
		depths->missed[depth] += (uint32_t)depths->missed_now[depth - 1];
		depths->missed_now[depth - 1] = 0;
	}
}

/* No more events than missed_now can count. */
static bool replay_some(struct rsb_depths *depths, struct rsb_batch batch, const uint8_t *unjudged)
{
	size_t done = 0;

	if (!depths->stacks) {
		done = replay_together(depths, &batch, unjudged);
		settle(depths);
		if (done == batch.count)
			return true;
		if (!rsb_depths_part(depths, &batch))
			return false;
	}
	batch.events += done;
	batch.count -= done;
	rsb_depths_replay_parted(depths, &batch, unjudged ? unjudged + done : NULL);
	return true;
}

bool rsb_depths_replay(struct rsb_depths *depths, const struct rsb_sites *sites,
		       const struct rsb_event *events, size_t count, const uint8_t *unjudged)
{
	struct rsb_batch batch = { .first = 0 };
	size_t unused;
	bool good = true;

	batch.sites = rsb_sites_array(sites, &batch.site_count);
	batch.addresses = rsb_sites_addresses(sites, &unused);
	for (size_t at = 0; good && at < count; at += batch.count) {
		batch.events = events + at;
		batch.count = count - at < INT32_MAX ? count - at : INT32_MAX;
		good = replay_some(depths, batch, unjudged ? unjudged + at : NULL);
	}
	return good;
}
