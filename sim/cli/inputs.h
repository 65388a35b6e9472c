/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layouts that a command is given: names, patterns, files, folders of files, and cores of a
 * kernel, which stand for each function in them that is traced; and code by options.
 */
#ifndef RSB_SIM_CLI_INPUTS_H
#define RSB_SIM_CLI_INPUTS_H

#include "sim/cli/sources.h"
#include "sim/image/layout.h"

struct cli_input {
	char *name;     /* of a layout or its file; of a core */
	char *function; /* traced in the core; NULL: not of a core */
	char *text;     /* of a layout file: what options stand for, or standard input; else NULL */
	bool piped;     /* it is standard input */
};

struct cli_inputs {
	struct cli_input *all;
	size_t count;
	struct cli_sources sources; /* what the options say; the field of CLI_SOURCE_ROWS */
};

/* Takes all that a command line names: its operands and its sources. None is an error. */
bool cli_inputs_take(struct cli_inputs *inputs, int argc, char **argv, struct rsb_error *error);

/* The same for a command that takes one layout. */
bool cli_inputs_take_one(struct cli_inputs *inputs, int argc, char **argv, struct rsb_error *error);

/* Adds what a word means, which is not there already. False: error. */
bool cli_inputs_add(struct cli_inputs *inputs, const char *word, struct rsb_error *error);
void cli_inputs_clear(struct cli_inputs *inputs);

/* Is this the name of a built-in layout? */
bool cli_input_is_built_in(const char *word);

struct rsb_layout *cli_input_load(const struct cli_input *input, struct rsb_error *error);

#endif
