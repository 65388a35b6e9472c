/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts on this machine: what is simulated of each beside what is measured of it, in one
 * scenario.
 *
 * A generated layout is measured against its twin, the same code with an indirect jump in place of
 * each return: nothing in that is for a return stack to predict. Half of what such a jump itself
 * costs more than a return that is predicted is taken off, as found of plain-call below 8 callers;
 * the range is from none of it to all. Other code has no twin: it is measured against plain-call, and its own work is in the difference.
 *
 * Misses are of a call of the traced function: those of a round, the runner's own return from
 * rsb_round counted, by the batch.
 */
#ifndef RSB_SIM_NATIVE_COMPARISON_H
#define RSB_SIM_NATIVE_COMPARISON_H

#include "sim/image/layout.h"
#include "sim/native/agreement.h"
#include "sim/native/expect.h"
#include "sim/native/measure.h"
#include "sim/native/penalty.h"

#define RSB_ALIGNMENTS 4 /* places of the code within a cache line, 16 bytes apart */

struct rsb_comparison_row {
	char *layout;
	bool twin;    /* measured against that */
	bool refused; /* not run, or failed: why */
	struct rsb_error why;
	double simulated;                   /* misses a call */
	struct rsb_spread cycles, baseline; /* a call */
	struct rsb_spread misses;           /* measured, a call; low and high as said above */
	double across_low, across_high;     /* the least and most median misses of the alignments */
	bool counted;
	double mispredicted; /* returns a call, by the processor's counter */
};

struct rsb_comparison {
	struct rsb_scenario scenario;
	struct rsb_comparison_row *rows;
	size_t count;
	size_t samples, dropped;
	double jump;                    /* cycles that a twin's jump costs more than a return */
	struct rsb_agreement agreement; /* of the rows that were measured */
	bool noisy; /* more than half of the samples were dropped: nothing is said */
};

struct rsb_comparison_options {
	const struct rsb_profile *profile;
	const struct rsb_penalty *penalty;
	struct rsb_measure_options measure;
	bool alignments; /* measure each at all alignments, too */
	bool allow;      /* run code that is not generated */
};

/* Compares. The layouts' how (rsb_layout_set_how()) is changed. NULL: error. */
struct rsb_comparison *rsb_comparison_new(struct rsb_layout *const *layouts, size_t count,
					  const struct rsb_scenario *scenario,
					  const struct rsb_comparison_options *options,
					  struct rsb_error *error);
void rsb_comparison_free(struct rsb_comparison *comparison);

#endif
