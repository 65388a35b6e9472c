/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --help and --version print, on standard output. */
#ifndef RSB_SIM_CLI_HELP_H
#define RSB_SIM_CLI_HELP_H

#include "sim/cli/command.h"

#include <stdio.h>

/* The commands, ended by NULL. */
void cli_help_program(FILE *out, const struct cli_command *const *commands);
void cli_help_command(const struct cli_command *command);
void cli_help_version(void);

#endif
