/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace's wrong paths may cost where it is not known what a CPU puts back after one. */
#include "sim/score/trace_score.h"

#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

#define FIELD "repair"

bool rsb_trace_scores_speculate(const struct rsb_trace_scores *scores)
{
	size_t count;
	const struct rsb_site *sites = rsb_sites_array(scores->sites, &count);

	for (size_t i = 0; i < count; i++)
		if (sites[i].kind == RSB_SPECULATE)
			return true;
	return false;
}

/* What is known of the field; NULL: it is known, or the model has no such field. */
static const struct rsb_fact *find_unknown(const struct rsb_profile *profile)
{
	size_t count;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(facts[i].name, FIELD) && facts[i].assumed && facts[i].others[0])
			return &facts[i];
	return NULL;
}

bool rsb_trace_range_wanted(struct rsb_profile *const *profiles, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (find_unknown(profiles[i]))
			return true;
	return false;
}

/* The CPUs whose field is not known, once for each other value that it may have. */
struct varied {
	struct rsb_profile **profiles;
	size_t *of; /* which CPU each is */
	size_t count;
};

static void clear_varied(struct varied *varied)
{
	for (size_t i = 0; i < varied->count; i++)
		rsb_profile_free(varied->profiles[i]);
	free(varied->profiles);
	free(varied->of);
}

static bool add_varied(struct varied *varied, const struct rsb_profile *profile, size_t index,
		       const char *value, struct rsb_error *error)
{
	struct rsb_profile *other;

	if (!RSB_GROW(varied->profiles, varied->count) || !RSB_GROW(varied->of, varied->count))
		return rsb_error_set(error, "out of memory");
	other = rsb_profile_vary(profile, FIELD, value, error);
	if (!other)
		return false;
	varied->profiles[varied->count] = other;
	varied->of[varied->count++] = index;
	return true;
}

static bool list_varied(struct varied *varied, struct rsb_profile *const *profiles, size_t count,
			struct rsb_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const struct rsb_fact *fact = find_unknown(profiles[i]);

		for (size_t k = 0; fact && fact->others[k]; k++)
			if (!add_varied(varied, profiles[i], i, fact->others[k], error))
				return false;
	}
	return true;
}

bool rsb_trace_scores_range(struct rsb_trace_scores *scores, struct rsb_trace_reader *again,
			    struct rsb_profile *const *profiles, struct rsb_error *error)
{
	struct varied varied = { NULL, NULL, 0 };
	struct rsb_trace_scores *more = NULL;
	enum rsb_trace_got got;

	if (list_varied(&varied, profiles, scores->count, error))
		more = rsb_trace_scores_new(again, varied.profiles, varied.count, &got, error);
	for (size_t i = 0; more && i < varied.count; i++) {
		struct rsb_trace_score *score = &scores->scores[varied.of[i]];
		uint64_t misses = more->scores[i].counts.misses;

		if (!score->ranged)
			score->misses_low = score->misses_high = score->counts.misses;
		score->ranged = true;
		if (misses < score->misses_low)
			score->misses_low = misses;
		if (misses > score->misses_high)
			score->misses_high = misses;
	}
	rsb_trace_scores_free(more);
	clear_varied(&varied);
	return more != NULL;
}
