/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command: one file here and one row in sim/cli/main.c. */
#ifndef RSB_SIM_CLI_COMMAND_H
#define RSB_SIM_CLI_COMMAND_H

struct cli_command {
	const char *name;      /* "score"; "" is the program itself */
	const char *summary;   /* one sentence, for the list of commands */
	const char *arguments; /* "LAYOUT..." */
	const char *help;      /* what the arguments are */
	const char *example;

	/* Returns the exit status (sim/cli/message.h); argv[0] is the command's name. */
	int (*run)(const struct cli_command *command, int argc, char **argv);
};

extern const struct cli_command cli_check;
extern const struct cli_command cli_explain;
extern const struct cli_command cli_list;
extern const struct cli_command cli_merge;
extern const struct cli_command cli_score;
extern const struct cli_command cli_show;
extern const struct cli_command cli_sweep;
extern const struct cli_command cli_trace;

#endif
