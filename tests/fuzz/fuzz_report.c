/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes what the guest of a boot tells, and what a kernel says on its console. */
#include "sim/capture/boot_private.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH], words[400];
	FILE *file = fuzz_file(data, size, path);
	struct rsb_error error;

	if (!file)
		return 0;
	rsb_report_last_words(path, "panic", words, sizeof(words));
	if (rsb_report_is_whole(path))
		rsb_report_read(path, &error);
	fclose(file);
	return 0;
}
