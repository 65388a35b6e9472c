/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of pages: see sim/machine/pages.h. */
#include "sim/machine/pages.h"

#include "sim/image/image.h"
#include "traces/util/hash.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 64u

void rsb_pages_release(struct rsb_pages *pages)
{
	free(pages->slots);
	*pages = (struct rsb_pages){ 0 };
}

void rsb_pages_clear(struct rsb_pages *pages)
{
	if (pages->count)
		memset(pages->slots, 0, pages->size * sizeof(*pages->slots));
	pages->count = 0;
	pages->last = pages->digest = 0;
}

/* The slot of a value, or the free one where it would be entered. */
static uint64_t *find(const struct rsb_pages *pages, uint64_t value)
{
	size_t slot = rsb_hash_mix(value) & (pages->size - 1);

	while (pages->slots[slot] && pages->slots[slot] != value)
		slot = (slot + 1) & (pages->size - 1);
	return &pages->slots[slot];
}

static bool grow(struct rsb_pages *pages)
{
	struct rsb_pages more = { .size = pages->size ? 2 * pages->size : FIRST_SIZE };

	more.slots = calloc(more.size, sizeof(*more.slots));
	if (!more.slots)
		return false;
	for (size_t i = 0; i < pages->size; i++)
		if (pages->slots[i])
			*find(&more, pages->slots[i]) = pages->slots[i];
	free(pages->slots);
	pages->slots = more.slots;
	pages->size = more.size;
	return true;
}

bool rsb_pages_add(struct rsb_pages *pages, uint64_t address, bool *added)
{
	uint64_t value = address / RSB_PAGE + 1, *slot;

	*added = false;
	if (value == pages->last)
		return true;
	if (2 * pages->count >= pages->size && !grow(pages))
		return false;
	pages->last = value;
	slot = find(pages, value);
	if (*slot)
		return true;
	*slot = value;
	pages->count++;
	pages->digest += rsb_hash_mix(value);
	*added = true;
	return true;
}
