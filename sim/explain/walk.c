/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking the rounds of a run: see sim/explain/walk.h. */
#include "sim/explain/walk.h"

#include "sim/explain/lifo.h"

#include <stdlib.h>

/* A call whose frame may still be returned to. */
struct frame {
	uint64_t entry;    /* its entry's index; RSB_ENTRY_NONE: it is not on the stack */
	uint64_t left_by;  /* the instruction that left it last; 0: none */
	uint32_t site;     /* of the call */
	uint32_t taken_by; /* the origin whose return popped its entry; RSB_ORIGIN_NONE: none */
	bool pushed;       /* it made an entry */
};

/* The frames of one round, by the places of their calls. */
struct row {
	struct frame *frames;
	size_t room;
};

struct state {
	const struct rsb_walk *walk;
	const struct rsb_image *image;
	const struct rsb_run *run;
	const struct rsb_site *sites;
	const uint64_t *addresses;
	struct rsb_origins *origins;
	struct rsb_lifo lifo;
	struct rsb_model *model;
	struct rsb_miss *missed;
	struct row *rows; /* of the newest rounds, that of a round at round % row_count */
	size_t row_count;
	bool zero_call_pushes;
	bool failed; /* no memory */

	/* The round under way. */
	uint64_t round;
	size_t watched; /* the watched round that is like it */
	uint32_t place;
	size_t move;
	bool inside;
};

/* A return, and what it met. */
struct meeting {
	const struct rsb_frame_step *step;
	uint32_t site;
	uint64_t target;
	struct frame *own;      /* the frame that it answers; NULL: none */
	struct rsb_entry entry; /* that it popped */
	uint64_t index;
	uint32_t clobbered_by;
	bool popped; /* there was one */
};

static bool is_steady(const struct state *s)
{
	return s->round >= s->walk->from;
}

static enum rsb_mitigation mitigation_of(const struct state *s, uint32_t site)
{
	return site == RSB_SITE_NONE ? RSB_MITIGATION_NONE : s->sites[site].mitigation;
}

static uint32_t enter(struct state *s, enum rsb_cause cause, uint64_t key, uint64_t culprit,
		      uint32_t call)
{
	uint32_t origin = rsb_origins_enter(s->origins, cause, key, culprit, call);

	s->failed |= origin == RSB_ORIGIN_NONE;
	return origin;
}

/* A mitigation is one origin, by the symbol that its code is in. */
static uint32_t enter_mitigation(struct state *s, uint64_t pc, uint32_t call)
{
	uint64_t start = pc, end;

	rsb_image_symbol_at(s->image, pc, &start, &end);
	return enter(s, RSB_CAUSE_INTENDED, start, pc, call);
}

/* An origin at the instruction at culprit, about the entry that the call pushed. */
static uint32_t enter_at(struct state *s, enum rsb_cause cause, uint64_t culprit, uint32_t call)
{
	if (mitigation_of(s, call) != RSB_MITIGATION_NONE)
		return enter_mitigation(s, s->sites[call].pc, call);
	if (rsb_image_mitigation(s->image, culprit) != RSB_MITIGATION_NONE)
		return enter_mitigation(s, culprit, call);
	return enter(s, cause, culprit, culprit, call);
}

static void balance(struct state *s, uint32_t origin, int by)
{
	if (origin != RSB_ORIGIN_NONE && s->inside && is_steady(s))
		s->origins->all[origin].balance += by;
}

/* The frame of a call at that place of a round; NULL: the round is too long ago. */
static struct frame *find_frame(const struct state *s, uint64_t round, uint32_t place)
{
	struct row *row = &s->rows[round % s->row_count];

	if (round > s->round || s->round - round >= s->row_count || place >= row->room)
		return NULL;
	return &row->frames[place];
}

/* The same of a name that a watched round has. */
static struct frame *find_named(const struct state *s, struct rsb_frame_name name)
{
	uint64_t back = s->watched - name.round;

	return name.place == RSB_PLACE_NONE || back > s->round
		       ? NULL
		       : find_frame(s, s->round - back, name.place);
}

static bool begin_row(struct state *s, size_t steps)
{
	struct row *row = &s->rows[s->round % s->row_count];

	if (steps > row->room) {
		struct frame *more = realloc(row->frames, steps * sizeof(*more));

		if (!more)
			return false;
		row->frames = more;
		row->room = steps;
	}
	for (size_t i = 0; i < row->room; i++)
		row->frames[i] =
			(struct frame){ .entry = RSB_ENTRY_NONE, .taken_by = RSB_ORIGIN_NONE };
	return true;
}

/* A frame was left, or came back. */
static void apply_move(struct state *s, const struct rsb_frame_move *move)
{
	struct frame *frame = find_named(s, move->frame);
	struct rsb_entry *entry = frame ? rsb_lifo_entry(&s->lifo, frame->entry) : NULL;

	if (!frame)
		return;
	frame->left_by = move->culprit;
	if (entry)
		entry->left_by = move->culprit;
	if (!move->for_good)
		return;
	if (entry) {
		entry->left_origin =
			enter_at(s, RSB_CAUSE_SKIPPED_FRAME, move->culprit, entry->site);
		balance(s, entry->left_origin, 1);
	} else {
		/* Its entry served another's return, and its own return never comes. */
		balance(s, frame->taken_by, 1);
	}
}

/* The moves before this place. */
static void apply_moves(struct state *s, const struct rsb_frame_round *round)
{
	while (s->move < round->move_count && round->moves[s->move].place <= s->place)
		apply_move(s, &round->moves[s->move++]);
}

static void meet_call(struct state *s, uint32_t id)
{
	const struct rsb_site *site = &s->sites[id];
	struct frame *frame = find_frame(s, s->round, s->place);

	frame->site = id;
	if (site->flags & RSB_SITE_ZERO_CALL && !s->zero_call_pushes)
		return;
	frame->pushed = true;
	frame->entry = rsb_lifo_push(&s->lifo, site->fall_through, id, s->round, s->place);
	s->failed |= frame->entry == RSB_ENTRY_NONE;
}

static bool is_own(const struct meeting *m)
{
	return m->popped && m->own && m->own->entry == m->index;
}

/* Why the entry on top is not that of the frame that is returned to. RSB_ORIGIN_NONE: it is. */
static uint32_t find_origin(struct state *s, const struct meeting *m)
{
	uint32_t call = m->popped ? m->entry.site : RSB_SITE_NONE;
	uint64_t pc = s->sites[m->site].pc;

	if (is_own(m))
		return m->step->culprit
			       ? enter_at(s, RSB_CAUSE_REWRITTEN_RETURN, m->step->culprit, call)
			       : RSB_ORIGIN_NONE;
	if (!m->own)
		return enter_at(s, RSB_CAUSE_PUSHED_RETURN, m->step->culprit, RSB_SITE_NONE);
	if (m->popped && m->entry.left_by)
		return enter_at(s, RSB_CAUSE_SKIPPED_FRAME, m->entry.left_by, call);
	if (m->popped && m->entry.origin != RSB_ORIGIN_NONE)
		return m->entry.origin;
	if (m->own->taken_by != RSB_ORIGIN_NONE)
		return m->own->taken_by;
	if (!m->own->pushed)
		return enter(s, RSB_CAUSE_PREDICTOR, s->sites[m->own->site].pc,
			     s->sites[m->own->site].pc, m->own->site);
	if (m->own->left_by)
		return enter_at(s, RSB_CAUSE_SKIPPED_FRAME, m->own->left_by, m->own->site);
	return enter(s, RSB_CAUSE_PREDICTOR, pc, pc, call);
}

/* What the return does to the balance, where its own call did not push. */
static void count_return(struct state *s, const struct meeting *m, uint32_t origin)
{
	if (m->own && m->own->pushed)
		return;
	/* It takes what was left: the two are even. */
	if (!m->own && m->popped && m->entry.left_origin != RSB_ORIGIN_NONE)
		origin = m->entry.left_origin;
	balance(s, origin, -1);
}

/* Passes the reason on to those whose entries are now not where they belong. */
static void pass_on(struct state *s, const struct meeting *m, uint32_t origin)
{
	struct frame *robbed = m->popped ? find_frame(s, m->entry.round, m->entry.place) : NULL;
	struct rsb_entry *left = m->own ? rsb_lifo_entry(&s->lifo, m->own->entry) : NULL;

	if (robbed && robbed->entry == m->index) {
		robbed->entry = RSB_ENTRY_NONE;
		robbed->taken_by = origin;
	}
	if (left)
		left->origin = origin;
	if (m->own)
		m->own->entry = RSB_ENTRY_NONE;
}

/* Is this what the origin does, or does it follow from that? */
static enum rsb_cause find_cause(const struct state *s, const struct meeting *m, uint32_t index)
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

/* One origin for all that was overwritten; its culprit is the first call that went too deep. */
static uint32_t enter_overflow(struct state *s, const struct rsb_entry *entry)
{
	uint64_t pc = s->sites[entry->overwritten_by].pc;
	uint32_t index = enter(s, RSB_CAUSE_OVERFLOW, 0, pc, entry->site);
	struct rsb_origin *origin;

	if (index == RSB_ORIGIN_NONE)
		return index;
	origin = &s->origins->all[index];
	if (!origin->count || entry->overwritten_at < origin->depth) {
		origin->culprit = pc;
		origin->call = entry->site;
		origin->depth = entry->overwritten_at;
	}
	return index;
}

/* The ideal stack was right, the real one was not. */
static uint32_t find_shortcoming(struct state *s, const struct meeting *m,
				 const struct rsb_miss *miss)
{
	static const enum rsb_cause causes[] = {
		[RSB_MISS_EMPTY] = RSB_CAUSE_EMPTY,
		[RSB_MISS_STALE] = RSB_CAUSE_STALE,
		[RSB_MISS_OTHER] = RSB_CAUSE_PREDICTOR,
	};
	uint64_t pc;

	if (m->clobbered_by != RSB_SITE_NONE) {
		pc = s->sites[m->clobbered_by].pc;
		return enter(s, RSB_CAUSE_CLOBBERED, pc, pc, m->entry.site);
	}
	if (m->entry.overwritten_by != RSB_SITE_NONE)
		return enter_overflow(s, &m->entry);
	return enter(s, causes[miss->kind], 0, 0, m->entry.site);
}

/* Enters a miss where it belongs; origin is why the ideal stack would have missed too, if so. */
static void count_miss(struct state *s, const struct meeting *m, const struct rsb_miss *miss,
		       uint32_t origin)
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
		.steady = is_steady(s),
	};

	if (mitigation_of(s, miss->pushed_by) != RSB_MITIGATION_NONE) {
		origin = enter_mitigation(s, s->sites[miss->pushed_by].pc, miss->pushed_by);
		entered.cause = RSB_CAUSE_INTENDED;
	} else if (ideal) {
		origin = find_shortcoming(s, m, miss);
		if (origin != RSB_ORIGIN_NONE)
			entered.cause = s->origins->all[origin].cause;
	} else if (origin != RSB_ORIGIN_NONE) {
		entered.cause = find_cause(s, m, origin);
	}
	if (origin == RSB_ORIGIN_NONE || !(entered.cold || entered.steady))
		return;
	s->failed |= !rsb_origin_count(&s->origins->all[origin], &entered);
}

static void meet_return(struct state *s, const struct rsb_frame_step *step,
			const struct rsb_event *event, const struct rsb_miss *miss)
{
	struct meeting m = {
		.step = step,
		.site = event->site,
		.target = s->addresses[event->target],
		.own = find_named(s, step->answers),
		.clobbered_by = RSB_SITE_NONE,
	};
	uint32_t origin;

	m.popped = rsb_lifo_pop(&s->lifo, &m.entry, &m.index, &m.clobbered_by);
	origin = find_origin(s, &m);
	count_return(s, &m, origin);
	if (miss)
		count_miss(s, &m, miss, origin);
	pass_on(s, &m, origin);
}

static void meet_mark(struct state *s, const struct rsb_site *site)
{
	if (site->detail == RSB_MARK_TRACED_CALL)
		s->inside = true;
	else if (site->detail == RSB_MARK_LANDING)
		s->inside = false;
}

static void meet(struct state *s, const struct rsb_frame_round *round,
		 const struct rsb_event *event, const struct rsb_miss *miss)
{
	const struct rsb_site *site = &s->sites[event->site];

	switch (site->kind) {
	case RSB_MARK:
		meet_mark(s, site);
		break;
	case RSB_ENVIRONMENT:
		rsb_lifo_clobber(&s->lifo, event->site);
		break;
	case RSB_CALL:
		apply_moves(s, round);
		meet_call(s, event->site);
		s->place++;
		break;
	case RSB_RETURN:
		apply_moves(s, round);
		meet_return(s, &round->steps[s->place], event, miss);
		s->place++;
		break;
	default:
		break;
	}
}

static bool walk_round(struct state *s)
{
	const struct rsb_sequence *sequence =
		rsb_run_sequence(s->run, rsb_run_round(s->run, s->round));
	const struct rsb_frame_round *round;
	size_t misses, next = 0;

	s->watched = rsb_frames_like(s->walk->frames, s->round);
	s->place = 0;
	s->move = 0;
	s->inside = false;
	round = rsb_frames_round(s->walk->frames, s->watched);
	if (!begin_row(s, round->step_count))
		return false;
	misses = rsb_model_replay(s->model, rsb_run_sites(s->run), sequence->events,
				  sequence->count, s->missed);
	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_miss *miss =
			next < misses && s->missed[next].event == i ? &s->missed[next++] : NULL;

		meet(s, round, &sequence->events[i], miss);
	}
	apply_moves(s, round);
	return !s->failed;
}

static size_t longest_sequence(const struct rsb_run *run)
{
	size_t longest = 1;

	for (size_t i = 0; i < rsb_run_sequences(run); i++)
		if (rsb_run_sequence(run, i)->count > longest)
			longest = rsb_run_sequence(run, i)->count;
	return longest;
}

static bool open_state(struct state *s, struct rsb_error *error)
{
	size_t count;

	s->image = rsb_frames_image(s->walk->frames);
	s->run = rsb_frames_run(s->walk->frames);
	s->sites = rsb_sites_array(rsb_run_sites(s->run), &count);
	s->addresses = rsb_sites_addresses(rsb_run_sites(s->run), &count);
	s->zero_call_pushes = rsb_profile_zero_call_pushes(s->walk->profile);
	rsb_lifo_open(&s->lifo, rsb_profile_depth(s->walk->profile));
	s->model = rsb_profile_model(s->walk->profile, error);
	if (!s->model)
		return false;
	s->row_count = (size_t)rsb_frames_back(s->walk->frames) + 1;
	s->rows = calloc(s->row_count, sizeof(*s->rows));
	s->missed = calloc(longest_sequence(s->run), sizeof(*s->missed));
	return (s->rows && s->missed) || rsb_error_set(error, "out of memory");
}

static void close_state(struct state *s)
{
	for (size_t i = 0; s->rows && i < s->row_count; i++)
		free(s->rows[i].frames);
	free(s->rows);
	free(s->missed);
	rsb_model_free(s->model);
	rsb_lifo_close(&s->lifo);
}

bool rsb_walk_rounds(const struct rsb_walk *walk, struct rsb_origins *origins,
		     struct rsb_error *error)
{
	struct state s = { .walk = walk, .origins = origins };
	bool good = open_state(&s, error);

	for (; good && s.round < walk->end; s.round++)
		good = walk_round(&s) || rsb_error_set(error, "out of memory");
	close_state(&s);
	return good;
}
