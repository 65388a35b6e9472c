/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in a trace, counted from its start to its end. */
#ifndef RSB_TRACES_SUMMARY_H
#define RSB_TRACES_SUMMARY_H

#include "traces/file.h"

#define RSB_SUMMARY_THREADS 4096 /* that are told apart */

struct rsb_trace_summary {
	struct rsb_trace_extent extent;
	uint64_t kinds[RSB_KINDS]; /* events of each */
	uint64_t rounds, instructions;
	uint64_t hits, misses; /* verdicts of the processor */
	size_t sites, addresses;
	size_t threads; /* up to RSB_SUMMARY_THREADS */
	uint64_t thread_ids[RSB_SUMMARY_THREADS];
};

/* Reads what is left to read. Returns how that ended, with error set unless RSB_TRACE_END. */
enum rsb_trace_got rsb_trace_summarize(struct rsb_trace_reader *reader,
				       struct rsb_trace_summary *summary, struct rsb_error *error);

#endif
