/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim trace info: what is in a trace. */
#include "sim/report/trace_info.h"

#include "sim/cli/message.h"
#include "sim/cli/options.h"
#include "sim/cli/terminal.h"
#include "sim/cli/trace.h"

#include <stdlib.h>
#include <string.h>

struct request {
	const char *format, *output;
};

static bool write_info(const struct request *request, const struct rsb_trace_reader *reader,
		       const struct rsb_trace_summary *summary, bool whole, struct rsb_error *error)
{
	struct cli_output output;
	struct rsb_error late;
	bool good = true;

	if (!cli_output_open(&output, request->output, error))
		return false;
	if (!strcmp(request->format, "json")) {
		cJSON *root = rsb_json_new();

		good = rsb_json_write(output.stream, root,
				      rsb_trace_info_json(root, reader, summary, whole), error);
	} else {
		rsb_trace_info_text(output.stream, cli_terminal_columns(), reader, summary);
	}
	return cli_output_close(&output, good, good ? error : &late) && good;
}

/* Of a trace that is cut short, what there is is told too. */
static bool tell(const struct request *request, struct rsb_trace_reader *reader,
		 struct rsb_error *error)
{
	struct rsb_trace_summary *summary = malloc(sizeof(*summary));
	struct rsb_error unwritten;
	enum rsb_trace_got got;
	bool good;

	if (!summary)
		return rsb_error_set(error, "out of memory");
	got = rsb_trace_summarize(reader, summary, error);
	good = got != RSB_TRACE_BAD;
	if (good && !write_info(request, reader, summary, got == RSB_TRACE_END, &unwritten)) {
		*error = unwritten;
		good = false;
	}
	free(summary);
	return good && got == RSB_TRACE_END;
}

static int run_info(const struct cli_command *command, int argc, char **argv)
{
	struct request request = { .format = "text" };
	struct rsb_error error;
	struct cli_trace trace;
	bool good;
	const struct cli_option rows[] = {
		{ .name = "format",
		  .letter = 'f',
		  .argument = "NAME",
		  .take = cli_take_choice,
		  .sentence = "text or json; in place of text",
		  .target = &request.format,
		  .choices = "text|json" },
		{ .name = "output",
		  .letter = 'o',
		  .argument = "FILE",
		  .take = cli_take_text,
		  .sentence = "write to FILE, whole or not at all",
		  .target = &request.output },
		{ .name = NULL },
	};

	switch (cli_options_parse(command, rows, &argc, &argv)) {
	case CLI_ANSWERED:
		return CLI_OK;
	case CLI_REFUSED:
		return CLI_TROUBLE;
	case CLI_PARSED:
		break;
	}
	good = cli_trace_open(&trace, argc, argv, &error) && tell(&request, trace.reader, &error);
	cli_trace_close(&trace);
	return good ? CLI_OK : cli_trouble(command, "%s", error.text);
}

const struct cli_command cli_trace_info = {
	.name = "trace info",
	.summary = "Says what a trace is of and what is in it.",
	.arguments = "TRACE",
	.help = "TRACE is a file, compressed or not, or - for standard input.",
	.example = "rsbsim trace info skip.rsbt",
	.run = run_info,
};
