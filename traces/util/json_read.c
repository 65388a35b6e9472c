/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Typed access to the keys of an object. */
#include "traces/util/json.h"

#include "traces/util/clean.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define EXACT_MAX \
	(INT64_C(1) << 53) /* up to here a double, which cJSON keeps, holds all integers */

static void describe(const cJSON *item, char *out, size_t size)
{
	if (cJSON_IsObject(item))
		snprintf(out, size, "an object");
	else if (cJSON_IsArray(item))
		snprintf(out, size, "an array");
	else if (cJSON_IsString(item))
		snprintf(out, size, "\"%.40s\"", item->valuestring);
	else if (cJSON_IsNumber(item))
		snprintf(out, size, "%.17g", item->valuedouble);
	else if (cJSON_IsBool(item))
		snprintf(out, size, "%s", cJSON_IsTrue(item) ? "true" : "false");
	else
		snprintf(out, size, "null");
}

bool rsb_json_mismatch(const struct rsb_json *json, const cJSON *item, const char *expected,
		       struct rsb_error *error)
{
	char found[64];

	describe(item, found, sizeof(found));
	if (!item->string)
		return rsb_json_error(json, item, error, "expected %s, found %s", expected, found);
	return rsb_json_error(json, item, error, "\"%s\": expected %s, found %s", item->string,
			      expected, found);
}

/* False also for a number that only nearly is the integer that the file's writer meant. */
static bool to_integer(const cJSON *item, int64_t *out)
{
	if (!cJSON_IsNumber(item) ||
	    !(item->valuedouble >= -EXACT_MAX && item->valuedouble <= EXACT_MAX))
		return false;
	*out = (int64_t)item->valuedouble;
	return (double)*out == item->valuedouble;
}

/* "0x" and hex digits, at most 64 bits of them. */
static bool to_address(const char *text, uint64_t *out)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *digit;
	uint64_t value = 0;

	if (strncmp(text, "0x", 2) != 0 || !text[2])
		return false;
	for (text += 2; *text; text++) {
		digit = strchr(digits, *text);
		if (!digit || value >> 60)
			return false;
		value = value << 4 | (uint64_t)((digit - digits) & 0xf);
	}
	*out = value;
	return true;
}

bool rsb_json_text(const struct rsb_json *json, const cJSON *object, const char *key,
		   const char **out, struct rsb_error *error)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!item)
		return true;
	if (!cJSON_IsString(item))
		return rsb_json_mismatch(json, item, "a text in double quotes", error);
	*out = item->valuestring;
	return true;
}

bool rsb_json_label(const struct rsb_json *json, const cJSON *object, const char *key,
		    const char **out, struct rsb_error *error)
{
	if (!rsb_json_text(json, object, key, out, error))
		return false;
	rsb_clean(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key)));
	return true;
}

bool rsb_json_integer(const struct rsb_json *json, const cJSON *object, const char *key,
		      int64_t minimum, int64_t maximum, int64_t *out, struct rsb_error *error)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	char expected[96];
	int64_t value;

	if (!item)
		return true;
	if (!to_integer(item, &value) || value < minimum || value > maximum) {
		/* The message must not promise what a double cannot hold. */
		snprintf(expected, sizeof(expected), "an integer from %" PRId64 " to %" PRId64,
			 minimum < -EXACT_MAX ? -EXACT_MAX : minimum,
			 maximum > EXACT_MAX ? EXACT_MAX : maximum);
		return rsb_json_mismatch(json, item, expected, error);
	}
	*out = value;
	return true;
}

bool rsb_json_switch(const struct rsb_json *json, const cJSON *object, const char *key, bool *out,
		     struct rsb_error *error)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!item)
		return true;
	if (!cJSON_IsBool(item))
		return rsb_json_mismatch(json, item, "true or false", error);
	*out = cJSON_IsTrue(item);
	return true;
}

bool rsb_json_address(const struct rsb_json *json, const cJSON *object, const char *key,
		      uint64_t *out, struct rsb_error *error)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
	int64_t number;

	if (!item)
		return true;
	if (cJSON_IsString(item) && to_address(item->valuestring, out))
		return true;
	if (!to_integer(item, &number) || number < 0)
		return rsb_json_mismatch(json, item, "an address like \"0x401000\"", error);
	*out = (uint64_t)number;
	return true;
}
