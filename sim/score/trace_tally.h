/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting along a trace: what needs no model once for all CPUs, and the misses of each. Counts
 * stand for each thread and for each return site.
 */
#ifndef RSB_SIM_SCORE_TRACE_TALLY_H
#define RSB_SIM_SCORE_TRACE_TALLY_H

#include "sim/score/gap.h"
#include "sim/score/trace_replay.h"

/* What is counted without a model. */
struct rsb_trace_plain {
	uint64_t calls, returns, unjudged, instructions;
	uint64_t verdicts[2]; /* of judged returns: predicted, mispredicted */
};

/* What one model adds, of judged returns. */
struct rsb_trace_marked {
	uint64_t kinds[3];    /* by enum rsb_miss_kind */
	uint64_t verdicts[2]; /* those that the hardware predicted, or not */
	uint64_t indirect;
};

struct rsb_trace_thread_row {
	struct rsb_trace_plain plain;
	struct rsb_gap gap;
};

struct rsb_trace_return_row {
	struct rsb_trace_plain plain;
	uint32_t site;
};

struct rsb_trace_tally {
	size_t models;
	uint64_t events, switches, gaps;

	/* By thread; and for each model in turn: [model * room + thread]. */
	struct rsb_trace_thread_row *threads;
	struct rsb_trace_marked *thread_marked;
	size_t thread_count, thread_room;

	/* The same by return: a dense number of the sites that return, which of_site has. */
	struct rsb_trace_return_row *returns;
	struct rsb_trace_marked *return_marked;
	size_t return_count, return_room;
	uint32_t *of_site;
	size_t site_count, site_room;

	uint8_t *unjudged; /* for each event of the batch: is it a return that is not judged? */
	size_t unjudged_room;
};

void rsb_trace_tally_clear(struct rsb_trace_tally *tally);

/* Counts a batch and its misses. False: no memory. */
bool rsb_trace_tally_batch(struct rsb_trace_tally *tally, const struct rsb_sites *sites,
			   const struct rsb_trace_batch *batch,
			   const struct rsb_trace_missed *missed);

#endif
