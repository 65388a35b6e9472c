/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measuring images on a machine that others use too. All of them are visited in turn, again and
 * again, so that what changes with time changes for all; a sample beside which the clock itself ran
 * unevenly is dropped and counted. What others do only ever adds time: of the rest each visit gives
 * the first quartile, and of the visits the calmer half counts. Images are compared calmest visit
 * with calmest, next with next.
 *
 * Cycles are of the core: the ticks of the time stamp counter, by those that a chain of additions
 * takes just before and after.
 */
#ifndef RSB_SIM_NATIVE_MEASURE_H
#define RSB_SIM_NATIVE_MEASURE_H

#include "sim/native/runner.h"
#include "sim/native/spread.h"

#define RSB_VISITS_MAX 101

struct rsb_measure_options {
	unsigned visits;  /* to each image, 1 to RSB_VISITS_MAX */
	unsigned samples; /* in a visit */
	int processor;    /* below 0: any */
	void (*progress)(void *context, uint64_t done, uint64_t of); /* may be NULL */
	void *context;
};

/* One image, and what its visits gave. */
struct rsb_measured {
	const struct rsb_image *image; /* set by the caller, like the next two */
	double instructions;           /* in a round, about; decides how many make a sample */
	bool getppid;

	bool failed; /* then why */
	struct rsb_error why;
	unsigned visits;               /* the calmer half, of those of which anything was left */
	double cycles[RSB_VISITS_MAX]; /* a round, by visit, the calmest first */
	size_t samples, dropped;
	bool counted;
	double mispredicted; /* returns in a round, by the processor's counter, if counted */
};

/* Measures them. False: error; an image that does not run is no error. */
bool rsb_native_measure(struct rsb_measured *all, size_t count,
			const struct rsb_measure_options *options, struct rsb_error *error);

/*
 * Cycles a round of one visit's samples, the steady ones: those whose two chains are within a
 * twentieth of each other, and that took no more than twice the median of these. dropped is added
 * to.
 */
struct rsb_spread rsb_measure_samples(const struct rsb_native_samples *samples, unsigned rounds,
				      size_t *dropped);

/* The quartiles over the visits. */
struct rsb_spread rsb_measured_cycles(const struct rsb_measured *measured);

/* The quartiles over the visits of a's cycles less b's and less that much. */
struct rsb_spread rsb_measured_difference(const struct rsb_measured *a,
					  const struct rsb_measured *b, double less);

#endif
