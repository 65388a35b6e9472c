/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim trace info: what is in a trace. */
#include "sim/report/trace_info.h"

#include "sim/cli/terminal.h"
#include "sim/cli/trace.h"

#include <stdlib.h>
#include <string.h>

struct request {
	const char *format, *output;
};

/* What is told of a trace. */
struct info {
	const struct request *request;
	const struct rsb_trace_reader *reader;
	struct rsb_trace_summary summary;
	bool whole;
};

static bool write_info(FILE *out, const void *from, struct rsb_error *error)
{
	const struct info *info = from;

	if (!strcmp(info->request->format, "json"))
		return rsb_trace_info_json(out, info->reader, &info->summary, info->whole, error);
	rsb_trace_info_text(out, cli_terminal_columns(), info->reader, &info->summary);
	return true;
}

/* Of a trace that is cut short, what there is is told too. */
static bool tell(const struct request *request, struct rsb_trace_reader *reader,
		 struct rsb_error *error)
{
	struct info *info = malloc(sizeof(*info));
	struct rsb_error unwritten;
	enum rsb_trace_got got;
	bool good;

	if (!info)
		return rsb_error_set(error, "out of memory");
	info->request = request;
	info->reader = reader;
	got = rsb_trace_summarize(reader, &info->summary, error);
	info->whole = got == RSB_TRACE_END;
	good = got != RSB_TRACE_BAD;
	if (good && !cli_output_write(request->output, write_info, info, &unwritten)) {
		*error = unwritten;
		good = false;
	}
	free(info);
	return good && got == RSB_TRACE_END;
}

static void prepare(void *from)
{
	struct request *request = from;

	request->format = "text";
}

static enum cli_status run_info(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct cli_trace trace;
	bool good = cli_trace_open(&trace, argc, argv, error) && tell(from, trace.reader, error);

	cli_trace_close(&trace);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_TEXT_OR_JSON_ROW(offsetof(struct request, format)),
	CLI_OUTPUT_ROW(offsetof(struct request, output)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_trace_info = {
	.name = "trace info",
	.summary = "Says what a trace is of and what is in it.",
	.arguments = "TRACE",
	.help = "TRACE is a file, compressed or not, or - for standard input.",
	.example = "rsbsim trace info skip.rsbt",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.run = run_info,
};
