/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums of events and of what their ids stand for. */
#include "sim/sweep/checksum.h"

uint64_t rsb_checksum_text(uint64_t checksum, const char *text)
{
	for (; *text; text++)
		checksum = rsb_checksum_word(checksum, (unsigned char)*text);
	return rsb_checksum_word(checksum, 0);
}

uint64_t rsb_checksum_events(uint64_t checksum, const struct rsb_event *events, size_t count)
{
	for (size_t i = 0; i < count; i++)
		checksum = rsb_checksum_word(checksum,
					     (uint64_t)events[i].site << 32 | events[i].target);
	return checksum;
}

static uint64_t add_site(uint64_t checksum, const struct rsb_site *site)
{
	checksum = rsb_checksum_word(checksum, site->pc);
	checksum = rsb_checksum_word(checksum, site->fall_through);
	checksum = rsb_checksum_word(checksum, site->count);
	return rsb_checksum_word(checksum, (uint64_t)site->kind << 24 |
						   (uint64_t)site->detail << 16 |
						   (uint64_t)site->mitigation << 8 | site->flags);
}

uint64_t rsb_checksum_sites(uint64_t checksum, const struct rsb_sites *sites)
{
	size_t count;
	const struct rsb_site *all = rsb_sites_array(sites, &count);
	const uint64_t *addresses;

	for (size_t i = 0; i < count; i++)
		checksum = add_site(checksum, &all[i]);
	addresses = rsb_sites_addresses(sites, &count);
	for (size_t i = 0; i < count; i++)
		checksum = rsb_checksum_word(checksum, addresses[i]);
	return checksum;
}
