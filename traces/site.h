/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The site table: every place that makes events, and every address they go to, interned once. Ids
 * are dense from 0 and never change, so that models and reports index plain arrays; two addresses
 * are equal exactly if their ids are.
 */
#ifndef RSB_TRACES_SITE_H
#define RSB_TRACES_SITE_H

#include "traces/event.h"
#include "traces/util/error.h"

#include <stddef.h>

struct rsb_site {
	uint64_t pc;
	uint64_t fall_through;    /* pc + length, from the decoder: what a call here pushes */
	uint32_t fall_through_id; /* the same in the address table */
	uint32_t count;           /* entries of an RSB_ENVIRONMENT_FILL; else 0 */
	uint8_t length;           /* bytes of the instruction; 0 for a mark */
	uint8_t kind;             /* enum rsb_kind */
	uint8_t detail;           /* enum rsb_mark or enum rsb_environment */
	uint8_t mitigation;       /* enum rsb_mitigation: the code that this site is part of */
	uint8_t flags;            /* RSB_SITE_... */
};

struct rsb_sites;

struct rsb_sites *rsb_sites_new(void); /* NULL: no memory */
void rsb_sites_free(struct rsb_sites *sites);

/*
 * The id of this site, which is entered if it is new; fall_through and fall_through_id are filled
 * in here. Sites are the same if pc, kind, length, detail, mitigation, flags and count are. label
 * (the symbol and offset, copied) may be NULL. RSB_SITE_NONE: no memory, or 2^31 sites.
 */
uint32_t rsb_sites_intern(struct rsb_sites *sites, const struct rsb_site *site, const char *label);

/* The id of an address, which is entered if it is new. UINT32_MAX: no memory. */
uint32_t rsb_sites_address(struct rsb_sites *sites, uint64_t address);

/* All sites as an array; valid until the next rsb_sites_intern(). Owned by the table. */
const struct rsb_site *rsb_sites_array(const struct rsb_sites *sites, size_t *count);

/* All addresses as an array; valid until the next rsb_sites_address() or rsb_sites_intern(). */
const uint64_t *rsb_sites_addresses(const struct rsb_sites *sites, size_t *count);

/* "trampoline+0x5e", or "" if the site has no label. Owned by the table. */
const char *rsb_site_label(const struct rsb_sites *sites, uint32_t site);

#endif
