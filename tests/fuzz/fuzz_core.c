/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes ELF cores and their notes, and reads the first pages of those that are good. */
#include "sim/image/core.h"
#include "sim/image/core_symbols.h"

#include <stdio.h>
#include <unistd.h>

#define SEGMENTS 4 /* that are read */

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

/* Where the first segments begin: an ELF core says it in its headers, a dump in its page tables. */
static void read_segments(const struct rsb_image *image)
{
	uint64_t address, length;
	size_t index = 0;
	const char *name;
	unsigned access;

	while (index < SEGMENTS &&
	       rsb_image_segment_next(image, &index, &name, &address, &length, &access)) {
		uint8_t bytes[2 * RSB_PAGE];
		struct rsb_error error;

		rsb_image_read(image, address, bytes, sizeof(bytes), &error);
		rsb_image_gap(image, address, RSB_PAGE);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int file = write_file(data, size);
	struct rsb_image *image = rsb_image_new();
	struct rsb_error error;
	struct rsb_core_notes notes = { .bytes = NULL };

	if (file >= 0 && rsb_core_open(image, file, "fuzz", &error) &&
	    rsb_core_notes_read(&notes, file, "fuzz", &error) &&
	    rsb_core_process_apply(image, &notes))
		read_segments(image);
	rsb_core_notes_clear(&notes);
	rsb_image_free(image);
	return 0;
}
