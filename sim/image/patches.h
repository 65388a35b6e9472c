/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of pages that stand before their segment's: pages that were written over before anything
 * runs, and pages that are kept as they were first read.
 */
#ifndef RSB_SIM_IMAGE_PATCHES_H
#define RSB_SIM_IMAGE_PATCHES_H

#include "sim/image/image.h"

struct rsb_patch {
	uint64_t address; /* of the page */
	unsigned access;  /* what it may be used for; of kept pages alone */
	uint8_t page[RSB_PAGE];
};

/* All zeros is an empty set. */
struct rsb_patches {
	struct rsb_patch **array; /* sorted by address */
	size_t count;
};

void rsb_patches_release(struct rsb_patches *patches);

/* The patch of the page at address, or NULL. */
struct rsb_patch *rsb_patches_find(const struct rsb_patches *patches, uint64_t address);

/* Adds this page, which has none yet. False: no memory. */
bool rsb_patches_add(struct rsb_patches *patches, uint64_t address, const uint8_t page[RSB_PAGE]);

#endif
