/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paired returns, found in the events of a run. */
#include "sim/native/paired.h"

#include "traces/util/grow.h"

#include <stdlib.h>

/* A call that has not returned yet. */
struct open {
	uint32_t back; /* the id of its return address */
	size_t most;   /* calls that were open above it at once, so far */
};

/* What is known of a site of a return. */
struct seen {
	bool paired, other; /* it was so once; it was otherwise once */
	size_t count;       /* in the round at hand */
};

struct search {
	const struct rsb_site *sites;
	struct open *open;
	size_t depth, room;
	struct seen *seen; /* by site */
};

/* Nothing is known of what is on a stack. */
static void forget(struct search *search)
{
	search->depth = 0;
}

static bool push(struct search *search, uint32_t back)
{
	if (search->depth == search->room) {
		if (!RSB_GROW(search->open, search->room))
			return false;
		search->room++;
	}
	search->open[search->depth++] = (struct open){ back, 0 };
	return true;
}

static void pop(struct search *search, const struct rsb_event *event)
{
	struct seen *seen = &search->seen[event->site];
	struct open *top = search->depth ? &search->open[search->depth - 1] : NULL;
	bool own = top && top->back == event->target;

	seen->count++;
	if (own && top->most <= RSB_PAIRED_OPEN)
		seen->paired = true;
	else
		seen->other = true;
	if (!own) {
		forget(search);
		return;
	}
	if (search->depth > 1 && top[-1].most < top->most + 1)
		top[-1].most = top->most + 1;
	search->depth--;
}

/* A call to the next instruction is pushed by some processors only. */
static bool take(struct search *search, const struct rsb_event *event, bool traced)
{
	const struct rsb_site *site = &search->sites[event->site];

	switch (site->kind) {
	case RSB_CALL:
		if (!traced && !(site->flags & RSB_SITE_ZERO_CALL))
			return push(search, site->fall_through_id);
		forget(search);
		return true;
	case RSB_RETURN:
		pop(search, event);
		return true;
	case RSB_MARK:
	case RSB_JUMP:
	case RSB_JUMP_INDIRECT:
	case RSB_BRANCH_TAKEN:
	case RSB_BRANCH_NOT_TAKEN:
		return true;
	default:
		forget(search);
		return true;
	}
}

static bool is_mark(const struct search *search, const struct rsb_event *event, enum rsb_mark mark)
{
	const struct rsb_site *site = &search->sites[event->site];

	return site->kind == RSB_MARK && site->detail == mark;
}

/* Outside the traced calls nothing is paired. */
static bool search_round(struct search *search, const struct rsb_sequence *sequence)
{
	forget(search);
	for (size_t i = 0; i < sequence->count; i++) {
		bool traced = i && is_mark(search, &sequence->events[i - 1], RSB_MARK_TRACED_CALL);

		if (!take(search, &sequence->events[i], traced))
			return false;
		if (is_mark(search, &sequence->events[i], RSB_MARK_LANDING))
			forget(search);
	}
	return true;
}

/* Counts by site, over all rounds. */
static bool search_all(struct search *search, const struct rsb_run *run, double *counts,
		       size_t sites)
{
	for (size_t i = 0; i < rsb_run_count(run); i++) {
		if (!search_round(search, rsb_run_sequence(run, rsb_run_round(run, i))))
			return false;
		for (size_t j = 0; j < sites; j++) {
			counts[j] += (double)search->seen[j].count;
			search->seen[j].count = 0;
		}
	}
	return true;
}

static void take_site(struct rsb_paired *paired, const uint64_t *returns,
		      const struct rsb_site *site, const struct seen *seen, double runs)
{
	for (size_t i = 0; i < paired->count; i++)
		if (site->kind == RSB_RETURN && returns[i] == site->pc) {
			paired->runs[i] = runs;
			paired->kept[i] = seen->paired && !seen->other;
			if (paired->kept[i])
				paired->returns += runs;
		}
}

bool rsb_paired_find(struct rsb_paired *paired, const struct rsb_image *image,
		     const struct rsb_run *run, struct rsb_error *error)
{
	size_t sites, rounds = rsb_run_count(run);
	struct search search = { .sites = rsb_sites_array(rsb_run_sites(run), &sites) };
	double *counts = calloc(sites + 1, sizeof(*counts));
	const uint64_t *returns;
	bool good;

	*paired = (struct rsb_paired){ 0 };
	returns = rsb_image_returns(image, &paired->count);
	paired->kept = calloc(paired->count + 1, sizeof(*paired->kept));
	paired->runs = calloc(paired->count + 1, sizeof(*paired->runs));
	search.seen = calloc(sites + 1, sizeof(*search.seen));
	good = counts && paired->kept && paired->runs && search.seen &&
	       search_all(&search, run, counts, sites);
	for (size_t i = 0; good && i < sites; i++)
		take_site(paired, returns, &search.sites[i], &search.seen[i],
			  counts[i] / (double)rounds);
	free(search.open);
	free(search.seen);
	free(counts);
	return good || rsb_error_set(error, "out of memory");
}

void rsb_paired_clear(struct rsb_paired *paired)
{
	free(paired->kept);
	free(paired->runs);
	*paired = (struct rsb_paired){ 0 };
}
