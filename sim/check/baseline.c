/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Baselines: read, and compared with a check. */
#include "sim/check/baseline.h"

#include "sim/check/baseline_entry.h"
#include "traces/util/clean.h"
#include "traces/util/grow.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS "cause|count|cpu|expires|fingerprint|layout|model|profile|reason|rule|symbol"

/* Of the Gregorian calendar, which dates of ISO 8601 are of. */
static bool is_day(int year, int month, int day)
{
	static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] &&
	       (month != 2 || day < 29 || leap);
}

bool rsb_baseline_date(const char *text)
{
	static const char shape[] = "0000-00-00";
	size_t i = 0;

	for (; shape[i]; i++)
		if (shape[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i])
			return false;
	return !text[i] && is_day(atoi(text), atoi(text + 5), atoi(text + 8));
}

static bool is_fingerprint(const char *text)
{
	return strspn(text, "0123456789abcdef") == 16 && !text[16];
}

const struct rsb_baseline_entry *rsb_baseline_find(const struct rsb_baseline *baseline,
						   const char *fingerprint)
{
	for (size_t i = 0; i < baseline->count; i++)
		if (!strcmp(baseline->entries[i].fingerprint, fingerprint))
			return &baseline->entries[i];
	return NULL;
}

static bool check_entry(const struct rsb_baseline *baseline, const cJSON *item,
			const struct rsb_baseline_entry *entry, struct rsb_error *error)
{
	const struct rsb_json *json = baseline->json;

	if (!is_fingerprint(entry->fingerprint))
		return rsb_json_error(json, item, error,
				      "\"fingerprint\": expected 16 hexadecimal digits, found '%s'",
				      entry->fingerprint);
	if (rsb_baseline_find(baseline, entry->fingerprint))
		return rsb_json_error(json, item, error,
				      "\"fingerprint\": expected each once, found %s again",
				      entry->fingerprint);
	if (*entry->expires && !rsb_baseline_date(entry->expires))
		return rsb_json_error(json, item, error,
				      "\"expires\": expected a date as 2027-01-31, found '%s'",
				      entry->expires);
	return true;
}

static bool read_entry(struct rsb_baseline *baseline, const cJSON *item, struct rsb_error *error)
{
	const struct rsb_json *json = baseline->json;
	struct rsb_baseline_entry entry = { "", "", "", "", "", "", "", "", "", "", 1 };
	int64_t count = 1;

	if (!cJSON_IsObject(item))
		return rsb_json_mismatch(json, item, "an object", error);
	if (!rsb_json_keys(json, item, KEYS, error) ||
	    !rsb_json_text(json, item, "cause", &entry.cause, error) ||
	    !rsb_json_text(json, item, "cpu", &entry.cpu, error) ||
	    !rsb_json_text(json, item, "expires", &entry.expires, error) ||
	    !rsb_json_text(json, item, "fingerprint", &entry.fingerprint, error) ||
	    !rsb_json_text(json, item, "layout", &entry.layout, error) ||
	    !rsb_json_text(json, item, "model", &entry.model, error) ||
	    !rsb_json_text(json, item, "profile", &entry.profile, error) ||
	    !rsb_json_text(json, item, "reason", &entry.reason, error) ||
	    !rsb_json_text(json, item, "rule", &entry.rule, error) ||
	    !rsb_json_text(json, item, "symbol", &entry.symbol, error) ||
	    !rsb_json_integer(json, item, "count", 1, INT32_MAX, &count, error) ||
	    !check_entry(baseline, item, &entry, error))
		return false;
	entry.count = (uint64_t)count;
	baseline->entries[baseline->count++] = entry;
	return true;
}

static bool read_entries(struct rsb_baseline *baseline, struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(baseline->json), *array, *item;
	int64_t schema = 0;
	const char *tool;

	if (!rsb_json_keys(baseline->json, root, "entries|schema|tool", error) ||
	    !rsb_json_integer(baseline->json, root, "schema", 1, 1, &schema, error) ||
	    !rsb_json_text(baseline->json, root, "tool", &tool, error))
		return false;
	array = cJSON_GetObjectItemCaseSensitive(root, "entries");
	if (!cJSON_IsArray(array))
		return rsb_json_mismatch(baseline->json, array ? array : root,
					 "\"entries\", an array", error);
	baseline->entries =
		calloc((size_t)cJSON_GetArraySize(array) + 1, sizeof(*baseline->entries));
	if (!baseline->entries)
		return rsb_error_set(error, "out of memory");
	cJSON_ArrayForEach(item, array) if (!read_entry(baseline, item, error)) return false;
	return true;
}

struct rsb_baseline *rsb_baseline_new(void)
{
	return calloc(1, sizeof(struct rsb_baseline));
}

void rsb_baseline_free(struct rsb_baseline *baseline)
{
	if (!baseline)
		return;
	rsb_json_free(baseline->json);
	free(baseline->entries);
	free(baseline);
}

struct rsb_baseline *rsb_baseline_load(const char *path, struct rsb_error *error)
{
	struct rsb_baseline *baseline = rsb_baseline_new();

	if (!baseline)
		return rsb_error_null(error, "out of memory");
	baseline->json = rsb_json_load(path, error);
	if (baseline->json && read_entries(baseline, error))
		return baseline;
	rsb_baseline_free(baseline);
	return NULL;
}

static bool give_reason(struct rsb_check_result *result, const char *prefix, const char *text,
			struct rsb_error *error)
{
	size_t size = strlen(prefix) + strlen(text) + 1;

	if (!*text)
		return true;
	free(result->reason);
	result->reason = malloc(size);
	if (!result->reason)
		return rsb_error_set(error, "out of memory");
	snprintf(result->reason, size, "%s%s", prefix, text);
	rsb_clean(result->reason);
	return true;
}

/* seen: results with that fingerprint, this one included. */
static bool compare_result(struct rsb_check_result *result, const struct rsb_check_case *one,
			   const struct rsb_baseline_entry *entry, uint64_t seen, const char *today,
			   struct rsb_error *error)
{
	if (*entry->expires && strcmp(entry->expires, today) < 0) {
		result->expired = true;
		return give_reason(result, "the baseline accepted it until ", entry->expires,
				   error);
	}
	if (strcmp(entry->profile, one->version) != 0)
		result->standing = RSB_STANDING_PROFILE_CHANGED;
	else if (seen > entry->count)
		return give_reason(result, "", "the baseline has fewer of these", error);
	else
		result->standing = RSB_STANDING_UNCHANGED;
	return give_reason(result, "", entry->reason, error);
}

static bool compare_case(const struct rsb_baseline *baseline, struct rsb_check_case *one,
			 uint64_t *seen, const char *today, struct rsb_error *error)
{
	for (size_t i = 0; i < one->count; i++) {
		struct rsb_check_result *result = &one->results[i];
		const struct rsb_baseline_entry *entry =
			rsb_baseline_find(baseline, result->fingerprint);

		if (!entry || result->standing == RSB_STANDING_EXPECTED)
			continue;
		if (!compare_result(result, one, entry, ++seen[entry - baseline->entries], today,
				    error))
			return false;
	}
	return true;
}

bool rsb_baseline_covers(const struct rsb_check *check, const struct rsb_baseline_entry *entry)
{
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		if (!one->trouble && one->cpu && !strcmp(one->layout, entry->layout) &&
		    !strcmp(one->cpu, entry->cpu))
			return true;
	}
	return false;
}

static bool add_absent(struct rsb_check *check, const struct rsb_baseline_entry *entry,
		       uint64_t seen)
{
	struct rsb_check_absent absent = { .count = entry->count - seen };

	if (!RSB_GROW(check->absents, check->absent_count))
		return false;
	absent.rule = rsb_clean(strdup(entry->rule));
	snprintf(absent.fingerprint, sizeof(absent.fingerprint), "%s", entry->fingerprint);
	absent.layout = rsb_clean(strdup(entry->layout));
	absent.cpu = rsb_clean(strdup(entry->cpu));
	absent.subject = rsb_clean(strdup(entry->symbol));
	check->absents[check->absent_count++] = absent;
	return absent.rule && absent.layout && absent.cpu && absent.subject;
}

static bool list_absent(const struct rsb_baseline *baseline, struct rsb_check *check,
			const uint64_t *seen)
{
	for (size_t i = 0; i < baseline->count; i++) {
		const struct rsb_baseline_entry *entry = &baseline->entries[i];

		if (seen[i] < entry->count && rsb_baseline_covers(check, entry) &&
		    !add_absent(check, entry, seen[i]))
			return false;
	}
	return true;
}

bool rsb_baseline_compare(const struct rsb_baseline *baseline, struct rsb_check *check,
			  const char *today, struct rsb_error *error)
{
	uint64_t *seen = calloc(baseline->count + 1, sizeof(*seen));
	bool good = seen || rsb_error_set(error, "out of memory");

	check->baselined = true;
	for (size_t i = 0; good && i < check->count; i++)
		good = compare_case(baseline, &check->cases[i], seen, today, error);
	if (good && !list_absent(baseline, check, seen))
		good = rsb_error_set(error, "out of memory");
	free(seen);
	return good;
}
