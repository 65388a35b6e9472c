/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paired returns: those that every return stack predicts, whatever it held before and however it
 * overflows or underflows. Such a return goes back to its own call, which is inside the traced
 * call, and since then no more than three calls were open at once, each of which has returned
 * likewise. A stack of four entries is enough for it, and no processor here has fewer. This is
 * known of the code alone, as it runs; no profile and no model has a say in it.
 *
 * The traced call's own return, those of its callers, and all that is unbalanced are not among
 * them: these are what layouts are measured for.
 */
#ifndef RSB_SIM_NATIVE_PAIRED_H
#define RSB_SIM_NATIVE_PAIRED_H

#include "sim/image/image.h"
#include "sim/score/run.h"

#define RSB_PAIRED_OPEN 3 /* calls */

struct rsb_paired {
	bool *kept; /* by the numbers of the image's returns: paired each time that it ran */
	size_t count;
	double *runs;   /* how often each runs in a round, averaged over the rounds that were run */
	double returns; /* of those kept, the same, together */
};

/* Of an image and its run. False: no memory. rsb_paired_clear() in any case. */
bool rsb_paired_find(struct rsb_paired *paired, const struct rsb_image *image,
		     const struct rsb_run *run, struct rsb_error *error);
void rsb_paired_clear(struct rsb_paired *paired);

#endif
