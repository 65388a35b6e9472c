/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layouts on this machine. */
#include "sim/native/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE "plain-call"

static const struct rsb_spread nothing = { NAN, NAN, NAN, 0 };

/* A variant's own image and what it is measured against. */
struct pair {
	struct rsb_measured own, against;
};

struct work {
	const struct rsb_comparison_options *options;
	struct rsb_comparison *comparison;
	struct rsb_layout *reference;
	struct rsb_subject *subjects; /* the last one is the reference */
	struct pair *pairs;           /* RSB_SUBJECT_VARIANTS of each */
	struct rsb_measured **forced; /* of each, as many as it has returns */
	size_t count;
};

static void take_images(struct pair *pairs, const struct rsb_subject *subject)
{
	for (size_t i = 0; i < subject->count; i++) {
		pairs[i].own.image = subject->variants[i].own;
		pairs[i].against.image = subject->variants[i].against;
		pairs[i].own.instructions = subject->variants[i].expected.instructions;
		pairs[i].against.instructions = pairs[i].own.instructions;
	}
}

static bool take_returns(struct work *work, size_t index, struct rsb_error *error)
{
	const struct rsb_subject *subject = &work->subjects[index];

	work->forced[index] = calloc(subject->return_count + 1, sizeof(**work->forced));
	if (!work->forced[index])
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < subject->return_count; i++) {
		work->forced[index][i].image = subject->returns[i].image;
		work->forced[index][i].instructions = subject->variants[0].expected.instructions;
	}
	return true;
}

/* A layout that is not run has no images. */
static bool prepare(struct work *work, size_t index, struct rsb_layout *layout,
		    const struct rsb_scenario *scenario, size_t variants, struct rsb_error *error)
{
	struct rsb_subject *subject = &work->subjects[index];
	const struct rsb_subject_options options = {
		.profile = work->options->profile,
		.reference = work->reference,
		.variants = variants,
		.each = work->options->each && layout != work->reference,
		.allow = work->options->allow,
	};

	if (!rsb_subject_make(subject, layout, scenario, &options, error)) {
		rsb_subject_clear(subject);
		return false;
	}
	take_images(&work->pairs[index * RSB_SUBJECT_VARIANTS], subject);
	return take_returns(work, index, error);
}

static bool prepare_row(struct work *work, size_t index, struct rsb_layout *layout,
			struct rsb_error *error)
{
	struct rsb_comparison_row *row = &work->comparison->rows[index];
	char word[32];
	const char *thunk = rsb_layout_return_thunk(layout, word, sizeof(word));

	row->layout = strdup(rsb_layout_name(layout));
	row->return_thunk = strdup(thunk ? thunk : "");
	if (!row->layout || !row->return_thunk)
		return rsb_error_set(error, "out of memory");
	row->twin = rsb_layout_code(layout) == RSB_LAYOUT_GENERATED;
	row->refused = !prepare(work, index, layout, &work->comparison->scenario,
				work->options->variants, &row->why);
	return true;
}

static bool prepare_all(struct work *work, struct rsb_layout *const *layouts,
			struct rsb_error *error)
{
	const struct rsb_scenario reference = RSB_SCENARIO_UNWIND;

	for (size_t i = 0; i < work->comparison->count; i++)
		if (!prepare_row(work, i, layouts[i], error))
			return false;
	return prepare(work, work->comparison->count, work->reference, &reference, 1, error);
}

/* Copies all that have an image, one behind the other, into all or back from there; the number. */
static size_t copy_measured(struct work *work, struct rsb_measured *all, bool back)
{
	size_t used = 0;

	for (size_t i = 0; i < work->count; i++) {
		struct pair *pairs = &work->pairs[i * RSB_SUBJECT_VARIANTS];

		for (size_t j = 0; j < work->subjects[i].count; j++)
			for (size_t k = 0; k < 2; k++, used++) {
				struct rsb_measured *one = k ? &pairs[j].against : &pairs[j].own;

				if (all && back)
					*one = all[used];
				else if (all)
					all[used] = *one;
			}
		for (size_t j = 0; j < work->subjects[i].return_count; j++, used++) {
			if (all && back)
				work->forced[i][j] = all[used];
			else if (all)
				all[used] = work->forced[i][j];
		}
	}
	return used;
}

static bool measure_all(struct work *work, struct rsb_error *error)
{
	size_t count = copy_measured(work, NULL, false);
	struct rsb_measured *all = calloc(count + 1, sizeof(*all));
	bool good;

	if (!all)
		return rsb_error_set(error, "out of memory");
	copy_measured(work, all, false);
	good = rsb_native_measure(all, count, &work->options->measure, error);
	if (good)
		copy_measured(work, all, true);
	free(all);
	return good;
}

static struct rsb_spread scale(struct rsb_spread spread, double by)
{
	return (struct rsb_spread){ spread.low / by, spread.median / by, spread.high / by,
				    spread.count };
}

/*
 * The misses of a variant. A twin's jump costs more than a return where nothing else takes time,
 * and as much where it is hidden behind what does; so half of it is taken off, and the range is
 * from none of it to all.
 */
static struct rsb_spread find_misses(const struct pair *pair, double jumps, double by)
{
	struct rsb_spread none = scale(rsb_measured_difference(&pair->own, &pair->against, 0), by);
	struct rsb_spread half =
		scale(rsb_measured_difference(&pair->own, &pair->against, -jumps / 2), by);
	struct rsb_spread all =
		scale(rsb_measured_difference(&pair->own, &pair->against, -jumps), by);

	half.low = fmin(none.low, all.low);
	half.high = fmax(none.high, all.high);
	return half;
}

static void judge_variant(const struct work *work, struct rsb_variant_misses *misses,
			  const struct pair *pair, const struct rsb_subject_images *images)
{
	const double batch = work->comparison->scenario.batch;
	double jump = images->jumps ? work->comparison->jump : 0;

	if (pair->own.failed || pair->against.failed)
		return;
	misses->simulated = images->expected.misses / batch;
	misses->measured = find_misses(pair, jump * images->jumps,
				       batch * (work->options->penalty->unit + jump / 2));
}

/* The middle of the variants, and the range of all. */
static void sum_up(struct rsb_comparison_row *row)
{
	double simulated[RSB_SUBJECT_VARIANTS], measured[RSB_SUBJECT_VARIANTS];
	struct rsb_spread range = nothing;
	size_t count = 0;

	for (size_t i = 0; i < RSB_SUBJECT_VARIANTS; i++) {
		const struct rsb_variant_misses *misses = &row->variants[i];

		if (isnan(misses->simulated) || isnan(misses->measured.median))
			continue;
		simulated[count] = misses->simulated;
		measured[count++] = misses->measured.median;
		range.low = fmin(range.low, misses->measured.low);
		range.high = fmax(range.high, misses->measured.high);
	}
	range.median = rsb_spread_of(measured, count).median;
	range.count = count;
	row->misses = range;
	if (count)
		row->simulated = rsb_spread_of(simulated, count).median;
}

/* What the code takes if nothing misses: its twin, in which jumps may cost more than returns. */
static struct rsb_spread find_base(struct rsb_spread baseline, double jumps)
{
	return (struct rsb_spread){ fmax(baseline.low - jumps, 0),
				    fmax(baseline.median - jumps / 2, 0), baseline.high,
				    baseline.count };
}

static void judge_row(struct work *work, struct rsb_comparison_row *row,
		      const struct rsb_subject *subject, const struct pair *pairs)
{
	const double batch = work->comparison->scenario.batch;

	row->misses = row->base = row->by_return = nothing;
	for (size_t i = 0; i < RSB_SUBJECT_VARIANTS; i++)
		row->variants[i] = (struct rsb_variant_misses){ NAN, nothing };
	for (size_t i = 0; !row->refused && i < 2; i++) {
		const struct rsb_measured *one = i ? &pairs->against : &pairs->own;

		work->comparison->samples += one->samples;
		work->comparison->dropped += one->dropped;
		row->refused = one->failed;
		row->why = one->why;
	}
	if (row->refused)
		return;
	for (size_t i = 0; i < subject->count; i++)
		judge_variant(work, &row->variants[i], &pairs[i], &subject->variants[i]);
	row->simulated = subject->variants[0].expected.misses / batch;
	sum_up(row);
	row->cycles = scale(rsb_measured_cycles(&pairs->own), batch);
	row->baseline = scale(rsb_measured_cycles(&pairs->against), batch);
	if (row->twin)
		row->base = find_base(row->baseline,
				      work->comparison->jump * subject->variants[0].jumps / batch);
	row->counted = pairs->own.counted;
	row->mispredicted = pairs->own.mispredicted / batch;
}

static double find_jump(const struct rsb_subject *reference, const struct pair *pair)
{
	return rsb_measured_difference(&pair->against, &pair->own, 0).median /
	       reference->variants[0].jumps;
}

static struct rsb_agreement agree(const struct rsb_comparison *comparison,
				  struct rsb_compared *compared, bool by_return)
{
	for (size_t i = 0; i < comparison->count; i++) {
		const struct rsb_comparison_row *row = &comparison->rows[i];

		compared[i] = (struct rsb_compared){ row->simulated,
						     by_return ? row->by_return : row->misses };
	}
	return rsb_agreement_of(compared, comparison->count);
}

static bool judge_returns(const struct work *work, struct rsb_comparison_row *row, size_t index,
			  struct rsb_error *error)
{
	const struct rsb_returns_measured measured = {
		.subject = &work->subjects[index],
		.own = &work->pairs[index * RSB_SUBJECT_VARIANTS].own,
		.forced = work->forced[index],
		.unit = work->options->penalty->unit,
		.batch = work->comparison->scenario.batch,
	};

	row->returns = rsb_returns_judge(&measured, &row->by_return, error);
	row->return_count = row->returns ? measured.subject->return_count : 0;
	return row->returns;
}

static bool judge_rows(struct work *work, struct rsb_error *error)
{
	for (size_t i = 0; i < work->comparison->count; i++) {
		struct rsb_comparison_row *row = &work->comparison->rows[i];

		judge_row(work, row, &work->subjects[i], &work->pairs[i * RSB_SUBJECT_VARIANTS]);
		if (work->comparison->each && !row->refused && row->twin &&
		    !judge_returns(work, row, i, error))
			return false;
	}
	return true;
}

static bool judge(struct work *work, struct rsb_error *error)
{
	struct rsb_comparison *comparison = work->comparison;
	const struct pair *reference = &work->pairs[comparison->count * RSB_SUBJECT_VARIANTS];
	struct rsb_compared *compared;

	if (reference->own.failed || reference->against.failed)
		return rsb_error_set(error, REFERENCE ": %s", reference->own.why.text);
	compared = calloc(comparison->count + 1, sizeof(*compared));
	if (!compared)
		return rsb_error_set(error, "out of memory");
	comparison->jump = find_jump(&work->subjects[comparison->count], reference);
	if (!judge_rows(work, error)) {
		free(compared);
		return false;
	}
	comparison->agreement = agree(comparison, compared, false);
	comparison->each_agreement = agree(comparison, compared, true);
	comparison->noisy = comparison->dropped * 2 > comparison->samples;
	free(compared);
	return true;
}

static void clear_work(struct work *work)
{
	for (size_t i = 0; work->subjects && i < work->count; i++)
		rsb_subject_clear(&work->subjects[i]);
	for (size_t i = 0; work->forced && i < work->count; i++)
		free(work->forced[i]);
	free(work->forced);
	free(work->subjects);
	free(work->pairs);
	rsb_layout_free(work->reference);
}

struct rsb_comparison *rsb_comparison_new(struct rsb_layout *const *layouts, size_t count,
					  const struct rsb_scenario *scenario,
					  const struct rsb_comparison_options *options,
					  struct rsb_error *error)
{
	struct work work = {
		.options = options,
		.comparison = calloc(1, sizeof(*work.comparison)),
		.reference = rsb_layout_load(REFERENCE, error),
		.subjects = calloc(count + 1, sizeof(*work.subjects)),
		.pairs = calloc((count + 1) * RSB_SUBJECT_VARIANTS, sizeof(*work.pairs)),
		.forced = calloc(count + 1, sizeof(*work.forced)),
		.count = count + 1,
	};
	bool good = work.comparison && work.reference && work.subjects && work.pairs && work.forced;

	if (work.comparison) {
		work.comparison->scenario = *scenario;
		work.comparison->variants = options->variants;
		work.comparison->each = options->each;
		work.comparison->rows = calloc(count + 1, sizeof(*work.comparison->rows));
		work.comparison->count = work.comparison->rows ? count : 0;
	}
	if (!good || !work.comparison->rows)
		good = rsb_error_set(error, "out of memory");
	good = good && prepare_all(&work, layouts, error) && measure_all(&work, error) &&
	       judge(&work, error);
	clear_work(&work);
	if (good)
		return work.comparison;
	rsb_comparison_free(work.comparison);
	return NULL;
}

void rsb_comparison_free(struct rsb_comparison *comparison)
{
	if (!comparison)
		return;
	for (size_t i = 0; i < comparison->count; i++) {
		free(comparison->rows[i].layout);
		free(comparison->rows[i].return_thunk);
		free(comparison->rows[i].returns);
	}
	free(comparison->rows);
	free(comparison);
}
