/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following the program's stack: see sim/see/real_stack.h. */
#include "sim/see/real_stack.h"

#include "sim/explain/stacks.h"
#include "traces/util/grow.h"

#include <stdlib.h>

/* The way through the acts. */
struct follow {
	const struct rsb_watched *watched;
	struct rsb_stacks stacks; /* the place of a frame's name is the site of its call */
	struct rsb_frame_round *rounds;
	struct rsb_real_frame *view; /* as it was told last, the outermost first */
	size_t count;
	size_t chain;                        /* that the view is of */
	bool written;                        /* a frame of the view may have been */
	const struct rsb_watched_act *taken; /* stored in this step, for a return to take */
	rsb_real_change *change;
	void *context;
};

static const struct rsb_stack_frame *frame_at(const struct rsb_stacks *stacks, uint64_t slot)
{
	const uint64_t *index = rsb_words_find(&stacks->slots, slot / 8);

	return index ? &stacks->frames[*index] : NULL;
}

static struct rsb_real_frame view_of(const struct rsb_stacks *stacks, uint64_t slot)
{
	const struct rsb_stack_frame *frame = frame_at(stacks, slot);

	return (struct rsb_real_frame){
		.slot = slot,
		.address = frame->now,
		.site = frame->name.place,
		.rewritten = frame->now != frame->address,
	};
}

static bool is_same(const struct rsb_real_frame *a, const struct rsb_real_frame *b)
{
	return a->slot == b->slot && a->address == b->address && a->site == b->site &&
	       a->rewritten == b->rewritten;
}

/* Tells what became other since the last time. */
static bool tell(struct follow *f, uint32_t step)
{
	const struct rsb_stack_chain *chain = &f->stacks.chains[f->stacks.current];
	size_t least = chain->count < f->count ? chain->count : f->count, i = 0;

	/* Of a stack that was not left, only what is on top changes, unless it is written over. */
	if (f->chain == f->stacks.current && !f->written && least)
		i = least - 1;
	for (; i < chain->count || i < f->count; i++) {
		struct rsb_real_frame now = { .slot = 0 };

		if (i < chain->count)
			now = view_of(&f->stacks, chain->slots[i]);
		if (i < least && is_same(&now, &f->view[i]))
			continue;
		if (!f->change(f->context, step, i, i < f->count ? &f->view[i] : NULL,
			       i < chain->count ? &now : NULL))
			return false;
		if (i < chain->count && i >= f->count && !RSB_GROW(f->view, i))
			return false;
		if (i < chain->count)
			f->view[i] = now;
	}
	f->count = chain->count;
	f->chain = f->stacks.current;
	f->written = false;
	return true;
}

/* What code stored for a return is a frame too, from the end of the instruction on. */
static void enter_taken(struct follow *f)
{
	const struct rsb_watched_act *act = f->taken;
	const struct rsb_stack_chain *chain = &f->stacks.chains[f->stacks.current];
	const struct rsb_stack_frame *frame;
	struct rsb_frame_name name = { 0, RSB_PLACE_NONE };

	f->taken = NULL;
	for (size_t i = 0; i < chain->count; i++)
		if (chain->slots[i] <= act->address)
			return; /* a frame that was written over, or not on top */
	frame = frame_at(&f->stacks, act->address);
	/* An address that was popped and pushed again is the one that its call pushed. */
	if (frame && frame->address == act->value)
		name = frame->name;
	rsb_stacks_call(&f->stacks, act->address, act->value, name);
}

static void act_out(struct follow *f, const struct rsb_watched_act *act)
{
	const struct rsb_frame_name name = { f->stacks.round, act->site };

	switch (act->act) {
	case RSB_ACT_CALL:
		rsb_stacks_call(&f->stacks, act->address, act->value, name);
		break;
	case RSB_ACT_RETURN:
		rsb_stacks_return(&f->stacks, act->pc, act->address, act->value);
		break;
	case RSB_ACT_POINTER:
		rsb_stacks_move(&f->stacks, act->pc, act->address);
		break;
	default:
		rsb_stacks_store(&f->stacks, act->pc, act->address, act->size, act->value);
		f->written |= frame_at(&f->stacks, act->address) ||
			      frame_at(&f->stacks, act->address + act->size - 1);
		if (act->taken)
			f->taken = act;
		break;
	}
}

static bool follow_round(struct follow *f, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		const struct rsb_watched_act *act = &f->watched->acts[i];

		act_out(f, act);
		if (i + 1 < end && act[1].step == act->step)
			continue;
		if (f->taken)
			enter_taken(f);
		if (f->stacks.failed || !tell(f, act->step))
			return false;
	}
	return true;
}

bool rsb_real_stack_follow(const struct rsb_watched *watched, rsb_real_change *change,
			   void *context)
{
	struct follow f = { .watched = watched, .change = change, .context = context };
	bool good;

	f.rounds = calloc(watched->round_count + 1, sizeof(*f.rounds));
	good = f.rounds != NULL;
	rsb_stacks_open(&f.stacks, watched->stack_start, watched->stack_end);
	for (size_t i = 0; good && i < watched->round_count; i++) {
		rsb_stacks_round(&f.stacks, f.rounds, (uint32_t)i);
		good = follow_round(&f, i ? watched->rounds[i - 1].acts : 0,
				    watched->rounds[i].acts);
	}
	rsb_stacks_close(&f.stacks);
	for (size_t i = 0; f.rounds && i < watched->round_count; i++)
		free(f.rounds[i].moves);
	free(f.rounds);
	free(f.view);
	return good;
}
