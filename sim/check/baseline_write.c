/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a baseline: sorted, so that a change of it reads well. */
#include "sim/check/baseline.h"
#include "sim/check/baseline_entry.h"
#include "sim/report/json.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
	const struct rsb_baseline_entry *a = left, *b = right;
	int order = strcmp(a->layout, b->layout);

	if (!order)
		order = strcmp(a->cpu, b->cpu);
	if (!order)
		order = strcmp(a->rule, b->rule);
	return order ? order : strcmp(a->fingerprint, b->fingerprint);
}

static void add_result(struct rsb_baseline *made, const struct rsb_baseline *old,
		       const struct rsb_check_case *one, const struct rsb_check_result *result)
{
	const struct rsb_baseline_entry *known = rsb_baseline_find(old, result->fingerprint);
	const struct rsb_baseline_entry *twin = rsb_baseline_find(made, result->fingerprint);

	if (twin) {
		made->entries[twin - made->entries].count++;
		return;
	}
	made->entries[made->count++] = (struct rsb_baseline_entry){
		.cause = result->cause,
		.cpu = one->cpu,
		.expires = known ? known->expires : "",
		.fingerprint = result->fingerprint,
		.layout = one->layout,
		.model = one->model,
		.profile = one->version,
		.reason = known ? known->reason : "",
		.rule = result->rule->id,
		.symbol = result->subject,
		.count = 1,
	};
}

static size_t count_results(const struct rsb_check *check)
{
	size_t count = 0;

	for (size_t i = 0; i < check->count; i++)
		count += check->cases[i].count;
	return count;
}

/* Gathers what is to be written. False: no memory. */
static bool gather(struct rsb_baseline *made, const struct rsb_baseline *old,
		   const struct rsb_check *check)
{
	made->entries = calloc(old->count + count_results(check) + 1, sizeof(*made->entries));
	if (!made->entries)
		return false;
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		for (size_t k = 0; k < one->count; k++)
			if (one->results[k].level > RSB_LEVEL_NOTE &&
			    one->results[k].standing != RSB_STANDING_EXPECTED)
				add_result(made, old, one, &one->results[k]);
	}
	for (size_t i = 0; i < old->count; i++)
		if (!rsb_baseline_covers(check, &old->entries[i]))
			made->entries[made->count++] = old->entries[i];
	qsort(made->entries, made->count, sizeof(*made->entries), compare);
	return true;
}

/* Keys in the order of the alphabet; an expiry only where there is one. */
static bool add_entry(cJSON *to, const struct rsb_baseline_entry *entry)
{
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "cause", entry->cause) &&
	       rsb_add_integer(object, "count", entry->count) &&
	       rsb_add_text(object, "cpu", entry->cpu) &&
	       (!*entry->expires || rsb_add_text(object, "expires", entry->expires)) &&
	       rsb_add_text(object, "fingerprint", entry->fingerprint) &&
	       rsb_add_text(object, "layout", entry->layout) &&
	       rsb_add_text(object, "model", entry->model) &&
	       rsb_add_text(object, "profile", entry->profile) &&
	       rsb_add_text(object, "reason", entry->reason) &&
	       rsb_add_text(object, "rule", entry->rule) &&
	       rsb_add_text(object, "symbol", entry->symbol);
}

bool rsb_baseline_write(const struct rsb_baseline *old, const struct rsb_check *check, FILE *out,
			struct rsb_error *error)
{
	struct rsb_baseline made = { .json = NULL };
	cJSON *root = cJSON_CreateObject(), *array = rsb_add_array(root, "entries");
	bool good = array && gather(&made, old, check);

	for (size_t i = 0; good && i < made.count; i++)
		good = add_entry(array, &made.entries[i]);
	good = good && rsb_add_integer(root, "schema", RSB_SCHEMA) &&
	       rsb_add_text(root, "tool", "rsbsim " PACKAGE_VERSION);
	free(made.entries);
	return rsb_json_write(out, root, good, error);
}
