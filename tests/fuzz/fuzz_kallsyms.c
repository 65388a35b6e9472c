/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes lists of kernel symbols, and the questions that are asked of them. */
#include "sim/image/kallsyms.h"
#include "sim/image/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rsb_image *image = rsb_image_new();
	struct rsb_error error;
	uint64_t address;
	char text[64];

	if (rsb_kallsyms_parse(image, "fuzz", (const char *)data, size, &error)) {
		rsb_image_describe(image, size, text, sizeof(text));
		rsb_image_find(image, "f", &address, &error);
		rsb_kernel_mitigate(image);
		rsb_kernel_find_gs_base(image, &error);
	}
	rsb_image_free(image);
	return 0;
}
