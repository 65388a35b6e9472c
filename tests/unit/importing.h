/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Importing a trace in memory, for tests. */
#ifndef RSB_TESTS_IMPORTING_H
#define RSB_TESTS_IMPORTING_H

#include "traces/import/importer.h"

/*
 * What the input becomes, as text without its first line; or "error: " and the message. The caller
 * frees it. The input's name is "in".
 */
char *import_text(const char *format, const void *bytes, size_t size);

/* The same where the code of the program is known: it begins at address. */
char *import_text_with_code(const char *format, const void *bytes, size_t size, uint64_t address,
			    const char *code, size_t code_size);

/* Fails the test unless what import_text() gives is this. */
void import_expect(const char *format, const void *bytes, size_t size, const char *expected);

#endif
