/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds JSON that is written. */
#include "sim/report/json.h"

#include "sim/report/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

bool rsb_add_item(cJSON *to, const char *key, cJSON *item)
{
	bool added = to && item &&
		     (key ? cJSON_AddItemToObject(to, key, item) : cJSON_AddItemToArray(to, item));

	if (!added)
		cJSON_Delete(item);
	return added;
}

bool rsb_add_number(cJSON *to, const char *key, double value)
{
	char text[RSB_NUMBER_SIZE];

	rsb_number_data(text, sizeof(text), value);
	return rsb_add_item(to, key, isfinite(value) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

bool rsb_add_integer(cJSON *to, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return rsb_add_item(to, key, cJSON_CreateRaw(text));
}

bool rsb_add_switch(cJSON *to, const char *key, bool value)
{
	return rsb_add_item(to, key, cJSON_CreateBool(value));
}

bool rsb_add_text(cJSON *to, const char *key, const char *text)
{
	return rsb_add_item(to, key, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

bool rsb_add_address(cJSON *to, const char *key, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	return rsb_add_text(to, key, text);
}

cJSON *rsb_add_object(cJSON *to, const char *key)
{
	cJSON *object = cJSON_CreateObject();

	return rsb_add_item(to, key, object) ? object : NULL;
}

cJSON *rsb_add_array(cJSON *to, const char *key)
{
	cJSON *array = cJSON_CreateArray();

	return rsb_add_item(to, key, array) ? array : NULL;
}

bool rsb_add_texts(cJSON *to, const char *key, char *const *texts, size_t count)
{
	cJSON *array = rsb_add_array(to, key);

	for (size_t i = 0; i < count; i++)
		if (!rsb_add_text(array, NULL, texts[i]))
			return false;
	return array != NULL;
}

bool rsb_add_scenario(cJSON *to, const char *key, const struct rsb_scenario *scenario)
{
	cJSON *object;

	if (!scenario->name)
		return rsb_add_text(to, key, NULL);
	object = rsb_add_object(to, key);
	return rsb_add_text(object, "name", scenario->name) &&
	       rsb_add_integer(object, "depth", scenario->depth) &&
	       rsb_add_integer(object, "batch", scenario->batch) &&
	       rsb_add_integer(object, "spacing", scenario->spacing);
}

cJSON *rsb_json_new(void)
{
	cJSON *root = cJSON_CreateObject();

	if (rsb_add_integer(root, "schema", RSB_SCHEMA))
		return root;
	cJSON_Delete(root);
	return NULL;
}

bool rsb_json_write(FILE *out, cJSON *root, bool built, struct rsb_error *error)
{
	char *text = root && built ? cJSON_Print(root) : NULL;

	cJSON_Delete(root);
	if (!text)
		return rsb_error_set(error, "out of memory");
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	if (!fflush(out) && !ferror(out))
		return true;
	return rsb_error_set(error, "cannot write: %s", strerror(errno));
}
