/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rounds of a run, run once more by a machine of their own: all different ones, in their order.
 */
#ifndef RSB_SIM_EXPLAIN_AGAIN_H
#define RSB_SIM_EXPLAIN_AGAIN_H

#include "sim/machine/watch.h"
#include "sim/score/run.h"

struct rsb_again {
	struct rsb_sites *sites;
	struct rsb_machine *machine;
	uint64_t rounds, traced_calls;
};

/*
 * Runs them, with shadow stacks on whatever the image says, or as it says. watcher may be NULL. On
 * success rsb_again_close() is due. False: error.
 */
bool rsb_again_run(struct rsb_again *again, const struct rsb_image *image,
		   const struct rsb_run *run, bool shadow_stack, const struct rsb_watcher *watcher,
		   struct rsb_error *error);
void rsb_again_close(struct rsb_again *again);

#endif
