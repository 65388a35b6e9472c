/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of a kernel as /proc/kallsyms lists them: "address type name [module]" lines. */
#ifndef RSB_SIM_IMAGE_KALLSYMS_H
#define RSB_SIM_IMAGE_KALLSYMS_H

#include "sim/image/image.h"

/* Enters the symbols that the file lists. Error: file:line and what was expected there. */
bool rsb_kallsyms_load(struct rsb_image *image, const char *path, struct rsb_error *error);

/* The same from memory; name stands for the path in messages. */
bool rsb_kallsyms_parse(struct rsb_image *image, const char *name, const char *text, size_t size,
			struct rsb_error *error);

#endif
