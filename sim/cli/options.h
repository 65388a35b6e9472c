/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options as rows: the rows drive getopt_long() and the help, and every error is worded here. -h,
 * --help and --version come with every command.
 *
 *	static const struct cli_option options[] = {
 *		{ .name = "depth", .argument = "N", .sentence = "callers that ...",
 *		  .take = cli_take_number, .field = offsetof(struct request, depth), .maximum = 4096 },
 *		CLI_OPTIONS_END,
 *	};
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

	/*
	 * The name of a row, NULL after the last, where the option takes one of a table's: the help
	 * has them all, in place of the sentence's "{}". NULL: it takes no such thing.
	 */
	const char *(*name_of)(size_t index);

	/* Sets the field of the request from text. Errors say what was expected. */
	bool (*take)(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error);
	size_t field; /* where in the request that is */

	uint64_t minimum, maximum; /* of cli_take_number; of cli_take_decimal, which is above
				      minimum */
	const char *choices;       /* of cli_take_choice: "text|json" */
};

/* Rows that many commands have. */
#define CLI_OUTPUT_ROW(at)                                                                    \
	{                                                                                     \
		.name = "output", .letter = 'o', .argument = "FILE", .take = cli_take_output, \
		.sentence = "write to FILE, whole or not at all", .field = (at)               \
	}

#define CLI_TEXT_OR_JSON_ROW(at)                                                                 \
	{                                                                                        \
		.name = "format", .letter = 'f', .argument = "NAME", .take = cli_take_choice,    \
		.sentence = "text or json (default text)", .field = (at), .choices = "text|json" \
	}

#define CLI_OPTIONS_END      \
	{                    \
		.name = NULL \
	}

/* A number that may have been left out. */
struct cli_number {
	bool given;
	uint64_t value;
};

/* One with a fraction. */
struct cli_decimal {
	bool given;
	double value;
};

/* What an option that may be given more than once was given. */
struct cli_words {
	const char **words;
	size_t count;
};

void cli_words_clear(struct cli_words *words);

bool cli_take_switch(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error);
bool cli_take_text(const struct cli_option *option, void *field, const char *text,
		   struct rsb_error *error);
/* A file that is read, and so not written over by what the command writes. */
bool cli_take_file(const struct cli_option *option, void *field, const char *text,
		   struct rsb_error *error);
/* One that is written in the end: where it cannot be, no work is done for it. */
bool cli_take_output(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error);
bool cli_take_words(const struct cli_option *option, void *field, const char *text,
		    struct rsb_error *error);
bool cli_take_number(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error);
bool cli_take_decimal(const struct cli_option *option, void *field, const char *text,
		      struct rsb_error *error);
bool cli_take_choice(const struct cli_option *option, void *field, const char *text,
		     struct rsb_error *error);

enum cli_parsed {
	CLI_PARSED,   /* argc and argv are what is left: the operands */
	CLI_ANSWERED, /* help or the version was asked for and shown */
	CLI_REFUSED,  /* a message was shown */
};

/* Fills in the request from the command's options. */
enum cli_parsed cli_options_parse(const struct cli_command *command, void *request, int *argc,
				  char ***argv);

#endif
