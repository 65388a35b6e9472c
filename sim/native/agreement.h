/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well what is simulated and what is measured agree: correlation, errors and order. Only
 * arithmetic.
 */
#ifndef RSB_SIM_NATIVE_AGREEMENT_H
#define RSB_SIM_NATIVE_AGREEMENT_H

#include "sim/native/spread.h"

#include <stdbool.h>

struct rsb_compared {
	double simulated; /* misses a call */
	struct rsb_spread measured;
};

struct rsb_agreement {
	size_t count;
	double correlation; /* NAN: nothing to correlate */
	double mean_error, worst_error;
	size_t worst;       /* which one that is */
	size_t beyond;      /* how many are further off than half a miss and a tenth */
	size_t pairs, kept; /* pairs that are simulated a miss or more apart, and of them, those
			       measured in that order */
};

/* Those without a measurement (NAN) are left out. */
struct rsb_agreement rsb_agreement_of(const struct rsb_compared *rows, size_t count);

/*
 * The place of one in the order of what was measured, from 1: behind all whose range lies wholly
 * below its own. tied: its range meets that of another. 0: it was not measured.
 */
size_t rsb_agreement_rank(const struct rsb_compared *rows, size_t count, size_t index, bool *tied);

#endif
