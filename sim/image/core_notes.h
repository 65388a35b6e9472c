/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The notes of a core: what it says of the process that it is of (elf(5), gdb's gcore writes the
 * same), or of the kernel (its vmcoreinfo). A core without notes says nothing.
 */
#ifndef RSB_SIM_IMAGE_CORE_NOTES_H
#define RSB_SIM_IMAGE_CORE_NOTES_H

#include "traces/util/error.h"

#include <stddef.h>
#include <stdint.h>

/* A part of a file that was mapped. */
struct rsb_core_mapping {
	uint64_t start, end;
	uint64_t offset;  /* of start in the file, in bytes */
	const char *path; /* in the notes' bytes */
};

struct rsb_core_notes {
	char *bytes; /* owned */
	bool process;
	bool has_thread;
	uint64_t fs_base, gs_base; /* of the first thread, if has_thread */
	uint64_t entry;            /* of the program; 0: not said */
	bool has_shift;
	uint64_t shift; /* how far the kernel is from where it was linked, if has_shift */
	bool has_control;
	uint64_t cr3, cr4; /* of the first processor, if has_control: QEMU tells them */
	struct rsb_core_mapping *mappings; /* owned */
	size_t mapping_count;
};

/* Reads the notes of a core that is good. False: error. Clear them even then. */
bool rsb_core_notes_read(struct rsb_core_notes *notes, int file, const char *name,
			 struct rsb_error *error);
/*
 * Adds what is in these notes, which must stay until they are cleared; offset is theirs in the
 * file, for messages.
 */
bool rsb_core_notes_parse(struct rsb_core_notes *notes, const uint8_t *bytes, size_t size,
			  const char *name, uint64_t offset, struct rsb_error *error);

void rsb_core_notes_clear(struct rsb_core_notes *notes);

#endif
