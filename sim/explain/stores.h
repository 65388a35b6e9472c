/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which instruction put there what a word of memory holds. One that stores again what is there did
 * not, unless the stack pointer had passed the word in between: then it is new to whoever stores.
 */
#ifndef RSB_SIM_EXPLAIN_STORES_H
#define RSB_SIM_EXPLAIN_STORES_H

#include "sim/explain/words.h"

/* All zeros is an empty one. */
struct rsb_stores {
	struct rsb_words index; /* aligned word -> index in all */
	struct rsb_store *all;
	size_t count;
	/* How far up the stack pointer has been since which time; it falls, the latest last. */
	struct rsb_stack_high *highs;
	size_t high_count;
	uint64_t time, rsp;
};

void rsb_stores_clear(struct rsb_stores *stores);

/* The stack pointer is there now. False: no memory. */
bool rsb_stores_move(struct rsb_stores *stores, uint64_t rsp);

/* The instruction at pc stored size bytes (at most 8) of value. False: no memory. */
bool rsb_stores_add(struct rsb_stores *stores, uint64_t pc, uint64_t address, uint32_t size,
		    uint64_t value);

/* What stored the word there; otherwise if that is not known. */
uint64_t rsb_stores_find(const struct rsb_stores *stores, uint64_t address, uint64_t otherwise);

/* What a word holds after such a store. */
uint64_t rsb_stores_merge(uint64_t word, uint64_t before, uint64_t address, uint32_t size,
			  uint64_t value);

#endif
