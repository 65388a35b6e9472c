/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads standard input. */
#include "sim/cli/stdin.h"

#include "traces/util/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *fail(char *text, struct rsb_error *error, const char *why)
{
	free(text);
	rsb_error_set(error, CLI_STDIN_NAME ": %s", why);
	return NULL;
}

char *cli_stdin_read(struct rsb_error *error)
{
	size_t size = 0, room = 0;
	char *text = NULL, *more;

	do {
		if (room > RSB_JSON_MAX)
			return fail(text, error, "expected a file of at most 16 MiB");
		room = room ? 2 * room : 4096;
		more = realloc(text, room + 1);
		if (!more)
			return fail(text, error, "out of memory");
		text = more;
		size += fread(text + size, 1, room - size, stdin);
	} while (size == room);
	if (ferror(stdin))
		return fail(text, error, strerror(errno));
	if (memchr(text, '\0', size))
		return fail(text, error, "expected text, got a byte 0");
	text[size] = '\0';
	return text;
}
