/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input where a file is expected: the operand "-". */
#ifndef RSB_SIM_CLI_STDIN_H
#define RSB_SIM_CLI_STDIN_H

#include "traces/util/error.h"

#define CLI_STDIN      "-"
#define CLI_STDIN_NAME "standard input" /* what messages call it */

/* All of it as a text, to be freed. NULL: error; so is what is larger than a layout file may be. */
char *cli_stdin_read(struct rsb_error *error);

/* The same of a file, or of standard input where path is "-". */
char *cli_text_read(const char *path, struct rsb_error *error);

#endif
