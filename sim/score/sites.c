/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting returns and misses by site. */
#include "sim/score/sites.h"

#include <stdlib.h>
#include <string.h>

#define MISS_KINDS (RSB_MISS_OTHER + 1)

/* One site, inside or outside of the spans. */
struct count {
	uint64_t returns, intended, misses[MISS_KINDS];
};

/* Two counts a site: [2 * id] outside, [2 * id + 1] inside. */
struct counts {
	struct count *of;
	const struct rsb_site *sites;
	size_t site_count;
	uint64_t traced_calls;
};

static void count_miss(void *context, const struct rsb_replay_miss *m)
{
	struct counts *counts = context;
	struct count *count = &counts->of[2 * m->event->site + m->inside];

	count->misses[m->miss->kind]++;
	count->intended += m->intended;
}

/* Counts the returns of one round of this kind. */
static bool count_returns(struct counts *counts, const struct rsb_run *run,
			  const struct rsb_replay *replay, size_t kind)
{
	const struct rsb_sequence *sequence = rsb_run_sequence(run, kind);
	const bool *inside = rsb_replay_inside(replay, kind);

	if (!inside)
		return false;
	for (size_t i = 0; i < sequence->count; i++) {
		uint32_t site = sequence->events[i].site;
		uint8_t made = counts->sites[site].kind;

		if (made == RSB_RETURN || made == RSB_SWAP)
			counts->of[2 * site + inside[i]].returns++;
	}
	counts->traced_calls += sequence->round.traced_calls;
	return true;
}

static const char *common_kind(const struct count *count)
{
	static const char *const names[] = { "empty", "stale", "other" };
	size_t most = 0;

	for (size_t i = 1; i < MISS_KINDS; i++)
		if (count->misses[i] > count->misses[most])
			most = i;
	return count->misses[most] ? names[most] : "";
}

static int compare_sites(const void *a, const void *b)
{
	const struct rsb_site_score *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return (int)y->inside - (int)x->inside;
}

static bool fill_site(struct rsb_site_score *site, const struct counts *counts, size_t index,
		      const char *label)
{
	const struct count *count = &counts->of[index];
	double traced = (double)counts->traced_calls;
	uint64_t misses = 0;

	for (size_t i = 0; i < MISS_KINDS; i++)
		misses += count->misses[i];
	*site = (struct rsb_site_score){
		.symbol = strdup(label),
		.pc = counts->sites[index / 2].pc,
		.returns = (double)count->returns / traced,
		.misses = (double)misses / traced,
		.intended = (double)count->intended / traced,
		.inside = index % 2,
		.kind = common_kind(count),
	};
	return site->symbol;
}

static bool fill_sites(struct rsb_score *score, const struct counts *counts,
		       const struct rsb_sites *table)
{
	size_t rows = 0;

	for (size_t i = 0; i < 2 * counts->site_count; i++)
		rows += counts->of[i].returns > 0;
	score->sites = calloc(rows + 1, sizeof(*score->sites));
	if (!score->sites)
		return false;
	for (size_t i = 0; i < 2 * counts->site_count; i++)
		if (counts->of[i].returns &&
		    !fill_site(&score->sites[score->site_count++], counts, i,
			       rsb_site_label(table, (uint32_t)(i / 2))))
			return false;
	qsort(score->sites, score->site_count, sizeof(*score->sites), compare_sites);
	return true;
}

bool rsb_score_sites(struct rsb_score *score, const struct rsb_run *run,
		     const struct rsb_replay *replay, uint64_t from, uint64_t end,
		     struct rsb_error *error)
{
	const struct rsb_sites *table = rsb_run_sites(run);
	struct counts counts = { 0 };
	bool good;

	counts.sites = rsb_sites_array(table, &counts.site_count);
	counts.of = calloc(2 * counts.site_count + 1, sizeof(*counts.of));
	good = counts.of;
	for (uint64_t i = from; good && i < end; i++)
		good = count_returns(&counts, run, replay, rsb_run_round(run, i));
	if (good)
		good = rsb_replay_again(replay, from, end, count_miss, &counts, error) &&
		       fill_sites(score, &counts, table);
	free(counts.of);
	return good || rsb_error_set(error, "out of memory");
}
