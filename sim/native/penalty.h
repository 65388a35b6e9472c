/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a mispredicted return costs on this machine, by methods that differ, from experiments only:
 *
 *	rewritten  return addresses are written over just before the return
 *	dropped    a call is dropped below callers: each caller more is a miss more
 *	overflow   calls that are far deeper than any stack: each one more is a miss more
 *	random     the same of recursion by call sites that chance chooses, so that no other
 *	           predictor can stand in
 *
 * A method that sees no slope on this machine (a deeper stack, another predictor that stands in)
 * says nothing. The unit in which misses are counted is the middle of those that do.
 */
#ifndef RSB_SIM_NATIVE_PENALTY_H
#define RSB_SIM_NATIVE_PENALTY_H

#include "sim/native/trial.h"

#define RSB_PENALTY_METHODS 4

struct rsb_penalty_method {
	const char *name, *how;
	struct rsb_spread cycles; /* over the visits; NAN: it says nothing */
};

struct rsb_penalty {
	struct rsb_penalty_method methods[RSB_PENALTY_METHODS];
	double low, unit, high; /* NAN: no method says anything */
	double random_depth; /* open calls, the runner's counted, from which on recursion by chance
				   misses; NAN: no such place */
	bool noisy;          /* no method is steady: its quartiles are a quarter apart */
};

/* Makes the experiments that the methods need, and measures them. False: error. */
bool rsb_penalty_measure(struct rsb_penalty *penalty, const struct rsb_measure_options *options,
			 struct rsb_error *error);

#endif
