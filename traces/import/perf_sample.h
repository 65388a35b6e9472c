/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The branch stack of a sample: what kinds its branches are, and which of them were seen before. */
#ifndef RSB_TRACES_IMPORT_PERF_SAMPLE_H
#define RSB_TRACES_IMPORT_PERF_SAMPLE_H

#include "traces/import/code.h"
#include "traces/import/perf_chains.h"
#include "traces/import/perf_line.h"

/*
 * Finds kinds that are not printed, where they are certain: the code tells; or two branches, the
 * later of which goes to just behind the earlier one, are a call and its return because a
 * callchain has that address, or because the earlier one went to the start of another function,
 * which the later one left. branches are in the order in which they were executed.
 */
void rsb_perf_sample_classify(struct rsb_perf_branch *branches, size_t count,
			      struct rsb_traced_code *code, const struct rsb_perf_symbols *symbols,
			      const struct rsb_perf_chains *chains);

/*
 * How many of the first branches of a sample are the last ones of the thread's sample before. 0 if
 * that is not certain: they must have cycles to compare, and match in one way only.
 */
size_t rsb_perf_sample_overlap(const struct rsb_perf_branch *before, size_t before_count,
			       const struct rsb_perf_branch *branches, size_t count);

#endif
