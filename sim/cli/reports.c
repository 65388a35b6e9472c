/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One report in several formats. */
#include "sim/cli/reports.h"

#include "sim/cli/output.h"
#include "sim/cli/terminal.h"

#include <string.h>

#define NAME_SIZE 32 /* longer than any format's name */

bool cli_take_report(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error)
{
	struct cli_reports *reports = field;
	struct cli_report *report;
	const char *file = strchr(text, '=');
	char name[NAME_SIZE];

	(void)option;
	if (reports->count == CLI_REPORTS_MAX)
		return rsb_error_set(error, "expected at most %d", CLI_REPORTS_MAX);
	snprintf(name, sizeof(name), "%.*s", (int)(file ? file - text : NAME_SIZE), text);
	reports->all[reports->count].format = rsb_report_format_find(name, error);
	if (!reports->all[reports->count].format)
		return false;
	if (file && !file[1])
		return rsb_error_set(error, "expected a file after '=', got '%s'", text);
	report = &reports->all[reports->count++];
	report->path = file ? file + 1 : NULL;
	return !file || cli_output_want(report, file + 1, error);
}

const char *cli_report_name(size_t index)
{
	return rsb_report_formats()[index].name;
}

bool cli_reports_check(struct cli_reports *reports, struct rsb_error *error)
{
	size_t nameless = 0;

	if (!reports->count)
		reports->all[reports->count++].format = rsb_report_formats();
	for (size_t i = 0; i < reports->count; i++)
		nameless += !reports->all[i].path;
	if (nameless > 1)
		return rsb_error_set(error, "--format: expected one without a file and the others "
					    "in files, FORMAT=FILE");
	return nameless || !reports->output ||
	       rsb_error_set(error, "--output: every format has a file of its own");
}

/* A report that is being written. */
struct written {
	const struct rsb_report_format *format;
	const char *path;
	const struct rsb_score *const *scores;
	size_t count;
};

static bool write_one(FILE *out, const void *from, struct rsb_error *error)
{
	const struct written *written = from;
	const struct rsb_report_options options = {
		.colour = !written->path && cli_terminal_colour(),
		.columns = cli_terminal_columns(),
	};

	return written->format->write(out, written->scores, written->count, &options, error);
}

bool cli_reports_write(const struct cli_reports *reports, const struct rsb_score *const *scores,
		       size_t count, bool standard_output_is_free, struct rsb_error *error)
{
	for (size_t i = 0; i < reports->count; i++) {
		const char *path = reports->all[i].path;
		struct written written = {
			.format = reports->all[i].format,
			.path = path ? path : reports->output,
			.scores = scores,
			.count = count,
		};

		if ((written.path || standard_output_is_free) &&
		    !cli_output_write(written.path, write_one, &written, error))
			return false;
	}
	return true;
}
