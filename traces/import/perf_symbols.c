/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open-addressing hash table of symbols: the slots hold numbers, the names stay in an array. */
#include "traces/import/perf_symbols.h"

#include "traces/util/grow.h"
#include "traces/util/hash.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOLS_MAX (UINT32_C(1) << 24)

struct symbol {
	char *name; /* with the file's name in the same memory, after its NUL */
	const char *file;
	uint64_t hash;
};

struct rsb_perf_symbols {
	struct symbol *symbols;
	uint32_t *slots; /* number + 1; 0: free */
	uint32_t count;
	uint32_t slot_count; /* a power of two, more than twice the count; or 0 */
};

struct rsb_perf_symbols *rsb_perf_symbols_new(void)
{
	return calloc(1, sizeof(struct rsb_perf_symbols));
}

void rsb_perf_symbols_free(struct rsb_perf_symbols *symbols)
{
	if (!symbols)
		return;
	for (uint32_t i = 0; i < symbols->count; i++)
		free(symbols->symbols[i].name);
	free(symbols->symbols);
	free(symbols->slots);
	free(symbols);
}

/* The slot of that symbol, or the free one where it belongs. */
static uint32_t *find_slot(const struct rsb_perf_symbols *symbols, const struct symbol *wanted)
{
	uint32_t at = (uint32_t)(wanted->hash >> 32);

	for (;; at++) {
		uint32_t *slot = &symbols->slots[at & (symbols->slot_count - 1)];
		const struct symbol *found = *slot ? &symbols->symbols[*slot - 1] : NULL;

		if (!found || (found->hash == wanted->hash && !strcmp(found->name, wanted->name) &&
			       !strcmp(found->file, wanted->file)))
			return slot;
	}
}

static bool grow(struct rsb_perf_symbols *symbols)
{
	uint32_t count = symbols->slot_count ? 2 * symbols->slot_count : 128;
	uint32_t *slots;

	if (!RSB_GROW(symbols->symbols, symbols->count))
		return false;
	if (2 * (symbols->count + 1) <= symbols->slot_count)
		return true;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return false;
	free(symbols->slots);
	symbols->slots = slots;
	symbols->slot_count = count;
	for (uint32_t i = 0; i < symbols->count; i++)
		*find_slot(symbols, &symbols->symbols[i]) = i + 1;
	return true;
}

/* Copies the name and the file's name into one piece of memory. */
static bool copy_names(struct symbol *symbol, const char *name, const char *file)
{
	size_t length = strlen(name) + 1, file_length = strlen(file) + 1;

	symbol->name = malloc(length + file_length);
	if (!symbol->name)
		return false;
	memcpy(symbol->name, name, length);
	memcpy(symbol->name + length, file, file_length);
	symbol->file = symbol->name + length;
	return true;
}

bool rsb_perf_symbols_find(struct rsb_perf_symbols *symbols, const char *name, const char *file,
			   uint64_t *address, struct rsb_error *error)
{
	struct symbol wanted = { .name = (char *)name, .file = file };
	uint32_t *slot;

	wanted.hash = rsb_hash_bytes(RSB_HASH_START, name, strlen(name) + 1);
	wanted.hash = rsb_hash_bytes(wanted.hash, file, strlen(file));
	if (!grow(symbols))
		return rsb_error_set(error, "out of memory");
	slot = find_slot(symbols, &wanted);
	if (!*slot) {
		struct symbol *symbol = &symbols->symbols[symbols->count];

		if (symbols->count == SYMBOLS_MAX)
			return rsb_error_set(error, "more than %u symbols", SYMBOLS_MAX);
		if (!copy_names(symbol, name, file))
			return rsb_error_set(error, "out of memory");
		symbol->hash = wanted.hash;
		*slot = ++symbols->count;
	}
	*address = UINT64_C(1) << 56 | (uint64_t)(*slot - 1) << 32;
	return true;
}

const char *rsb_perf_symbols_name(const struct rsb_perf_symbols *symbols, uint64_t address)
{
	return symbols->symbols[(address >> 32) & (SYMBOLS_MAX - 1)].name;
}
