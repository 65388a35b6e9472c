/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a CPU profile's file: see rsbsim-cpu(5). Single facts are read in profile_fact.c. */
#include "models/profile_read.h"

#include "traces/util/clean.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define VERSION_MAX 1000000

#define THUNKS "none|rethunk|retbleed|its|srso|srso-alias|call-depth"

/* What "mitigations" may hold: rows like a parameter's, because they are read like one. */
static const struct rsb_parameter mitigations[] = {
	{ "return_thunk", "how Linux has its functions return on this CPU by default", THUNKS, 0, 0,
	  6 },
	{ 0 },
};
static const struct rsb_parameter also[] = {
	{ "also", "how it has them return on some of these CPUs, or when it is told to", THUNKS, 0,
	  0, 6 },
	{ 0 },
};

static const cJSON *item_of(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

bool rsb_profile_text_check(const struct rsb_json *json, const cJSON *item, const char *owner,
			    const char *key, struct rsb_error *error)
{
	const char *text = cJSON_IsString(item) ? item->valuestring : "";

	if (!*text)
		return rsb_json_error(json, item, error, "%s: %s: expected a text", owner, key);
	for (size_t size; *text; text += size) {
		size = rsb_clean_character(text);
		if (!size)
			return rsb_json_error(json, item, error,
					      "%s: %s: expected a text without control characters",
					      owner, key);
	}
	return true;
}

bool rsb_profile_text(const struct rsb_json *json, const cJSON *object, const char *owner,
		      const char *key, bool needed, const char **out, struct rsb_error *error)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!item && !needed)
		return true;
	if (!item)
		return rsb_json_error(json, object, error, "%s: %s is missing: expected a text",
				      owner, key);
	if (!rsb_profile_text_check(json, item, owner, key, error))
		return false;
	*out = item->valuestring;
	return true;
}

static bool read_head(struct rsb_profile *profile, const cJSON *root, struct rsb_error *error)
{
	const struct rsb_json *json = profile->json;
	struct rsb_error reason;
	int64_t version = 1;
	const char *model = NULL;

	profile->summary = profile->vendor = profile->arch = "";
	if (!rsb_json_keys(json, root,
			   "name|summary|vendor|arch|version|model|fields|mitigations|notes",
			   error) ||
	    !rsb_profile_text(json, root, "profile", "name", true, &profile->name, error) ||
	    !rsb_profile_text(json, root, "profile", "summary", false, &profile->summary, error) ||
	    !rsb_profile_text(json, root, "profile", "vendor", false, &profile->vendor, error) ||
	    !rsb_profile_text(json, root, "profile", "arch", false, &profile->arch, error) ||
	    !rsb_json_integer(json, root, "version", 1, VERSION_MAX, &version, error) ||
	    !rsb_profile_text(json, root, "profile", "model", true, &model, error))
		return false;
	snprintf(profile->version, sizeof(profile->version), "%" PRId64, version);
	profile->type = rsb_model_type_find(model, &reason);
	if (!profile->type)
		return rsb_json_error(json, item_of(root, "model"), error, "%s", reason.text);
	return true;
}

/* "depth|overflow|...|penalty|...": what "fields" may hold. */
static void list_fields(const struct rsb_parameter *rows, char *out, size_t size)
{
	size_t used = 0;

	for (; rows->name && used < size; rows++)
		used += (size_t)snprintf(out + used, size - used, "%s|", rows->name);
	for (int i = 0; i < RSB_QUANTITIES && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "|" : "",
					 rsb_quantities[i].name);
}

static bool read_quantities(struct rsb_profile *profile, const cJSON *fields,
			    struct rsb_error *error)
{
	for (int i = 0; i < RSB_QUANTITIES; i++) {
		const cJSON *object = item_of(fields, rsb_quantities[i].name);

		if (!object && i == RSB_QUANTITY_PENALTY)
			rsb_fact_leave_out_penalty(profile);
		if (object && !rsb_fact_read_quantity(profile, object, (enum rsb_quantity)i, error))
			return false;
	}
	return true;
}

static bool read_fields(struct rsb_profile *profile, const cJSON *fields, struct rsb_error *error)
{
	const struct rsb_parameter *rows = profile->type->parameters;
	const struct rsb_json *json = profile->json;
	char known[2048];

	list_fields(rows, known, sizeof(known));
	if (!cJSON_IsObject(fields))
		return rsb_json_error(json, fields ? fields : rsb_json_root(json), error,
				      "profile: fields: expected an object with %s", known);
	if (!rsb_json_keys(json, fields, known, error))
		return false;
	rsb_parameter_defaults(rows, profile->values);
	for (int row = 0; rows[row].name; row++) {
		const cJSON *object = item_of(fields, rows[row].name);

		if (object && !rsb_fact_read(rsb_fact_take(profile), json, object, rows, row,
					     profile->values, error))
			return false;
		if (!object && rsb_fact_decides(rows[row].name))
			rsb_fact_leave_out(rsb_fact_take(profile), &rows[row]);
	}
	return read_quantities(profile, fields, error);
}

static bool read_also(struct rsb_profile *profile, const cJSON *list, struct rsb_error *error)
{
	int64_t values[RSB_PARAMETERS_MAX];
	const cJSON *item;

	if (list && (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > RSB_PROFILE_ALSO_MAX))
		return rsb_json_error(profile->json, list, error,
				      "profile: mitigations: also: expected a list of at most %d",
				      RSB_PROFILE_ALSO_MAX);
	cJSON_ArrayForEach(item, list)
	{
		struct rsb_fact_slot *slot = rsb_fact_take(profile);

		rsb_fact_leave_out(slot, also);
		if (!rsb_fact_read(slot, profile->json, item, also, 0, values, error))
			return false;
	}
	return true;
}

static bool read_mitigations(struct rsb_profile *profile, const cJSON *group,
			     struct rsb_error *error)
{
	struct rsb_fact_slot *slot = rsb_fact_take(profile);
	const cJSON *object = item_of(group, mitigations->name);
	int64_t values[RSB_PARAMETERS_MAX];

	profile->return_thunk = slot->fact;
	rsb_fact_leave_out(slot, mitigations);
	if (group && !cJSON_IsObject(group))
		return rsb_json_error(profile->json, group, error,
				      "profile: mitigations: expected an object with %s",
				      mitigations->name);
	if (group && !rsb_json_keys(profile->json, group, "return_thunk|also", error))
		return false;
	return (!object ||
		rsb_fact_read(slot, profile->json, object, mitigations, 0, values, error)) &&
	       read_also(profile, item_of(group, also->name), error);
}

static bool read_notes(struct rsb_profile *profile, const cJSON *list, struct rsb_error *error)
{
	size_t count = 0;
	const cJSON *item;

	if (list && !cJSON_IsArray(list))
		return rsb_json_error(profile->json, list, error,
				      "profile: notes: expected a list of texts");
	profile->notes = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof(*profile->notes));
	if (!profile->notes)
		return rsb_error_set(error, "out of memory");
	cJSON_ArrayForEach(item, list)
	{
		if (!rsb_profile_text_check(profile->json, item, "profile", "notes", error))
			return false;
		profile->notes[count++] = item->valuestring;
	}
	return true;
}

/* Values may each be in range and yet not go together. */
static bool try_model(const struct rsb_profile *profile, const cJSON *fields,
		      struct rsb_error *error)
{
	struct rsb_error reason;
	struct rsb_model *model = rsb_profile_model(profile, &reason);

	if (!model)
		return rsb_json_error(profile->json, fields, error, "%s", reason.text);
	rsb_model_free(model);
	return true;
}

bool rsb_profile_read(struct rsb_profile *profile, struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(profile->json);
	const cJSON *fields = item_of(root, "fields");

	return read_head(profile, root, error) && read_fields(profile, fields, error) &&
	       read_mitigations(profile, item_of(root, "mitigations"), error) &&
	       read_notes(profile, item_of(root, "notes"), error) &&
	       try_model(profile, fields, error);
}
