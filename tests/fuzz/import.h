/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzzers of importers share. */
#ifndef RSB_TESTS_FUZZ_IMPORT_H
#define RSB_TESTS_FUZZ_IMPORT_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Imports the input, also with code, and reads what comes of it: a trace that must be whole. */
void fuzz_import(const char *importer, const uint8_t *data, size_t size);

#endif
