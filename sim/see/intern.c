/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping things once. */
#include "sim/see/intern.h"

#include "traces/util/grow.h"
#include "traces/util/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where it is in the hash table, or belongs. */
static uint32_t *find(const struct rsb_intern *intern, const void *thing)
{
	uint64_t sum = rsb_hash_bytes(RSB_HASH_START, thing, intern->size);
	size_t mask = intern->index_size - 1, i = (sum ^ sum >> 32) & mask;

	while (intern->index[i] &&
	       memcmp(intern->all + (intern->index[i] - 1) * intern->size, thing, intern->size))
		i = (i + 1) & mask;
	return &intern->index[i];
}

/* Room for one more, with the table at most half full. */
static bool make_room(struct rsb_intern *intern)
{
	size_t size = intern->index_size ? 2 * intern->index_size : 128;
	uint32_t *index;

	if (!rsb_grow(&intern->all, intern->count, intern->size))
		return false;
	if (2 * (intern->count + 1) <= intern->index_size)
		return true;
	index = calloc(size, sizeof(*index));
	if (!index)
		return false;
	free(intern->index);
	intern->index = index;
	intern->index_size = size;
	for (size_t i = 0; i < intern->count; i++)
		*find(intern, intern->all + i * intern->size) = (uint32_t)i + 1;
	return true;
}

uint32_t rsb_intern(struct rsb_intern *intern, const void *thing)
{
	uint32_t *place;

	if (!make_room(intern))
		return UINT32_MAX;
	place = find(intern, thing);
	if (!*place) {
		memcpy(intern->all + intern->count * intern->size, thing, intern->size);
		*place = (uint32_t)++intern->count;
	}
	return *place - 1;
}

void rsb_intern_clear(struct rsb_intern *intern)
{
	free(intern->all);
	free(intern->index);
}
