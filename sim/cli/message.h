/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on standard error. */
#ifndef RSB_SIM_CLI_MESSAGE_H
#define RSB_SIM_CLI_MESSAGE_H

#include "sim/cli/command.h"

/* Writes "rsbsim COMMAND: message", control characters masked. Returns CLI_TROUBLE. */
enum cli_status cli_trouble(const struct cli_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
