/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tests/unit/reported.h. */
#include "tests/unit/reported.h"

#include "sim/report/report.h"
#include "tests/unit/unit.h"

#include <stdio.h>

struct rsb_score reported_score(const char *layout, const char *cpu, struct rsb_scenario scenario,
				double balance, double inside, double in_round)
{
	struct rsb_score score = {
		.layout = (char *)layout,
		.cpu = (char *)cpu,
		.return_thunk = (char *)"none",
		.model = (char *)"ring of 16",
		.known = (char *)"measured",
		.scenario = scenario,
		.steady = RSB_STEADY_PROVED,
		.period = 1,
		.averaged = 1,
	};
	double misses = inside + in_round / scenario.batch;

	score.per_call = (struct rsb_per_call){
		.calls = 13 + balance,
		.returns = 13,
		.instructions = 78 + balance,
		.balance = balance,
		.balance_layout = balance,
		.misses_inside = inside,
		.misses_callers = in_round / scenario.batch,
		.caller_slope = in_round / scenario.depth,
		.peak = 4,
		.headroom = 12,
		.lost_cycles_low = misses * 15,
		.lost_cycles_high = misses * 20,
	};
	return score;
}

char *reported_text(const char *format, struct rsb_score *scores, size_t count, bool colour)
{
	const struct rsb_report_options options = { .colour = colour };
	const struct rsb_report_format *row;
	struct rsb_score *sorted[8];
	struct rsb_error error;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_uint_le(count, sizeof(sorted) / sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		sorted[i] = &scores[i];
	ck_assert(rsb_report_sort(sorted, count));
	row = rsb_report_format_find(format, &error);
	ck_assert_ptr_nonnull(row);
	ck_assert(
		row->write(out, (const struct rsb_score *const *)sorted, count, &options, &error));
	fclose(out);
	return text;
}
