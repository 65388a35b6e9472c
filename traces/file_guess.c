/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Room for the guesses of a trace file. */
#include "traces/file_guess.h"

#include <stdlib.h>

void rsb_guess_clear(struct rsb_guess *guess)
{
	free(guess->sites);
	free(guess->followers);
	*guess = (struct rsb_guess){ .last = RSB_GUESS_NONE };
}

/* Makes room in an array that is a pointer to items of that size. */
static void *grow(void *array, size_t *room, size_t count, size_t size)
{
	size_t more = *room ? *room : 256;
	void *larger;

	if (count <= *room)
		return array;
	while (more < count)
		more *= 2;
	larger = realloc(array, more * size);
	if (larger)
		*room = more;
	return larger;
}

static bool grow_sites(struct rsb_guess *guess, const struct rsb_sites *sites)
{
	size_t count;
	const struct rsb_site *rows = rsb_sites_array(sites, &count);
	struct rsb_guess_site *larger =
		grow(guess->sites, &guess->site_room, count, sizeof(*larger));

	if (!larger && count)
		return false;
	guess->sites = larger;
	for (; guess->site_count < count; guess->site_count++) {
		const struct rsb_site *row = &rows[guess->site_count];

		larger[guess->site_count] = (struct rsb_guess_site){
			.usual = RSB_GUESS_NONE,
			.fall_through = row->fall_through_id,
			.pushes = row->kind == RSB_CALL || row->kind == RSB_SWAP,
			.pops = row->kind == RSB_RETURN || row->kind == RSB_SWAP,
		};
	}
	return true;
}

bool rsb_guess_grow(struct rsb_guess *guess, const struct rsb_sites *sites)
{
	uint32_t *larger;
	size_t count;

	rsb_sites_addresses(sites, &count);
	larger = grow(guess->followers, &guess->address_room, count, sizeof(*larger));
	if (!larger && count)
		return false;
	guess->followers = larger;
	for (; guess->address_count < count; guess->address_count++)
		larger[guess->address_count] = RSB_GUESS_NONE;
	return grow_sites(guess, sites);
}
