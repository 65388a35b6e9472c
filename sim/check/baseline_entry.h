/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a baseline holds. */
#ifndef RSB_SIM_CHECK_BASELINE_ENTRY_H
#define RSB_SIM_CHECK_BASELINE_ENTRY_H

#include "sim/check/rule.h"
#include "traces/util/json.h"

/* Texts are owned by the baseline's json, or by the check that the entry was made of. */
struct rsb_baseline_entry {
	const char *cause, *cpu, *expires, *fingerprint, *layout, *model, *profile, *reason, *rule,
		*symbol;
	uint64_t count; /* results with this fingerprint */
};

struct rsb_baseline {
	struct rsb_json *json; /* NULL: an empty one */
	struct rsb_baseline_entry *entries;
	size_t count;
};

const struct rsb_baseline_entry *rsb_baseline_find(const struct rsb_baseline *baseline,
						   const char *fingerprint);

/* Was the entry's layout judged on its CPU? */
bool rsb_baseline_covers(const struct rsb_check *check, const struct rsb_baseline_entry *entry);

#endif
