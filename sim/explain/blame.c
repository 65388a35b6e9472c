/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding whom to blame: see sim/explain/blame.h. */
#include "sim/explain/blame.h"

#include "traces/util/grow.h"

#include <stdlib.h>

static enum rsb_mitigation mitigation_of(const struct rsb_walk_state *s, uint32_t site)
{
	return site == RSB_SITE_NONE ? RSB_MITIGATION_NONE : s->sites[site].mitigation;
}

static uint32_t enter(struct rsb_walk_state *s, enum rsb_cause cause, uint64_t key,
		      uint64_t culprit, uint32_t call)
{
	uint32_t origin = rsb_origins_enter(s->origins, cause, key, culprit, call);

	s->failed |= origin == RSB_ORIGIN_NONE;
	return origin;
}

/* A mitigation is one origin, by the symbol that its code is in. */
static uint32_t enter_mitigation(struct rsb_walk_state *s, uint64_t pc, uint32_t call)
{
	uint64_t start = pc, end;

	rsb_image_symbol_at(s->image, pc, &start, &end);
	return enter(s, RSB_CAUSE_INTENDED, start, pc, call);
}

uint32_t rsb_blame_at(struct rsb_walk_state *s, enum rsb_cause cause, uint64_t culprit,
		      uint32_t call)
{
	uint32_t origin;

	if (mitigation_of(s, call) != RSB_MITIGATION_NONE)
		origin = enter_mitigation(s, s->sites[call].pc, call);
	else if (rsb_image_mitigation(s->image, culprit) != RSB_MITIGATION_NONE)
		origin = enter_mitigation(s, culprit, call);
	else
		return enter(s, cause, culprit, culprit, call);
	if (origin != RSB_ORIGIN_NONE)
		s->origins->all[origin].means = cause;
	return origin;
}

static bool is_own(const struct rsb_meeting *m)
{
	return m->popped && m->own && m->own->entry == m->index;
}

uint32_t rsb_blame_return(struct rsb_walk_state *s, const struct rsb_meeting *m)
{
	uint32_t call = m->popped ? m->entry.site : RSB_SITE_NONE;
	uint64_t pc = s->sites[m->site].pc;

	if (is_own(m))
		return m->step->culprit
			       ? rsb_blame_at(s, RSB_CAUSE_REWRITTEN_RETURN, m->step->culprit, call)
			       : RSB_ORIGIN_NONE;
	if (!m->own)
		return rsb_blame_at(s, RSB_CAUSE_PUSHED_RETURN, m->step->culprit, RSB_SITE_NONE);
	if (m->popped && m->entry.left_by)
		return rsb_blame_at(s, RSB_CAUSE_SKIPPED_FRAME, m->entry.left_by, call);
	if (m->popped && m->entry.origin != RSB_ORIGIN_NONE)
		return m->entry.origin;
	if (m->own->taken_by != RSB_ORIGIN_NONE)
		return m->own->taken_by;
	if (!m->own->pushed)
		return enter(s, RSB_CAUSE_PREDICTOR, s->sites[m->own->site].pc,
			     s->sites[m->own->site].pc, m->own->site);
	if (m->own->left_by)
		return rsb_blame_at(s, RSB_CAUSE_SKIPPED_FRAME, m->own->left_by, m->own->site);
	return enter(s, RSB_CAUSE_PREDICTOR, pc, pc, call);
}

/* Is this what the origin does, or does it follow from that? */
static enum rsb_cause find_cause(const struct rsb_walk_state *s, const struct rsb_meeting *m,
				 uint32_t index)
{
	const struct rsb_origin *origin = &s->origins->all[index];

	switch (origin->cause) {
	case RSB_CAUSE_SKIPPED_FRAME:
		return m->popped && m->entry.left_by == origin->culprit ? origin->cause
									: RSB_CAUSE_SHIFTED;
	case RSB_CAUSE_PUSHED_RETURN:
		return m->own ? RSB_CAUSE_SHIFTED : origin->cause;
	case RSB_CAUSE_REWRITTEN_RETURN:
		return is_own(m) ? origin->cause : RSB_CAUSE_SHIFTED;
	default:
		return m->own && !m->own->pushed ? origin->cause : RSB_CAUSE_SHIFTED;
	}
}

/*
 * One origin for all that was lost to calls without room: the call at site, whose entry's index is
 * at, is one; its culprit is the first that went too deep.
 */
static uint32_t enter_overflow(struct rsb_walk_state *s, const struct rsb_entry *entry,
			       uint32_t site, uint64_t at)
{
	uint64_t pc = s->sites[site].pc;
	uint32_t index = enter(s, RSB_CAUSE_OVERFLOW, 0, pc, entry->site);
	struct rsb_origin *origin;

	if (index == RSB_ORIGIN_NONE)
		return index;
	origin = &s->origins->all[index];
	if (!origin->count || at < origin->depth) {
		origin->culprit = pc;
		origin->call = entry->site;
		origin->depth = at;
	}
	return index;
}

/* Would a mitigation have made this return miss? */
static bool is_wanted(const struct rsb_walk_state *s, uint32_t origin)
{
	return origin != RSB_ORIGIN_NONE && s->origins->all[origin].cause == RSB_CAUSE_INTENDED;
}

/* What the mitigation does to the stack costs more than the miss that it wants. */
static uint32_t enter_means(struct rsb_walk_state *s, uint32_t wanted)
{
	const struct rsb_origin *origin = &s->origins->all[wanted];

	return enter(s, origin->means, origin->culprit, origin->culprit, origin->call);
}

/*
 * The real stack did not predict what the ideal one did: where the return goes, or what a
 * mitigation, whose origin is wanted, had put there.
 */
static uint32_t find_shortcoming(struct rsb_walk_state *s, const struct rsb_meeting *m,
				 const struct rsb_miss *miss, uint32_t wanted)
{
	static const enum rsb_cause causes[] = {
		[RSB_MISS_EMPTY] = RSB_CAUSE_EMPTY,
		[RSB_MISS_STALE] = RSB_CAUSE_STALE,
		[RSB_MISS_OTHER] = RSB_CAUSE_PREDICTOR,
	};
	uint32_t call = m->popped ? m->entry.site : RSB_SITE_NONE;
	uint64_t pc = call == RSB_SITE_NONE ? 0 : s->sites[call].pc;

	if (m->clobbered_by != RSB_SITE_NONE) {
		pc = s->sites[m->clobbered_by].pc;
		return enter(s, RSB_CAUSE_CLOBBERED, m->clobbered_by, pc, call);
	}
	if (m->popped && m->entry.overwritten_by != RSB_SITE_NONE)
		return enter_overflow(s, &m->entry, m->entry.overwritten_by,
				      m->entry.overwritten_at);
	if (s->crowds && m->popped && m->entry.crowded_by != RSB_SITE_NONE)
		return enter_overflow(s, &m->entry, m->entry.crowded_by, m->entry.crowded_at);
	if (miss->kind == RSB_MISS_OTHER && wanted != RSB_ORIGIN_NONE)
		return enter_means(s, wanted);
	/* The return before it that missed; or the call whose entry is not there: the first. */
	if (s->quirk && s->missed_at)
		return enter(s, RSB_CAUSE_PREDICTOR, s->missed_at, s->missed_at, call);
	return enter(s, causes[miss->kind], 0, pc, call);
}

/* Keeps the miss by itself, if anyone asks for that. */
static void tell(struct rsb_walk_state *s, enum rsb_cause cause, uint32_t origin)
{
	struct rsb_told *told = s->walk->told;

	if (!told)
		return;
	if (!RSB_GROW(told->all, told->count)) {
		s->failed = true;
		return;
	}
	told->all[told->count++] = (struct rsb_told_miss){ s->round, s->place, origin, cause };
}

static void enter_miss(struct rsb_walk_state *s, const struct rsb_meeting *m,
		       const struct rsb_miss *miss, uint32_t origin)
{
	bool ideal = m->popped && m->entry.address == m->target;
	struct rsb_origin_miss entered = {
		.kind = miss->kind,
		.inside = s->inside,
		.site = m->site,
		.pushed_by = miss->pushed_by,
		.predicted = miss->predicted,
		.actual = m->target,
		.cold = s->round == 0,
		.steady = rsb_walk_is_steady(s),
	};

	if (mitigation_of(s, miss->pushed_by) != RSB_MITIGATION_NONE) {
		origin = enter_mitigation(s, s->sites[miss->pushed_by].pc, miss->pushed_by);
		entered.cause = RSB_CAUSE_INTENDED;
	} else if (ideal || is_wanted(s, origin)) {
		origin = find_shortcoming(s, m, miss, ideal ? RSB_ORIGIN_NONE : origin);
		if (origin != RSB_ORIGIN_NONE)
			entered.cause = s->origins->all[origin].cause;
	} else if (origin != RSB_ORIGIN_NONE) {
		entered.cause = find_cause(s, m, origin);
	}
	if (origin == RSB_ORIGIN_NONE)
		return;
	tell(s, entered.cause, origin);
	if (!(entered.cold || entered.steady))
		return;
	s->failed |= !rsb_origin_count(&s->origins->all[origin], &entered);
}

void rsb_blame_miss(struct rsb_walk_state *s, const struct rsb_meeting *m,
		    const struct rsb_miss *miss, uint32_t origin)
{
	enter_miss(s, m, miss, origin);
	s->missed_at = s->sites[m->site].pc;
}
