/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What control-flow enforcement refuses, each time that it does: found in a run of its own
 * (sim/explain/shadow.h, ibt.h), and looked up for the events of another run of the same rounds. A
 * transfer is known by its round, its place, and how often it was there before in that round; so
 * the two runs need not be the same, where code that asks for a shadow stack takes another way.
 */
#ifndef RSB_SIM_EXPLAIN_REFUSALS_H
#define RSB_SIM_EXPLAIN_REFUSALS_H

#include "sim/explain/words.h"
#include "sim/score/run.h"

#define RSB_REFUSALS_MAX 1000000 /* that are kept, the first ones: 32 bytes each */

struct rsb_refusal {
	uint64_t round, pc;
	uint64_t expected; /* by the shadow stack, of a return to another address or segment */
	uint32_t times;    /* that the transfer was there before in the round */
	uint8_t why;       /* enum rsb_shadow_fault_kind, or enum rsb_pad */
};

/* All zeros is an empty one. */
struct rsb_refusals {
	struct rsb_refusal *all;
	size_t count;
	uint64_t first, period;   /* rounds after which it is all the same; 0: it is not */
	uint64_t left_out;        /* that are not kept, since there are too many */
	uint64_t left_out_from;   /* the round of the first of these */
	struct rsb_words counted; /* pc -> round and times */
	bool failed;              /* no memory */
};

/* How often the transfer at pc was there before in this round; counts it. */
uint32_t rsb_refusals_count(struct rsb_words *counted, uint64_t round, uint64_t pc, bool *failed);

/* A transfer in the order of the run; refusal: NULL, or why and what was expected. */
void rsb_refusals_see(struct rsb_refusals *refusals, uint64_t round, uint64_t pc,
		      const struct rsb_refusal *refusal);

/* All are there: makes them ready to be looked up. False: there was no memory. */
bool rsb_refusals_end(struct rsb_refusals *refusals, const struct rsb_run *run);

/* NULL: it is not refused. */
const struct rsb_refusal *rsb_refusals_find(const struct rsb_refusals *refusals, uint64_t round,
					    uint64_t pc, uint32_t times);

void rsb_refusals_clear(struct rsb_refusals *refusals);

#endif
