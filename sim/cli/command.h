/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command: one file here and one row in sim/cli/main.c. What all have in common is done there:
 * the request is made and filled in by the options, what went wrong is told, and all is let go.
 */
#ifndef RSB_SIM_CLI_COMMAND_H
#define RSB_SIM_CLI_COMMAND_H

#include "traces/util/error.h"

#include <stddef.h>

struct cli_option;

enum cli_status {
	CLI_OK = 0,
	CLI_FINDINGS = 1, /* of rsbsim check */
	CLI_TROUBLE = 2,  /* usage, bad input, or something went wrong */
};

struct cli_command {
	const char *name;      /* "score"; "" is the program itself */
	const char *summary;   /* one sentence, for the list of commands */
	const char *arguments; /* "LAYOUT..." */
	const char *help;      /* what the arguments are */
	const char *example;

	/*
	 * What it is divided into, as "trace" into "trace dump"; ended by NULL. NULL: not divided.
	 */
	const struct cli_command *const *parts;

	const struct cli_option *options; /* ended by CLI_OPTIONS_END; NULL: none */

	/* What the options fill in: all zero, then prepared, where that is not what is usual. */
	size_t request_size;
	void (*prepare)(void *request);
	void (*clear)(void *request);

	/*
	 * Does it; the operands are what the options leave of the command line, ended by NULL. For
	 * CLI_TROUBLE error says why, or is empty if that has been told.
	 */
	enum cli_status (*run)(void *request, int argc, char **argv, struct rsb_error *error);
};

/* Runs the command line of the program, argv[0] being its name; standard output is not flushed. */
enum cli_status cli_run(int argc, char **argv);

extern const struct cli_command cli_capture;
extern const struct cli_command cli_check;
extern const struct cli_command cli_explain;
extern const struct cli_command cli_lesson;
extern const struct cli_command cli_list;
extern const struct cli_command cli_merge;
extern const struct cli_command cli_native;
extern const struct cli_command cli_probe;
extern const struct cli_command cli_report;
extern const struct cli_command cli_score;
extern const struct cli_command cli_show;
extern const struct cli_command cli_step;
extern const struct cli_command cli_sweep;
extern const struct cli_command cli_trace;

#endif
