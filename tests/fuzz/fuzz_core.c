/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes ELF cores and their notes, and reads the first pages of those that are good. */
#include "sim/image/core.h"
#include "sim/image/core_symbols.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A core is read from a file: a new one, whose descriptor the image takes. */
static int write_file(const uint8_t *data, size_t size)
{
	FILE *file = tmpfile();
	int descriptor;

	if (!file)
		return -1;
	fwrite(data, 1, size, file);
	fflush(file);
	descriptor = dup(fileno(file));
	fclose(file);
	return descriptor;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int file = write_file(data, size);
	struct rsb_image *image = rsb_image_new();
	struct rsb_error error;
	struct rsb_core_notes notes = { .bytes = NULL };
	uint8_t bytes[2 * RSB_PAGE];
	Elf64_Phdr header;

	if (file >= 0 && rsb_core_open(image, file, "fuzz", &error) &&
	    rsb_core_notes_read(&notes, file, "fuzz", &error) &&
	    rsb_core_process_apply(image, &notes) && size >= sizeof(Elf64_Ehdr) + sizeof(header)) {
		memcpy(&header, data + sizeof(Elf64_Ehdr), sizeof(header));
		rsb_image_read(image, header.p_vaddr, bytes, sizeof(bytes), &error);
		rsb_image_gap(image, header.p_vaddr, RSB_PAGE);
	}
	rsb_core_notes_clear(&notes);
	rsb_image_free(image);
	return 0;
}
