/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes layout files, and the images of those that are good. */
#include "sim/image/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rsb_error error;
	struct rsb_layout *layout =
		rsb_layout_parse("fuzz", (const char *)data, size, "not-there", &error);

	if (layout)
		rsb_image_free(rsb_layout_image(layout, &RSB_SCENARIO_UNWIND, &error));
	rsb_layout_free(layout);
	return 0;
}
