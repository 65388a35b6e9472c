/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page tables of x86-64 in physical memory: where the kernel's half of the address space has
 * pages, and what they are (AMD64 Architecture Programmer's Manual, volume 2, 5.3; Intel SDM,
 * volume 3, 4.5). For dumps that tell frames, and no virtual addresses.
 */
#ifndef RSB_SIM_IMAGE_PAGE_TABLES_H
#define RSB_SIM_IMAGE_PAGE_TABLES_H

#include "sim/image/image.h"

struct rsb_page_tables {
	rsb_image_reader *frame; /* reads 4 KiB at a physical address; empty text: it has none */
	void *context;
	uint64_t root;    /* the physical address of the first table */
	unsigned levels;  /* 4 or 5 */
	uint64_t ignored; /* bits of an entry's address that are none: the memory encryption's */
};

/* First and last byte. */
struct rsb_page_range {
	uint64_t first, last;
};

/*
 * Lists where pages can be, in rising order; ranges that touch are one. It is exact to 2 MiB: the
 * last table is not looked at, so that it takes a thousandth of the time. The caller frees the
 * ranges. Error: a frame cannot be read, or there are more tables or ranges than a kernel has.
 */
bool rsb_page_tables_list(const struct rsb_page_tables *tables, struct rsb_page_range **ranges,
			  size_t *count, struct rsb_error *error);

/* The physical address of a page. False with an empty error text: nothing is mapped there. */
bool rsb_page_tables_find(const struct rsb_page_tables *tables, uint64_t address,
			  uint64_t *physical, struct rsb_error *error);

#endif
