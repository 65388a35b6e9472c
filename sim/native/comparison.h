/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts on this machine: what is simulated of each beside what is measured of it, in one
 * scenario.
 *
 * A generated layout is measured against its twin (sim/native/subject.h). Half of what such a jump
 * itself costs more than a return that is predicted is taken off, as found of plain-call below 8
 * callers; the range is from none of it to all. Other code has no twin: it is measured against
 * plain-call, and its own work is in the difference.
 *
 * Where there are variants, what is simulated and measured is the middle of them, and the range is
 * that of all.
 *
 * Misses are of a call of the traced function: those of a round, the runner's own return from
 * rsb_round counted, by the batch.
 */
#ifndef RSB_SIM_NATIVE_COMPARISON_H
#define RSB_SIM_NATIVE_COMPARISON_H

#include "sim/native/agreement.h"
#include "sim/native/measure.h"
#include "sim/native/penalty.h"
#include "sim/native/returns.h"
#include "sim/native/subject.h"

/* Misses a call of one variant. */
struct rsb_variant_misses {
	double simulated;           /* NAN: it was not measured */
	struct rsb_spread measured; /* low and high as said above */
};

struct rsb_comparison_row {
	char *layout, *return_thunk; /* return_thunk: in a word; "" of code that is not generated */
	bool twin;                   /* measured against that */
	bool refused;                /* not run, or failed: why */
	struct rsb_error why;
	double simulated;                   /* misses a call */
	struct rsb_spread misses;           /* measured, a call; low and high as said above */
	struct rsb_spread cycles, baseline; /* a call, of the first variant */
	struct rsb_spread base; /* cycles a call if nothing missed; NAN: without a twin not known */
	struct rsb_variant_misses variants[RSB_SUBJECT_VARIANTS];
	struct rsb_return_verdict *returns; /* if each was made to miss */
	size_t return_count;
	struct rsb_spread by_return; /* misses a call, counted by these; NAN: not known */
	bool counted;
	double mispredicted; /* returns a call, by the processor's counter */
};

struct rsb_comparison {
	struct rsb_scenario scenario;
	struct rsb_comparison_row *rows;
	size_t count;
	size_t variants; /* that were measured of each generated layout */
	size_t samples, dropped;
	double jump;                    /* cycles that a twin's jump costs more than a return */
	struct rsb_agreement agreement; /* of the rows that were measured */
	bool each;                      /* each return was made to miss */
	struct rsb_agreement each_agreement; /* of what was counted so */
	bool noisy; /* more than half of the samples were dropped: nothing is said */
};

struct rsb_comparison_options {
	const struct rsb_profile *profile;
	const struct rsb_penalty *penalty;
	struct rsb_measure_options measure;
	size_t variants; /* of each layout, the first of rsb_subject_variants: 1 to RSB_SUBJECT_VARIANTS */
	bool each;  /* make each return miss, too */
	bool allow; /* run code that is not generated */
};

/* Compares. The layouts' how (rsb_layout_set_how()) is changed. NULL: error. */
struct rsb_comparison *rsb_comparison_new(struct rsb_layout *const *layouts, size_t count,
					  const struct rsb_scenario *scenario,
					  const struct rsb_comparison_options *options,
					  struct rsb_error *error);
void rsb_comparison_free(struct rsb_comparison *comparison);

/*
 * The least and the most of the median misses over the alignments, without helpers; and over the
 * numbers of helpers, at the usual place. NAN: it was measured in one such way only.
 */
void rsb_comparison_by_alignment(const struct rsb_comparison_row *row, double *low, double *high);
void rsb_comparison_by_helpers(const struct rsb_comparison_row *row, double *low, double *high);

#endif
