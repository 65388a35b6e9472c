/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What belongs to a core beside it: symbols, as /proc/kallsyms has them or of an ELF file (the
 * program, a library, a kernel's vmlinux). Pages of an ELF file that were mapped and that the core
 * of a process leaves out are taken from that file, as a debugger would.
 */
#ifndef RSB_SIM_IMAGE_CORE_SYMBOLS_H
#define RSB_SIM_IMAGE_CORE_SYMBOLS_H

#include "sim/image/core_notes.h"
#include "sim/image/image.h"

/* Enters the symbols of the file at path into an image of the core. */
bool rsb_core_symbols_load(struct rsb_image *image, const struct rsb_core_notes *notes,
			   const char *path, struct rsb_error *error);

/*
 * Sets the bases of the process's first thread, and enters a symbol that says so for each file
 * whose pages are still not there. False: no memory.
 */
bool rsb_core_process_apply(struct rsb_image *image, const struct rsb_core_notes *notes);

#endif
