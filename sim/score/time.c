/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sum of a time. */
#include "sim/score/time.h"

#include "sim/score/score.h"

#include <math.h>

static const struct rsb_interval unknown = { NAN, NAN };

static double count_returns(const struct rsb_per_call *figures)
{
	return figures->misses_inside + figures->misses_callers;
}

static double count_indirect(const struct rsb_per_call *figures)
{
	return figures->misses_indirect;
}

static double count_cr3_writes(const struct rsb_per_call *figures)
{
	return figures->cr3_writes;
}

static double count_tlb_flushes(const struct rsb_per_call *figures)
{
	return figures->tlb_flushes;
}

/* What a term counts, and what each of it costs. To add one: one row, and RSB_TIME_TERMS. */
static const struct row {
	const char *name;
	double (*count)(const struct rsb_per_call *figures);
	enum rsb_quantity cost;
} rows[] = {
	{ "returns", count_returns, RSB_QUANTITY_PENALTY },
	{ "indirect", count_indirect, RSB_QUANTITY_PENALTY },
	{ "cr3_writes", count_cr3_writes, RSB_QUANTITY_CR3_WRITE },
	{ "tlb_flushes", count_tlb_flushes, RSB_QUANTITY_TLB_FLUSH },
};

#define ROWS (sizeof(rows) / sizeof(*rows))
_Static_assert(ROWS + 1 == RSB_TIME_TERMS, "the base and each row");

static struct rsb_interval quantity(const struct rsb_profile *profile, enum rsb_quantity which)
{
	struct rsb_interval interval = unknown;

	rsb_profile_quantity(profile, which, &interval.low, &interval.high);
	return interval;
}

/* What never happens costs nothing, whatever one of them would. */
static struct rsb_interval times(double count, struct rsb_interval each)
{
	return count ? (struct rsb_interval){ count * each.low, count * each.high }
		     : (struct rsb_interval){ 0, 0 };
}

static struct rsb_time_term make_term(const struct row *row, const struct rsb_per_call *figures,
				      const struct rsb_profile *profile)
{
	struct rsb_time_term term = {
		.name = row->name,
		.each_unit = rsb_quantities[row->cost].unit,
		.count = row->count(figures),
		.each = quantity(profile, row->cost),
	};

	/* Without a predictor of indirect jumps nothing of them is known, and nothing counted. */
	term.cycles = times(isnan(term.count) ? 0 : term.count, term.each);
	return term;
}

static struct rsb_time_term make_base(struct rsb_time *time, const struct rsb_per_call *figures,
				      const struct rsb_profile *profile,
				      const struct rsb_time_options *options)
{
	struct rsb_time_term term = { .name = "base", .count = NAN };

	if (!isnan(options->base_ns)) {
		time->base = RSB_TIME_STATED;
		term.each_unit = "ns";
		term.each = (struct rsb_interval){ options->base_ns, options->base_ns };
		term.cycles.low = options->base_ns * time->clock.low;
		term.cycles.high = options->base_ns * time->clock.high;
		return term;
	}
	if (options->base_cycles.high > 0) {
		time->base = RSB_TIME_MEASURED;
		term.each_unit = "cycles";
		term.each = term.cycles = options->base_cycles;
		return term;
	}
	term.count = figures->instructions;
	term.each_unit = rsb_quantities[RSB_QUANTITY_WIDTH].unit;
	term.each = quantity(profile, RSB_QUANTITY_WIDTH);
	term.cycles.low = term.count / term.each.high;
	term.cycles.high = term.count / term.each.low;
	time->base = isnan(term.cycles.low) ? RSB_TIME_UNKNOWN : RSB_TIME_ESTIMATED;
	return term;
}

void rsb_time_work_out(struct rsb_time *time, const struct rsb_per_call *figures,
		       const struct rsb_profile *profile, const struct rsb_time_options *options)
{
	struct rsb_interval lost = { 0, 0 };

	time->measuring = options->measuring;
	time->clock = quantity(profile, RSB_QUANTITY_CLOCK);
	if (!isnan(options->ghz))
		time->clock = (struct rsb_interval){ options->ghz, options->ghz };
	time->terms[0] = make_base(time, figures, profile, options);
	for (size_t i = 0; i < ROWS; i++) {
		struct rsb_time_term term = make_term(&rows[i], figures, profile);

		lost.low += term.cycles.low;
		lost.high += term.cycles.high;
		time->terms[i + 1] = term;
	}
	time->cycles.low = time->terms[0].cycles.low + lost.low;
	time->cycles.high = time->terms[0].cycles.high + lost.high;
	/* A stated base is in nanoseconds already: its own does not hang on the clock. */
	if (time->base == RSB_TIME_STATED)
		time->ns = (struct rsb_interval){ options->base_ns + lost.low / time->clock.high,
						  options->base_ns + lost.high / time->clock.low };
	else
		time->ns = (struct rsb_interval){ time->cycles.low / time->clock.high,
						  time->cycles.high / time->clock.low };
	time->calls_per_second = (struct rsb_interval){ 1e9 / time->ns.high, 1e9 / time->ns.low };
}

enum rsb_quantity rsb_time_lacks(const struct rsb_time *time)
{
	if (isnan(time->clock.low))
		return RSB_QUANTITY_CLOCK;
	if (time->base == RSB_TIME_UNKNOWN)
		return RSB_QUANTITY_WIDTH;
	for (size_t i = 0; i < ROWS; i++)
		if (isnan(time->terms[i + 1].cycles.low))
			return rows[i].cost;
	return RSB_QUANTITIES;
}

const char *rsb_time_base_name(enum rsb_time_base base)
{
	static const char *const names[] = { "unknown", "stated", "measured", "estimated" };

	return names[base];
}
