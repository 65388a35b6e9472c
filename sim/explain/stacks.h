/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks of a run, followed instruction by instruction: which slots hold return addresses that
 * calls pushed, and what was done to them. A frame that the stack pointer has passed is kept: a
 * return may still take it (a stack that is switched back to, a return address popped and pushed
 * again).
 */
#ifndef RSB_SIM_EXPLAIN_STACKS_H
#define RSB_SIM_EXPLAIN_STACKS_H

#include "sim/explain/frame.h"
#include "sim/explain/stores.h"
#include "sim/explain/words.h"

struct rsb_stack_frame {
	uint64_t slot, address; /* what the call pushed, and where */
	uint64_t now;           /* what is there */
	struct rsb_frame_name name;
	uint64_t rewritten_by; /* the last store that made it differ; 0: it does not */
	size_t move;           /* its last one in the round that it is of */
	uint32_t move_round;
	bool live, left;
};

/* The slots under one stack pointer, the newest last: they fall in address. */
struct rsb_stack_chain {
	uint64_t *slots;
	size_t count;
	uint64_t rsp; /* when it was last used */
};

#define RSB_STACK_CHAINS 64

struct rsb_stacks {
	uint64_t start, end; /* of the machine's own stack, which is chain 0 */
	struct rsb_stack_chain chains[RSB_STACK_CHAINS];
	size_t chain_count, current;
	bool entered; /* a kernel was, by a system call or an exception: it has a stack of its own */
	struct rsb_stores stores;
	struct rsb_words slots; /* aligned word -> index in frames */
	struct rsb_stack_frame *frames;
	size_t frame_count;
	struct rsb_frame_round *rounds; /* where moves are written */
	uint32_t round;
	bool failed; /* no memory */
};

void rsb_stacks_open(struct rsb_stacks *stacks, uint64_t start, uint64_t end);
void rsb_stacks_close(struct rsb_stacks *stacks);

/* Rounds may have been moved in memory; the round under way is that one. */
void rsb_stacks_round(struct rsb_stacks *stacks, struct rsb_frame_round *rounds, uint32_t round);

/* The instruction at pc stored this. */
void rsb_stacks_store(struct rsb_stacks *stacks, uint64_t pc, uint64_t address, uint32_t size,
		      uint64_t value);

/* A call pushed address at slot. */
void rsb_stacks_call(struct rsb_stacks *stacks, uint64_t slot, uint64_t address,
		     struct rsb_frame_name name);

/* The return at pc took target from slot. */
struct rsb_frame_step rsb_stacks_return(struct rsb_stacks *stacks, uint64_t pc, uint64_t slot,
					uint64_t target);

/* The instruction at pc left the stack pointer there. */
void rsb_stacks_move(struct rsb_stacks *stacks, uint64_t pc, uint64_t rsp);

#endif
