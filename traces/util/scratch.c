/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files without a name. tmpfile() would know neither TMPDIR nor what to do without a folder. */
#define _GNU_SOURCE
#include "traces/util/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME "/rsbsim-XXXXXX"

const char *rsb_scratch_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

/* A stream of it, whose the descriptor is then. */
static FILE *take(int file)
{
	FILE *stream = file < 0 ? NULL : fdopen(file, "w+");
	int why = errno;

	if (file >= 0 && !stream) {
		close(file);
		errno = why;
	}
	return stream;
}

/* NULL: errno. */
static FILE *make_file(void)
{
	const char *folder = rsb_scratch_folder();
	size_t size = strlen(folder) + sizeof(NAME);
	char *path = malloc(size);
	FILE *stream = NULL;
	int why;

	if (!path)
		return NULL;
	snprintf(path, size, "%s" NAME, folder);
	stream = take(mkostemp(path, O_CLOEXEC));
	why = errno;
	if (stream)
		unlink(path);
	free(path);
	errno = why;
	return stream;
}

static FILE *fail(int why, struct rsb_error *error)
{
	const char *wanted = why == EMFILE || why == ENFILE || why == ENOMEM
				     ? ""
				     : ": expected TMPDIR to name a folder for such";

	return rsb_error_null(error, "%s: a temporary file cannot be made: %s%s",
			      rsb_scratch_folder(), strerror(why), wanted);
}

FILE *rsb_scratch_file(struct rsb_error *error)
{
	FILE *stream = make_file();

	return stream ? stream : fail(errno, error);
}

FILE *rsb_scratch_open(struct rsb_error *error)
{
	FILE *stream = make_file();
	int why = errno;

#ifdef __linux__
	if (!stream)
		stream = take(memfd_create("rsbsim", MFD_CLOEXEC));
#endif
	return stream ? stream : fail(why, error);
}
