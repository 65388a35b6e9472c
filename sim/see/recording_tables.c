/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of a recording that its events refer to: the addresses, and what makes events. */
#include "sim/image/incident.h"
#include "sim/see/build.h"

#include <stdlib.h>
#include <string.h>

static bool fill_addresses(struct rsb_build *build)
{
	struct rsb_recording *recording = build->recording;
	const uint64_t *addresses =
		rsb_sites_addresses(build->watched.sites, &recording->address_count);

	recording->addresses = calloc(recording->address_count + 1, sizeof(*recording->addresses));
	if (!recording->addresses) {
		recording->address_count = 0;
		return false;
	}
	for (size_t i = 0; i < recording->address_count; i++) {
		char symbol[256];

		rsb_image_describe(build->image, addresses[i], symbol, sizeof(symbol));
		recording->addresses[i] =
			(struct rsb_recorded_address){ addresses[i], strdup(symbol),
						       rsb_build_line(build, addresses[i]) };
		if (!recording->addresses[i].symbol)
			return false;
	}
	return true;
}

/* Does it push its fall-through? A fill does so as often as it has entries. */
static bool pushes(const struct rsb_site *site)
{
	return site->kind == RSB_CALL || site->kind == RSB_SWAP ||
	       (site->kind == RSB_ENVIRONMENT && site->detail == RSB_ENVIRONMENT_FILL);
}

static bool fill_sites(struct rsb_build *build)
{
	struct rsb_recording *recording = build->recording;
	const struct rsb_site *sites =
		rsb_sites_array(build->watched.sites, &recording->site_count);

	recording->sites = calloc(recording->site_count + 1, sizeof(*recording->sites));
	if (!recording->sites)
		return false;
	for (size_t i = 0; i < recording->site_count; i++) {
		struct rsb_recorded_site *site = &recording->sites[i];
		bool mark = sites[i].kind == RSB_MARK;

		site->line = mark ? RSB_RECORDING_NONE : rsb_build_line(build, sites[i].pc);
		site->pushes = pushes(&sites[i]) ? sites[i].fall_through_id : RSB_RECORDING_NONE;
		site->kind = sites[i].kind;
		site->flags = sites[i].flags;
		site->mitigation = sites[i].mitigation;
		if (site->kind == RSB_ENVIRONMENT)
			rsb_act_describe(&sites[i], site->detail, sizeof(site->detail));
	}
	return true;
}

bool rsb_build_tables(struct rsb_build *build, struct rsb_error *error)
{
	return (fill_addresses(build) && fill_sites(build)) ||
	       rsb_error_set(error, "out of memory");
}
