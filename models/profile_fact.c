/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads one fact of a CPU profile. Every fact must say where it comes from: see rsbsim-cpu(5). */
#include "models/profile_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a fact's object says, before its value is understood. */
struct entry {
	const cJSON *value; /* JSON null where it is not known */
	const cJSON *assumed, *others;
	const char *source;
	enum rsb_strength strength;
};

struct rsb_fact_slot *rsb_fact_take(struct rsb_profile *profile)
{
	struct rsb_fact_slot *slot = &profile->slots[profile->fact_count];

	slot->fact = &profile->facts[profile->fact_count++];
	return slot;
}

bool rsb_fact_decides(const char *name)
{
	static const char *const deciding[] = { "depth", "overflow", "underflow",
						"zero_call_pushes" };

	for (size_t i = 0; i < sizeof(deciding) / sizeof(*deciding); i++)
		if (!strcmp(name, deciding[i]))
			return true;
	return false;
}

static bool read_strength(const struct rsb_json *json, const cJSON *object, const char *name,
			  enum rsb_strength *strength, struct rsb_error *error)
{
	/* In the order of enum rsb_strength */
	static const char *const words[] = { "vendor", "rtl", "measured", "inferred", "assumed" };
	const char *text = NULL;

	if (!rsb_profile_text(json, object, name, "strength", true, &text, error))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i], text)) {
			*strength = (enum rsb_strength)i;
			return true;
		}
	return rsb_json_error(json, cJSON_GetObjectItemCaseSensitive(object, "strength"), error,
			      "%s: unknown strength '%s': expected vendor, rtl, measured, "
			      "inferred or assumed",
			      name, text);
}

/* A value is there, or it is null and something is assumed: there is nothing between. */
static bool check_entry(const struct rsb_json *json, const cJSON *object, const char *name,
			const struct entry *entry, struct rsb_error *error)
{
	bool unknown = cJSON_IsNull(entry->value);

	if (!entry->value)
		return rsb_json_error(json, object, error,
				      "%s: value is missing: expected null if it is not known",
				      name);
	if (unknown && entry->strength != RSB_STRENGTH_ASSUMED)
		return rsb_json_error(json, object, error,
				      "%s: expected the strength assumed beside a value of null",
				      name);
	if (!unknown && (entry->assumed || entry->others))
		return rsb_json_error(json, object, error,
				      "%s: expected assumed and others only beside a value of null",
				      name);
	return true;
}

static bool read_entry(const struct rsb_json *json, const cJSON *object, const char *name,
		       struct entry *entry, struct rsb_error *error)
{
	if (!cJSON_IsObject(object))
		return rsb_json_error(json, object, error,
				      "%s: expected an object with value, source and strength",
				      name);
	if (!rsb_json_keys(json, object, "value|assumed|others|source|strength", error) ||
	    !rsb_profile_text(json, object, name, "source", true, &entry->source, error) ||
	    !read_strength(json, object, name, &entry->strength, error))
		return false;
	entry->value = cJSON_GetObjectItemCaseSensitive(object, "value");
	entry->assumed = cJSON_GetObjectItemCaseSensitive(object, "assumed");
	entry->others = cJSON_GetObjectItemCaseSensitive(object, "others");
	return check_entry(json, object, name, entry, error);
}

/* Writes a JSON value as the text that sets the parameter. False: not of the parameter's type. */
static bool write_value(const struct rsb_parameter *row, const cJSON *item, char *out, size_t size)
{
	double number = item->valuedouble;

	if (rsb_parameter_is_switch(row)) {
		snprintf(out, size, "%s", cJSON_IsTrue(item) ? "true" : "false");
		return cJSON_IsBool(item);
	}
	if (row->choices) {
		snprintf(out, size, "%s", cJSON_IsString(item) ? item->valuestring : "");
		return cJSON_IsString(item);
	}
	/* Beyond 2^53 a double has lost the number that was written */
	if (!cJSON_IsNumber(item) || !(number >= -0x1p53 && number <= 0x1p53))
		return false;
	snprintf(out, size, "%" PRId64, (int64_t)number);
	return (double)(int64_t)number == number;
}

static bool wrong_type(const struct rsb_json *json, const struct rsb_parameter *row,
		       const cJSON *item, struct rsb_error *error)
{
	if (rsb_parameter_is_switch(row))
		return rsb_json_error(json, item, error, "%s: expected true or false", row->name);
	if (row->choices)
		return rsb_json_error(json, item, error, "%s: expected a text, one of %s",
				      row->name, row->choices);
	return rsb_json_error(json, item, error,
			      "%s: expected an integer from %" PRId64 " to %" PRId64, row->name,
			      row->minimum, row->maximum);
}

/* Sets values[row] from JSON and writes it as the program shows it. */
static bool read_value(const struct rsb_json *json, const cJSON *item,
		       const struct rsb_parameter *rows, int row, int64_t *values, char *out,
		       size_t size, struct rsb_error *error)
{
	struct rsb_error reason;
	char text[64];

	if (!write_value(&rows[row], item, text, sizeof(text)))
		return wrong_type(json, &rows[row], item, error);
	if (!rsb_parameter_set(rows, values, rows[row].name, text, &reason))
		return rsb_json_error(json, item, error, "%s", reason.text);
	rsb_parameter_print(&rows[row], values[row], out, size);
	return true;
}

static bool read_others(struct rsb_fact_slot *slot, const struct rsb_json *json,
			const cJSON *others, const struct rsb_parameter *rows, int row,
			struct rsb_error *error)
{
	int64_t values[RSB_PARAMETERS_MAX];
	const cJSON *item;
	size_t count = 0;

	if (others && !cJSON_IsArray(others))
		return rsb_json_error(json, others, error, "%s: others: expected a list of values",
				      rows[row].name);
	cJSON_ArrayForEach(item, others)
	{
		if (count == RSB_FACT_OTHERS_MAX)
			return rsb_json_error(json, item, error, "%s: others: expected at most %d",
					      rows[row].name, RSB_FACT_OTHERS_MAX);
		if (!read_value(json, item, rows, row, values, slot->others[count],
				sizeof(slot->others[count]), error))
			return false;
		slot->list[count] = slot->others[count];
		count++;
	}
	slot->list[count] = NULL;
	return true;
}

/* The fact of a slot about which nothing is known. */
static void forget(struct rsb_fact_slot *slot, const char *name, const char *source)
{
	*slot->fact = (struct rsb_fact){
		.name = name,
		.value = "unknown",
		.source = source,
		.others = slot->list,
		.strength = RSB_STRENGTH_ASSUMED,
	};
}

void rsb_fact_leave_out(struct rsb_fact_slot *slot, const struct rsb_parameter *row)
{
	rsb_parameter_print(row, row->value, slot->value, sizeof(slot->value));
	forget(slot, row->name, "not in the profile: the model's default");
	slot->fact->assumed = slot->value;
}

bool rsb_fact_read(struct rsb_fact_slot *slot, const struct rsb_json *json, const cJSON *object,
		   const struct rsb_parameter *rows, int row, int64_t *values,
		   struct rsb_error *error)
{
	struct entry entry = { 0 };
	bool unknown;

	if (!read_entry(json, object, rows[row].name, &entry, error))
		return false;
	unknown = cJSON_IsNull(entry.value);
	if (unknown && !entry.assumed)
		return rsb_json_error(json, object, error,
				      "%s: assumed is missing: expected the value that is used "
				      "while it is not known",
				      rows[row].name);
	if (!read_value(json, unknown ? entry.assumed : entry.value, rows, row, values, slot->value,
			sizeof(slot->value), error) ||
	    !read_others(slot, json, entry.others, rows, row, error))
		return false;
	*slot->fact = (struct rsb_fact){
		.name = rows[row].name,
		.value = unknown ? "unknown" : slot->value,
		.source = entry.source,
		.assumed = unknown ? slot->value : NULL,
		.others = slot->list,
		.strength = entry.strength,
	};
	return true;
}

static bool read_bounds(const cJSON *pair, double maximum, double *bounds)
{
	if (!cJSON_IsArray(pair) || cJSON_GetArraySize(pair) != 2)
		return false;
	for (int i = 0; i < 2; i++) {
		const cJSON *item = cJSON_GetArrayItem(pair, i);

		if (!cJSON_IsNumber(item))
			return false;
		bounds[i] = item->valuedouble;
	}
	return bounds[0] >= 0 && bounds[0] <= bounds[1] && bounds[1] <= maximum;
}

void rsb_fact_leave_out_penalty(struct rsb_profile *profile)
{
	forget(rsb_fact_take(profile), rsb_quantities[RSB_QUANTITY_PENALTY].name,
	       "not in the profile");
}

bool rsb_fact_read_quantity(struct rsb_profile *profile, const cJSON *object,
			    enum rsb_quantity quantity, struct rsb_error *error)
{
	const struct rsb_quantity_row *row = &rsb_quantities[quantity];
	struct rsb_fact_slot *slot = rsb_fact_take(profile);
	const struct rsb_json *json = profile->json;
	double *bounds = profile->quantities[quantity];
	struct entry entry = { 0 };

	if (!read_entry(json, object, row->name, &entry, error))
		return false;
	forget(slot, row->name, entry.source);
	slot->fact->strength = entry.strength;
	if (entry.assumed || entry.others)
		return rsb_json_error(json, object, error,
				      "%s: expected neither assumed nor others: one that is "
				      "not known is not used",
				      row->name);
	if (cJSON_IsNull(entry.value))
		return true;
	if (!read_bounds(entry.value, row->maximum, bounds))
		return rsb_json_error(json, entry.value, error,
				      "%s: expected null or [low, high], %s from 0 to %g",
				      row->name, row->unit, row->maximum);
	snprintf(slot->value, sizeof(slot->value), bounds[0] < bounds[1] ? "%g to %g" : "%g",
		 bounds[0], bounds[1]);
	slot->fact->value = slot->value;
	profile->quantity_known[quantity] = true;
	return true;
}
