/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF cores: /proc/kcore, crash dumps, dumps of a virtual machine. Each PT_LOAD segment is backed
 * by the file from its p_vaddr on, as far as the file has bytes of it: what lies behind p_filesz
 * was left out of the dump, and is not taken for zeros.
 *
 * A kernel's dump in makedumpfile's compressed form may take an ELF core's place here
 * (sim/image/core_kdump.h).
 */
#ifndef RSB_SIM_IMAGE_CORE_H
#define RSB_SIM_IMAGE_CORE_H

#include "sim/image/core_notes.h"
#include "sim/image/image.h"

/*
 * Backs the image by the core at path; one that is compressed is unpacked before. Error: the file,
 * the segment, what is wrong with it.
 */
bool rsb_core_load(struct rsb_image *image, const char *path, struct rsb_error *error);

/* The same, and reads the core's notes too, which the caller clears, after an error too. */
bool rsb_core_load_notes(struct rsb_image *image, const char *path, struct rsb_core_notes *notes,
			 struct rsb_error *error);

/* The same from an open file, which is closed with the image, or here on error; name stands for the
 * path in messages. */
bool rsb_core_open(struct rsb_image *image, int file, const char *name, struct rsb_error *error);

#endif
