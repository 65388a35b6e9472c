/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes drmemtrace files. */
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_import("drmemtrace", data, size);
	return 0;
}
