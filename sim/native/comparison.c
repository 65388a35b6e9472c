/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layouts on this machine. */
#include "sim/native/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE "plain-call"
#define ALIGNMENT 16

/* What a row is measured by: at each alignment itself and its baseline. */
struct subject {
	struct rsb_image *images[RSB_ALIGNMENTS][2];
	struct rsb_expected expected;
	struct rsb_measured *measured; /* as many as images */
};

struct work {
	const struct rsb_comparison_options *options;
	struct rsb_comparison *comparison;
	struct rsb_layout *reference;
	struct subject *subjects; /* the last one is the reference */
	struct rsb_measured *measured;
	size_t count, alignments;
};

static bool make_images(struct work *work, struct subject *subject, struct rsb_layout *layout,
			const struct rsb_scenario *scenario, bool twin, struct rsb_error *error)
{
	for (size_t i = 0; i < work->alignments; i++) {
		rsb_layout_set_how(layout, ALIGNMENT * i, false);
		subject->images[i][0] = rsb_layout_image(layout, scenario, error);
		if (!subject->images[i][0])
			return false;
		if (!twin)
			layout = work->reference;
		rsb_layout_set_how(layout, ALIGNMENT * i, twin);
		subject->images[i][1] = rsb_layout_image(layout, scenario, error);
		if (!subject->images[i][1])
			return false;
		if (!twin)
			return true; /* other code has one place */
	}
	return true;
}

static bool simulate(struct work *work, struct subject *subject, struct rsb_error *error)
{
	struct rsb_run *run = rsb_expect_run(subject->images[0][0], false, error);
	bool good = run && rsb_expect(run, work->options->profile, &subject->expected, error);

	rsb_run_free(run);
	return good;
}

static bool permit(const struct work *work, const struct rsb_layout *layout,
		   struct rsb_error *error)
{
	switch (rsb_layout_code(layout)) {
	case RSB_LAYOUT_GENERATED:
		return true;
	case RSB_LAYOUT_KERNEL:
		return rsb_error_set(error, "code of a kernel, which no process can run");
	default:
		return work->options->allow ||
		       rsb_error_set(error, "code of your own is run only with --allow-native");
	}
}

static bool prepare(struct work *work, size_t index, struct rsb_layout *layout,
		    const struct rsb_scenario *scenario, struct rsb_error *error)
{
	struct subject *subject = &work->subjects[index];
	bool twin = rsb_layout_code(layout) == RSB_LAYOUT_GENERATED;

	subject->measured = &work->measured[index * 2 * RSB_ALIGNMENTS];
	if (!permit(work, layout, error) ||
	    !make_images(work, subject, layout, scenario, twin, error) ||
	    !rsb_native_fits(subject->images[0][0], error) || !simulate(work, subject, error))
		return false;
	for (size_t i = 0; i < 2 * RSB_ALIGNMENTS; i++) {
		subject->measured[i].image = subject->images[i / 2][i % 2];
		subject->measured[i].instructions = subject->expected.instructions;
	}
	return true;
}

static bool prepare_all(struct work *work, struct rsb_layout *const *layouts,
			struct rsb_error *error)
{
	struct rsb_comparison *comparison = work->comparison;
	const struct rsb_scenario reference = RSB_SCENARIO_UNWIND;

	for (size_t i = 0; i < comparison->count; i++) {
		struct rsb_comparison_row *row = &comparison->rows[i];

		row->layout = strdup(rsb_layout_name(layouts[i]));
		if (!row->layout)
			return rsb_error_set(error, "out of memory");
		row->twin = rsb_layout_code(layouts[i]) == RSB_LAYOUT_GENERATED;
		row->refused = !prepare(work, i, layouts[i], &comparison->scenario, &row->why);
	}
	return prepare(work, comparison->count, work->reference, &reference, error);
}

/* Is there an image at that place, of a row that is not refused? */
static bool is_measured(const struct work *work, size_t place)
{
	size_t row = place / (2 * RSB_ALIGNMENTS);
	bool refused = row < work->comparison->count && work->comparison->rows[row].refused;

	return !refused && work->measured[place].image;
}

/* Those that are measured, one behind the other. */
static bool measure_all(struct work *work, struct rsb_error *error)
{
	struct rsb_measured *all = calloc(work->count, 2 * RSB_ALIGNMENTS * sizeof(*all));
	size_t used = 0, total = work->count * 2 * RSB_ALIGNMENTS;
	bool good;

	if (!all)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < total; i++)
		if (is_measured(work, i))
			all[used++] = work->measured[i];
	good = rsb_native_measure(all, used, &work->options->measure, error);
	for (size_t i = 0, from = 0; good && i < total; i++)
		if (is_measured(work, i))
			work->measured[i] = all[from++];
	free(all);
	return good;
}

static struct rsb_spread scale(struct rsb_spread spread, double by)
{
	return (struct rsb_spread){ spread.low / by, spread.median / by, spread.high / by,
				    spread.count };
}

static void judge_alignments(struct work *work, struct rsb_comparison_row *row,
			     const struct subject *subject, double less, double by)
{
	for (size_t i = 0; work->alignments > 1 && i < work->alignments; i++) {
		const struct rsb_measured *pair = &subject->measured[2 * i];
		double misses;

		if (!pair[0].image || !pair[1].image || pair[0].failed || pair[1].failed)
			continue;
		misses = rsb_measured_difference(&pair[0], &pair[1], less).median / by;
		row->across_low = fmin(row->across_low, misses);
		row->across_high = fmax(row->across_high, misses);
	}
}

/*
 * The misses of a row. A twin's jump costs more than a return where nothing else takes time, and as
 * much where it is hidden behind what does; so half of it is taken off, and the range is from none of
 * it to all.
 */
static struct rsb_spread find_misses(const struct rsb_measured *pair, double jumps, double by)
{
	struct rsb_spread none = scale(rsb_measured_difference(&pair[0], &pair[1], 0), by);
	struct rsb_spread half = scale(rsb_measured_difference(&pair[0], &pair[1], -jumps / 2), by);
	struct rsb_spread all = scale(rsb_measured_difference(&pair[0], &pair[1], -jumps), by);

	half.low = fmin(none.low, all.low);
	half.high = fmax(none.high, all.high);
	return half;
}

static void judge_row(struct work *work, struct rsb_comparison_row *row,
		      const struct subject *subject)
{
	const double batch = work->comparison->scenario.batch;
	const struct rsb_measured *pair = subject->measured;
	double jump = row->twin ? work->comparison->jump : 0;
	double jumps = jump * subject->expected.returns;
	double by = batch * (work->options->penalty->unit + jump / 2);

	row->misses = (struct rsb_spread){ NAN, NAN, NAN, 0 };
	row->across_low = row->across_high = NAN;
	if (row->refused)
		return;
	for (int i = 0; i < 2; i++) {
		work->comparison->samples += pair[i].samples;
		work->comparison->dropped += pair[i].dropped;
		if (pair[i].failed) {
			row->refused = true;
			row->why = pair[i].why;
			return;
		}
	}
	row->simulated = subject->expected.misses / batch;
	row->cycles = scale(rsb_measured_cycles(&pair[0]), batch);
	row->baseline = scale(rsb_measured_cycles(&pair[1]), batch);
	row->misses = find_misses(pair, jumps, by);
	row->counted = pair[0].counted;
	row->mispredicted = pair[0].mispredicted / batch;
	judge_alignments(work, row, subject, -jumps / 2, by);
}

static bool judge(struct work *work, struct rsb_error *error)
{
	struct rsb_comparison *comparison = work->comparison;
	const struct subject *reference = &work->subjects[comparison->count];
	struct rsb_compared *compared = calloc(comparison->count + 1, sizeof(*compared));

	if (!compared)
		return rsb_error_set(error, "out of memory");
	if (reference->measured[0].failed || reference->measured[1].failed) {
		free(compared);
		return rsb_error_set(error, REFERENCE ": %s", reference->measured[0].why.text);
	}
	comparison->jump =
		rsb_measured_difference(&reference->measured[1], &reference->measured[0], 0)
			.median /
		reference->expected.returns;
	for (size_t i = 0; i < comparison->count; i++) {
		judge_row(work, &comparison->rows[i], &work->subjects[i]);
		compared[i] = (struct rsb_compared){ comparison->rows[i].simulated,
						     comparison->rows[i].misses };
	}
	comparison->agreement = rsb_agreement_of(compared, comparison->count);
	comparison->noisy = comparison->dropped * 2 > comparison->samples;
	free(compared);
	return true;
}

static void clear_work(struct work *work)
{
	for (size_t i = 0; work->subjects && i < work->count; i++)
		for (size_t j = 0; j < 2 * RSB_ALIGNMENTS; j++)
			rsb_image_free(work->subjects[i].images[j / 2][j % 2]);
	free(work->subjects);
	free(work->measured);
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
		.measured = calloc((count + 1) * 2, RSB_ALIGNMENTS * sizeof(*work.measured)),
		.count = count + 1,
		.alignments = options->alignments ? RSB_ALIGNMENTS : 1,
	};
	bool good = work.comparison && work.reference && work.subjects && work.measured;

	if (work.comparison) {
		work.comparison->scenario = *scenario;
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
	for (size_t i = 0; i < comparison->count; i++)
		free(comparison->rows[i].layout);
	free(comparison->rows);
	free(comparison);
}
