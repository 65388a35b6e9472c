/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the report of a sweep, and its plot. */
#include "sim/cli/sweep_report.h"

#include "sim/cli/gnuplot.h"
#include "sim/cli/output.h"
#include "sim/cli/svg_words.h"
#include "sim/cli/terminal.h"
#include "traces/util/scratch.h"

#include <ctype.h>
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

const char *cli_sweep_format_name(size_t index)
{
	return rsb_sweep_formats()[index].name;
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
	FILE *drawn = rsb_scratch_open(error);
	bool good = drawn && cli_gnuplot_run(plot->script, drawn, error) &&
		    cli_svg_words(drawn, out, plot->title, plot->words, error);

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
	struct plot plot = { .script = rsb_scratch_open(error) };
	bool good = plot.script != NULL;

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

/* What stands for the layout's name in a plot's file. */
#define PLACE "{}"

/* The plot's file of a layout, whose name may hold what a file's name cannot. NULL: no memory. */
static char *name_plot(const char *pattern, const char *layout)
{
	const char *place = strstr(pattern, PLACE);
	size_t before = (size_t)(place - pattern), size = strlen(pattern) + strlen(layout) + 1;
	char *path = malloc(size);

	if (!path)
		return NULL;
	snprintf(path, size, "%.*s%s%s", (int)before, pattern, layout, place + strlen(PLACE));
	for (size_t i = 0; i < strlen(layout); i++)
		if (path[before + i] == '/' || iscntrl((unsigned char)path[before + i]))
			path[before + i] = '_';
	return path;
}

/* Does something for each plot that is asked for: of all layouts, or of each. */
static bool for_each_plot(const char *pattern, const struct rsb_sweep *sweep,
			  bool (*act)(const char *path, const struct rsb_sweep *sweep,
				      struct rsb_error *error),
			  struct rsb_error *error)
{
	bool good = true;

	if (!strstr(pattern, PLACE))
		return act(pattern, sweep, error);
	for (size_t i = 0; good && i < sweep->subject_count; i++) {
		const struct rsb_sweep one = rsb_sweep_of(sweep, i);
		char *path = name_plot(pattern, one.subjects[0]);

		good = path ? act(path, &one, error) : rsb_error_set(error, "out of memory");
		free(path);
	}
	return good;
}

static bool check_plot(const char *path, const struct rsb_sweep *sweep, struct rsb_error *error)
{
	return rsb_sweep_plot_check(sweep, error) &&
	       ((cli_output_check(path, error) && cli_output_check_other(path, error)) ||
		rsb_error_prefix(error, "--plot"));
}

/* Two layouts of one name, from two files, would be one plot. */
static bool check_names(const struct rsb_sweep *sweep, struct rsb_error *error)
{
	for (size_t i = 0; i < sweep->subject_count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(sweep->subjects[i], sweep->subjects[k]))
				return rsb_error_set(error,
						     "--plot: expected layouts of different names "
						     "with " PLACE ", got two called '%s'",
						     sweep->subjects[i]);
	return true;
}

bool cli_sweep_report_plan(const struct cli_sweep_report *report, const struct rsb_sweep *sweep,
			   struct rsb_error *error)
{
	return !report->plot || ((!strstr(report->plot, PLACE) || check_names(sweep, error)) &&
				 for_each_plot(report->plot, sweep, check_plot, error));
}

bool cli_sweep_report_write(const struct cli_sweep_report *report, const struct rsb_sweep *sweep,
			    struct rsb_error *error)
{
	if (report->plot && !for_each_plot(report->plot, sweep, write_plot, error))
		return false;
	return cli_output_write(report->output, write_report, &(struct written){ report, sweep },
				error);
}
