/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Misses by return: each return of a layout that is not paired is made to miss, in an image of its
 * own (struct rsb_subject_return). One that was predicted costs a misprediction more by that, where
 * it stands and with all that hangs on it; one that missed already next to nothing. So it does not
 * matter how much a misprediction costs there, only that it costs something; and there is no twin
 * whose jumps would be in it.
 *
 * Of an instruction that runs more than once in a round only the mean is known. Where that many
 * returns are mispredicted one after the other it tells least: recursion is such a case. And a
 * stack that falls back on the indirect predictor may foresee what was made to miss as well.
 */
#ifndef RSB_SIM_NATIVE_RETURNS_H
#define RSB_SIM_NATIVE_RETURNS_H

#include "sim/native/measure.h"
#include "sim/native/subject.h"

/* A return, in all the calls of a round, and what it costs to make it miss. */
struct rsb_return_verdict {
	char place[64];         /* "caller_7+0x7" */
	double runs;            /* in a round */
	bool caller;            /* it is a caller's, or rsb_round's */
	struct rsb_spread cost; /* in units, each time that it runs; NAN: not measured */
	double missed;          /* the part of the times that it missed already: 0 to 1 */
};

struct rsb_returns_measured {
	const struct rsb_subject *subject;
	const struct rsb_measured *own, *forced; /* forced: as many as the subject has returns */
	double unit;                             /* cycles of a misprediction */
	double batch;
};

/*
 * As many verdicts as the subject has returns, which the caller frees, and the misses a call that
 * they add up to. NULL: no memory.
 */
struct rsb_return_verdict *rsb_returns_judge(const struct rsb_returns_measured *measured,
					     struct rsb_spread *misses, struct rsb_error *error);

#endif
