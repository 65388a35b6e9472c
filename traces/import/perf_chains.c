/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open-addressing hash table of addresses. */
#include "traces/import/perf_chains.h"

#include <stdlib.h>

#define ADDRESSES_MAX (1u << 20) /* later ones are not kept: only some branches stay unclassified */

struct rsb_perf_chains {
	uint64_t *slots; /* 0: free */
	size_t count, slot_count;
	uint64_t first; /* of the sample's callchain, which is where it was; 0: none yet */
};

struct rsb_perf_chains *rsb_perf_chains_new(void)
{
	return calloc(1, sizeof(struct rsb_perf_chains));
}

void rsb_perf_chains_free(struct rsb_perf_chains *chains)
{
	if (chains)
		free(chains->slots);
	free(chains);
}

/* The slot of that address, or the free one where it belongs. */
static uint64_t *find_slot(const struct rsb_perf_chains *chains, uint64_t address)
{
	size_t at = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (;; at++) {
		uint64_t *slot = &chains->slots[at & (chains->slot_count - 1)];

		if (!*slot || *slot == address)
			return slot;
	}
}

static bool grow(struct rsb_perf_chains *chains)
{
	const struct rsb_perf_chains old = *chains;
	size_t larger = old.slot_count ? 2 * old.slot_count : 128;

	if (2 * (old.count + 1) <= old.slot_count)
		return true;
	chains->slots = calloc(larger, sizeof(*chains->slots));
	if (!chains->slots) {
		*chains = old;
		return false;
	}
	chains->slot_count = larger;
	for (size_t i = 0; i < old.slot_count; i++)
		if (old.slots[i])
			*find_slot(chains, old.slots[i]) = old.slots[i];
	free(old.slots);
	return true;
}

bool rsb_perf_chains_add(struct rsb_perf_chains *chains, uint64_t address)
{
	uint64_t *slot;

	/* The first again is a function that was inlined. */
	if (!chains->first || address == chains->first || chains->count == ADDRESSES_MAX) {
		if (!chains->first)
			chains->first = address;
		return true;
	}
	if (!grow(chains))
		return false;
	slot = find_slot(chains, address);
	chains->count += !*slot;
	*slot = address;
	return true;
}

void rsb_perf_chains_end(struct rsb_perf_chains *chains)
{
	chains->first = 0;
}

bool rsb_perf_chains_hold(const struct rsb_perf_chains *chains, uint64_t address)
{
	return chains->slot_count && address && *find_slot(chains, address) == address;
}
