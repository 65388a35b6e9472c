/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measuring images in turn. */
#include "sim/native/measure.h"

#include <math.h>
#include <stdlib.h>

/* A sample is long enough for the clock's own cost not to count, and short enough to be mostly left
 * alone by the kernel. */
#define SAMPLE_INSTRUCTIONS 12000
#define ROUNDS_MIN          3
#define ROUNDS_MAX          1000
#define WARMUP_MAX          70 /* more rounds than most stacks have entries */

#define UNEVEN 0.05 /* of the two chains of a sample */
#define LONG   2.0  /* times the median */

static double chain(const struct rsb_native_sample *sample)
{
	double before = (double)sample->before, after = (double)sample->after;

	return fabs(before - after) > UNEVEN * fmin(before, after) ? NAN : (before + after) / 2;
}

struct rsb_spread rsb_measure_samples(const struct rsb_native_samples *samples, unsigned rounds,
				      size_t *dropped)
{
	static const struct rsb_spread nothing = { NAN, NAN, NAN, 0 };
	double *cycles = malloc((samples->count + 1) * sizeof(*cycles));
	struct rsb_spread spread = nothing;
	size_t count = 0;

	if (!cycles)
		return nothing;
	for (size_t i = 0; i < samples->count; i++) {
		double ticks = chain(&samples->samples[i]);

		if (ticks > 0)
			cycles[count++] = (double)samples->samples[i].ticks * RSB_NATIVE_CHAIN /
					  ticks / rounds;
	}
	spread = rsb_spread_of(cycles, count);
	while (count && cycles[count - 1] > LONG * spread.median)
		count--;
	*dropped += samples->count - count;
	spread = rsb_spread_of(cycles, count);
	free(cycles);
	return spread;
}

static unsigned count_rounds(const struct rsb_measured *measured)
{
	double rounds = SAMPLE_INSTRUCTIONS / fmax(measured->instructions, 1);

	return (unsigned)fmin(fmax(rounds, ROUNDS_MIN), ROUNDS_MAX);
}

static void visit(struct rsb_measured *measured, const struct rsb_measure_options *options,
		  struct rsb_native_samples *samples)
{
	const unsigned rounds = count_rounds(measured);
	double cycles;
	const struct rsb_native_visit plan = {
		.samples = options->samples,
		.rounds = rounds,
		.warmup = rounds < WARMUP_MAX ? rounds : WARMUP_MAX,
		.processor = options->processor,
		.getppid = measured->getppid,
		.counter = true,
	};

	if (!rsb_native_run(measured->image, &plan, samples, &measured->why)) {
		measured->failed = true;
		return;
	}
	measured->samples += samples->count;
	measured->counted = samples->counted;
	measured->mispredicted += (double)samples->mispredicted /
				  ((double)plan.samples * (plan.rounds + plan.warmup)) /
				  options->visits;
	cycles = rsb_measure_samples(samples, rounds, &measured->dropped).low;
	if (!isnan(cycles))
		measured->cycles[measured->visits++] = cycles;
}

static void keep_calm(struct rsb_measured *measured)
{
	rsb_spread_of(measured->cycles, measured->visits); /* sorts them */
	measured->visits = (measured->visits + 1) / 2;
}

static void reset(struct rsb_measured *measured)
{
	measured->failed = measured->counted = false;
	measured->visits = 0;
	measured->samples = measured->dropped = 0;
	measured->mispredicted = 0;
}

bool rsb_native_measure(struct rsb_measured *all, size_t count,
			const struct rsb_measure_options *options, struct rsb_error *error)
{
	struct rsb_native_samples *samples = malloc(sizeof(*samples));

	if (!samples)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < count; i++)
		reset(&all[i]);
	for (unsigned turn = 0; turn < options->visits; turn++)
		for (size_t i = 0; i < count; i++) {
			if (!all[i].failed)
				visit(&all[i], options, samples);
			if (options->progress)
				options->progress(options->context, turn * count + i + 1,
						  options->visits * count);
		}
	for (size_t i = 0; i < count; i++)
		keep_calm(&all[i]);
	free(samples);
	return true;
}

struct rsb_spread rsb_measured_cycles(const struct rsb_measured *measured)
{
	double values[RSB_VISITS_MAX];
	size_t count = 0;

	for (unsigned i = 0; i < measured->visits; i++)
		if (!isnan(measured->cycles[i]))
			values[count++] = measured->cycles[i];
	return rsb_spread_of(values, count);
}

struct rsb_spread rsb_measured_difference(const struct rsb_measured *a,
					  const struct rsb_measured *b, double less)
{
	double values[RSB_VISITS_MAX];
	size_t count = 0;

	for (unsigned i = 0; i < a->visits && i < b->visits; i++) {
		double difference = a->cycles[i] - b->cycles[i] - less;

		if (!isnan(difference))
			values[count++] = difference;
	}
	return rsb_spread_of(values, count);
}
