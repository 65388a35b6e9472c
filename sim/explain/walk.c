/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking the rounds of a run: see sim/explain/walk.h. */
#include "sim/explain/walk.h"

#include "sim/explain/blame.h"

#include <stdlib.h>
#include <string.h>

static void balance(struct rsb_walk_state *s, uint32_t origin, int by)
{
	if (origin != RSB_ORIGIN_NONE && s->inside && rsb_walk_is_steady(s))
		s->origins->all[origin].balance += by;
}

/* The frame of a call at that place of a round; NULL: the round is too long ago. */
static struct rsb_walk_frame *find_frame(const struct rsb_walk_state *s, uint64_t round,
					 uint32_t place)
{
	struct rsb_walk_row *row = &s->rows[round % s->row_count];

	if (round > s->round || s->round - round >= s->row_count || place >= row->room)
		return NULL;
	return &row->frames[place];
}

/* The same of a name that a watched round has. */
static struct rsb_walk_frame *find_named(const struct rsb_walk_state *s, struct rsb_frame_name name)
{
	uint64_t back = s->watched - name.round;

	return name.place == RSB_PLACE_NONE || back > s->round
		       ? NULL
		       : find_frame(s, s->round - back, name.place);
}

static bool begin_row(struct rsb_walk_state *s, size_t steps)
{
	struct rsb_walk_row *row = &s->rows[s->round % s->row_count];

	if (steps > row->room) {
		struct rsb_walk_frame *more = realloc(row->frames, steps * sizeof(*more));

		if (!more)
			return false;
		row->frames = more;
		row->room = steps;
	}
	for (size_t i = 0; i < row->room; i++)
		row->frames[i] = (struct rsb_walk_frame){ .entry = RSB_ENTRY_NONE,
							  .taken_by = RSB_ORIGIN_NONE };
	return true;
}

/* A frame was left, or came back. */
static void apply_move(struct rsb_walk_state *s, const struct rsb_frame_move *move)
{
	struct rsb_walk_frame *frame = find_named(s, move->frame);
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
			rsb_blame_at(s, RSB_CAUSE_SKIPPED_FRAME, move->culprit, entry->site);
		balance(s, entry->left_origin, 1);
	} else {
		/* Its entry served another's return, and its own return never comes. */
		balance(s, frame->taken_by, 1);
	}
}

/* The moves before this place. */
static void apply_moves(struct rsb_walk_state *s, const struct rsb_frame_round *round)
{
	while (s->move < round->move_count && round->moves[s->move].place <= s->place)
		apply_move(s, &round->moves[s->move++]);
}

static void meet_call(struct rsb_walk_state *s, uint32_t id)
{
	const struct rsb_site *site = &s->sites[id];
	struct rsb_walk_frame *frame = find_frame(s, s->round, s->place);

	frame->site = id;
	if (site->flags & RSB_SITE_ZERO_CALL && !s->zero_call_pushes)
		return;
	frame->pushed = true;
	frame->entry = rsb_lifo_push(&s->lifo, site->fall_through, id, s->round, s->place);
	s->failed |= frame->entry == RSB_ENTRY_NONE;
}

/*
 * Does the return take what was left, so that the two are even? Not if a mitigation left it: its
 * calls vanish where the code is told without it, and this return stays.
 */
static bool is_evened(const struct rsb_walk_state *s, const struct rsb_meeting *m, uint32_t origin)
{
	if (m->own || !m->popped || m->entry.left_origin == RSB_ORIGIN_NONE)
		return false;
	return s->origins->all[m->entry.left_origin].cause != RSB_CAUSE_INTENDED ||
	       origin == RSB_ORIGIN_NONE || s->origins->all[origin].cause == RSB_CAUSE_INTENDED;
}

/* What the return does to the balance, where its own call did not push. */
static void count_return(struct rsb_walk_state *s, const struct rsb_meeting *m, uint32_t origin)
{
	if (m->own && m->own->pushed)
		return;
	balance(s, is_evened(s, m, origin) ? m->entry.left_origin : origin, -1);
}

/* Passes the reason on to those whose entries are now not where they belong. */
static void pass_on(struct rsb_walk_state *s, const struct rsb_meeting *m, uint32_t origin)
{
	struct rsb_walk_frame *robbed = m->popped ? find_frame(s, m->entry.round, m->entry.place)
						  : NULL;
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

static void meet_return(struct rsb_walk_state *s, const struct rsb_frame_step *step,
			const struct rsb_event *event, const struct rsb_miss *miss)
{
	struct rsb_meeting m = {
		.step = step,
		.site = event->site,
		.target = s->addresses[event->target],
		.own = find_named(s, step->answers),
		.clobbered_by = RSB_SITE_NONE,
	};
	uint32_t origin;

	m.popped = rsb_lifo_pop(&s->lifo, &m.entry, &m.index, &m.clobbered_by);
	origin = rsb_blame_return(s, &m);
	count_return(s, &m, origin);
	if (miss)
		rsb_blame_miss(s, &m, miss, origin);
	pass_on(s, &m, origin);
}

static void meet_mark(struct rsb_walk_state *s, const struct rsb_frame_round *round,
		      const struct rsb_site *site)
{
	if (site->detail == RSB_MARK_TRACED_CALL) {
		s->inside = true;
	} else if (site->detail == RSB_MARK_LANDING) {
		/* A jump may have landed: what it left was left inside, before any other return. */
		apply_moves(s, round);
		s->inside = false;
	}
}

/*
 * Does this change the return stack? That of every other kind, a switch to another thread say, is
 * in what the kernel does then, which is an event of its own.
 */
static bool acts(const struct rsb_walk_state *s, const struct rsb_site *site)
{
	switch (site->detail) {
	case RSB_ENVIRONMENT_CLEAR:
	case RSB_ENVIRONMENT_FILL:
		return true;
	case RSB_ENVIRONMENT_IBPB:
		return rsb_profile_ibpb_clears(s->walk->profile);
	default:
		return false;
	}
}

static void meet(struct rsb_walk_state *s, const struct rsb_frame_round *round,
		 const struct rsb_event *event, const struct rsb_miss *miss)
{
	const struct rsb_site *site = &s->sites[event->site];

	switch (site->kind) {
	case RSB_MARK:
		meet_mark(s, round, site);
		break;
	case RSB_ENVIRONMENT:
		if (acts(s, site))
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

static bool walk_round(struct rsb_walk_state *s)
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

/* A parameter that the model does not have is not set to anything. */
static bool is_set(const struct rsb_profile *profile, const char *name, const char *text)
{
	const struct rsb_parameter *rows = rsb_profile_type(profile)->parameters;
	int row = rsb_parameter_find(rows, name);
	char word[64];

	if (row < 0)
		return false;
	rsb_parameter_print(&rows[row], rsb_profile_values(profile)[row], word, sizeof(word));
	return !strcmp(word, text);
}

static bool open_state(struct rsb_walk_state *s, struct rsb_error *error)
{
	size_t count;

	s->image = rsb_frames_image(s->walk->frames);
	s->run = rsb_frames_run(s->walk->frames);
	s->sites = rsb_sites_array(rsb_run_sites(s->run), &count);
	s->addresses = rsb_sites_addresses(rsb_run_sites(s->run), &count);
	s->zero_call_pushes = rsb_profile_zero_call_pushes(s->walk->profile);
	s->crowds = !is_set(s->walk->profile, "overflow", "overwrite-oldest");
	s->quirk = is_set(s->walk->profile, "quirk", "true");
	rsb_lifo_open(&s->lifo, rsb_profile_depth(s->walk->profile));
	s->model = rsb_profile_model(s->walk->profile, error);
	if (!s->model)
		return false;
	s->row_count = (size_t)rsb_frames_back(s->walk->frames) + 1;
	s->rows = calloc(s->row_count, sizeof(*s->rows));
	s->missed = calloc(rsb_run_longest(s->run), sizeof(*s->missed));
	return (s->rows && s->missed) || rsb_error_set(error, "out of memory");
}

static void close_state(struct rsb_walk_state *s)
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
	struct rsb_walk_state s = { .walk = walk, .origins = origins };
	bool good = open_state(&s, error);

	for (; good && s.round < walk->end; s.round++)
		good = walk_round(&s) || rsb_error_set(error, "out of memory");
	close_state(&s);
	return good;
}
