/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads ELF files: what both kinds have in common. */
#include "sim/image/elf.h"

#include "sim/image/elf_file.h"
#include "sim/image/kernel.h"
#include "sim/image/thread.h"

static bool load(struct rsb_elf *file, struct rsb_error *error)
{
	switch (file->header.e_type) {
	case ET_REL:
		return rsb_elf_load_sections(file, error);
	case ET_EXEC:
	case ET_DYN:
		return rsb_elf_load_segments(file, error);
	case ET_CORE:
		return rsb_error_set(error,
				     "%s: is a core: give it as \"core\" (with --core) instead",
				     file->name);
	default:
		return rsb_error_set(error,
				     "%s: expected a relocatable file, an executable or a shared "
				     "object, found ELF type %d",
				     file->name, file->header.e_type);
	}
}

static bool finish(const struct rsb_elf *file, struct rsb_error *error)
{
	const struct rsb_thread thread = {
		.bytes = file->tls,
		.given = file->tls_filled,
		.size = file->tls_size,
		.alignment = file->tls_alignment,
	};

	if (!rsb_kernel_mitigate(file->image))
		return rsb_error_set(error, "out of memory");
	return file->start.entry || rsb_thread_map(file->image, &thread, error) ||
	       rsb_error_prefix(error, "%s", file->name);
}

bool rsb_elf_load(struct rsb_image *image, const char *name, const void *bytes, size_t size,
		  const struct rsb_elf_options *options, struct rsb_error *error)
{
	struct rsb_elf file = {
		.name = name, .bytes = bytes, .size = size, .options = options, .image = image
	};
	bool good;

	if (!rsb_elf_open(&file, error))
		return false;
	good = load(&file, error) && finish(&file, error);
	rsb_elf_close(&file);
	return good;
}
