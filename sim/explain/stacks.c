/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following return addresses on the stacks. */
#include "sim/explain/stacks.h"

#include "traces/util/grow.h"

#include <stdlib.h>

#define WORD 8u

/*
 * Stack pointers nearer than this are on one stack (the machine's own stack apart). Two stacks that
 * are nearer still come out right: a frame that was passed can be returned to.
 */
#define STACK_REACH UINT64_C(0x100000)

void rsb_stacks_open(struct rsb_stacks *stacks, uint64_t start, uint64_t end)
{
	*stacks = (struct rsb_stacks){ .start = start, .end = end, .chain_count = 1 };
	stacks->chains[0].rsp = end;
}

void rsb_stacks_close(struct rsb_stacks *stacks)
{
	for (size_t i = 0; i < stacks->chain_count; i++)
		free(stacks->chains[i].slots);
	rsb_stores_clear(&stacks->stores);
	rsb_words_clear(&stacks->slots);
	free(stacks->frames);
}

void rsb_stacks_round(struct rsb_stacks *stacks, struct rsb_frame_round *rounds, uint32_t round)
{
	stacks->rounds = rounds;
	stacks->round = round;
}

/* The frame at this slot. NULL: a call never pushed there, or its frame is over. */
static struct rsb_stack_frame *find_frame(const struct rsb_stacks *stacks, uint64_t slot)
{
	const uint64_t *index = rsb_words_find(&stacks->slots, slot / WORD);
	struct rsb_stack_frame *frame = index ? &stacks->frames[*index] : NULL;

	return frame && frame->live ? frame : NULL;
}

/*
 * Keeps what a store does to a frame. One that stores again what is there is not at fault, unless
 * the stack pointer had passed the slot: then it is new to whoever stores.
 */
static void write_frame(struct rsb_stack_frame *frame, uint64_t pc, uint64_t address, uint32_t size,
			uint64_t value)
{
	uint64_t now = rsb_stores_merge(frame->slot, frame->now, address, size, value);

	if (now == frame->address)
		frame->rewritten_by = 0;
	else if (now != frame->now || frame->left)
		frame->rewritten_by = pc;
	frame->now = now;
}

void rsb_stacks_store(struct rsb_stacks *stacks, uint64_t pc, uint64_t address, uint32_t size,
		      uint64_t value)
{
	for (uint64_t word = address / WORD; word <= (address + size - 1) / WORD; word++) {
		struct rsb_stack_frame *frame = find_frame(stacks, word * WORD);

		if (frame)
			write_frame(frame, pc, address, size, value);
	}
	if (!rsb_stores_add(&stacks->stores, pc, address, size, value))
		stacks->failed = true;
}

/* The frame that a slot has from here on. NULL: no memory. */
static struct rsb_stack_frame *make_frame(struct rsb_stacks *stacks, uint64_t slot)
{
	const uint64_t *index = rsb_words_find(&stacks->slots, slot / WORD);

	if (index)
		return &stacks->frames[*index];
	if (!RSB_GROW(stacks->frames, stacks->frame_count))
		return NULL;
	if (!rsb_words_set(&stacks->slots, slot / WORD, stacks->frame_count))
		return NULL;
	return &stacks->frames[stacks->frame_count++];
}

static bool push_slot(struct rsb_stack_chain *chain, uint64_t slot)
{
	if (!RSB_GROW(chain->slots, chain->count))
		return false;
	chain->slots[chain->count++] = slot;
	return true;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The chain that a stack pointer is on; the machine's own if there is no room for one more. */
static size_t find_chain(struct rsb_stacks *stacks, uint64_t rsp)
{
	size_t nearest = 0;

	if (rsp >= stacks->start && rsp <= stacks->end)
		return 0;
	for (size_t i = 1; i < stacks->chain_count; i++)
		if (!nearest || distance(rsp, stacks->chains[i].rsp) <
					distance(rsp, stacks->chains[nearest].rsp))
			nearest = i;
	if (nearest && distance(rsp, stacks->chains[nearest].rsp) < STACK_REACH)
		return nearest;
	return stacks->chain_count < RSB_STACK_CHAINS ? stacks->chain_count++ : nearest;
}

static void add_move(struct rsb_stacks *stacks, struct rsb_stack_frame *frame, uint64_t culprit)
{
	struct rsb_frame_round *round = &stacks->rounds[stacks->round];

	if (!RSB_GROW(round->moves, round->move_count)) {
		stacks->failed = true;
		return;
	}
	frame->left = culprit;
	frame->move = round->move_count;
	frame->move_round = stacks->round;
	round->moves[round->move_count++] = (struct rsb_frame_move){
		.frame = frame->name,
		.culprit = culprit,
		.place = (uint32_t)round->step_count,
		.for_good = culprit,
	};
}

/* The frame was not left for good after all. */
static void come_back(const struct rsb_stacks *stacks, const struct rsb_stack_frame *frame)
{
	stacks->rounds[frame->move_round].moves[frame->move].for_good = false;
}

static void leave(struct rsb_stacks *stacks, uint64_t pc, uint64_t slot)
{
	struct rsb_stack_frame *frame = find_frame(stacks, slot);

	if (frame && !frame->left)
		add_move(stacks, frame, pc);
}

static void enter(struct rsb_stacks *stacks, uint64_t slot)
{
	struct rsb_stack_frame *frame = find_frame(stacks, slot);

	if (!frame || !frame->left)
		return;
	come_back(stacks, frame);
	add_move(stacks, frame, 0);
}

static void switch_chain(struct rsb_stacks *stacks, uint64_t pc, uint64_t rsp, size_t to)
{
	struct rsb_stack_chain *from = &stacks->chains[stacks->current];
	struct rsb_stack_chain *chain = &stacks->chains[to];

	/* A kernel that was entered goes back to the stack that it changes for its own. */
	for (size_t i = stacks->entered && !stacks->current ? 0 : from->count; i-- > 0;)
		leave(stacks, pc, from->slots[i]);
	for (size_t i = 0; i < chain->count && chain->slots[i] >= rsp; i++)
		enter(stacks, chain->slots[i]);
	stacks->current = to;
}

void rsb_stacks_move(struct rsb_stacks *stacks, uint64_t pc, uint64_t rsp)
{
	size_t to = find_chain(stacks, rsp);
	struct rsb_stack_chain *chain = &stacks->chains[to];

	if (to != stacks->current)
		switch_chain(stacks, pc, rsp, to);
	while (chain->count && chain->slots[chain->count - 1] < rsp)
		leave(stacks, pc, chain->slots[--chain->count]);
	chain->rsp = rsp;
	if (!rsb_stores_move(&stacks->stores, rsp))
		stacks->failed = true;
}

void rsb_stacks_call(struct rsb_stacks *stacks, uint64_t slot, uint64_t address,
		     struct rsb_frame_name name)
{
	struct rsb_stack_frame *frame = make_frame(stacks, slot);

	if (!frame || !push_slot(&stacks->chains[stacks->current], slot)) {
		stacks->failed = true;
		return;
	}
	*frame = (struct rsb_stack_frame){
		.slot = slot, .address = address, .now = address, .name = name, .live = true
	};
}

struct rsb_frame_step rsb_stacks_return(struct rsb_stacks *stacks, uint64_t pc, uint64_t slot,
					uint64_t target)
{
	struct rsb_stack_frame *frame = find_frame(stacks, slot);
	struct rsb_stack_chain *chain = &stacks->chains[stacks->current];
	struct rsb_frame_step step = { { 0, RSB_PLACE_NONE }, 0 };

	if (chain->count && chain->slots[chain->count - 1] == slot)
		chain->count--;
	/*
	 * What stands in the slot of a frame that was passed is that frame only if it is the same.
	 */
	if (frame && frame->left && frame->address != target)
		frame = NULL;
	if (!frame) {
		step.culprit = rsb_stores_find(&stacks->stores, slot, pc);
		return step;
	}
	step.answers = frame->name;
	if (frame->address != target)
		step.culprit = frame->rewritten_by ? frame->rewritten_by
						   : rsb_stores_find(&stacks->stores, slot, pc);
	if (frame->left)
		come_back(stacks, frame);
	frame->live = false;
	return step;
}
