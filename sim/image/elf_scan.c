/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of a relocatable file's symbols need more than the file has of them. */
#include "sim/image/elf_object.h"

#include <inttypes.h>
#include <string.h>

/* The loader gives it a value. */
static const char table_name[] = "_GLOBAL_OFFSET_TABLE_";

/* A weak symbol that nobody defines is 0, and code that refers to it looks whether it is. */
static bool needs_stub(const struct rsb_elf_object *object, const struct rsb_elf_symbol *symbol)
{
	return symbol->section == SHN_UNDEF && symbol->name[0] && symbol->type != STT_TLS &&
	       symbol->binding != STB_WEAK && strcmp(symbol->name, table_name) != 0 &&
	       !rsb_elf_defined(object->file, symbol->name);
}

static bool scan_symbols(struct rsb_elf_object *object, struct rsb_error *error)
{
	struct rsb_elf_symbol symbol;

	for (size_t i = 1; i < object->symbols.count; i++) {
		if (!rsb_elf_symbols_get(&object->symbols, object->file, i, &symbol, error))
			return false;
		if (!needs_stub(object, &symbol))
			continue;
		object->stubs[i] = ++object->stub_count;
		rsb_elf_list_add(&object->stub_names, symbol.name);
	}
	rsb_elf_list_end(&object->stub_names);
	return true;
}

static bool scan_relocation(struct rsb_elf_object *object, const GElf_Shdr *table, size_t number,
			    const GElf_Rela *relocation, struct rsb_error *error)
{
	uint64_t symbol = GELF_R_SYM(relocation->r_info);

	if (symbol && symbol >= object->symbols.count)
		return rsb_error_set(error,
				     "%s: relocation %zu of %s is against symbol %" PRIu64
				     ", which is not in the file",
				     object->file->name, number,
				     rsb_elf_section_name(object->file, table), symbol);
	if (rsb_elf_relocation_has_slot(GELF_R_TYPE(relocation->r_info)) && !object->slots[symbol])
		object->slots[symbol] = ++object->slot_count;
	return true;
}

bool rsb_elf_object_scan(struct rsb_elf_object *object, struct rsb_error *error)
{
	return scan_symbols(object, error) && rsb_elf_object_walk(object, scan_relocation, error);
}

static bool walk_table(struct rsb_elf_object *object, size_t section, const GElf_Shdr *header,
		       rsb_elf_visit *visit, struct rsb_error *error)
{
	Elf_Data *data = rsb_elf_contents(object->file, section, error);
	size_t count = data ? data->d_size / sizeof(Elf64_Rela) : 0;
	GElf_Rela relocation;

	for (size_t i = 0; i < count; i++) {
		if (!gelf_getrela(data, (int)i, &relocation))
			return rsb_error_set(
				error, "%s: relocation %zu of %s: %s", object->file->name, i,
				rsb_elf_section_name(object->file, header), elf_errmsg(-1));
		if (!visit(object, header, i, &relocation, error))
			return false;
	}
	return data != NULL;
}

bool rsb_elf_object_walk(struct rsb_elf_object *object, rsb_elf_visit *visit,
			 struct rsb_error *error)
{
	struct rsb_elf *file = object->file;
	GElf_Shdr header, target;

	for (size_t i = 1; i < file->sections; i++) {
		if (!rsb_elf_section(file, i, &header, error))
			return false;
		if (header.sh_type != SHT_RELA && header.sh_type != SHT_REL)
			continue;
		if (!rsb_elf_section(file, header.sh_info, &target, error))
			return false;
		if (!(target.sh_flags & SHF_ALLOC))
			continue;
		if (header.sh_type == SHT_REL)
			return rsb_error_set(error,
					     "%s: %s: expected relocations with addends, as "
					     "x86-64 has them",
					     file->name, rsb_elf_section_name(file, &header));
		if (header.sh_link != object->symbols.section)
			return rsb_error_set(error,
					     "%s: %s is for another symbol table than the file's",
					     file->name, rsb_elf_section_name(file, &header));
		if (!walk_table(object, i, &header, visit, error))
			return false;
	}
	return true;
}
