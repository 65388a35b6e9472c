/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options as rows: the rows drive getopt_long() and the help, and every error is worded here. -h, --help
 * and --version come with every command.
 *
 *	const struct cli_option rows[] = {
 *		{ .name = "depth", .argument = "N", .sentence = "callers that ...",
 *		  .take = cli_take_number, .target = &depth, .maximum = 4096 },
 *		{ .name = NULL },
 *	};
 *
 *	switch (cli_options_parse(command, rows, &argc, &argv)) {
 */
#ifndef RSB_SIM_CLI_OPTIONS_H
#define RSB_SIM_CLI_OPTIONS_H

#include "sim/cli/command.h"
#include "traces/util/error.h"

#include <stdint.h>

struct cli_option {
	const char *name;
	char letter;          /* 'o'; 0: none */
	const char *argument; /* "N"; NULL: a switch */
	const char *sentence;

	/* Sets target from text. Errors say what was expected. */
	bool (*take)(const struct cli_option *option, const char *text, struct rsb_error *error);
	void *target;

	uint64_t minimum, maximum; /* of cli_take_number */
	const char *choices;       /* of cli_take_choice: "text|json" */
};

/* A number that may have been left out. */
struct cli_number {
	bool given;
	uint64_t value;
};

/* What an option that may be given more than once was given. */
struct cli_words {
	const char **words;
	size_t count;
};

void cli_words_clear(struct cli_words *words);

bool cli_take_switch(const struct cli_option *option, const char *text, struct rsb_error *error);
bool cli_take_text(const struct cli_option *option, const char *text, struct rsb_error *error);
bool cli_take_words(const struct cli_option *option, const char *text, struct rsb_error *error);
bool cli_take_number(const struct cli_option *option, const char *text, struct rsb_error *error);
bool cli_take_choice(const struct cli_option *option, const char *text, struct rsb_error *error);

enum cli_parsed {
	CLI_PARSED,   /* argc and argv are what is left: the operands */
	CLI_ANSWERED, /* help or the version was asked for and shown */
	CLI_REFUSED,  /* a message was shown */
};

/* rows end with a row without a name. */
enum cli_parsed cli_options_parse(const struct cli_command *command, const struct cli_option *rows,
				  int *argc, char ***argv);

#endif
