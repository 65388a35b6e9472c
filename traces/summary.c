/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts what is in a trace. */
#include "traces/summary.h"

#include <string.h>

static void count_thread(struct rsb_trace_summary *summary, uint64_t thread)
{
	for (size_t i = summary->threads; i-- > 0;)
		if (summary->thread_ids[i] == thread)
			return;
	if (summary->threads < RSB_SUMMARY_THREADS)
		summary->thread_ids[summary->threads++] = thread;
}

static void count_batch(struct rsb_trace_summary *summary, const struct rsb_site *sites,
			const struct rsb_trace_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		summary->kinds[sites[batch->events[i].site].kind]++;
	for (size_t i = 0; batch->verdicts && i < batch->count; i++) {
		summary->hits += batch->verdicts[i] == RSB_VERDICT_HIT;
		summary->misses += batch->verdicts[i] == RSB_VERDICT_MISS;
	}
	summary->instructions += batch->instructions;
	summary->rounds += batch->round != NULL;
}

enum rsb_trace_got rsb_trace_summarize(struct rsb_trace_reader *reader,
				       struct rsb_trace_summary *summary, struct rsb_error *error)
{
	const struct rsb_sites *table = rsb_trace_reader_sites(reader);
	struct rsb_trace_batch batch;
	enum rsb_trace_got got;

	memset(summary, 0, sizeof(*summary));
	while ((got = rsb_trace_reader_next(reader, &batch, error)) == RSB_TRACE_BATCH) {
		count_batch(summary, rsb_sites_array(table, &summary->sites), &batch);
		count_thread(summary, batch.thread);
	}
	rsb_sites_array(table, &summary->sites);
	rsb_sites_addresses(table, &summary->addresses);
	summary->extent = rsb_trace_reader_extent(reader);
	return got;
}
