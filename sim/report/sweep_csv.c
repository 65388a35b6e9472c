/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep as comma-separated values (RFC 4180): a row for each case, CPU and combination. */
#include "sim/report/sweep.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"

static void write_header(FILE *out, const struct rsb_sweep *sweep)
{
	fputs(sweep->trace ? "trace,cpu" : "layout,scenario,callers,batch,spacing,cpu", out);
	for (size_t i = 0; i < sweep->grid.count; i++) {
		fputc(',', out);
		rsb_csv_text(out, sweep->grid.axes[i].parameter);
	}
	fprintf(out, "%s,misses,returns,rate,knee\r\n",
		sweep->trace ? "" : ",misses_inside,misses_callers");
}

/* The figures of a trace are counts. */
static void write_number(FILE *out, const struct rsb_sweep *sweep, double value)
{
	char text[RSB_NUMBER_SIZE];

	rsb_number_data(text, sizeof(text), value);
	if (sweep->trace)
		snprintf(text, sizeof(text), "%.0f", value);
	fprintf(out, ",%s", text);
}

static void write_row(FILE *out, const struct rsb_sweep *sweep, size_t index, const char *knee)
{
	const struct rsb_sweep_row *row = &sweep->rows[index];
	struct rsb_sweep_place place = rsb_sweep_place(sweep, index);
	const struct rsb_sweep_case *of = &sweep->cases[place.number];
	const struct rsb_scenario *scenario = &of->scenario;
	char rate[RSB_NUMBER_SIZE];

	rsb_csv_text(out, of->subject);
	if (!sweep->trace) {
		fputc(',', out);
		rsb_csv_text(out, scenario->name);
		fprintf(out, ",%u,%u,%u", scenario->depth, scenario->batch, scenario->spacing);
	}
	fputc(',', out);
	rsb_csv_text(out, sweep->cpus[place.cpu].name);
	for (size_t i = 0; i < sweep->grid.count; i++) {
		fputc(',', out);
		rsb_csv_text(out, rsb_grid_value(&sweep->grid, place.combination, i));
	}
	if (!sweep->trace) {
		write_number(out, sweep, row->inside);
		write_number(out, sweep, row->callers);
	}
	write_number(out, sweep, row->misses);
	write_number(out, sweep, row->returns);
	rsb_number_data(rate, sizeof(rate), rsb_sweep_rate(row));
	fprintf(out, ",%s,%s\r\n", rate, knee ? knee : "");
}

bool rsb_sweep_csv(FILE *out, const struct rsb_sweep *sweep,
		   const struct rsb_report_options *options, struct rsb_error *error)
{
	size_t line = rsb_sweep_line(sweep);
	const char *knee = NULL;

	(void)options;
	write_header(out, sweep);
	for (size_t row = 0; row < sweep->count; row++) {
		if (row % line == 0)
			knee = rsb_sweep_knee(sweep, row);
		write_row(out, sweep, row, knee);
	}
	return rsb_report_end(out, error);
}
