/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim trace: what can be done with a trace, and what these commands share. */
#include "sim/cli/trace.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* To add one: one row, sorted. */
static const struct cli_command *const parts[] = {
	&cli_trace_dump,   &cli_trace_import, &cli_trace_info,
	&cli_trace_record, &cli_trace_replay, NULL,
};

bool cli_trace_open(struct cli_trace *trace, int argc, char **argv, struct rsb_error *error)
{
	*trace = (struct cli_trace){ .input = NULL };
	if (!argc)
		return rsb_error_set(error, "expected a trace: a file, or - for standard input");
	if (argc > 1)
		return rsb_error_set(error, "expected one trace, got '%s' too", argv[1]);
	trace->input = rsb_input_open(argv[0], error);
	if (trace->input)
		trace->reader = rsb_trace_reader_new(trace->input, error);
	return trace->reader;
}

void cli_trace_close(struct cli_trace *trace)
{
	rsb_trace_reader_free(trace->reader);
	rsb_input_free(trace->input);
}

bool cli_trace_create(struct cli_output *output, const char *path, struct rsb_error *error)
{
	if (path && strcmp(path, "-"))
		return cli_output_open(output, path, error);
	*output = (struct cli_output){ .stream = stdout };
	return !isatty(STDOUT_FILENO) ||
	       rsb_error_set(error, "a trace is not for a terminal: expected --output FILE, or a "
				    "pipe");
}

bool cli_trace_finish(struct cli_output *output, bool commit, struct rsb_error *error)
{
	if (output->stream != stdout)
		return cli_output_close(output, commit, error);
	return (!fflush(stdout) && !ferror(stdout)) ||
	       rsb_error_set(error, "standard output: %s", strerror(errno));
}

static enum cli_status run_trace(void *request, int argc, char **argv, struct rsb_error *error)
{
	(void)request;
	(void)argc;
	(void)argv;
	rsb_error_set(error, "expected dump, import, info, record or replay");
	return CLI_TROUBLE;
}

const struct cli_command cli_trace = {
	.name = "trace",
	.summary = "Records traces, reads them from elsewhere, and replays them on CPUs.",
	.arguments = "dump|import|info|record|replay ...",
	.help = "record writes the events of a layout to a file; import turns a trace of another "
		"tool into one; info says what is in a trace; dump writes it as text; replay "
		"scores it. 'rsbsim trace record --help' explains one of them.",
	.example = "rsbsim trace record bpf-fexit-skip -o skip.rsbt",
	.parts = parts,
	.run = run_trace,
};
