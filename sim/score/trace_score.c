/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scores of a trace, put together from what was counted along it. */
#include "sim/score/trace_score.h"

#include "sim/score/notes.h"
#include "sim/score/trace_tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double rsb_trace_rate_instructions(uint64_t misses, uint64_t instructions)
{
	return instructions ? 1000 * (double)misses / (double)instructions : NAN;
}

double rsb_trace_rate(const struct rsb_trace_counts *counts)
{
	return counts->returns ? (double)counts->misses / (double)counts->returns : NAN;
}

void rsb_trace_scores_free(struct rsb_trace_scores *scores)
{
	if (!scores)
		return;
	for (size_t i = 0; i < scores->count; i++) {
		struct rsb_trace_score *score = &scores->scores[i];

		free(score->cpu);
		free(score->model);
		free(score->known);
		free(score->threads);
		free(score->sites);
		for (size_t k = 0; k < score->note_count; k++)
			free(score->notes[k]);
		free(score->notes);
	}
	free(scores->scores);
	rsb_sites_free(scores->sites);
	free(scores);
}

/* The model's side of the confusion is what it missed; what it hit is the rest. */
static struct rsb_trace_counts make_counts(const struct rsb_trace_plain *plain,
					   const struct rsb_trace_marked *marked)
{
	struct rsb_trace_counts counts = {
		.returns = plain->returns,
		.unjudged = plain->unjudged,
		.empty = marked->kinds[RSB_MISS_EMPTY],
		.stale = marked->kinds[RSB_MISS_STALE],
		.other = marked->kinds[RSB_MISS_OTHER],
		.indirect_misses = marked->indirect,
	};

	counts.misses = counts.empty + counts.stale + counts.other;
	for (int i = 0; i < 2; i++) {
		counts.hardware.returns[i][0] = plain->verdicts[i] - marked->verdicts[i];
		counts.hardware.returns[i][1] = marked->verdicts[i];
	}
	return counts;
}

static void add_counts(struct rsb_trace_counts *total, const struct rsb_trace_counts *more)
{
	total->returns += more->returns;
	total->unjudged += more->unjudged;
	total->misses += more->misses;
	total->empty += more->empty;
	total->stale += more->stale;
	total->other += more->other;
	total->indirect_misses += more->indirect_misses;
	for (int i = 0; i < 4; i++)
		total->hardware.returns[i / 2][i % 2] += more->hardware.returns[i / 2][i % 2];
}

static bool fill_threads(struct rsb_trace_score *score, const struct rsb_trace_tally *tally,
			 const struct rsb_trace_replay *replay, size_t model)
{
	score->threads =
		calloc(tally->thread_count ? tally->thread_count : 1, sizeof(*score->threads));
	if (!score->threads)
		return false;
	score->thread_count = tally->thread_count;
	for (size_t i = 0; i < tally->thread_count; i++) {
		const struct rsb_trace_plain *plain = &tally->threads[i].plain;
		struct rsb_trace_thread *thread = &score->threads[i];

		thread->id = rsb_trace_replay_thread(replay, i);
		thread->calls = plain->calls;
		thread->instructions = plain->instructions;
		thread->counts =
			make_counts(plain, &tally->thread_marked[model * tally->thread_room + i]);
		add_counts(&score->counts, &thread->counts);
	}
	return true;
}

static int compare_sites(const void *left, const void *right)
{
	const struct rsb_trace_site *a = left, *b = right;

	if (a->counts.misses != b->counts.misses)
		return a->counts.misses < b->counts.misses ? 1 : -1;
	return (a->pc > b->pc) - (a->pc < b->pc);
}

static bool fill_sites(struct rsb_trace_score *score, const struct rsb_trace_tally *tally,
		       const struct rsb_sites *table, size_t model)
{
	size_t count;
	const struct rsb_site *sites = rsb_sites_array(table, &count);

	score->sites = calloc(tally->return_count ? tally->return_count : 1, sizeof(*score->sites));
	if (!score->sites)
		return false;
	score->site_count = tally->return_count;
	for (size_t i = 0; i < tally->return_count; i++) {
		score->sites[i] = (struct rsb_trace_site){
			.symbol = rsb_site_label(table, tally->returns[i].site),
			.pc = sites[tally->returns[i].site].pc,
			.counts =
				make_counts(&tally->returns[i].plain,
					    &tally->return_marked[model * tally->return_room + i]),
		};
	}
	qsort(score->sites, score->site_count, sizeof(*score->sites), compare_sites);
	return true;
}

static bool fill_score(struct rsb_trace_score *score, const struct rsb_profile *profile)
{
	score->cpu = strdup(rsb_profile_name(profile));
	score->model = rsb_note_model(profile);
	score->known = rsb_note_known(profile);
	return score->cpu && score->model && score->known;
}

/* A trace that is being scored. */
struct work {
	struct rsb_trace_reader *reader;
	struct rsb_profile *const *profiles;
	size_t count;
	struct rsb_trace_replay *replay;
	struct rsb_trace_tally tally;
};

static bool start_replay(struct work *work, struct rsb_error *error)
{
	struct rsb_model **models = calloc(work->count, sizeof(*models));
	bool good = models || rsb_error_set(error, "out of memory");

	for (size_t i = 0; good && i < work->count; i++) {
		models[i] = rsb_profile_model(work->profiles[i], error);
		good = models[i];
	}
	if (good)
		work->replay = rsb_trace_replay_new(models, work->count, error);
	for (size_t i = 0; models && i < work->count; i++)
		rsb_model_free(models[i]);
	free(models);
	work->tally.models = work->count;
	return work->replay;
}

static bool replay_all(struct work *work, enum rsb_trace_got *got, struct rsb_error *error)
{
	const struct rsb_sites *sites = rsb_trace_reader_sites(work->reader);
	struct rsb_trace_missed missed;
	struct rsb_trace_batch batch;

	while ((*got = rsb_trace_reader_next(work->reader, &batch, error)) == RSB_TRACE_BATCH) {
		if (!rsb_trace_replay_batch(work->replay, sites, &batch, &missed, error))
			return rsb_error_prefix(error, "%s", rsb_trace_reader_name(work->reader));
		if (!rsb_trace_tally_batch(&work->tally, sites, &batch, &missed))
			return rsb_error_set(error, "out of memory");
	}
	return *got != RSB_TRACE_BAD;
}

static bool fill_scores(struct rsb_trace_scores *scores, struct work *work)
{
	const struct rsb_trace_tally *tally = &work->tally;

	scores->scores = calloc(work->count, sizeof(*scores->scores));
	if (!scores->scores)
		return false;
	scores->count = work->count;
	scores->events = tally->events;
	scores->switches = tally->switches;
	scores->gaps = tally->gaps;
	scores->thread_count = tally->thread_count;
	for (size_t i = 0; i < tally->thread_count; i++) {
		scores->calls += tally->threads[i].plain.calls;
		scores->returns += tally->threads[i].plain.returns +
				   tally->threads[i].plain.unjudged;
		scores->instructions += tally->threads[i].plain.instructions;
	}
	scores->sites = rsb_trace_reader_take_sites(work->reader);
	for (size_t i = 0; i < work->count; i++)
		if (!fill_score(&scores->scores[i], work->profiles[i]) ||
		    !fill_threads(&scores->scores[i], tally, work->replay, i) ||
		    !fill_sites(&scores->scores[i], tally, scores->sites, i) ||
		    !rsb_note_fields(&scores->scores[i].notes, &scores->scores[i].note_count,
				     work->profiles[i],
				     rsb_trace_replay_exercised(work->replay, i)))
			return false;
	return true;
}

struct rsb_trace_scores *rsb_trace_scores_new(struct rsb_trace_reader *reader,
					      struct rsb_profile *const *profiles, size_t count,
					      enum rsb_trace_got *got, struct rsb_error *error)
{
	struct work work = { .reader = reader, .profiles = profiles, .count = count };
	struct rsb_trace_scores *scores = calloc(1, sizeof(*scores));
	bool good = false;

	if (!scores)
		rsb_error_set(error, "out of memory");
	else if (start_replay(&work, error) && replay_all(&work, got, error))
		good = fill_scores(scores, &work) || rsb_error_set(error, "out of memory");
	rsb_trace_replay_free(work.replay);
	rsb_trace_tally_clear(&work.tally);
	if (good)
		return scores;
	rsb_trace_scores_free(scores);
	return NULL;
}
