/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Base times that were measured: what rsbsim native wrote as JSON (rsbsim-native(1)), for the base
 * of a time (sim/score/time.h). Of each layout and scenario it has the cycles that a call takes if
 * nothing misses, on the one CPU that was measured.
 *
 * Keys that are not needed here are passed over: that file says much more.
 */
#ifndef RSB_SIM_SCORE_BASES_H
#define RSB_SIM_SCORE_BASES_H

#include "sim/scenario.h"
#include "sim/score/time.h"

struct rsb_bases;

/*
 * NULL: error has file:line and what was expected; or it says that the file has no base at all, and
 * why.
 */
struct rsb_bases *rsb_bases_load(const char *path, struct rsb_error *error);
void rsb_bases_free(struct rsb_bases *bases);

/* The profile that was simulated beside the measurements. */
const char *rsb_bases_cpu(const struct rsb_bases *bases);

/* The form of indirect calls and jumps that was asked for, in a word. NULL: the layouts' own. */
const char *rsb_bases_indirect(const struct rsb_bases *bases);

/* What a call is, for which a base is looked up. */
struct rsb_bases_key {
	const char *layout, *return_thunk, *cpu;
	const struct rsb_scenario *scenario; /* its name is not looked at */
};

/* Cycles a call, from and to. False: it was not measured, or nothing is to be read from it. */
bool rsb_bases_find(const struct rsb_bases *bases, const struct rsb_bases_key *key,
		    struct rsb_interval *cycles);

#endif
