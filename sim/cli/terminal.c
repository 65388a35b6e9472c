/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What standard output can show. */
#include "sim/cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS 100 /* where the terminal does not say */
#define LEAST   80  /* tables are not made for fewer */

bool cli_terminal_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no && *no)
		return false;
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

static unsigned set_columns; /* the program's, as its standard output is; 0: not set */

void cli_terminal_set_columns(unsigned columns)
{
	set_columns = columns;
}

unsigned cli_terminal_columns(void)
{
	struct winsize size;

	if (set_columns)
		return set_columns;
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS;
	return size.ws_col < LEAST ? LEAST : size.ws_col;
}

unsigned cli_terminal_rows(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_row;
}
