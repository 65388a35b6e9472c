/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on standard error. */
#include "sim/cli/message.h"

#include "traces/util/clean.h"

#include <stdarg.h>
#include <stdio.h>

enum cli_status cli_trouble(const struct cli_command *command, const char *format, ...)
{
	char text[2048];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	/* Names come from the command line and from files: a terminal must not obey them. */
	rsb_clean(text);
	fprintf(stderr, "rsbsim%s%s: %s\n", *command->name ? " " : "", command->name, text);
	return CLI_TROUBLE;
}
