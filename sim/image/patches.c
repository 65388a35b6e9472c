/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patched pages: a sorted array of pointers, because there are few and each is large. */
#include "sim/image/patches.h"

#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

void rsb_patches_release(struct rsb_patches *patches)
{
	for (size_t i = 0; i < patches->count; i++)
		free(patches->array[i]);
	free(patches->array);
}

/* The number of patches before a page. */
static size_t rank(const struct rsb_patches *patches, uint64_t address)
{
	size_t low = 0, high = patches->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (patches->array[middle]->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct rsb_patch *rsb_patches_find(const struct rsb_patches *patches, uint64_t address)
{
	size_t at = rank(patches, address);

	if (at == patches->count || patches->array[at]->address != address)
		return NULL;
	return patches->array[at];
}

bool rsb_patches_add(struct rsb_patches *patches, uint64_t address, const uint8_t page[RSB_PAGE])
{
	size_t at = rank(patches, address);
	struct rsb_patch *patch;

	if (!RSB_GROW(patches->array, patches->count))
		return false;
	patch = malloc(sizeof(*patch));
	if (!patch)
		return false;
	patch->address = address;
	patch->access = 0;
	memcpy(patch->page, page, RSB_PAGE);
	memmove(&patches->array[at + 1], &patches->array[at],
		(patches->count - at) * sizeof(struct rsb_patch *));
	patches->array[at] = patch;
	patches->count++;
	return true;
}
