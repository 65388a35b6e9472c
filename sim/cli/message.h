/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exit status, and messages on standard error. */
#ifndef RSB_SIM_CLI_MESSAGE_H
#define RSB_SIM_CLI_MESSAGE_H

#include "sim/cli/command.h"

enum cli_status {
	CLI_OK = 0,
	CLI_FINDINGS = 1, /* of rsbsim check */
	CLI_TROUBLE = 2, /* usage, bad input, or something went wrong */
};

/* Writes "rsbsim COMMAND: message", control characters masked. Returns CLI_TROUBLE. */
int cli_trouble(const struct cli_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
