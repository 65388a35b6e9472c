/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spans of a round: from each traced call to its landing. What is counted there without a
 * model: the calls, the returns, the balance of the code as it is, and of the layout, which is the
 * same code with each mitigation replaced by the plain instruction it stands for.
 */
#ifndef RSB_SIM_SCORE_SPANS_H
#define RSB_SIM_SCORE_SPANS_H

#include "sim/score/run.h"

struct rsb_spans {
	uint64_t traced_calls;
	uint64_t calls, returns; /* near ones */
	int64_t balance;         /* calls that push minus returns */
	int64_t balance_layout;
	int64_t peak;                     /* most entries above the caller's, of all spans */
	int64_t peak_layout;              /* the same of the layout */
	uint64_t cr3_writes, tlb_flushes; /* flushes: those writes that are ones */
};

/* Counts one round. zero_call_pushes: does a call to the next instruction push? */
struct rsb_spans rsb_spans_count(const struct rsb_sequence *sequence, const struct rsb_site *sites,
				 bool zero_call_pushes);

/* Adds a round's counts to a total; peaks are the larger. */
void rsb_spans_add(struct rsb_spans *total, const struct rsb_spans *more);

/* For each event of a round, whether it is in a span: writes sequence->count of them. */
void rsb_spans_inside(const struct rsb_sequence *sequence, const struct rsb_site *sites,
		      bool *inside);

/*
 * How a return stack moves over these events: the net number of entries pushed, and how far below
 * the start it goes (a number of entries, 0 or more).
 */
struct rsb_motion {
	int64_t net, deepest;
};
void rsb_motion_add(struct rsb_motion *motion, const struct rsb_sequence *sequence,
		    const struct rsb_site *sites, bool zero_call_pushes);

#endif
