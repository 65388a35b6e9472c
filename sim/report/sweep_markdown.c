/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep for a cover letter or a review: a pipe table for each layout and scenario, then the
 * knees.
 */
#include "sim/report/sweep.h"

#include "sim/report/formats.h"
#include "sim/report/markup.h"
#include "sim/report/number.h"

#define NAME 512

static void write_heading(FILE *out, const struct rsb_sweep *sweep, const struct rsb_sweep_case *of)
{
	fputs("**", out);
	rsb_markdown_text(out, of->subject);
	fputs("**", out);
	if (sweep->trace)
		fputs(": mispredicted returns\n\n| cpu |", out);
	else
		fprintf(out,
			", %s %u/%u: mispredicted returns per call of the traced function\n\n"
			"| cpu |",
			of->scenario.name, of->scenario.depth, of->scenario.batch);
	for (size_t i = 0; i < sweep->grid.count; i++) {
		fputc(' ', out);
		rsb_markdown_text(out, sweep->grid.axes[i].parameter);
		fputs(" |", out);
	}
	for (const struct rsb_sweep_column *c = rsb_sweep_columns(); c->heading; c++)
		if (!c->layout || !sweep->trace)
			fprintf(out, " %s |", c->heading);
	fputs("\n|:--|", out);
	for (size_t i = 0; i < sweep->grid.count; i++)
		fputs("--:|", out);
	for (const struct rsb_sweep_column *c = rsb_sweep_columns(); c->heading; c++)
		if (!c->layout || !sweep->trace)
			fputs("--:|", out);
	fputc('\n', out);
}

static void write_row(FILE *out, const struct rsb_sweep *sweep, size_t row, size_t alike)
{
	char text[NAME];

	fputs("| ", out);
	rsb_markdown_text(out, sweep->cpus[rsb_sweep_place(sweep, row).cpu].name);
	fputs(" |", out);
	for (size_t i = 0; i < sweep->grid.count; i++) {
		rsb_sweep_value(text, sizeof(text), sweep, row, alike, i);
		fprintf(out, " %s |", text);
	}
	for (const struct rsb_sweep_column *c = rsb_sweep_columns(); c->heading; c++) {
		if (c->layout && sweep->trace)
			continue;
		rsb_number_brief(text, sizeof(text), c->figure(&sweep->rows[row]), c->decimals);
		fprintf(out, " %s%s |", text, c->unit);
	}
	fputc('\n', out);
}

static void write_knees(FILE *out, const struct rsb_sweep *sweep)
{
	fputs("Knee, the smallest depth from which misses fall no more:\n\n", out);
	for (size_t row = 0; row < sweep->count; row += rsb_sweep_line(sweep)) {
		char name[NAME], knee[NAME];

		rsb_sweep_line_name(name, sizeof(name), sweep, row);
		rsb_sweep_knee_words(knee, sizeof(knee), sweep, row);
		fputs("- ", out);
		rsb_markdown_text(out, name);
		fprintf(out, ": %s\n", knee);
	}
}

bool rsb_sweep_markdown(FILE *out, const struct rsb_sweep *sweep,
			const struct rsb_report_options *options, struct rsb_error *error)
{
	size_t rows = sweep->count / sweep->case_count;

	(void)options;
	for (size_t i = 0; i < sweep->case_count; i++) {
		write_heading(out, sweep, &sweep->cases[i]);
		for (size_t row = i * rows; row < (i + 1) * rows;) {
			size_t alike = rsb_sweep_alike(sweep, row);

			write_row(out, sweep, row, alike);
			row += alike;
		}
		fputc('\n', out);
	}
	if (rsb_sweep_line(sweep) > 1)
		write_knees(out, sweep);
	return rsb_report_end(out, error);
}
