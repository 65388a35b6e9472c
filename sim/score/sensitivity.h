/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much hangs on what is only assumed: a score worked out again with each other value that an
 * assumed field may have, and whether the layouts would then be in another order.
 */
#ifndef RSB_SIM_SCORE_SENSITIVITY_H
#define RSB_SIM_SCORE_SENSITIVITY_H

#include "sim/score/score.h"

/* Less is better. */
int rsb_standing_compare(const struct rsb_standing *a, const struct rsb_standing *b);

/* Where a score stands by its figures. */
struct rsb_standing rsb_score_standing(const struct rsb_per_call *figures);

/*
 * Fills score->variants: for each assumed field of the profile that has other admissible values,
 * and that the run needed (a bit for each row of its model's parameters), one for each such value.
 */
bool rsb_score_vary(struct rsb_score *score, const struct rsb_run *run,
		    const struct rsb_profile *profile, uint64_t exercised, struct rsb_error *error);

/*
 * Adds to scores, where several layouts are scored on a CPU in one scenario, a note for each field
 * that was varied: would they be in another order?
 */
bool rsb_sensitivity_note(struct rsb_score *const *scores, size_t count, struct rsb_error *error);

#endif
