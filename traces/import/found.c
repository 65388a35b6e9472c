/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interning what was found, and writing it. */
#include "traces/import/found.h"

static bool write_site(const struct rsb_import *import, const struct rsb_site *site,
		       const char *label, uint64_t target, enum rsb_verdict verdict,
		       struct rsb_error *error)
{
	uint32_t id = rsb_sites_intern(import->sites, site, label);
	uint32_t target_id = rsb_sites_address(import->sites, target);

	if (id == RSB_SITE_NONE || target_id == UINT32_MAX)
		return rsb_error_set(error, "out of memory");
	rsb_trace_write_verdict(import->writer, id, target_id, verdict);
	return true;
}

bool rsb_found_write(const struct rsb_import *import, const struct rsb_found *found,
		     const char *label, struct rsb_error *error)
{
	struct rsb_site site = {
		.pc = found->pc,
		.length = found->length,
		.kind = found->kind,
		.flags = found->flags,
	};

	if (site.kind == RSB_CALL && !(site.flags & RSB_SITE_INDIRECT) &&
	    found->target == found->pc + found->length)
		site.flags |= RSB_SITE_ZERO_CALL;
	return write_site(import, &site, label, found->target, found->verdict, error);
}

bool rsb_found_gap(const struct rsb_import *import, struct rsb_error *error)
{
	const struct rsb_site gap = { .kind = RSB_MARK, .detail = RSB_MARK_GAP };

	return write_site(import, &gap, NULL, 0, RSB_VERDICT_NONE, error);
}
