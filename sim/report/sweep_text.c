/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep for people: a table for each layout and scenario, depths that are alike in one row, and
 * the knees.
 */
#include "sim/report/sweep.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/report/table.h"
#include "sim/report/wrap.h"

#define NAME 512

static void write_heading(FILE *out, const struct rsb_sweep *sweep, const struct rsb_sweep_case *of,
			  unsigned columns)
{
	const struct rsb_scenario *scenario = &of->scenario;
	char text[128] = "mispredicted returns";

	if (!sweep->trace)
		snprintf(text, sizeof(text),
			 "%s (depth %u, batch %u), mispredicted returns per call of the traced "
			 "function",
			 scenario->name, scenario->depth, scenario->batch);
	rsb_wrap_named(out, of->subject, text, columns);
	fputc('\n', out);
}

static void add_columns(struct rsb_table *table, const struct rsb_sweep *sweep)
{
	rsb_table_column(table, "cpu", RSB_TABLE_WORDS, 0);
	for (size_t i = 0; i < sweep->grid.count; i++)
		rsb_table_column(table, sweep->grid.axes[i].parameter, RSB_TABLE_NUMBER, 2);
	rsb_table_keys(table);
	for (const struct rsb_sweep_column *c = rsb_sweep_columns(); c->heading; c++)
		if (!c->layout || !sweep->trace)
			rsb_table_column(table, c->heading, RSB_TABLE_NUMBER, 2);
}

static void add_row(struct rsb_table *table, const struct rsb_sweep *sweep, size_t row,
		    size_t alike)
{
	char text[NAME];

	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s",
		       sweep->cpus[rsb_sweep_place(sweep, row).cpu].name);
	for (size_t i = 0; i < sweep->grid.count; i++) {
		rsb_sweep_value(text, sizeof(text), sweep, row, alike, i);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", text);
	}
	for (const struct rsb_sweep_column *c = rsb_sweep_columns(); c->heading; c++) {
		if (c->layout && sweep->trace)
			continue;
		rsb_number_brief(text, sizeof(text), c->figure(&sweep->rows[row]), c->decimals);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s%s", text, c->unit);
	}
}

static bool write_case(FILE *out, const struct rsb_sweep *sweep, size_t number,
		       const struct rsb_report_options *options)
{
	size_t rows = sweep->count / sweep->case_count, end = (number + 1) * rows;
	struct rsb_table *table = rsb_table_new();
	bool written;

	if (!table)
		return false;
	write_heading(out, sweep, &sweep->cases[number], options->columns);
	add_columns(table, sweep);
	for (size_t row = number * rows; row < end;) {
		size_t alike = rsb_sweep_alike(sweep, row);

		add_row(table, sweep, row, alike);
		row += alike;
	}
	written = rsb_table_write(table, out, options->columns, options->colour);
	rsb_table_free(table);
	return written;
}

static void write_knees(FILE *out, const struct rsb_sweep *sweep,
			const struct rsb_report_options *options)
{
	fputs("\nknee, the smallest depth from which misses fall no more:\n", out);
	for (size_t row = 0; row < sweep->count; row += rsb_sweep_line(sweep)) {
		char name[NAME], knee[NAME], text[2 * NAME + 2];

		rsb_sweep_line_name(name, sizeof(name), sweep, row);
		rsb_sweep_knee_words(knee, sizeof(knee), sweep, row);
		snprintf(text, sizeof(text), "%s: %s", name, knee);
		fputs("  ", out);
		rsb_wrap_write(out, text, 2, 4, options->columns);
	}
}

bool rsb_sweep_text(FILE *out, const struct rsb_sweep *sweep,
		    const struct rsb_report_options *options, struct rsb_error *error)
{
	for (size_t i = 0; i < sweep->case_count; i++) {
		if (i)
			fputc('\n', out);
		if (!write_case(out, sweep, i, options))
			return rsb_error_set(error, "out of memory");
	}
	if (rsb_sweep_line(sweep) > 1)
		write_knees(out, sweep, options);
	return rsb_report_end(out, error);
}
