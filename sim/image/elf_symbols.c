/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads symbol tables. */
#include "sim/image/elf_symbols.h"

#include <string.h>

/* The number of the first section of a type; 0: none. */
static bool find_section(const struct rsb_elf *file, unsigned type, size_t *found,
			 GElf_Shdr *header, struct rsb_error *error)
{
	*found = 0;
	for (size_t i = 1; i < file->sections && !*found; i++) {
		if (!rsb_elf_section(file, i, header, error))
			return false;
		if (header->sh_type == type)
			*found = i;
	}
	return true;
}

static bool find_extended(struct rsb_elf_symbols *symbols, const struct rsb_elf *file,
			  struct rsb_error *error)
{
	GElf_Shdr header;

	for (size_t i = 1; i < file->sections; i++) {
		if (!rsb_elf_section(file, i, &header, error))
			return false;
		if (header.sh_type != SHT_SYMTAB_SHNDX || header.sh_link != symbols->section)
			continue;
		symbols->extended = rsb_elf_contents(file, i, error);
		return symbols->extended != NULL;
	}
	return true;
}

bool rsb_elf_symbols_open(struct rsb_elf_symbols *symbols, const struct rsb_elf *file,
			  struct rsb_error *error)
{
	GElf_Shdr header;

	*symbols = (struct rsb_elf_symbols){ .table = NULL };
	if (!find_section(file, SHT_SYMTAB, &symbols->section, &header, error) ||
	    (!symbols->section &&
	     !find_section(file, SHT_DYNSYM, &symbols->section, &header, error)))
		return false;
	if (!symbols->section)
		return true;
	symbols->table = rsb_elf_contents(file, symbols->section, error);
	if (!symbols->table)
		return false;
	symbols->names = header.sh_link;
	symbols->count = symbols->table->d_size / sizeof(Elf64_Sym);
	return find_extended(symbols, file, error);
}

bool rsb_elf_symbols_get(const struct rsb_elf_symbols *symbols, const struct rsb_elf *file,
			 size_t index, struct rsb_elf_symbol *symbol, struct rsb_error *error)
{
	Elf32_Word extended = 0;
	const char *name;
	GElf_Sym raw;

	if (index >= symbols->count ||
	    !gelf_getsymshndx(symbols->table, symbols->extended, (int)index, &raw, &extended))
		return rsb_error_set(error, "%s: there is no symbol %zu", file->name, index);
	name = elf_strptr(file->elf, symbols->names, raw.st_name);
	*symbol = (struct rsb_elf_symbol){
		.name = name ? name : "",
		.type = GELF_ST_TYPE(raw.st_info),
		.binding = GELF_ST_BIND(raw.st_info),
		.section = raw.st_shndx == SHN_XINDEX ? extended : raw.st_shndx,
		.value = raw.st_value,
		.size = raw.st_size,
	};
	if (raw.st_shndx == SHN_XINDEX && extended >= SHN_LORESERVE && extended <= SHN_HIRESERVE)
		return rsb_error_set(error,
				     "%s: symbol %zu: sections from %d to %d are not supported",
				     file->name, index, SHN_LORESERVE, SHN_HIRESERVE);
	return true;
}

bool rsb_elf_symbol_is_place(const struct rsb_elf_symbol *symbol)
{
	return symbol->name[0] && symbol->section != SHN_UNDEF && symbol->section != SHN_ABS &&
	       (symbol->type == STT_NOTYPE || symbol->type == STT_OBJECT ||
		symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC);
}

bool rsb_elf_symbols_enter(const struct rsb_elf *file, uint64_t bias, struct rsb_error *error)
{
	struct rsb_elf_symbols symbols;
	struct rsb_elf_symbol symbol;

	if (!rsb_elf_symbols_open(&symbols, file, error))
		return false;
	for (size_t i = 1; i < symbols.count; i++) {
		if (!rsb_elf_symbols_get(&symbols, file, i, &symbol, error))
			return false;
		if (rsb_elf_symbol_is_place(&symbol) &&
		    !rsb_image_symbol(file->image, symbol.name, symbol.value + bias, symbol.size,
				      error))
			return false;
	}
	return true;
}
