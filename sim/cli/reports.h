/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One report in several formats: --format FORMAT[=FILE], which may be given more than once. */
#ifndef RSB_SIM_CLI_REPORTS_H
#define RSB_SIM_CLI_REPORTS_H

#include "sim/cli/options.h"
#include "sim/report/report.h"

#define CLI_REPORTS_MAX 8

/* One of them. */
struct cli_report {
	const struct rsb_report_format *format;
	const char *path; /* NULL: where the output option says */
};

/* Zeros, before the options are read. */
struct cli_reports {
	struct cli_report all[CLI_REPORTS_MAX];
	size_t count;
	const char *output; /* NULL: standard output */
};

bool cli_take_report(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error);

const char *cli_report_name(size_t index); /* of the format */

/* Both rows, of a struct cli_reports at this place of the request. */
#define CLI_REPORT_ROWS(at)                                                                        \
	{ .name = "format",                                                                        \
	  .letter = 'f',                                                                           \
	  .argument = "FORMAT[=FILE]",                                                             \
	  .take = cli_take_report,                                                                 \
	  .sentence = "{} (default text), to FILE if it is named; may be given more than once",    \
	  .name_of = cli_report_name,                                                              \
	  .field = (at) },                                                                         \
	{                                                                                          \
		.name = "output", .letter = 'o', .argument = "FILE", .take = cli_take_output,      \
		.sentence = "write the report without a file of its own to FILE, whole or not at " \
			    "all",                                                                 \
		.field = (at) + offsetof(struct cli_reports, output)                               \
	}

/* After the options: text, if nothing was asked for; one at the most goes where none has a file. */
bool cli_reports_check(struct cli_reports *reports, struct rsb_error *error);

/* Writes them all; what would go to standard output only if that is free. */
bool cli_reports_write(const struct cli_reports *reports, const struct rsb_score *const *scores,
		       size_t count, bool standard_output_is_free, struct rsb_error *error);

#endif
