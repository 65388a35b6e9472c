/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of a kernel as /proc/kallsyms lists them: "address type name [module]" lines. */
#ifndef RSB_SIM_IMAGE_KALLSYMS_H
#define RSB_SIM_IMAGE_KALLSYMS_H

#include "sim/image/image.h"

#define RSB_KALLSYM_NAME 512 /* the kernel's KSYM_NAME_LEN (include/linux/kallsyms.h), since 6.1 */

struct rsb_kallsym {
	uint64_t address;
	char type;
	const char *name, *module;    /* in the text; the module with its brackets, or "" */
	size_t length, module_length; /* 0: of the kernel itself */
};

/*
 * The text of such a file, to be freed; of those in /proc too, which say that they have no size.
 * NULL: error.
 */
char *rsb_kallsyms_read(const char *path, size_t *size, struct rsb_error *error);

/*
 * Calls each for every symbol of the text, in its order; name stands for the file in messages.
 * False: error, each()'s own if that returned false.
 */
bool rsb_kallsyms_walk(const char *name, const char *text, size_t size,
		       bool (*each)(void *context, const struct rsb_kallsym *symbol,
				    struct rsb_error *error),
		       void *context, struct rsb_error *error);

/* Enters the symbols that the file lists. Error: file:line and what was expected there. */
bool rsb_kallsyms_load(struct rsb_image *image, const char *path, struct rsb_error *error);

/* The same from memory; name stands for the path in messages. */
bool rsb_kallsyms_parse(struct rsb_image *image, const char *name, const char *text, size_t size,
			struct rsb_error *error);

#endif
