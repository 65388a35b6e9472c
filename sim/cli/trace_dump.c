/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim trace dump: a trace as text. */
#include "sim/cli/message.h"
#include "sim/cli/options.h"
#include "sim/cli/trace.h"
#include "traces/text.h"

struct request {
	const char *output;
	struct cli_number first, count;
};

/* A trace that is cut short is written as far as it goes, with the message kept in error. */
static bool dump(const struct request *request, struct rsb_trace_reader *reader,
		 struct rsb_error *error)
{
	uint64_t first = request->first.value, count = request->count.value;
	const struct rsb_text_range range = {
		.first = first,
		.end = request->count.given && count < UINT64_MAX - first ? first + count
									  : UINT64_MAX,
	};
	struct rsb_error late;
	struct cli_output output;
	enum rsb_trace_got got;
	bool good;

	if (!cli_output_open(&output, request->output, error))
		return false;
	got = rsb_trace_text(reader, range, output.stream, error);
	good = got == RSB_TRACE_END;
	return cli_output_close(&output, got != RSB_TRACE_BAD, good ? error : &late) && good;
}

static int run_dump(const struct cli_command *command, int argc, char **argv)
{
	struct request request = { .output = NULL };
	struct rsb_error error;
	struct cli_trace trace;
	bool good;
	const struct cli_option rows[] = {
		{ .name = "output",
		  .letter = 'o',
		  .argument = "FILE",
		  .take = cli_take_text,
		  .sentence = "write to FILE, whole or not at all",
		  .target = &request.output },
		{ .name = "first",
		  .argument = "N",
		  .take = cli_take_number,
		  .sentence = "begin with event N, counted from 0",
		  .target = &request.first,
		  .maximum = UINT64_MAX },
		{ .name = "count",
		  .argument = "N",
		  .take = cli_take_number,
		  .sentence = "write only N events",
		  .target = &request.count,
		  .maximum = UINT64_MAX },
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
	good = cli_trace_open(&trace, argc, argv, &error) && dump(&request, trace.reader, &error);
	cli_trace_close(&trace);
	return good ? CLI_OK : cli_trouble(command, "%s", error.text);
}

const struct cli_command cli_trace_dump = {
	.name = "trace dump",
	.summary = "Writes a trace as text, an event a line.",
	.arguments = "TRACE",
	.help = "TRACE is a file, compressed or not, or - for standard input. 'trace import --from "
		"text' reads what is written. See rsbsim-trace(5).",
	.example = "rsbsim trace dump skip.rsbt --count 20",
	.run = run_dump,
};
