/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the simulator expects of an image that the runner will run: the misses of a round, with the
 * runner's own call of rsb_round and the return from it, which scores leave out. And whether its
 * code, as it runs, is any that a process may run: system calls, interrupts and the like are not.
 */
#ifndef RSB_SIM_NATIVE_EXPECT_H
#define RSB_SIM_NATIVE_EXPECT_H

#include "models/profile.h"
#include "sim/image/image.h"
#include "sim/score/run.h"

/* A round, averaged over the steady state; the runner's call and return are counted. */
struct rsb_expected {
	double misses;
	double returns, instructions;
	double traced_calls;
};

/* The image's run, from which any number of expectations can be drawn. NULL: error. */
struct rsb_run *rsb_expect_run(const struct rsb_image *image, bool system_calls,
			       struct rsb_error *error);

bool rsb_expect(const struct rsb_run *run, const struct rsb_profile *profile,
		struct rsb_expected *expected, struct rsb_error *error);

#endif
