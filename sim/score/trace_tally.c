/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting along a trace. */
#include "sim/score/trace_tally.h"

#include <stdlib.h>
#include <string.h>

#define NO_RETURN UINT32_MAX /* a site that does not return */

void rsb_trace_tally_clear(struct rsb_trace_tally *tally)
{
	free(tally->threads);
	free(tally->thread_marked);
	free(tally->returns);
	free(tally->return_marked);
	free(tally->of_site);
	free(tally->unjudged);
	*tally = (struct rsb_trace_tally){ 0 };
}

/* Rows of several models move apart when there are more of them. */
static bool grow_marked(struct rsb_trace_marked **rows, size_t models, size_t room, size_t more)
{
	struct rsb_trace_marked *larger = calloc(models * more, sizeof(*larger));

	if (!larger)
		return false;
	for (size_t i = 0; i < models && room; i++)
		memcpy(larger + i * more, *rows + i * room, room * sizeof(*larger));
	free(*rows);
	*rows = larger;
	return true;
}

static size_t next_room(size_t room, size_t count)
{
	size_t more = room ? room : 16;

	while (more < count)
		more *= 2;
	return more;
}

static bool grow_threads(struct rsb_trace_tally *tally, size_t count)
{
	if (count > tally->thread_room) {
		size_t more = next_room(tally->thread_room, count);
		struct rsb_trace_thread_row *larger =
			realloc(tally->threads, more * sizeof(*larger));

		if (!larger)
			return false;
		tally->threads = larger;
		if (!grow_marked(&tally->thread_marked, tally->models, tally->thread_room, more))
			return false;
		tally->thread_room = more;
	}
	while (tally->thread_count < count)
		tally->threads[tally->thread_count++] =
			(struct rsb_trace_thread_row){ .plain = { 0 } };
	return true;
}

static bool add_return(struct rsb_trace_tally *tally, uint32_t site)
{
	if (tally->return_count == tally->return_room) {
		size_t more = next_room(tally->return_room, tally->return_count + 1);
		struct rsb_trace_return_row *larger =
			realloc(tally->returns, more * sizeof(*larger));

		if (!larger)
			return false;
		tally->returns = larger;
		if (!grow_marked(&tally->return_marked, tally->models, tally->return_room, more))
			return false;
		tally->return_room = more;
	}
	tally->returns[tally->return_count++] = (struct rsb_trace_return_row){ .site = site };
	return true;
}

static bool is_return(const struct rsb_site *site)
{
	return site->kind == RSB_RETURN || site->kind == RSB_SWAP;
}

/* Gives each new site that returns its number. */
static bool number_sites(struct rsb_trace_tally *tally, const struct rsb_site *sites, size_t count)
{
	if (count > tally->site_room) {
		size_t more = next_room(tally->site_room, count);
		uint32_t *larger = realloc(tally->of_site, more * sizeof(*larger));

		if (!larger)
			return false;
		tally->of_site = larger;
		tally->site_room = more;
	}
	for (; tally->site_count < count; tally->site_count++) {
		uint32_t *number = &tally->of_site[tally->site_count];

		*number = NO_RETURN;
		if (!is_return(&sites[tally->site_count]))
			continue;
		*number = (uint32_t)tally->return_count;
		if (!add_return(tally, (uint32_t)tally->site_count))
			return false;
	}
	return true;
}

/* A return; verdict is the hardware's. */
static void count_return(struct rsb_trace_plain *plain, bool judged, unsigned verdict)
{
	plain->returns += judged;
	plain->unjudged += !judged;
	if (judged && verdict != RSB_VERDICT_NONE)
		plain->verdicts[verdict == RSB_VERDICT_MISS]++;
}

static void count_other(struct rsb_trace_tally *tally, const struct rsb_site *site)
{
	tally->switches += site->kind == RSB_ENVIRONMENT && site->detail == RSB_ENVIRONMENT_SWITCH;
	tally->gaps += site->kind == RSB_MARK && site->detail == RSB_MARK_GAP;
}

static void count_plain(struct rsb_trace_tally *tally, const struct rsb_site *sites,
			const struct rsb_trace_batch *batch, size_t thread)
{
	struct rsb_trace_plain *plain = &tally->threads[thread].plain;
	struct rsb_gap *gap = &tally->threads[thread].gap;

	for (size_t i = 0; i < batch->count; i++) {
		const struct rsb_site *site = &sites[batch->events[i].site];
		bool judged = !rsb_gap_event(gap, site);

		tally->unjudged[i] = !judged;
		if (is_return(site)) {
			unsigned verdict = batch->verdicts ? batch->verdicts[i] : RSB_VERDICT_NONE;

			count_return(plain, judged, verdict);
			count_return(&tally->returns[tally->of_site[batch->events[i].site]].plain,
				     judged, verdict);
		}
		count_other(tally, site);
		plain->calls += site->kind == RSB_CALL || site->kind == RSB_SWAP;
	}
	plain->instructions += batch->instructions;
	tally->events += batch->count;
}

static void count_miss(struct rsb_trace_marked *marked, const struct rsb_miss *miss,
		       unsigned verdict)
{
	marked->kinds[miss->kind]++;
	if (verdict != RSB_VERDICT_NONE)
		marked->verdicts[verdict == RSB_VERDICT_MISS]++;
}

static void count_misses(struct rsb_trace_tally *tally, const struct rsb_trace_batch *batch,
			 const struct rsb_trace_missed *missed, size_t model)
{
	struct rsb_trace_marked *thread =
		&tally->thread_marked[model * tally->thread_room + missed->thread];

	for (size_t i = 0; i < missed->misses[model]; i++) {
		const struct rsb_miss *miss = &missed->missed[model][i];
		uint32_t number = tally->of_site[batch->events[miss->event].site];
		unsigned verdict = batch->verdicts ? batch->verdicts[miss->event]
						   : RSB_VERDICT_NONE;

		if (number == NO_RETURN) {
			thread->indirect++;
		} else if (!tally->unjudged[miss->event]) {
			count_miss(thread, miss, verdict);
			count_miss(&tally->return_marked[model * tally->return_room + number], miss,
				   verdict);
		}
	}
}

bool rsb_trace_tally_batch(struct rsb_trace_tally *tally, const struct rsb_sites *table,
			   const struct rsb_trace_batch *batch,
			   const struct rsb_trace_missed *missed)
{
	size_t count;
	const struct rsb_site *sites = rsb_sites_array(table, &count);

	if (!grow_threads(tally, missed->thread + 1) || !number_sites(tally, sites, count))
		return false;
	if (batch->count > tally->unjudged_room) {
		free(tally->unjudged);
		tally->unjudged_room = 0;
		tally->unjudged = malloc(batch->count);
		if (!tally->unjudged)
			return false;
		tally->unjudged_room = batch->count;
	}
	count_plain(tally, sites, batch, missed->thread);
	for (size_t i = 0; i < tally->models; i++)
		count_misses(tally, batch, missed, i);
	return true;
}
