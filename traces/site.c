/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The site table: two growing arrays, of sites and of addresses, each with an index that finds the
 * id of an entry. An index is an open-addressing hash table of ids and their hashes; the entries
 * stay in their arrays, so that ids are dense and never move.
 */
#include "traces/site.h"

#include "traces/util/clean.h"
#include "traces/util/grow.h"
#include "traces/util/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NO_ID          UINT32_MAX
#define SITES_MAX      (UINT32_C(1) << 31)
#define ADDRESSES_MAX  NO_ID
#define FIRST_CAPACITY 128 /* of an index */

struct slot {
	uint32_t id; /* or NO_ID */
	uint32_t hash;
};

struct index {
	struct slot *slots;
	size_t capacity; /* 0, or a power of two: at least twice the number of ids */
};

struct rsb_sites {
	struct rsb_site *sites;
	char **labels; /* of the sites; NULL where there is none */
	size_t site_count;
	struct index site_index;
	uint64_t *addresses;
	size_t address_count;
	struct index address_index;
};

static uint32_t hash_address(uint64_t address)
{
	return (uint32_t)rsb_hash_mix(address);
}

static uint32_t hash_site(const struct rsb_site *site)
{
	uint64_t rest = (uint64_t)site->kind | (uint64_t)site->length << 8 |
			(uint64_t)site->detail << 16 | (uint64_t)site->mitigation << 24 |
			(uint64_t)site->flags << 32;

	return (uint32_t)rsb_hash_mix(rsb_hash_mix(rsb_hash_mix(site->pc) + rest) + site->count);
}

static bool same_site(const struct rsb_site *a, const struct rsb_site *b)
{
	return a->pc == b->pc && a->kind == b->kind && a->length == b->length &&
	       a->detail == b->detail && a->mitigation == b->mitigation && a->flags == b->flags &&
	       a->count == b->count;
}

/*
 * Walks over the ids that may have this hash: *at is the hash to begin with, and is kept for the
 * next call. NO_ID: that was all.
 */
static uint32_t next_id(const struct index *index, uint32_t hash, size_t *at)
{
	const struct slot *slot;

	if (index->capacity == 0)
		return NO_ID;
	do {
		slot = &index->slots[(*at)++ & (index->capacity - 1)];
	} while (slot->id != NO_ID && slot->hash != hash);
	return slot->id;
}

/* There is a free slot, for grow_index() was called. */
static void enter(struct index *index, uint32_t hash, uint32_t id)
{
	size_t at = hash;

	while (index->slots[at & (index->capacity - 1)].id != NO_ID)
		at++;
	index->slots[at & (index->capacity - 1)] = (struct slot){ id, hash };
}

/* Makes room for one more than count ids. */
static bool grow_index(struct index *index, size_t count)
{
	struct index larger;
	size_t at;

	if (2 * (count + 1) <= index->capacity)
		return true;
	larger.capacity = index->capacity ? 2 * index->capacity : FIRST_CAPACITY;
	larger.slots = malloc(larger.capacity * sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (at = 0; at < larger.capacity; at++)
		larger.slots[at].id = NO_ID;
	for (at = 0; at < index->capacity; at++) {
		if (index->slots[at].id != NO_ID)
			enter(&larger, index->slots[at].hash, index->slots[at].id);
	}
	free(index->slots);
	*index = larger;
	return true;
}

static bool grow_sites(struct rsb_sites *sites)
{
	return RSB_GROW(sites->sites, sites->site_count) &&
	       RSB_GROW(sites->labels, sites->site_count) &&
	       grow_index(&sites->site_index, sites->site_count);
}

static bool grow_addresses(struct rsb_sites *sites)
{
	return RSB_GROW(sites->addresses, sites->address_count) &&
	       grow_index(&sites->address_index, sites->address_count);
}

static uint32_t find_site(const struct rsb_sites *sites, const struct rsb_site *site, uint32_t hash)
{
	size_t at = hash;
	uint32_t id;

	do {
		id = next_id(&sites->site_index, hash, &at);
	} while (id != NO_ID && !same_site(&sites->sites[id], site));
	return id;
}

static uint32_t find_address(const struct rsb_sites *sites, uint64_t address, uint32_t hash)
{
	size_t at = hash;
	uint32_t id;

	do {
		id = next_id(&sites->address_index, hash, &at);
	} while (id != NO_ID && sites->addresses[id] != address);
	return id;
}

struct rsb_sites *rsb_sites_new(void)
{
	return calloc(1, sizeof(struct rsb_sites));
}

void rsb_sites_free(struct rsb_sites *sites)
{
	size_t id;

	if (!sites)
		return;
	for (id = 0; id < sites->site_count; id++)
		free(sites->labels[id]);
	free(sites->labels);
	free(sites->sites);
	free(sites->site_index.slots);
	free(sites->addresses);
	free(sites->address_index.slots);
	free(sites);
}

uint32_t rsb_sites_intern(struct rsb_sites *sites, const struct rsb_site *site, const char *label)
{
	uint32_t hash = hash_site(site);
	uint32_t id = find_site(sites, site, hash);
	struct rsb_site entry = *site;
	char *copy = NULL;

	if (id != NO_ID)
		return id;
	if (sites->site_count == SITES_MAX || !grow_sites(sites))
		return RSB_SITE_NONE;
	entry.fall_through = entry.pc + entry.length;
	entry.fall_through_id = rsb_sites_address(sites, entry.fall_through);
	if (entry.fall_through_id == NO_ID)
		return RSB_SITE_NONE;
	if (label) {
		copy = rsb_clean(strdup(label));
		if (!copy)
			return RSB_SITE_NONE;
	}
	id = (uint32_t)sites->site_count++;
	sites->sites[id] = entry;
	sites->labels[id] = copy;
	enter(&sites->site_index, hash, id);
	return id;
}

uint32_t rsb_sites_address(struct rsb_sites *sites, uint64_t address)
{
	uint32_t hash = hash_address(address);
	uint32_t id = find_address(sites, address, hash);

	if (id != NO_ID)
		return id;
	if (sites->address_count == ADDRESSES_MAX || !grow_addresses(sites))
		return NO_ID;
	id = (uint32_t)sites->address_count++;
	sites->addresses[id] = address;
	enter(&sites->address_index, hash, id);
	return id;
}

const struct rsb_site *rsb_sites_array(const struct rsb_sites *sites, size_t *count)
{
	*count = sites->site_count;
	return sites->sites;
}

const uint64_t *rsb_sites_addresses(const struct rsb_sites *sites, size_t *count)
{
	*count = sites->address_count;
	return sites->addresses;
}

const char *rsb_site_label(const struct rsb_sites *sites, uint32_t site)
{
	if (site >= sites->site_count || !sites->labels[site])
		return "";
	return sites->labels[site];
}
