/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads standard input, and small files. */
#include "sim/cli/stdin.h"

#include "traces/util/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *fail(char *text, const char *name, struct rsb_error *error, const char *why)
{
	free(text);
	rsb_error_set(error, "%s: %s", name, why);
	return NULL;
}

static char *read_all(FILE *stream, const char *name, struct rsb_error *error)
{
	size_t size = 0, room = 0;
	char *text = NULL, *more;

	do {
		if (room > RSB_JSON_MAX)
			return fail(text, name, error, "expected a file of at most 16 MiB");
		room = room ? 2 * room : 4096;
		more = realloc(text, room + 1);
		if (!more)
			return fail(text, name, error, "out of memory");
		text = more;
		size += fread(text + size, 1, room - size, stream);
	} while (size == room);
	if (ferror(stream))
		return fail(text, name, error, strerror(errno));
	if (memchr(text, '\0', size))
		return fail(text, name, error, "expected text, got a byte 0");
	text[size] = '\0';
	return text;
}

char *cli_stdin_read(struct rsb_error *error)
{
	return read_all(stdin, CLI_STDIN_NAME, error);
}

char *cli_text_read(const char *path, struct rsb_error *error)
{
	FILE *stream;
	char *text;

	if (!strcmp(path, CLI_STDIN))
		return cli_stdin_read(error);
	stream = fopen(path, "r");
	if (!stream)
		return fail(NULL, path, error, strerror(errno));
	text = read_all(stream, path, error);
	fclose(stream);
	return text;
}
