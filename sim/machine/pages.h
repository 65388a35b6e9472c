/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of pages: those that were touched since the TLB was flushed. Each costs a refill, whatever
 * is touched in it and how often.
 */
#ifndef RSB_SIM_MACHINE_PAGES_H
#define RSB_SIM_MACHINE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is an empty set. */
struct rsb_pages {
	uint64_t *slots; /* numbers of pages, and one more, by open addressing; 0: free */
	size_t size;     /* a power of two, or 0 */
	size_t count;
	uint64_t last;   /* the slot's value that was asked for last; 0: none */
	uint64_t digest; /* of all of them, in whatever order they came */
};

void rsb_pages_release(struct rsb_pages *pages);
void rsb_pages_clear(struct rsb_pages *pages);

/* Enters the page at address. False: no memory. *added: it was not there. */
bool rsb_pages_add(struct rsb_pages *pages, uint64_t address, bool *added);

#endif
