/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The regions of a program's memory. */
#include "sim/machine/regions.h"

#include "traces/util/rank.h"

#include <string.h>

/* The first region that ends behind address. */
static size_t rank(const struct rsb_regions *regions, uint64_t address)
{
	return RSB_RANK_UP_TO(regions->all, regions->count, end, address);
}

const struct rsb_region *rsb_regions_find(const struct rsb_regions *regions, uint64_t address)
{
	size_t at = rank(regions, address);

	return at < regions->count && regions->all[at].first <= address ? &regions->all[at] : NULL;
}

static void insert(struct rsb_regions *regions, size_t at, struct rsb_region region)
{
	memmove(&regions->all[at + 1], &regions->all[at],
		(regions->count - at) * sizeof(*regions->all));
	regions->all[at] = region;
	regions->count++;
}

/* Makes address a border: of the region that it is in, two. There is room. */
static void cut(struct rsb_regions *regions, uint64_t address)
{
	size_t at = rank(regions, address);
	struct rsb_region low;

	if (at == regions->count || regions->all[at].first >= address)
		return;
	low = regions->all[at];
	low.end = address;
	regions->all[at].first = address;
	insert(regions, at, low);
}

static bool alike(const struct rsb_region *a, const struct rsb_region *b)
{
	return a->end == b->first && a->kind == b->kind && a->access == b->access;
}

/* Puts neighbours together that are alike. */
static void merge(struct rsb_regions *regions)
{
	size_t kept = 0;

	for (size_t i = 0; i < regions->count; i++) {
		if (kept && alike(&regions->all[kept - 1], &regions->all[i]))
			regions->all[kept - 1].end = regions->all[i].end;
		else
			regions->all[kept++] = regions->all[i];
	}
	regions->count = kept;
}

static bool has_room(const struct rsb_regions *regions, size_t more)
{
	return regions->count + more <= RSB_REGIONS_MAX;
}

bool rsb_regions_set(struct rsb_regions *regions, const struct rsb_region *region)
{
	size_t from, end;

	if (!has_room(regions, 3))
		return false;
	cut(regions, region->first);
	cut(regions, region->end);
	from = rank(regions, region->first);
	for (end = from; end < regions->count && regions->all[end].first < region->end;)
		end++;
	memmove(&regions->all[from], &regions->all[end],
		(regions->count - end) * sizeof(*regions->all));
	regions->count -= end - from;
	insert(regions, from, *region);
	merge(regions);
	return true;
}

bool rsb_regions_protect(struct rsb_regions *regions, uint64_t first, uint64_t end, unsigned access)
{
	/* Between any two regions, and at both ends, may be what is the image's. */
	if (!has_room(regions, regions->count + 3))
		return false;
	cut(regions, first);
	cut(regions, end);
	for (size_t at = rank(regions, first); first < end; at++) {
		bool inside = at < regions->count && regions->all[at].first < end;
		uint64_t next = inside ? regions->all[at].first : end;

		if (first < next) {
			insert(regions, at,
			       (struct rsb_region){ first, next, RSB_REGION_IMAGE, access });
			first = next;
		} else {
			regions->all[at].access = access;
			first = regions->all[at].end;
		}
	}
	merge(regions);
	return true;
}

bool rsb_regions_gap(const struct rsb_regions *regions, uint64_t low, uint64_t high, uint64_t size,
		     uint64_t *found)
{
	for (size_t at = rank(regions, low); at < regions->count; at++) {
		const struct rsb_region *region = &regions->all[at];

		if (region->kind == RSB_REGION_NONE)
			continue;
		if (region->first >= high || (region->first > low && region->first - low >= size))
			break;
		low = region->end;
	}
	*found = low;
	return low < high && high - low >= size;
}
