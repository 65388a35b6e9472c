/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scenario: how the traced function is called. Below depth distinct callers, batch times in a
 * row, round after round. Two have names: bench is the loop of the kernel's benchmark, in unwind
 * each call is followed by the way back up.
 */
#ifndef RSB_SIM_SCENARIO_H
#define RSB_SIM_SCENARIO_H

#include "traces/util/error.h"

#include <stdint.h>

#define RSB_DEPTH_MAX   4096
#define RSB_BATCH_MAX   100000
#define RSB_SPACING_MIN 32
#define RSB_SPACING_MAX 4096
#define RSB_ROUNDS_MAX  INT64_C(1000000000000)

struct rsb_scenario {
	const char *name; /* "bench", "unwind", "own" or "program" */
	unsigned depth;   /* 0 to RSB_DEPTH_MAX */
	unsigned batch;   /* 1 to RSB_BATCH_MAX */
	unsigned spacing; /* bytes from one caller's call site to the next: RSB_SPACING_MIN to
			     RSB_SPACING_MAX */
};

#define RSB_SCENARIO_BENCH ((struct rsb_scenario){ "bench", 8, 100, 128 })
#define RSB_SCENARIO_PROGRAM \
	((struct rsb_scenario){ "program", 0, 1, 128 }) /* a whole program's calls are its own */
#define RSB_SCENARIO_UNWIND ((struct rsb_scenario){ "unwind", 8, 1, 128 })

/* Is each number in its range? Error says which is not. */
bool rsb_scenario_check(const struct rsb_scenario *scenario, struct rsb_error *error);

/* Are they alike, the name too? */
bool rsb_scenario_same(const struct rsb_scenario *a, const struct rsb_scenario *b);

#endif
