/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of a sweep: a JSON file with what the whole sweep is of (events and CPUs by checksum, the
 * grid, the version), which shard of it this is, and that shard's rows. Parts are put together
 * only if they are of the same sweep, all there, and each once.
 */
#ifndef RSB_SIM_SWEEP_PART_H
#define RSB_SIM_SWEEP_PART_H

#include "sim/sweep/sweep.h"

#include <stdio.h>

#define RSB_SHARDS_MAX 100000

/* Which part: index, from 1, of count. */
struct rsb_shard {
	size_t index, count;
};

/* Writes the rows of a sweep that was narrowed to that shard. False: error. */
bool rsb_sweep_write_part(const struct rsb_sweep *sweep, const struct rsb_shard *shard, FILE *out,
			  struct rsb_error *error);

/* The sweep that the part files make together. NULL: error. */
struct rsb_sweep *rsb_sweep_merge(const char *const *paths, size_t count, struct rsb_error *error);

#endif
