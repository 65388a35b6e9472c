/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols: one array of entries and one block of names. It is sorted by address at the first
 * question after a change, because a list of 200 000 names comes in no useful order (modules), and
 * a name is looked up by walking them all: that is a millisecond, an index of names costs fifty.
 */
#include "sim/image/symbols.h"

#include "traces/util/clean.h"
#include "traces/util/grow.h"
#include "traces/util/rank.h"
#include "traces/util/suggest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	uint64_t address;
	uint64_t size;
	size_t name; /* where it starts in names; ascends in the order of entering */
};

struct rsb_symbols {
	struct entry *entries;
	size_t count;
	char *names;
	size_t used, names_room;
	bool sorted;
};

struct rsb_symbols *rsb_symbols_new(void)
{
	struct rsb_symbols *symbols = calloc(1, sizeof(*symbols));

	if (symbols)
		symbols->sorted = true;
	return symbols;
}

void rsb_symbols_free(struct rsb_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->entries);
	free(symbols->names);
	free(symbols);
}

static bool reserve(struct rsb_symbols *symbols, size_t length)
{
	if (!RSB_GROW(symbols->entries, symbols->count))
		return false;
	if (symbols->names_room - symbols->used <= length) {
		size_t room = symbols->names_room * 2 + length + 1024;
		char *names = realloc(symbols->names, room);

		if (!names)
			return false;
		symbols->names = names;
		symbols->names_room = room;
	}
	return true;
}

bool rsb_symbols_add(struct rsb_symbols *symbols, const char *name, size_t length, uint64_t address,
		     uint64_t size)
{
	if (!reserve(symbols, length))
		return false;
	if (symbols->count && symbols->entries[symbols->count - 1].address > address)
		symbols->sorted = false;
	symbols->entries[symbols->count++] = (struct entry){ address, size, symbols->used };
	memcpy(symbols->names + symbols->used, name, length);
	symbols->names[symbols->used + length] = '\0';
	rsb_clean(symbols->names + symbols->used);
	symbols->used += length + 1;
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void sort(struct rsb_symbols *symbols)
{
	if (!symbols->sorted)
		qsort(symbols->entries, symbols->count, sizeof(*symbols->entries), compare);
	symbols->sorted = true;
}

static bool refuse_absent(const struct rsb_symbols *symbols, const char *name,
			  struct rsb_error *error)
{
	const char **known = calloc(symbols->count + 1, sizeof(*known));
	char near[256] = "";

	if (!known)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < symbols->count; i++)
		known[i] = symbols->names + symbols->entries[i].name;
	rsb_suggest(name, known, near, sizeof(near));
	free(known);
	if (!near[0])
		return rsb_error_set(error, "there is no symbol '%s'", name);
	return rsb_error_set(error, "there is no symbol '%s'; the nearest: %s", name, near);
}

bool rsb_symbols_find(const struct rsb_symbols *symbols, const char *name, uint64_t *address,
		      struct rsb_error *error)
{
	size_t length = strlen(name);
	bool found = false;

	for (size_t i = 0; i < symbols->count; i++) {
		const struct entry *entry = &symbols->entries[i];

		/* names has a NUL behind each, and the last ends it: no read past the block. */
		if (symbols->used - entry->name <= length ||
		    memcmp(symbols->names + entry->name, name, length + 1) != 0)
			continue;
		if (found && entry->address != *address)
			return rsb_error_set(error,
					     "symbol '%s' is ambiguous: it is at 0x%" PRIx64
					     " and at 0x%" PRIx64 "; give the address",
					     name, *address, entry->address);
		*address = entry->address;
		found = true;
	}
	return found || refuse_absent(symbols, name, error);
}

/* The number of entries at or before address. */
static size_t rank(const struct rsb_symbols *symbols, uint64_t address)
{
	return RSB_RANK_UP_TO(symbols->entries, symbols->count, address, address);
}

static uint64_t end_of(const struct rsb_symbols *symbols, const struct entry *entry, size_t next)
{
	uint64_t reach = entry->size ? entry->size : RSB_SYMBOL_REACH;

	if (next < symbols->count && symbols->entries[next].address - entry->address < reach)
		return symbols->entries[next].address;
	return entry->address + reach < entry->address ? UINT64_MAX : entry->address + reach;
}

const char *rsb_symbols_at(struct rsb_symbols *symbols, uint64_t address, uint64_t *start,
			   uint64_t *end)
{
	const struct entry *entry;
	size_t next, first;

	sort(symbols);
	next = rank(symbols, address);
	if (!next)
		return NULL;
	entry = &symbols->entries[next - 1];
	first = entry->address ? rank(symbols, entry->address - 1) : 0;
	entry = &symbols->entries[first];
	*start = entry->address;
	*end = end_of(symbols, entry, next);
	return address < *end ? symbols->names + entry->name : NULL;
}

bool rsb_symbols_next(struct rsb_symbols *symbols, size_t *index, const char **name,
		      uint64_t *address)
{
	sort(symbols);
	if (*index >= symbols->count)
		return false;
	*name = symbols->names + symbols->entries[*index].name;
	*address = symbols->entries[*index].address;
	(*index)++;
	return true;
}
