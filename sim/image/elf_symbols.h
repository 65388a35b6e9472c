/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbol table of an ELF file. Private to the loader. */
#ifndef RSB_SIM_IMAGE_ELF_SYMBOLS_H
#define RSB_SIM_IMAGE_ELF_SYMBOLS_H

#include "sim/image/elf_file.h"

struct rsb_elf_symbols {
	Elf_Data *table;    /* NULL: there is none */
	Elf_Data *extended; /* section numbers that do not fit in a symbol; NULL: none */
	size_t names;       /* the section of the names */
	size_t section;     /* the table's own */
	size_t count;
};

struct rsb_elf_symbol {
	const char *name; /* "" if it has none */
	unsigned char type, binding;
	size_t section; /* SHN_ABS and SHN_COMMON as they are; a real one that is called so: error */
	uint64_t value, size;
};

/* Finds the symbol table, of a file without one the dynamic one. */
bool rsb_elf_symbols_open(struct rsb_elf_symbols *symbols, const struct rsb_elf *file,
			  struct rsb_error *error);

bool rsb_elf_symbols_get(const struct rsb_elf_symbols *symbols, const struct rsb_elf *file,
			 size_t index, struct rsb_elf_symbol *symbol, struct rsb_error *error);

/*
 * Is it a name that somebody would call? Not that of a file, and not one that the assembler made.
 */
bool rsb_elf_symbol_is_place(const struct rsb_elf_symbol *symbol);

/* Enters the places of a linked file into its image. */
bool rsb_elf_symbols_enter(const struct rsb_elf *file, uint64_t bias, struct rsb_error *error);

#endif
