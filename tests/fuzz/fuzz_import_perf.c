/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the text of perf script. */
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_import("perf", data, size);
	return 0;
}
