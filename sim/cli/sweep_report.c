/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the report of a sweep, and its plot. */
#include "sim/cli/sweep_report.h"

#include "sim/cli/gnuplot.h"
#include "sim/cli/output.h"
#include "sim/cli/svg_words.h"
#include "sim/cli/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool cli_take_sweep_format(const struct cli_option *option, void *field, const char *text,
			   struct rsb_error *error)
{
	const struct rsb_sweep_format **format = field;

	(void)option;
	*format = rsb_sweep_format_find(text, error);
	return *format;
}

bool cli_sweep_report_check(const struct cli_sweep_report *report, struct rsb_error *error)
{
	return !report->plot || cli_gnuplot_terminal(report->plot, error);
}

/* A sweep, and how it is written. */
struct written {
	const struct cli_sweep_report *report;
	const struct rsb_sweep *sweep;
};

static bool write_report(FILE *out, const void *from, struct rsb_error *error)
{
	const struct written *written = from;
	const struct cli_sweep_report *report = written->report;
	const struct rsb_sweep_format *format = report->format ? report->format
							       : rsb_sweep_formats();
	const struct rsb_report_options options = {
		.colour = !report->output && cli_terminal_colour(),
		.columns = cli_terminal_columns(),
	};

	return format->write(out, written->sweep, &options, error);
}

/* What is drawn: by which script, and what is said of it. */
struct plot {
	FILE *script;
	char *title, *words; /* NULL: a PNG, which says nothing */
};

static bool draw_svg(FILE *out, const struct plot *plot, struct rsb_error *error)
{
	FILE *drawn = tmpfile();
	bool good = drawn ? cli_gnuplot_run(plot->script, drawn, error) &&
				    cli_svg_words(drawn, out, plot->title, plot->words, error)
			  : rsb_error_set(error, "--plot: %s", strerror(errno));

	if (drawn)
		fclose(drawn);
	return good;
}

static bool draw(FILE *out, const void *from, struct rsb_error *error)
{
	const struct plot *plot = from;

	return plot->title ? draw_svg(out, plot, error) : cli_gnuplot_run(plot->script, out, error);
}

static bool put_in_words(struct plot *plot, const struct rsb_sweep *sweep, struct rsb_error *error)
{
	plot->title = rsb_sweep_plot_title(sweep);
	plot->words = rsb_sweep_plot_words(sweep);
	return (plot->title && plot->words) || rsb_error_set(error, "out of memory");
}

static bool write_plot(const char *path, const struct rsb_sweep *sweep, struct rsb_error *error)
{
	const char *terminal = cli_gnuplot_terminal(path, error);
	struct plot plot = { .script = tmpfile() };
	bool good = plot.script || rsb_error_set(error, "--plot: %s", strerror(errno));

	if (good && !strcmp(terminal, "svg"))
		good = put_in_words(&plot, sweep, error);
	good = good && rsb_sweep_plot(plot.script, sweep, terminal, error) &&
	       cli_output_write(path, draw, &plot, error);
	if (plot.script)
		fclose(plot.script);
	free(plot.title);
	free(plot.words);
	return good;
}

bool cli_sweep_report_write(const struct cli_sweep_report *report, const struct rsb_sweep *sweep,
			    struct rsb_error *error)
{
	if (report->plot && !write_plot(report->plot, sweep, error))
		return false;
	return cli_output_write(report->output, write_report, &(struct written){ report, sweep },
				error);
}
