/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ideal stack of return addresses. */
#include "sim/explain/lifo.h"

#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

/* No real stack is as deep; what lies below this many entries, no model sees any more. */
#define ENTRIES_MAX ((size_t)1 << 16)

void rsb_lifo_open(struct rsb_lifo *lifo, uint64_t depth)
{
	*lifo = (struct rsb_lifo){ .depth = depth, .clobbered_by = RSB_SITE_NONE };
}

void rsb_lifo_close(struct rsb_lifo *lifo)
{
	free(lifo->entries);
}

/* Gives up the lower half. */
static void give_up(struct rsb_lifo *lifo)
{
	size_t half = lifo->count / 2;

	memmove(lifo->entries, lifo->entries + half, (lifo->count - half) * sizeof(*lifo->entries));
	lifo->base += half;
	lifo->count -= half;
}

static bool make_room(struct rsb_lifo *lifo)
{
	if (lifo->count == ENTRIES_MAX)
		give_up(lifo);
	return RSB_GROW(lifo->entries, lifo->count);
}

/* The first call that finds it full is kept as long as anything that it met is there. */
static void crowd(struct rsb_lifo *lifo, uint64_t index, uint32_t site)
{
	if (lifo->crowded <= lifo->base) {
		lifo->crowded_by = site;
		lifo->crowded_at = index;
	}
	lifo->crowded = index + 1;
}

uint64_t rsb_lifo_push(struct rsb_lifo *lifo, uint64_t address, uint32_t site, uint64_t round,
		       uint32_t place)
{
	struct rsb_entry *overwritten;
	uint64_t index;

	if (!make_room(lifo))
		return RSB_ENTRY_NONE;
	index = lifo->base + lifo->count;
	lifo->entries[lifo->count++] = (struct rsb_entry){
		.address = address,
		.round = round,
		.place = place,
		.site = site,
		.left_origin = RSB_ORIGIN_NONE,
		.origin = RSB_ORIGIN_NONE,
		.overwritten_by = RSB_SITE_NONE,
		.crowded_by = RSB_SITE_NONE,
	};
	if (index >= lifo->depth)
		crowd(lifo, index, site);
	overwritten = index >= lifo->depth ? rsb_lifo_entry(lifo, index - lifo->depth) : NULL;
	if (overwritten && overwritten->overwritten_by == RSB_SITE_NONE) {
		overwritten->overwritten_by = site;
		overwritten->overwritten_at = index;
	}
	return index;
}

bool rsb_lifo_pop(struct rsb_lifo *lifo, struct rsb_entry *entry, uint64_t *index,
		  uint32_t *clobbered_by)
{
	if (!lifo->count)
		return false;
	*entry = lifo->entries[--lifo->count];
	*index = lifo->base + lifo->count;
	*clobbered_by = *index < lifo->clobbered ? lifo->clobbered_by : RSB_SITE_NONE;
	if (*index < lifo->clobbered)
		lifo->clobbered = *index;
	if (*index < lifo->crowded) {
		entry->crowded_by = lifo->crowded_by;
		entry->crowded_at = lifo->crowded_at;
		lifo->crowded = *index;
	}
	return true;
}

struct rsb_entry *rsb_lifo_entry(const struct rsb_lifo *lifo, uint64_t index)
{
	return index >= lifo->base && index - lifo->base < lifo->count
		       ? &lifo->entries[index - lifo->base]
		       : NULL;
}

void rsb_lifo_clobber(struct rsb_lifo *lifo, uint32_t site)
{
	lifo->clobbered = lifo->base + lifo->count;
	lifo->clobbered_by = site;
}
