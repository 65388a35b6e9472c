/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An input as a file, for fuzzers of what reads paths. */
#ifndef RSB_TESTS_FUZZ_FILE_H
#define RSB_TESTS_FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>

#define FUZZ_PATH 64

/* A file without a name, and a path that it can be opened by until it is closed. NULL: none. */
FILE *fuzz_file(const uint8_t *data, size_t size, char path[FUZZ_PATH]);

#endif
