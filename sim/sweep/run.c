/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a layout: one run, scored once for each row. */
#include "sim/sweep/sweep.h"

#include "sim/score/score.h"
#include "sim/score/spans.h"
#include "sim/sweep/checksum.h"
#include "sim/sweep/jobs.h"

#include <math.h>

/* What all jobs share. */
struct work {
	struct rsb_sweep *sweep;
	size_t first; /* row of job 0 */
	const struct rsb_run *run;
	double returns; /* per call of the traced function, those of the callers included */
};

static uint64_t checksum_run(uint64_t checksum, const struct rsb_run *run)
{
	for (size_t i = 0; i < rsb_run_sequences(run); i++) {
		const struct rsb_sequence *sequence = rsb_run_sequence(run, i);

		checksum = rsb_checksum_events(checksum, sequence->events, sequence->count);
	}
	for (size_t i = 0; i < rsb_run_count(run); i++)
		checksum = rsb_checksum_word(checksum, rsb_run_round(run, i));
	return rsb_checksum_sites(checksum, rsb_run_sites(run));
}

static uint64_t count_returns(const struct rsb_sequence *sequence, const struct rsb_site *sites)
{
	uint64_t returns = 0;

	for (size_t i = 0; i < sequence->count; i++) {
		uint8_t kind = sites[sequence->events[i].site].kind;

		returns += kind == RSB_RETURN || kind == RSB_SWAP;
	}
	return returns;
}

/* Over the rounds that the averages of a score are over: a period, or all but the first. */
static double average_returns(const struct rsb_run *run)
{
	size_t unused, from = rsb_run_first(run), end = from + rsb_run_period(run);
	const struct rsb_site *sites = rsb_sites_array(rsb_run_sites(run), &unused);
	uint64_t returns = 0, calls = 0;

	if (rsb_run_steady(run) == RSB_STEADY_NO) {
		end = rsb_run_count(run);
		from = end > 1;
	}
	for (size_t i = from; i < end; i++) {
		const struct rsb_sequence *sequence = rsb_run_sequence(run, rsb_run_round(run, i));

		returns += count_returns(sequence, sites);
		calls += rsb_spans_count(sequence, sites, false).traced_calls;
	}
	return (double)returns / (double)calls;
}

/*
 * The profile with the values of a combination: a chain, each link freed before the one it is of.
 */
struct chain {
	struct rsb_profile *links[RSB_GRID_AXES_MAX];
	size_t count;
};

static void free_chain(struct chain *chain)
{
	while (chain->count)
		rsb_profile_free(chain->links[--chain->count]);
}

static const struct rsb_profile *vary(struct chain *chain, const struct rsb_profile *profile,
				      const struct rsb_grid *grid, size_t combination,
				      struct rsb_error *error)
{
	while (chain->count < grid->count) {
		struct rsb_profile *link =
			rsb_profile_vary(profile, grid->axes[chain->count].parameter,
					 rsb_grid_value(grid, combination, chain->count), error);

		if (!link)
			return NULL;
		chain->links[chain->count++] = link;
		profile = link;
	}
	return profile;
}

static bool score_row(void *context, size_t index, struct rsb_error *error)
{
	const struct work *work = context;
	struct rsb_sweep *sweep = work->sweep;
	size_t row = work->first + index;
	struct rsb_sweep_place place = rsb_sweep_place(sweep, row);
	const struct rsb_sweep_case *of = &sweep->cases[place.number];
	const struct rsb_score_options options = { .rounds = 0 };
	struct chain chain = { .count = 0 };
	const struct rsb_profile *profile =
		vary(&chain, sweep->profiles[place.cpu], &sweep->grid, place.combination, error);
	struct rsb_score *score = NULL;

	if (profile)
		score = rsb_score_new(work->run, of->subject, profile, &of->scenario, &options,
				      error);
	if (score)
		sweep->rows[row] = (struct rsb_sweep_row){
			.returns = work->returns,
			.misses = score->per_call.misses_inside + score->per_call.misses_callers,
			.inside = score->per_call.misses_inside,
			.callers = score->per_call.misses_callers,
		};
	rsb_score_free(score);
	free_chain(&chain);
	return score ||
	       rsb_error_prefix(error, "%s on %s", of->subject, sweep->cpus[place.cpu].name);
}

static size_t clamp(size_t row, const struct rsb_sweep *sweep)
{
	if (row < sweep->from)
		return sweep->from;
	return row < sweep->end ? row : sweep->end;
}

bool rsb_sweep_run(struct rsb_sweep *sweep, size_t number, const struct rsb_run *run,
		   const struct rsb_sweep_options *options, struct rsb_error *error)
{
	size_t rows = sweep->count / sweep->case_count;
	size_t first = clamp(number * rows, sweep), end = clamp((number + 1) * rows, sweep);
	struct work work = { sweep, first, run, average_returns(run) };
	const struct rsb_jobs jobs = {
		.threads = options->jobs,
		.count = end - first,
		.job = score_row,
		.context = &work,
		.progress = options->progress,
		.progress_context = options->context,
	};

	sweep->checksum = checksum_run(sweep->checksum, run);
	return rsb_jobs_run(&jobs, error);
}
