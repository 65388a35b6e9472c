/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads relocatable files. */
#include "sim/image/elf_object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By group. */
static const struct {
	const char *name;
	unsigned access;
} groups[RSB_ELF_GROUPS] = {
	[RSB_ELF_TEXT] = { "code", RSB_READ | RSB_EXECUTE },
	[RSB_ELF_TEXT_AND_DATA] = { "writable code", RSB_READ | RSB_WRITE | RSB_EXECUTE },
	[RSB_ELF_CONSTANTS] = { "constants", RSB_READ },
	[RSB_ELF_DATA] = { "data", RSB_READ | RSB_WRITE },
};

static bool allocate(struct rsb_elf_object *object, struct rsb_error *error)
{
	size_t symbols = object->symbols.count + 1;

	object->sections = calloc(object->file->sections + 1, sizeof(*object->sections));
	object->values = calloc(symbols, sizeof(*object->values));
	object->slots = calloc(symbols, sizeof(*object->slots));
	object->stubs = calloc(symbols, sizeof(*object->stubs));
	return (object->sections && object->values && object->slots && object->stubs) ||
	       rsb_error_set(error, "%s: out of memory", object->file->name);
}

static void release(struct rsb_elf_object *object)
{
	free(object->sections);
	free(object->values);
	free(object->slots);
	free(object->stubs);
	free(object->bytes);
}

static bool copy_section(struct rsb_elf_object *object, size_t index, struct rsb_error *error)
{
	struct rsb_elf *file = object->file;
	uint8_t *to = object->bytes + (object->sections[index] - object->base);
	GElf_Shdr header;

	if (!rsb_elf_section(file, index, &header, error))
		return false;
	if (header.sh_type == SHT_NOBITS)
		return true;
	if (header.sh_offset > file->size || header.sh_size > file->size - header.sh_offset)
		return rsb_error_set(error,
				     "%s: is cut short: %s needs 0x%" PRIx64
				     " bytes from 0x%" PRIx64 ", and the file has %zu",
				     file->name, rsb_elf_section_name(file, &header),
				     header.sh_size, header.sh_offset, file->size);
	if (header.sh_flags & SHF_COMPRESSED)
		return rsb_error_set(error,
				     "%s: %s: code and data are not expected to be compressed",
				     file->name, rsb_elf_section_name(file, &header));
	memcpy(to, file->bytes + header.sh_offset, header.sh_size);
	return true;
}

static bool copy_sections(struct rsb_elf_object *object, struct rsb_error *error)
{
	object->bytes = calloc(1, object->size ? object->size : 1);
	if (!object->bytes)
		return rsb_error_set(error, "%s: out of memory", object->file->name);
	for (size_t i = 1; i < object->file->sections; i++)
		if (object->sections[i] && !copy_section(object, i, error))
			return false;
	return true;
}

/* The stubs, and the addresses that code loads. */
static bool fill_others(struct rsb_elf_object *object, struct rsb_error *error)
{
	struct rsb_elf_symbol symbol;

	for (size_t i = 0; i < object->symbols.count; i++) {
		if (object->stubs[i]) {
			if (!rsb_elf_symbols_get(&object->symbols, object->file, i, &symbol, error))
				return false;
			rsb_elf_stub_write(symbol.name,
					   object->bytes + (object->values[i] - object->base));
		}
		for (unsigned k = 0; object->slots[i] && k < 8; k++)
			object->bytes[object->slots_at - object->base +
				      (object->slots[i] - 1) * UINT64_C(8) + k] =
				(uint8_t)(object->values[i] >> 8 * k);
	}
	return true;
}

/* Assemblers mark what needs code on the stack by the flags of an empty section. */
static bool read_stack(const struct rsb_elf *file, struct rsb_error *error)
{
	GElf_Shdr header;

	for (size_t i = 1; i < file->sections; i++) {
		if (!rsb_elf_section(file, i, &header, error))
			return false;
		if (header.sh_flags & SHF_EXECINSTR &&
		    strcmp(rsb_elf_section_name(file, &header), ".note.GNU-stack") == 0)
			rsb_image_set_stack_executable(file->image);
	}
	return true;
}

static bool map_groups(const struct rsb_elf_object *object, struct rsb_error *error)
{
	for (size_t i = 0; i < RSB_ELF_GROUPS; i++) {
		uint64_t start = object->groups[i].start, size = object->groups[i].size;
		char name[256];

		if (!size)
			continue;
		snprintf(name, sizeof(name), "the %s of %s", groups[i].name, object->file->name);
		if (!rsb_image_map(object->file->image, name, start, size, groups[i].access,
				   object->bytes + (start - object->base), size, error))
			return rsb_error_prefix(error, "%s", object->file->name);
	}
	return true;
}

static bool note(const struct rsb_elf_object *object, struct rsb_error *error)
{
	return !object->stub_count ||
	       rsb_image_note(object->file->image,
			      "%s does not define these, so they return at once: %s",
			      object->file->name, object->stub_names.text) ||
	       rsb_error_set(error, "out of memory");
}

bool rsb_elf_load_sections(struct rsb_elf *file, struct rsb_error *error)
{
	struct rsb_elf_object object = {
		.file = file,
		.base = file->options->has_base ? file->options->base : RSB_ELF_BASE,
	};
	bool good;

	if (!object.base || object.base % RSB_PAGE)
		return rsb_error_set(
			error, "%s: base 0x%" PRIx64 ": expected a multiple of %u that is not 0",
			file->name, object.base, RSB_PAGE);
	good = rsb_elf_symbols_open(&object.symbols, file, error) && allocate(&object, error) &&
	       rsb_elf_object_scan(&object, error) && rsb_elf_object_place(&object, error) &&
	       copy_sections(&object, error) &&
	       rsb_elf_object_walk(&object, rsb_elf_object_relocate, error) &&
	       fill_others(&object, error) && read_stack(file, error) &&
	       map_groups(&object, error) && note(&object, error);
	release(&object);
	return good;
}
