/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imports: fields of a linked ELF file that are to hold the address of something that is not in it,
 * or that is chosen when a program starts. Private to the loader.
 */
#ifndef RSB_SIM_IMAGE_ELF_IMPORTS_H
#define RSB_SIM_IMAGE_ELF_IMPORTS_H

#include "sim/image/elf_runs.h"

struct rsb_elf_import {
	uint64_t field; /* its address */
	int64_t addend;
	bool indirect;    /* a function that is chosen when a program starts */
	const char *name; /* owned by those that were added */
};

struct rsb_elf_imports {
	struct rsb_elf_import *all;
	size_t count;
};

/* Adds one; its name is copied. */
bool rsb_elf_imports_add(struct rsb_elf_imports *imports, const struct rsb_elf_import *import,
			 const struct rsb_elf *file, struct rsb_error *error);
void rsb_elf_imports_release(struct rsb_elf_imports *imports);

/* Is this symbol to be a function that returns at once? */
bool rsb_elf_import_is_stub(const struct rsb_elf *file, const char *name);

/*
 * Gives each an address: that of what it is defined to be, of a function that returns at once, or
 * one where nothing is, under a symbol that says so. Writes the addresses into the fields.
 */
bool rsb_elf_imports_place(struct rsb_elf_imports *imports, struct rsb_elf_runs *runs,
			   struct rsb_elf *file, struct rsb_error *error);

#endif
