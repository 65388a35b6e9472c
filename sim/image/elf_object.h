/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A relocatable ELF file that is being laid out; for the loader's own files. */
#ifndef RSB_SIM_IMAGE_ELF_OBJECT_H
#define RSB_SIM_IMAGE_ELF_OBJECT_H

#include "sim/image/elf_symbols.h"

#define RSB_ELF_STUB 16 /* bytes of what stands for a function that is not in the file */

/* What sections share that may be used in the same way; in the order in which they lie. */
enum rsb_elf_group {
	RSB_ELF_TEXT, /* and the stubs */
	RSB_ELF_TEXT_AND_DATA,
	RSB_ELF_CONSTANTS,
	RSB_ELF_DATA, /* and common symbols, and the table of addresses that code loads from */
	RSB_ELF_GROUPS
};

struct rsb_elf_object {
	struct rsb_elf *file;
	struct rsb_elf_symbols symbols;
	uint64_t base, size; /* of all groups */
	uint8_t *bytes;
	struct {
		uint64_t start, size;
	} groups[RSB_ELF_GROUPS];
	uint64_t *sections; /* the address of each; 0: not in memory */

	/* Of each symbol: */
	uint64_t *values;
	uint32_t *slots; /* its number in the table of addresses, from 1; 0: not in it */
	uint32_t *stubs; /* the number of its stub, from 1; 0: it has none */

	uint32_t slot_count, stub_count;
	uint64_t slots_at, stubs_at;
	struct rsb_elf_list stub_names;
};

/* Finds out which symbols need a stub, and which a slot. */
bool rsb_elf_object_scan(struct rsb_elf_object *object, struct rsb_error *error);

/* Gives every section and symbol its address. */
bool rsb_elf_object_place(struct rsb_elf_object *object, struct rsb_error *error);

/* Calls visit for each relocation of a section that is in memory. */
typedef bool rsb_elf_visit(struct rsb_elf_object *object, const GElf_Shdr *table, size_t number,
			   const GElf_Rela *relocation, struct rsb_error *error);
bool rsb_elf_object_walk(struct rsb_elf_object *object, rsb_elf_visit *visit,
			 struct rsb_error *error);

/* Does this type of relocation need a slot? */
bool rsb_elf_relocation_has_slot(unsigned type);

/* Applies one relocation. */
rsb_elf_visit rsb_elf_object_relocate;

/* Writes the stub of a symbol of that name. */
void rsb_elf_stub_write(const char *symbol, uint8_t stub[RSB_ELF_STUB]);

#endif
