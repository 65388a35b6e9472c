/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes ELF files, and how the code of those that are good returns. */
#include "sim/image/elf.h"
#include "sim/image/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_stub(const void *context, const char *symbol)
{
	(void)context;
	return symbol[0] == 's';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rsb_elf_define define = { "other", "0x1000" };
	const struct rsb_elf_options options = {
		.defines = &define,
		.define_count = 1,
		.is_stub = is_stub,
	};
	struct rsb_image *image = rsb_image_new();
	struct rsb_error error;
	struct rsb_forms forms;
	uint64_t address;
	const char *name;
	size_t index = 0;

	if (rsb_elf_load(image, "fuzz", data, size, &options, &error) &&
	    rsb_image_symbol_next(image, &index, &name, &address))
		rsb_kernel_forms(image, address, &forms, &error);
	rsb_image_free(image);
	return 0;
}
