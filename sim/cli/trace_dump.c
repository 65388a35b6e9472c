/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim trace dump: a trace as text. */
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

static enum cli_status run_dump(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct cli_trace trace;
	bool good = cli_trace_open(&trace, argc, argv, error) && dump(from, trace.reader, error);

	cli_trace_close(&trace);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_OUTPUT_ROW(offsetof(struct request, output)),
	{ .name = "first",
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "begin with event N, counted from 0",
	  .field = offsetof(struct request, first),
	  .maximum = UINT64_MAX },
	{ .name = "count",
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "write only N events",
	  .field = offsetof(struct request, count),
	  .maximum = UINT64_MAX },
	CLI_OPTIONS_END,
};

const struct cli_command cli_trace_dump = {
	.name = "trace dump",
	.summary = "Writes a trace as text, an event a line.",
	.arguments = "TRACE",
	.help = "TRACE is a file, compressed or not, or - for standard input. 'trace import --from "
		"text' reads what is written. See rsbsim-trace(5).",
	.example = "rsbsim trace dump skip.rsbt --count 20",
	.options = options,
	.request_size = sizeof(struct request),
	.run = run_dump,
};
