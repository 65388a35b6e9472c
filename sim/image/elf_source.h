/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sources that end in an ELF file have in common. */
#ifndef RSB_SIM_IMAGE_ELF_SOURCE_H
#define RSB_SIM_IMAGE_ELF_SOURCE_H

#include "sim/image/source.h"

/* Reads "file", "base" and "define" of a source's object. */
bool rsb_elf_source_read(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error);

/* An image of an ELF file's bytes, with what the layout says of them. NULL: error. */
struct rsb_image *rsb_elf_source_make(const struct rsb_layout *layout, const char *name,
				      const void *bytes, size_t size, struct rsb_error *error);

#endif
