/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rsbsim trace can do: one file and one row of sim/cli/trace.c each; and what these share. */
#ifndef RSB_SIM_CLI_TRACE_H
#define RSB_SIM_CLI_TRACE_H

#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "traces/file.h"

extern const struct cli_command cli_trace_dump;
extern const struct cli_command cli_trace_import;
extern const struct cli_command cli_trace_info;
extern const struct cli_command cli_trace_record;
extern const struct cli_command cli_trace_replay;

/* A trace that is read. */
struct cli_trace {
	struct rsb_input *input;
	struct rsb_trace_reader *reader;
};

/* Opens the one operand: a file, or "-". False: error. */
bool cli_trace_open(struct cli_trace *trace, int argc, char **argv, struct rsb_error *error);
void cli_trace_close(struct cli_trace *trace);

/*
 * Opens a trace to be written. Standard output (path NULL or "-") is written as it comes, for a
 * pipe, but not to a terminal.
 */
bool cli_trace_create(struct cli_output *output, const char *path, struct rsb_error *error);

/* The row of its path. */
#define CLI_TRACE_OUTPUT_ROW(at)                                                              \
	{                                                                                     \
		.name = "output", .letter = 'o', .argument = "FILE", .take = cli_take_output, \
		.sentence = "write the trace to FILE; without, or -: to standard output",     \
		.field = (at)                                                                 \
	}

/* Ends it; commit as in cli_output_close(). */
bool cli_trace_finish(struct cli_output *output, bool commit, struct rsb_error *error);

#endif
