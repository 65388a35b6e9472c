/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands for the symbols that a linked file wants of others. */
#include "sim/image/elf_imports.h"

#include "traces/util/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOT        16 /* bytes of a place that stands for a symbol */
#define GUARD       UINT64_C(0x100000)
#define NAME_LENGTH 255

bool rsb_elf_imports_add(struct rsb_elf_imports *imports, const struct rsb_elf_import *import,
			 const struct rsb_elf *file, struct rsb_error *error)
{
	struct rsb_elf_import *added;

	if (!RSB_GROW(imports->all, imports->count))
		return rsb_error_set(error, "%s: out of memory", file->name);
	added = &imports->all[imports->count];
	*added = *import;
	added->name =
		strndup(*import->name ? import->name : "a symbol without a name", NAME_LENGTH);
	if (!added->name)
		return rsb_error_set(error, "%s: out of memory", file->name);
	imports->count++;
	return true;
}

void rsb_elf_imports_release(struct rsb_elf_imports *imports)
{
	for (size_t i = 0; i < imports->count; i++)
		free((char *)imports->all[i].name);
	free(imports->all);
}

bool rsb_elf_import_is_stub(const struct rsb_elf *file, const char *name)
{
	return file->options->is_stub && file->options->is_stub(file->options->context, name);
}

static int compare(const void *left, const void *right)
{
	const struct rsb_elf_import *a = left, *b = right;

	return a->indirect != b->indirect ? a->indirect - b->indirect : strcmp(a->name, b->name);
}

/* Where the next place is: of those with nothing there, and of those that return at once. */
struct places {
	uint64_t next[2];
	struct rsb_elf_list stubs;
};

static bool place(const struct rsb_elf_import *import, const struct rsb_elf *file,
		  struct places *places, uint64_t *address, struct rsb_error *error)
{
	bool stub = !import->indirect && rsb_elf_import_is_stub(file, import->name);
	const char *other = rsb_elf_defined(file, import->name);
	const char *state = ", which is not in the file";
	char symbol[NAME_LENGTH + 80];

	if (import->indirect)
		state = ", which is chosen when a program starts";
	else if (file->start.dynamic)
		state = ", which is not in the file unless it is linked with -static";
	if (other)
		return rsb_elf_address(other, address) ||
		       rsb_image_find(file->image, other, address, error) ||
		       rsb_error_prefix(error, "%s: the definition of %s", file->name,
					import->name);
	*address = places->next[stub];
	places->next[stub] += SLOT;
	if (stub)
		rsb_elf_list_add(&places->stubs, import->name);
	snprintf(symbol, sizeof(symbol), "%s%s", import->name, stub ? "" : state);
	return rsb_image_symbol(file->image, symbol, *address, SLOT, error);
}

/* Nothing can be done where there is no access, and a message names the symbol. */
static bool map_places(const struct rsb_elf *file, uint64_t start, uint64_t size,
		       struct rsb_error *error)
{
	uint8_t *stubs = malloc(size);
	bool good;

	if (!stubs)
		return rsb_error_set(error, "%s: out of memory", file->name);
	for (uint64_t i = 0; i < size; i++)
		stubs[i] = i % SLOT ? 0xcc : 0xc3; /* ret; int3 ... */
	good = rsb_image_map(file->image, "symbols of other files", start, size, 0, NULL, 0,
			     error) &&
	       rsb_image_map(file->image, "functions that return at once", start + size, size,
			     RSB_READ | RSB_EXECUTE, stubs, size, error);
	free(stubs);
	return good || rsb_error_prefix(error, "%s", file->name);
}

static bool write_fields(const struct rsb_elf_imports *imports, const struct rsb_elf_runs *runs,
			 const struct rsb_elf *file, struct places *places, struct rsb_error *error)
{
	uint64_t address = 0;

	for (size_t i = 0; i < imports->count; i++) {
		const struct rsb_elf_import *import = &imports->all[i];
		uint64_t value;
		uint8_t *field;

		if ((!i || compare(import - 1, import) != 0) &&
		    !place(import, file, places, &address, error))
			return false;
		value = address + (uint64_t)import->addend;
		field = rsb_elf_runs_at(runs, import->field, sizeof(value));
		for (size_t k = 0; k < sizeof(value); k++)
			field[k] = (uint8_t)(value >> 8 * k);
	}
	return true;
}

/* There is room for each in both places. */
bool rsb_elf_imports_place(struct rsb_elf_imports *imports, struct rsb_elf_runs *runs,
			   struct rsb_elf *file, struct rsb_error *error)
{
	uint64_t size = (imports->count * SLOT + RSB_PAGE - 1) & ~(uint64_t)(RSB_PAGE - 1);
	uint64_t start = (runs->all[runs->count - 1].last | (RSB_PAGE - 1)) + 1 + GUARD;
	struct places places = { .next = { start, start + size } };

	if (!imports->count)
		return true;
	if (start < GUARD || start + 2 * size < start)
		return rsb_error_set(error, "%s: there is no room for symbols of other files",
				     file->name);
	qsort(imports->all, imports->count, sizeof(*imports->all), compare);
	if (!write_fields(imports, runs, file, &places, error) ||
	    !map_places(file, start, size, error))
		return false;
	rsb_elf_list_end(&places.stubs);
	return !places.stubs.used ||
	       rsb_image_note(file->image, "%s: not in the file, so they return at once: %s",
			      file->name, places.stubs.text) ||
	       rsb_error_set(error, "out of memory");
}
