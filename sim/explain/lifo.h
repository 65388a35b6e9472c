/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ideal stack of return addresses, without bounds, that a real one is compared with: each entry
 * remembers who pushed it and what became of it.
 */
#ifndef RSB_SIM_EXPLAIN_LIFO_H
#define RSB_SIM_EXPLAIN_LIFO_H

#include "sim/explain/frame.h"

/* An index of entries from the first one ever pushed. */
#define RSB_ENTRY_NONE UINT64_MAX

#define RSB_ORIGIN_NONE UINT32_MAX

struct rsb_entry {
	uint64_t address;
	uint64_t round; /* of the call that pushed it ... */
	uint32_t place; /* ... and its place there */
	uint32_t site;
	uint64_t left_by;        /* the instruction that left its frame; 0: it was not left */
	uint32_t left_origin;    /* ... for good, which is that origin's; else RSB_ORIGIN_NONE */
	uint32_t origin;         /* why it is still there though its frame is over */
	uint32_t overwritten_by; /* site of the call that took its place in a stack of the depth
				    given; RSB_SITE_NONE: none */
	uint64_t overwritten_at; /* the index of that call's entry */
	uint32_t crowded_by; /* of one that was popped: site of the call that had no room in such
				    a stack while this was on it, or was this; RSB_SITE_NONE: none */
	uint64_t crowded_at; /* the index of that call's entry */
};

struct rsb_lifo {
	struct rsb_entry *entries;
	size_t count;
	uint64_t base;  /* index of entries[0]: older ones were given up */
	uint64_t depth; /* of the real stack; SIZE_MAX: it has no bounds */

	/* Entries below this index were there when this site changed the stack. */
	uint64_t clobbered;
	uint32_t clobbered_by;

	/* ... and up to this index, when this call found the real stack full. */
	uint64_t crowded;
	uint32_t crowded_by;
	uint64_t crowded_at;
};

void rsb_lifo_open(struct rsb_lifo *lifo, uint64_t depth);
void rsb_lifo_close(struct rsb_lifo *lifo);

/* Pushes what a call pushes; its index. RSB_ENTRY_NONE: no memory. */
uint64_t rsb_lifo_push(struct rsb_lifo *lifo, uint64_t address, uint32_t site, uint64_t round,
		       uint32_t place);

/*
 * Pops. False: there is nothing. clobbered_by is the site that changed the stack since the entry
 * was pushed, or RSB_SITE_NONE.
 */
bool rsb_lifo_pop(struct rsb_lifo *lifo, struct rsb_entry *entry, uint64_t *index,
		  uint32_t *clobbered_by);

/* The entry of an index. NULL: it was popped or given up. */
struct rsb_entry *rsb_lifo_entry(const struct rsb_lifo *lifo, uint64_t index);

/* Something outside the code, at that site, changed the real stack. */
void rsb_lifo_clobber(struct rsb_lifo *lifo, uint32_t site);

#endif
