/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the files of lessons. Queries are read and not worked out, which would take too long. */
#include "sim/lesson/lesson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rsb_error error;

	rsb_lesson_free(rsb_lesson_parse("fuzz.lesson", (const char *)data, size, &error));
	return 0;
}
