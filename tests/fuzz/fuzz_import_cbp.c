/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the traces of both championships. */
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_import("cbp", data, size);
	fuzz_import("cvp", data, size);
	return 0;
}
