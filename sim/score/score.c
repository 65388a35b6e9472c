/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of one layout on one CPU, from what its rounds count and what they cost. */
#include "sim/score/score.h"

#include "sim/score/notes.h"
#include "sim/score/replay.h"
#include "sim/score/sensitivity.h"
#include "sim/score/sites.h"
#include "sim/score/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything that the parts of a score are worked out from. */
struct work {
	const struct rsb_run *run;
	const struct rsb_profile *profile;
	const struct rsb_scenario *scenario;
	struct rsb_replay *replay;
	uint64_t from, end; /* the rounds that the averages are over */
};

/* What a stretch of rounds counts without a model. */
struct extent {
	struct rsb_spans spans;
	uint64_t instructions, pages;
	bool pages_unknown;
};

static void extent_add(struct extent *total, const struct extent *more, uint64_t times)
{
	struct rsb_spans spans = more->spans;

	spans.traced_calls *= times;
	spans.calls *= times;
	spans.returns *= times;
	spans.cr3_writes *= times;
	spans.tlb_flushes *= times;
	spans.balance *= (int64_t)times;
	spans.balance_layout *= (int64_t)times;
	rsb_spans_add(&total->spans, &spans);
	total->instructions += more->instructions * times;
}

/* Counts rounds from up to end, which were run (or are within the first period). */
static struct extent count_rounds(const struct work *work, uint64_t from, uint64_t end)
{
	size_t site_count;
	const struct rsb_site *sites = rsb_sites_array(rsb_run_sites(work->run), &site_count);
	bool zero_call_pushes = rsb_profile_zero_call_pushes(work->profile);
	struct extent total = { 0 };

	for (uint64_t i = from; i < end; i++) {
		const struct rsb_sequence *sequence =
			rsb_run_sequence(work->run, rsb_run_round(work->run, i));
		struct rsb_spans spans = rsb_spans_count(sequence, sites, zero_call_pushes);

		rsb_spans_add(&total.spans, &spans);
		total.instructions += sequence->round.traced_instructions;
		if (sequence->round.pages == RSB_PAGES_UNKNOWN)
			total.pages_unknown = true;
		else
			total.pages += sequence->round.pages;
	}
	return total;
}

/* Counts the first end rounds of the run, however many they are, by whole periods. */
static struct extent count_first(const struct work *work, uint64_t end)
{
	uint64_t first = rsb_run_first(work->run), period = rsb_run_period(work->run);
	struct extent total, one;

	if (rsb_run_steady(work->run) == RSB_STEADY_NO || end <= first + period)
		return count_rounds(work, 0, end);
	total = count_rounds(work, 0, first + (end - first) % period);
	one = count_rounds(work, first, first + period);
	extent_add(&total, &one, (end - first) / period);
	return total;
}

static double find_headroom(size_t depth, int64_t peak)
{
	if (depth == SIZE_MAX)
		return NAN;
	return (int64_t)depth > peak ? (double)((int64_t)depth - peak) : 0;
}

/* Without a predictor of indirect jumps and calls, nothing is known of how they fare. */
static bool predicts_indirect(const struct work *work)
{
	return rsb_model_predicts(rsb_replay_model(work->replay)) &
	       (RSB_KIND_BIT(RSB_JUMP_INDIRECT) | RSB_KIND_BIT(RSB_CALL));
}

/* What is there but of unknown cost makes the sum unknown; what is not there costs nothing. */
static double add_cost(double sum, double count, double cost)
{
	return count > 0 ? sum + count * cost : sum;
}

static void fill_cr3(struct rsb_per_call *figures, const struct work *work,
		     const struct extent *extent)
{
	double write[2], flush[2], traced = (double)extent->spans.traced_calls;

	if (!rsb_profile_quantity(work->profile, RSB_QUANTITY_CR3_WRITE, &write[0], &write[1]))
		write[0] = write[1] = NAN;
	if (!rsb_profile_quantity(work->profile, RSB_QUANTITY_TLB_FLUSH, &flush[0], &flush[1]))
		flush[0] = flush[1] = NAN;
	figures->cr3_writes = (double)extent->spans.cr3_writes / traced;
	figures->tlb_flushes = (double)extent->spans.tlb_flushes / traced;
	figures->pages_after_flush = (double)extent->pages / traced;
	if (extent->pages_unknown && figures->tlb_flushes > 0)
		figures->pages_after_flush = NAN;
	figures->cr3_cycles_low = add_cost(add_cost(0, figures->cr3_writes, write[0]),
					   figures->tlb_flushes, flush[0]);
	figures->cr3_cycles_high = add_cost(add_cost(0, figures->cr3_writes, write[1]),
					    figures->tlb_flushes, flush[1]);
}

static void fill_per_call(struct rsb_per_call *figures, const struct work *work)
{
	struct extent extent = count_rounds(work, work->from, work->end);
	struct rsb_tally tally = rsb_replay_sum(work->replay, work->from, work->end);
	const struct rsb_spans *spans = &extent.spans;
	double traced = (double)spans->traced_calls, rounds = (double)(work->end - work->from);
	double low, high, misses;
	size_t depth = rsb_profile_depth(work->profile);

	figures->calls = (double)spans->calls / traced;
	figures->returns = (double)spans->returns / traced;
	figures->instructions = (double)extent.instructions / traced;
	figures->balance = (double)spans->balance / traced;
	figures->balance_layout = (double)spans->balance_layout / traced;
	figures->balance_intended = (double)(spans->balance - spans->balance_layout) / traced;
	figures->misses_inside = (double)tally.inside / traced;
	figures->misses_callers = (double)tally.callers / traced;
	figures->caller_slope = work->scenario->depth
					? (double)tally.callers / rounds / work->scenario->depth
					: NAN;
	figures->intended_inside = (double)tally.intended_inside / traced;
	figures->intended_callers = (double)tally.intended_callers / traced;
	figures->misses_indirect = predicts_indirect(work) ? (double)tally.indirect / traced : NAN;
	figures->peak = (double)spans->peak;
	figures->headroom = find_headroom(depth, spans->peak_layout);
	misses = figures->misses_inside + figures->misses_callers;
	if (!rsb_profile_penalty(work->profile, &low, &high))
		low = high = NAN;
	figures->lost_cycles_low = misses * low;
	figures->lost_cycles_high = misses * high;
	fill_cr3(figures, work, &extent);
}

static void fill_totals(struct rsb_totals *totals, const struct work *work, uint64_t rounds)
{
	struct extent extent = count_first(work, rounds);
	struct rsb_tally tally = rsb_replay_sum(work->replay, 0, rounds);

	*totals = (struct rsb_totals){
		.rounds = rounds,
		.traced_calls = extent.spans.traced_calls,
		.calls = extent.spans.calls,
		.returns = extent.spans.returns,
		.instructions = extent.instructions,
		.misses_inside = tally.inside,
		.misses_callers = tally.callers,
		.intended_inside = tally.intended_inside,
		.intended_callers = tally.intended_callers,
	};
}

static void fill_cold(struct rsb_score *score, const struct work *work)
{
	struct extent extent = count_rounds(work, 0, 1);
	struct rsb_tally tally = rsb_replay_sum(work->replay, 0, 1);

	score->cold_inside = (double)tally.inside / (double)extent.spans.traced_calls;
	score->cold_callers = (double)tally.callers / (double)extent.spans.traced_calls;
}

/* Which rounds the averages are over: one steady period, or all but the cold round. */
static void choose_rounds(struct rsb_score *score, struct work *work, uint64_t asked)
{
	score->steady = rsb_replay_steady(work->replay);
	if (score->steady == RSB_STEADY_NO) {
		work->from = 1;
		work->end = asked && asked < rsb_replay_count(work->replay)
				    ? asked
				    : rsb_replay_count(work->replay);
		if (work->end == 1)
			work->from = 0;
	} else {
		work->from = rsb_replay_first(work->replay);
		work->end = work->from + rsb_replay_period(work->replay);
		score->period = rsb_replay_period(work->replay);
	}
	score->averaged = work->end - work->from;
}

/* What tells this score from others. */
static bool fill_identity(struct rsb_score *score, const char *layout, const struct work *work,
			  const struct rsb_score_options *options)
{
	score->layout = strdup(layout);
	score->cpu = strdup(rsb_profile_name(work->profile));
	score->return_thunk = strdup(options->return_thunk ? options->return_thunk : "none");
	score->mitigations = options->mitigations ? strdup(options->mitigations) : NULL;
	score->model = rsb_note_model(work->profile);
	score->known = rsb_note_known(work->profile);
	score->scenario = *work->scenario;
	return score->layout && score->cpu && score->return_thunk &&
	       (score->mitigations || !options->mitigations) && score->model && score->known;
}

static bool fill_score(struct rsb_score *score, const char *layout, struct work *work,
		       const struct rsb_score_options *options, struct rsb_error *error)
{
	if (!fill_identity(score, layout, work, options))
		return rsb_error_set(error, "out of memory");
	choose_rounds(score, work, options->rounds);
	fill_per_call(&score->per_call, work);
	fill_cold(score, work);
	score->timed = options->time != NULL;
	if (score->timed)
		rsb_time_work_out(&score->time, &score->per_call, work->profile, options->time);
	if (options->rounds)
		fill_totals(&score->totals, work, options->rounds);
	return rsb_score_sites(score, work->run, work->replay, work->from, work->end, error) &&
	       rsb_score_notes(score, work->run, work->profile, work->replay, error) &&
	       (!options->vary ||
		rsb_score_vary(score, work->run, work->profile,
			       rsb_model_exercised(rsb_replay_model(work->replay)), error));
}

struct rsb_score *rsb_score_new(const struct rsb_run *run, const char *layout,
				const struct rsb_profile *profile,
				const struct rsb_scenario *scenario,
				const struct rsb_score_options *options, struct rsb_error *error)
{
	struct work work = { .run = run, .profile = profile, .scenario = scenario };
	struct rsb_score *score = calloc(1, sizeof(*score));
	bool good = false;

	if (!score)
		rsb_error_set(error, "out of memory");
	else if ((work.replay = rsb_replay_new(run, profile, options, error)))
		good = fill_score(score, layout, &work, options, error);
	rsb_replay_free(work.replay);
	if (good)
		return score;
	rsb_score_free(score);
	return NULL;
}

void rsb_score_free(struct rsb_score *score)
{
	if (!score)
		return;
	for (size_t i = 0; i < score->site_count; i++)
		free(score->sites[i].symbol);
	for (size_t i = 0; i < score->note_count; i++)
		free(score->notes[i]);
	for (size_t i = 0; i < score->variant_count; i++) {
		free(score->variants[i].assumed);
		free(score->variants[i].value);
	}
	free(score->sites);
	free(score->notes);
	free(score->variants);
	free(score->layout);
	free(score->return_thunk);
	free(score->mitigations);
	free(score->cpu);
	free(score->model);
	free(score->known);
	free(score);
}
