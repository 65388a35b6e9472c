/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF files with code for x86-64. Executables and shared objects are loaded by their segments, and
 * what they do not define stays unresolved: a jump there ends the run with the symbol's name.
 * Relocatable files are laid out by their sections and relocated; what they do not define returns
 * at once. Both kinds get a thread's memory at the FS base, zeroed, for stack protectors.
 */
#ifndef RSB_SIM_IMAGE_ELF_H
#define RSB_SIM_IMAGE_ELF_H

#include "sim/image/image.h"

#define RSB_ELF_BASE UINT64_C(0x400000) /* where a relocatable file lies, unless told otherwise */

/* Where a program that can lie anywhere does: Linux's ELF_ET_DYN_BASE without randomization. */
#define RSB_ELF_PROGRAM_BASE UINT64_C(0x555555554000)

/* Code that refers to symbol gets what other is: a symbol, or an address like "0x401000". */
struct rsb_elf_define {
	const char *symbol, *other;
};

struct rsb_elf_options {
	bool has_base;
	uint64_t base; /* of a relocatable file; added to a shared object's addresses */
	const struct rsb_elf_define *defines;
	size_t define_count;

	/*
	 * It is to be run from its own entry, if it has one and needs no loader: then it relocates
	 * itself, makes its own thread, and rsb_image_start() says where it begins.
	 */
	bool program;

	/* Is this symbol, not defined by a file that was linked, a function that returns at once?
	 * NULL: none is. */
	bool (*is_stub)(const void *context, const char *symbol);
	const void *context;
};

/* Loads the file's bytes, with symbols, mitigations and notes. name stands for it in messages. */
bool rsb_elf_load(struct rsb_image *image, const char *name, const void *bytes, size_t size,
		  const struct rsb_elf_options *options, struct rsb_error *error);

#endif
