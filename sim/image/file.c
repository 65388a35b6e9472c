/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads whole files. */
#include "sim/image/file.h"

#include "traces/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FIRST_ROOM (64u << 10)

/* Makes the room larger. A byte more than the largest file, to see that one is larger. */
static bool grow(struct rsb_file *file, size_t *room, struct rsb_error *error)
{
	size_t larger = *room ? *room * 4 : FIRST_ROOM;
	uint8_t *bytes;

	if (larger > RSB_FILE_MAX)
		larger = RSB_FILE_MAX + 1;
	bytes = realloc(file->bytes, larger);
	if (!bytes)
		return rsb_error_set(error, "out of memory");
	file->bytes = bytes;
	*room = larger;
	return true;
}

static bool read_all(struct rsb_file *file, struct rsb_input *input, struct rsb_error *error)
{
	size_t room = 0, got = 0;

	do {
		file->size += got;
		if (file->size == room && !grow(file, &room, error))
			return false;
		if (!rsb_input_read(input, file->bytes + file->size, room - file->size, &got,
				    error))
			return false;
	} while (got && file->size + got <= RSB_FILE_MAX);
	return !got || rsb_error_set(error, "%s: expected at most %u bytes", rsb_input_name(input),
				     RSB_FILE_MAX);
}

bool rsb_file_read(struct rsb_file *file, const char *path, struct rsb_error *error)
{
	struct rsb_input *input;
	struct stat status;
	bool good;

	*file = (struct rsb_file){ NULL, 0 };
	if (stat(path, &status) != 0)
		return rsb_error_set(error, "%s: cannot be opened: %s", path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return rsb_error_set(error, "%s: is not a regular file", path);
	input = rsb_input_open(path, error);
	good = input && read_all(file, input, error);
	rsb_input_free(input);
	if (!good)
		rsb_file_clear(file);
	return good;
}

void rsb_file_clear(struct rsb_file *file)
{
	free(file->bytes);
	*file = (struct rsb_file){ NULL, 0 };
}
