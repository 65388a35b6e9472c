/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ELF file that is being loaded; for the loader's own files. */
#ifndef RSB_SIM_IMAGE_ELF_FILE_H
#define RSB_SIM_IMAGE_ELF_FILE_H

#include "sim/image/elf.h"

#include <gelf.h>

struct rsb_elf {
	const char *name;
	const uint8_t *bytes;
	size_t size;
	const struct rsb_elf_options *options;
	struct rsb_image *image;
	Elf *elf;
	GElf_Ehdr header;
	size_t sections; /* their number; 0: there are no section headers */
	size_t section_names;
	uint64_t tls_size, tls_filled; /* of the thread's block; what the file has of it */
	const uint8_t *tls;
	uint64_t tls_alignment;
	struct rsb_start start;
};

/* Opens and checks the header. The bytes must outlive it. False: error, and nothing is open. */
bool rsb_elf_open(struct rsb_elf *file, struct rsb_error *error);
void rsb_elf_close(struct rsb_elf *file);

/* The header of a section; its name, "" if it has none. */
bool rsb_elf_section(const struct rsb_elf *file, size_t index, GElf_Shdr *header,
		     struct rsb_error *error);
const char *rsb_elf_section_name(const struct rsb_elf *file, const GElf_Shdr *header);

/* A section's contents. NULL: error. */
Elf_Data *rsb_elf_contents(const struct rsb_elf *file, size_t index, struct rsb_error *error);

/* What code that refers to this symbol is to get in its place; NULL: itself. */
const char *rsb_elf_defined(const struct rsb_elf *file, const char *symbol);

/* Is that other an address? */
bool rsb_elf_address(const char *other, uint64_t *address);

/* A list of symbols for a note: the first few by name, and how many more there are. */
struct rsb_elf_list {
	char text[400];
	size_t used, listed, more;
};
void rsb_elf_list_add(struct rsb_elf_list *list, const char *symbol);
void rsb_elf_list_end(struct rsb_elf_list *list);

/* Loads each kind of file. */
bool rsb_elf_load_segments(struct rsb_elf *file, struct rsb_error *error);
bool rsb_elf_load_sections(struct rsb_elf *file, struct rsb_error *error);

#endif
