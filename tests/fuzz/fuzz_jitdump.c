/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes jitdumps. */
#include "sim/image/jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rsb_image *image = rsb_image_new();
	struct rsb_error error;
	uint64_t address;

	if (rsb_jitdump_load(image, "fuzz", data, size, &error))
		rsb_image_find(image, "f", &address, &error);
	rsb_image_free(image);
	return 0;
}
