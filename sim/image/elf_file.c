/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens ELF files, and reads what both kinds of them have. */
#include "sim/image/elf_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTIONS_MAX (1u << 20)

static bool check_header(struct rsb_elf *file, struct rsb_error *error)
{
	const char *ident = elf_getident(file->elf, NULL);

	if (elf_kind(file->elf) != ELF_K_ELF || !ident)
		return rsb_error_set(error, "%s: is not an ELF file", file->name);
	if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
		return rsb_error_set(error, "%s: expected a 64-bit little-endian ELF file",
				     file->name);
	if (!gelf_getehdr(file->elf, &file->header))
		return rsb_error_set(error, "%s: the ELF header: %s", file->name, elf_errmsg(-1));
	if (file->header.e_machine != EM_X86_64)
		return rsb_error_set(error, "%s: expected code for x86-64 (%d), found machine %d",
				     file->name, EM_X86_64, file->header.e_machine);
	return true;
}

/* A file that was linked does without section headers, so damaged ones are its business alone. */
static bool count_sections(struct rsb_elf *file, struct rsb_error *error)
{
	const GElf_Ehdr *header = &file->header;
	bool good = elf_getshdrnum(file->elf, &file->sections) == 0 &&
		    (!file->sections || elf_getshdrstrndx(file->elf, &file->section_names) == 0);

	if (header->e_type != ET_REL) {
		if (!good || file->sections > SECTIONS_MAX)
			file->sections = 0;
		return true;
	}
	/* libelf says of headers behind the end of the file that there are none. */
	if (header->e_shoff > file->size ||
	    header->e_shnum * sizeof(Elf64_Shdr) > file->size - header->e_shoff)
		return rsb_error_set(error, "%s: is cut short: its section headers are not there",
				     file->name);
	if (good && file->sections && file->sections <= SECTIONS_MAX)
		return true;
	if (good && !file->sections)
		return rsb_error_set(error, "%s: has no sections", file->name);
	if (good)
		return rsb_error_set(error, "%s: expected at most %u sections, found %zu",
				     file->name, SECTIONS_MAX, file->sections);
	return rsb_error_set(error, "%s: the section headers: %s", file->name, elf_errmsg(-1));
}

bool rsb_elf_open(struct rsb_elf *file, struct rsb_error *error)
{
	if (elf_version(EV_CURRENT) == EV_NONE)
		return rsb_error_set(error, "%s: libelf: %s", file->name, elf_errmsg(-1));
	/* Not written to: the prototype is older than const. */
	file->elf = elf_memory((char *)file->bytes, file->size);
	if (!file->elf)
		return rsb_error_set(error, "%s: is not an ELF file: %s", file->name,
				     elf_errmsg(-1));
	if (check_header(file, error) && count_sections(file, error))
		return true;
	rsb_elf_close(file);
	return false;
}

void rsb_elf_close(struct rsb_elf *file)
{
	elf_end(file->elf);
	file->elf = NULL;
}

bool rsb_elf_section(const struct rsb_elf *file, size_t index, GElf_Shdr *header,
		     struct rsb_error *error)
{
	Elf_Scn *section = elf_getscn(file->elf, index);

	if (!section || !gelf_getshdr(section, header))
		return rsb_error_set(error, "%s: section %zu: %s", file->name, index,
				     elf_errmsg(-1));
	return true;
}

const char *rsb_elf_section_name(const struct rsb_elf *file, const GElf_Shdr *header)
{
	const char *name = elf_strptr(file->elf, file->section_names, header->sh_name);

	return name ? name : "";
}

Elf_Data *rsb_elf_contents(const struct rsb_elf *file, size_t index, struct rsb_error *error)
{
	Elf_Scn *section = elf_getscn(file->elf, index);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

	if (!data || (data->d_size && !data->d_buf))
		return rsb_error_null(error, "%s: the contents of section %zu: %s", file->name,
				      index, data ? "there are none" : elf_errmsg(-1));
	return data;
}

const char *rsb_elf_defined(const struct rsb_elf *file, const char *symbol)
{
	const struct rsb_elf_options *options = file->options;

	for (size_t i = 0; i < options->define_count; i++)
		if (strcmp(options->defines[i].symbol, symbol) == 0)
			return options->defines[i].other;
	return NULL;
}

bool rsb_elf_address(const char *other, uint64_t *address)
{
	char *end;

	if (strncmp(other, "0x", 2) != 0)
		return false;
	errno = 0;
	*address = strtoull(other, &end, 16);
	return !*end && end > other + 2 && !errno;
}

void rsb_elf_list_add(struct rsb_elf_list *list, const char *symbol)
{
	size_t length = strlen(symbol) + sizeof(", ");

	/* Room is kept for "and N more". */
	if (list->more || list->used + length + 32 > sizeof(list->text)) {
		list->more++;
		return;
	}
	list->used += (size_t)snprintf(list->text + list->used, sizeof(list->text) - list->used,
				       "%s%s", list->used ? ", " : "", symbol);
	list->listed++;
}

void rsb_elf_list_end(struct rsb_elf_list *list)
{
	if (list->more)
		snprintf(list->text + list->used, sizeof(list->text) - list->used, "%s%zu more",
			 list->used ? " and " : "", list->more);
}
