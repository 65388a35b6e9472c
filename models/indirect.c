/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The indirect predictor: direct-mapped, with whole tags, so that only a lack of room confuses it.
 */
#include "models/indirect.h"

#include "traces/util/hash.h"

#include <stdlib.h>
#include <string.h>

struct slot {
	uint64_t key; /* pc, or pc and path mixed */
	uint64_t target;
	bool known;
};

struct rsb_indirect {
	enum rsb_indirect_by by;
	uint32_t entries;
	uint64_t path; /* of the last 8 targets: each is shifted out by 8 more */
	struct slot slots[];
};

static size_t size_of(uint32_t entries)
{
	return sizeof(struct rsb_indirect) + entries * sizeof(struct slot);
}

struct rsb_indirect *rsb_indirect_new(enum rsb_indirect_by by, uint32_t entries)
{
	struct rsb_indirect *indirect = calloc(1, size_of(entries));

	if (!indirect)
		return NULL;
	indirect->by = by;
	indirect->entries = entries;
	return indirect;
}

void rsb_indirect_free(struct rsb_indirect *indirect)
{
	free(indirect);
}

static uint64_t key_of(const struct rsb_indirect *indirect, uint64_t pc)
{
	return indirect->by == RSB_INDIRECT_PATH ? rsb_hash_mix(pc) ^ indirect->path : pc;
}

static uint32_t index_of(const struct rsb_indirect *indirect, uint64_t key)
{
	return (uint32_t)(rsb_hash_mix(key) % indirect->entries);
}

bool rsb_indirect_predict(const struct rsb_indirect *indirect, uint64_t pc, uint64_t *target)
{
	uint64_t key = key_of(indirect, pc);
	const struct slot *slot = &indirect->slots[index_of(indirect, key)];

	*target = slot->target;
	return slot->known && slot->key == key;
}

void rsb_indirect_train(struct rsb_indirect *indirect, uint64_t pc, uint64_t target)
{
	uint64_t key = key_of(indirect, pc);

	indirect->slots[index_of(indirect, key)] = (struct slot){ key, target, true };
}

void rsb_indirect_follow(struct rsb_indirect *indirect, uint64_t target)
{
	indirect->path = indirect->path << 8 ^ rsb_hash_mix(target);
}

void rsb_indirect_clear(struct rsb_indirect *indirect)
{
	memset(indirect->slots, 0, indirect->entries * sizeof(*indirect->slots));
}

struct rsb_indirect *rsb_indirect_copy(const struct rsb_indirect *from)
{
	struct rsb_indirect *copy = malloc(size_of(from->entries));

	if (copy)
		rsb_indirect_assign(copy, from);
	return copy;
}

void rsb_indirect_assign(struct rsb_indirect *to, const struct rsb_indirect *from)
{
	memcpy(to, from, size_of(from->entries));
}

static bool same_slot(const struct slot *a, const struct slot *b)
{
	return a->known == b->known && a->key == b->key && a->target == b->target;
}

bool rsb_indirect_same(const struct rsb_indirect *a, const struct rsb_indirect *b)
{
	if (a->by == RSB_INDIRECT_PATH && a->path != b->path)
		return false;
	for (uint32_t i = 0; i < a->entries; i++)
		if (!same_slot(&a->slots[i], &b->slots[i]))
			return false;
	return true;
}
