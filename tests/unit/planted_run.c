/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running and explaining what something was planted in. */
#include "tests/unit/planted_run.h"

#include "tests/unit/explained.h"

#include <check.h>

#define BUDGET UINT64_C(100000) /* instructions: no round here takes a tenth of it */

bool planted_run_start(struct planted_run *run, struct rsb_error *error)
{
	const struct rsb_run_options options = { .kinds = RSB_KIND_ALL, .budget = BUDGET };

	run->run = rsb_run_new(run->image, &options, error);
	return run->run;
}

void planted_run_explain(struct planted_run *run, const struct rsb_profile *profile,
			 const struct rsb_scenario *scenario)
{
	struct rsb_error error;

	run->frames = rsb_frames_new(run->image, run->run, &error);
	ck_assert_msg(run->frames, "%s", error.text);
	run->explanation = rsb_explanation_new(run->frames, "test", profile, scenario, &error);
	ck_assert_msg(run->explanation, "%s", error.text);
	explained_agrees(run->explanation, run->run, profile, scenario);
}

/* The next event of the round from *index on, of a place that was there before. NULL: no more. */
static const struct rsb_site *next_site(const struct planted_run *run, uint64_t round,
					const struct rsb_image *planted,
					const struct planted_place *place, size_t *index)
{
	size_t count, kind = rsb_run_round(run->run, round);
	const struct rsb_sequence *sequence = rsb_run_sequence(run->run, kind);
	const struct rsb_site *sites = rsb_sites_array(rsb_run_sites(run->run), &count);

	while (*index < sequence->count) {
		const struct rsb_site *site = &sites[sequence->events[(*index)++].site];

		if (site->kind == RSB_MARK || !planted_has(planted, place, site->pc))
			return site;
	}
	return NULL;
}

static bool is_same(const struct planted_run *before, const struct planted_run *after,
		    uint64_t round, const struct planted_place *place)
{
	size_t i = 0, j = 0;
	const struct rsb_site *a, *b;

	do {
		a = next_site(before, round, after->image, place, &i);
		b = next_site(after, round, after->image, place, &j);
	} while (a && b && a->pc == b->pc && a->kind == b->kind && a->detail == b->detail);
	return !a && !b;
}

bool planted_run_same(const struct planted_run *before, const struct planted_run *after,
		      const struct planted_place *place)
{
	return is_same(before, after, 0, place) && is_same(before, after, 1, place);
}

void planted_run_close(struct planted_run *run)
{
	rsb_explanation_free(run->explanation);
	rsb_frames_free(run->frames);
	rsb_run_free(run->run);
	rsb_image_free(run->image);
}
