/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the report of a sweep, and its plot. */
#include "sim/cli/sweep_report.h"

#include "sim/cli/gnuplot.h"
#include "sim/cli/output.h"
#include "sim/cli/terminal.h"

#include <errno.h>
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

static bool draw(FILE *out, const void *script, struct rsb_error *error)
{
	return cli_gnuplot_run((FILE *)script, out, error);
}

static bool write_plot(const char *path, const struct rsb_sweep *sweep, struct rsb_error *error)
{
	FILE *script = tmpfile();
	bool good;

	if (!script)
		return rsb_error_set(error, "--plot: %s", strerror(errno));
	good = rsb_sweep_plot(script, sweep, cli_gnuplot_terminal(path, error), error) &&
	       cli_output_write(path, draw, script, error);
	fclose(script);
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
