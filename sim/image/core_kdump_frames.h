/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file in makedumpfile's compressed form: its headers, and the frames of physical memory in it.
 * As makedumpfile 1.7 has it (IMPLEMENTATION, diskdump_mod.h): in blocks of 4 KiB, two headers, two
 * bitmaps of a bit for each frame, of which the second says what is in the file; a descriptor for
 * each such frame; the frames, each compressed by itself.
 */
#ifndef RSB_SIM_IMAGE_CORE_KDUMP_FRAMES_H
#define RSB_SIM_IMAGE_CORE_KDUMP_FRAMES_H

#include "sim/image/image.h"

enum rsb_kdump_text { RSB_KDUMP_VMCOREINFO, RSB_KDUMP_NOTES, RSB_KDUMP_TEXTS };

struct rsb_kdump {
	int file;
	char *name;
	uint64_t frames;              /* that the bitmaps have a bit for */
	uint64_t bitmap, descriptors; /* where they are in the file */
	uint64_t *before; /* owned; for each block of the bitmap, the bits set in those before it */
	struct {
		uint64_t at, size; /* in the file; both 0: there is none */
	} texts[RSB_KDUMP_TEXTS];
};

/* Fills in all but the file and the name. What the headers claim must be in the file. */
bool rsb_kdump_read(struct rsb_kdump *kdump, struct rsb_error *error);

/* A text, with a NUL behind it; an empty one if there is none. The caller frees it. NULL: error. */
char *rsb_kdump_text(const struct rsb_kdump *kdump, enum rsb_kdump_text which,
		     struct rsb_error *error);

/* A reader of frames, by their physical addresses; its context is the struct rsb_kdump. */
rsb_image_reader rsb_kdump_frame;

#endif
