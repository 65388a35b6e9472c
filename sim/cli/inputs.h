/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command that takes many layouts is given: names, patterns, files, folders of files, and cores
 * of a kernel, which stand for each function in them that is traced.
 */
#ifndef RSB_SIM_CLI_INPUTS_H
#define RSB_SIM_CLI_INPUTS_H

#include "sim/image/layout.h"

struct cli_input {
	char *name;     /* of a layout or its file; of a core */
	char *function; /* traced in the core; NULL: not of a core */
};

struct cli_inputs {
	struct cli_input *all;
	size_t count;
};

/* Adds what a word means. False: error. */
bool cli_inputs_add(struct cli_inputs *inputs, const char *word, struct rsb_error *error);
void cli_inputs_clear(struct cli_inputs *inputs);

struct rsb_layout *cli_input_load(const struct cli_input *input, struct rsb_error *error);

#endif
