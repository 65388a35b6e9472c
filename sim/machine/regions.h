/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regions: where a program that runs has changed what memory there is, by mapping, unmapping and
 * protecting. Elsewhere it is as the image has it.
 */
#ifndef RSB_SIM_MACHINE_REGIONS_H
#define RSB_SIM_MACHINE_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RSB_REGIONS_MAX 1024

enum rsb_region_kind {
	RSB_REGION_IMAGE, /* the image's bytes, if it has some; with other permissions */
	RSB_REGION_ZERO,  /* zeros */
	RSB_REGION_NONE,  /* nothing is there */
};

struct rsb_region {
	uint64_t first, end; /* multiples of a page; the end is not in it */
	enum rsb_region_kind kind;
	unsigned access;
};

struct rsb_regions {
	struct rsb_region all[RSB_REGIONS_MAX]; /* by address; they do not overlap */
	size_t count;
};

/* The region of an address. NULL: none. */
const struct rsb_region *rsb_regions_find(const struct rsb_regions *regions, uint64_t address);

/* Sets what is in a range. False: there are too many regions, and nothing was changed. */
bool rsb_regions_set(struct rsb_regions *regions, const struct rsb_region *region);

/* Sets what the memory in a range may be used for, and leaves what is there. False as above. */
bool rsb_regions_protect(struct rsb_regions *regions, uint64_t first, uint64_t end,
			 unsigned access);

/* The first size bytes from low up to high in which no region has anything. False: there are
 * none. */
bool rsb_regions_gap(const struct rsb_regions *regions, uint64_t low, uint64_t high, uint64_t size,
		     uint64_t *found);

#endif
