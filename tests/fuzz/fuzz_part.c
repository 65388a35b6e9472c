/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the parts of sweeps: one that is a whole sweep by itself is put together. */
#include "sim/sweep/part.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];
	const char *paths[] = { path, path };
	FILE *file = fuzz_file(data, size, path);
	struct rsb_error error;

	if (!file)
		return 0;
	rsb_sweep_free(rsb_sweep_merge(paths, 1, &error));
	rsb_sweep_free(rsb_sweep_merge(paths, 2, &error)); /* twice the same is refused */
	fclose(file);
	return 0;
}
