/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lays out a relocatable file: an address for every section, symbol, stub and slot. */
#include "sim/image/elf_object.h"

#include <inttypes.h>
#include <string.h>

#define SIZE_MAX_ALL  (UINT64_C(256) << 20) /* bytes of all sections */
#define ALIGNMENT_MAX (UINT64_C(2) << 20)   /* of a section: a large page */

static enum rsb_elf_group group_of(uint64_t flags)
{
	if (flags & SHF_EXECINSTR)
		return flags & SHF_WRITE ? RSB_ELF_TEXT_AND_DATA : RSB_ELF_TEXT;
	return flags & SHF_WRITE ? RSB_ELF_DATA : RSB_ELF_CONSTANTS;
}

/* Takes size bytes from *next on, aligned; *address is where. */
static bool take(const struct rsb_elf_object *object, uint64_t *next, uint64_t alignment,
		 uint64_t size, const char *what, uint64_t *address, struct rsb_error *error)
{
	uint64_t used;

	if (!alignment)
		alignment = 1;
	if (alignment & (alignment - 1) || alignment > ALIGNMENT_MAX)
		return rsb_error_set(error,
				     "%s: %s: expected an alignment that is a power of two up to "
				     "%" PRIu64 ", found %" PRIu64,
				     object->file->name, what, ALIGNMENT_MAX, alignment);
	if (*next > UINT64_MAX - 2 * (ALIGNMENT_MAX + SIZE_MAX_ALL))
		return rsb_error_set(error, "%s: there is no room for it at base 0x%" PRIx64,
				     object->file->name, object->base);
	*address = (*next + alignment - 1) & ~(alignment - 1);
	used = *address - object->base;
	if (used > SIZE_MAX_ALL || size > SIZE_MAX_ALL - used)
		return rsb_error_set(
			error, "%s: %s: expected at most %" PRIu64 " bytes of sections in all",
			object->file->name, what, SIZE_MAX_ALL);
	*next = *address + size;
	return true;
}

static bool place_sections(struct rsb_elf_object *object, enum rsb_elf_group group, uint64_t *next,
			   struct rsb_error *error)
{
	struct rsb_elf *file = object->file;
	GElf_Shdr header;

	for (size_t i = 1; i < file->sections; i++) {
		if (!rsb_elf_section(file, i, &header, error))
			return false;
		if (!(header.sh_flags & SHF_ALLOC) || group_of(header.sh_flags) != group)
			continue;
		if (!take(object, next, header.sh_addralign, header.sh_size,
			  rsb_elf_section_name(file, &header), &object->sections[i], error))
			return false;
	}
	return true;
}

/* Variables without a section: their value is the alignment that they need. */
static bool place_commons(struct rsb_elf_object *object, uint64_t *next, struct rsb_error *error)
{
	struct rsb_elf_symbol symbol;

	for (size_t i = 1; i < object->symbols.count; i++) {
		if (!rsb_elf_symbols_get(&object->symbols, object->file, i, &symbol, error))
			return false;
		if (symbol.section == SHN_COMMON && !take(object, next, symbol.value, symbol.size,
							  symbol.name, &object->values[i], error))
			return false;
	}
	return true;
}

/* What a group has beside its sections. */
static bool place_others(struct rsb_elf_object *object, enum rsb_elf_group group, uint64_t *next,
			 struct rsb_error *error)
{
	if (group == RSB_ELF_TEXT)
		return take(object, next, RSB_ELF_STUB, (uint64_t)object->stub_count * RSB_ELF_STUB,
			    "stubs", &object->stubs_at, error);
	if (group == RSB_ELF_DATA)
		return place_commons(object, next, error) &&
		       take(object, next, 8, (uint64_t)object->slot_count * 8, "addresses",
			    &object->slots_at, error);
	return true;
}

static bool place_groups(struct rsb_elf_object *object, struct rsb_error *error)
{
	uint64_t next = object->base;

	for (enum rsb_elf_group i = 0; i < RSB_ELF_GROUPS; i++) {
		if (!take(object, &next, RSB_PAGE, 0, "sections", &object->groups[i].start,
			  error) ||
		    !place_sections(object, i, &next, error) ||
		    !place_others(object, i, &next, error))
			return false;
		object->groups[i].size = next - object->groups[i].start;
	}
	object->size = next - object->base;
	return true;
}

/* Symbols of the file first, because others may be defined by them. */
static bool set_value(struct rsb_elf_object *object, size_t index,
		      const struct rsb_elf_symbol *symbol, struct rsb_error *error)
{
	uint64_t *value = &object->values[index];

	if (symbol->section == SHN_UNDEF || symbol->section == SHN_COMMON)
		return true;
	if (symbol->section == SHN_ABS) {
		*value = symbol->value;
		return true;
	}
	if (symbol->section >= object->file->sections)
		return rsb_error_set(error, "%s: symbol %zu (%s) is in section %zu of %zu",
				     object->file->name, index, symbol->name, symbol->section,
				     object->file->sections);
	if (object->sections[symbol->section])
		*value = object->sections[symbol->section] + symbol->value;
	return true;
}

static bool enter(const struct rsb_elf_object *object, size_t index,
		  const struct rsb_elf_symbol *symbol, struct rsb_error *error)
{
	uint64_t size = symbol->size;

	if (object->stubs[index])
		size = RSB_ELF_STUB;
	else if (!rsb_elf_symbol_is_place(symbol) || !object->values[index])
		return true;
	return rsb_image_symbol(object->file->image, symbol->name, object->values[index], size,
				error);
}

static bool place_symbols(struct rsb_elf_object *object, struct rsb_error *error)
{
	struct rsb_elf_symbol symbol;

	for (size_t i = 1; i < object->symbols.count; i++) {
		if (!rsb_elf_symbols_get(&object->symbols, object->file, i, &symbol, error) ||
		    !set_value(object, i, &symbol, error))
			return false;
		if (object->stubs[i])
			object->values[i] = object->stubs_at +
					    (object->stubs[i] - 1) * RSB_ELF_STUB;
		else if (strcmp(symbol.name, "_GLOBAL_OFFSET_TABLE_") == 0)
			object->values[i] = object->slots_at;
		if (!enter(object, i, &symbol, error))
			return false;
	}
	return true;
}

/* The symbols that --define gives to others; found by name in the image. */
static bool place_defined(struct rsb_elf_object *object, struct rsb_error *error)
{
	struct rsb_elf *file = object->file;
	struct rsb_elf_symbol symbol;

	for (size_t i = 1; i < object->symbols.count && file->options->define_count; i++) {
		const char *other;

		if (!rsb_elf_symbols_get(&object->symbols, file, i, &symbol, error))
			return false;
		other = rsb_elf_defined(file, symbol.name);
		if (other && !rsb_elf_address(other, &object->values[i]) &&
		    !rsb_image_find(file->image, other, &object->values[i], error))
			return rsb_error_prefix(error, "%s: the definition of %s", file->name,
						symbol.name);
	}
	return true;
}

/* Sections have names when nothing else has: of a stripped file, ".text" can be called. */
static bool enter_sections(const struct rsb_elf_object *object, struct rsb_error *error)
{
	GElf_Shdr header;

	for (size_t i = 1; i < object->file->sections; i++) {
		const char *name;

		if (!object->sections[i])
			continue;
		if (!rsb_elf_section(object->file, i, &header, error))
			return false;
		name = rsb_elf_section_name(object->file, &header);
		if (*name && header.sh_size &&
		    !rsb_image_symbol(object->file->image, name, object->sections[i],
				      header.sh_size, error))
			return false;
	}
	return true;
}

bool rsb_elf_object_place(struct rsb_elf_object *object, struct rsb_error *error)
{
	return place_groups(object, error) && place_symbols(object, error) &&
	       place_defined(object, error) && enter_sections(object, error);
}
