/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep is written as, whether it was worked out here or merged from parts. */
#ifndef RSB_SIM_CLI_SWEEP_REPORT_H
#define RSB_SIM_CLI_SWEEP_REPORT_H

#include "sim/cli/options.h"
#include "sim/report/sweep.h"

struct cli_sweep_report {
	const struct rsb_sweep_format *format; /* NULL: not given */
	const char *output, *plot;
};

/* The rows of these options, for a command's own. */
#define CLI_SWEEP_REPORT_ROWS(at)                                                       \
	{ .name = "format",                                                             \
	  .letter = 'f',                                                                \
	  .argument = "NAME",                                                           \
	  .take = cli_take_sweep_format,                                                \
	  .sentence = "{} (default text)",                                              \
	  .name_of = cli_sweep_format_name,                                             \
	  .field = (at) + offsetof(struct cli_sweep_report, format) },                  \
		{ .name = "output",                                                     \
		  .letter = 'o',                                                        \
		  .argument = "FILE",                                                   \
		  .take = cli_take_output,                                              \
		  .sentence = "write the report to FILE, whole or not at all",          \
		  .field = (at) + offsetof(struct cli_sweep_report, output) },          \
	{                                                                               \
		.name = "plot", .argument = "FILE", .take = cli_take_text,              \
		.sentence = "plot misses against depth, too, to FILE.svg or FILE.png, " \
			    "with gnuplot; with {} in FILE, a plot for each layout, "   \
			    "whose name takes its place",                               \
		.field = (at) + offsetof(struct cli_sweep_report, plot)                 \
	}

bool cli_take_sweep_format(const struct cli_option *option, void *field, const char *text,
			   struct rsb_error *error);
const char *cli_sweep_format_name(size_t index);

/* Can these options go together? Asked before the work is done. */
bool cli_sweep_report_check(const struct cli_sweep_report *report, struct rsb_error *error);

/* Can what is planned be plotted there? */
bool cli_sweep_report_plan(const struct cli_sweep_report *report, const struct rsb_sweep *sweep,
			   struct rsb_error *error);

bool cli_sweep_report_write(const struct cli_sweep_report *report, const struct rsb_sweep *sweep,
			    struct rsb_error *error);

#endif
