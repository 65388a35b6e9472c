/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes ChampSim records of both sizes. */
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_import("champsim", data, size);
	fuzz_import("champsim-cloudsuite", data, size);
	return 0;
}
