/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs as files. */
#include "tests/fuzz/file.h"

FILE *fuzz_file(const uint8_t *data, size_t size, char path[FUZZ_PATH])
{
	FILE *file = tmpfile();

	if (!file)
		return NULL;
	fwrite(data, 1, size, file);
	fflush(file);
	snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", fileno(file));
	return file;
}
