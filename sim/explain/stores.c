/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembering stores. */
#include "sim/explain/stores.h"

#include "traces/util/grow.h"

#include <stdlib.h>

#define WORD 8u

/* Words that were stored to and are remembered, at the most. */
#define STORES_MAX ((size_t)1 << 20)

struct rsb_store {
	uint64_t pc, value, time;
};

struct rsb_stack_high {
	uint64_t rsp, time;
};

void rsb_stores_clear(struct rsb_stores *stores)
{
	rsb_words_clear(&stores->index);
	free(stores->all);
	free(stores->highs);
	*stores = (struct rsb_stores){ 0 };
}

bool rsb_stores_move(struct rsb_stores *stores, uint64_t rsp)
{
	bool rises = rsp > stores->rsp;

	stores->rsp = rsp;
	if (!rises)
		return true;
	while (stores->high_count && stores->highs[stores->high_count - 1].rsp <= rsp)
		stores->high_count--;
	if (!RSB_GROW(stores->highs, stores->high_count))
		return false;
	stores->highs[stores->high_count++] = (struct rsb_stack_high){ rsp, ++stores->time };
	return true;
}

/* Has the stack pointer been above the address since then? */
static bool was_passed(const struct rsb_stores *stores, uint64_t address, uint64_t time)
{
	size_t low = 0, high = stores->high_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stores->highs[middle].rsp > address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && stores->highs[low - 1].time > time;
}

uint64_t rsb_stores_merge(uint64_t word, uint64_t before, uint64_t address, uint32_t size,
			  uint64_t value)
{
	for (uint32_t i = 0; i < size; i++) {
		uint64_t offset = address + i - word;

		if (offset >= WORD)
			continue;
		before &= ~(UINT64_C(0xff) << 8 * offset);
		before |= (value >> 8 * i & 0xff) << 8 * offset;
	}
	return before;
}

static struct rsb_store *find_store(const struct rsb_stores *stores, uint64_t word)
{
	const uint64_t *index = rsb_words_find(&stores->index, word / WORD);

	return index ? &stores->all[*index] : NULL;
}

/* A word that was not stored to before. NULL: no memory. */
static struct rsb_store *make_store(struct rsb_stores *stores, uint64_t word)
{
	if (!RSB_GROW(stores->all, stores->count))
		return NULL;
	if (!rsb_words_set(&stores->index, word / WORD, stores->count))
		return NULL;
	stores->all[stores->count] = (struct rsb_store){ 0 };
	return &stores->all[stores->count++];
}

static bool add_word(struct rsb_stores *stores, uint64_t word, uint64_t pc, uint64_t address,
		     uint32_t size, uint64_t value)
{
	struct rsb_store *store = find_store(stores, word);
	uint64_t now = rsb_stores_merge(word, store ? store->value : 0, address, size, value);

	if (store && now == store->value && !was_passed(stores, word, store->time))
		return true;
	if (!store && stores->count == STORES_MAX)
		return true;
	if (!store)
		store = make_store(stores, word);
	if (!store)
		return false;
	*store = (struct rsb_store){ pc, now, stores->time };
	return true;
}

bool rsb_stores_add(struct rsb_stores *stores, uint64_t pc, uint64_t address, uint32_t size,
		    uint64_t value)
{
	uint64_t first = address - address % WORD;
	uint64_t last = (address + size - 1) - (address + size - 1) % WORD;

	return add_word(stores, first, pc, address, size, value) &&
	       (last == first || add_word(stores, last, pc, address, size, value));
}

uint64_t rsb_stores_find(const struct rsb_stores *stores, uint64_t address, uint64_t otherwise)
{
	const struct rsb_store *store = find_store(stores, address - address % WORD);

	return store ? store->pc : otherwise;
}
