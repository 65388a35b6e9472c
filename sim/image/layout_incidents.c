/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The key "environment" of a layout file: what happens from outside the code, and where. */
#include "sim/image/source.h"

#include <stdlib.h>
#include <string.h>

/* The keys with a list of places. */
static const struct {
	const char *key, *item_keys;
	enum rsb_incident_kind kind;
} lists[] = {
	{ "interrupt", "at|does|every", RSB_INCIDENT_INTERRUPT },
	{ "switch", "at|does|every", RSB_INCIDENT_SWITCH },
	{ "ibpb", "at|every", RSB_INCIDENT_IBPB },
	{ "shadow", "at|does", RSB_INCIDENT_SHADOW },
};

static struct rsb_layout_incident *take(struct rsb_layout *layout, const cJSON *item,
					enum rsb_incident_kind kind, struct rsb_error *error)
{
	struct rsb_layout_incident *taken = &layout->incidents[layout->incident_count];

	if (layout->incident_count == RSB_INCIDENTS_MAX) {
		rsb_json_error(layout->json, item, error,
			       "\"environment\": expected at most %d places", RSB_INCIDENTS_MAX);
		return NULL;
	}
	layout->incident_count++;
	*taken = (struct rsb_layout_incident){ .item = item };
	taken->incident.kind = kind;
	taken->incident.every = 1;
	return taken;
}

/* Reads what an incident does; without the key, nothing. */
static bool read_act(const struct rsb_layout *layout, const cJSON *object, const char *key,
		     struct rsb_act *act, struct rsb_error *error)
{
	const char *text = "nothing";
	struct rsb_error why;

	return rsb_json_text(layout->json, object, key, &text, error) &&
	       (rsb_act_parse(text, act, &why) ||
		rsb_json_error(layout->json, cJSON_GetObjectItemCaseSensitive(object, key), error,
			       "\"%s\": %s", key, why.text));
}

/* The same of what is done to the shadow stack, which something is. */
static bool read_shadow_act(const struct rsb_layout *layout, const cJSON *object,
			    enum rsb_shadow_act *act, struct rsb_error *error)
{
	const char *text = "";

	if (!rsb_json_text(layout->json, object, "does", &text, error))
		return false;
	*act = strcmp(text, "push") ? RSB_SHADOW_REPLACE : RSB_SHADOW_PUSH;
	return !strcmp(text, "push") || !strcmp(text, "replace") ||
	       rsb_json_error(layout->json, object, error,
			      "\"shadow\": expected \"does\", \"push\" or \"replace\"");
}

static bool read_does(const struct rsb_layout *layout, const cJSON *item,
		      struct rsb_incident *incident, struct rsb_error *error)
{
	if (incident->kind == RSB_INCIDENT_SHADOW)
		return read_shadow_act(layout, item, &incident->shadow, error);
	return read_act(layout, item, "does", &incident->act, error);
}

static bool read_item(struct rsb_layout *layout, const cJSON *item, size_t list,
		      struct rsb_error *error)
{
	struct rsb_layout_incident *taken;
	int64_t every = 1;

	if (!cJSON_IsObject(item))
		return rsb_json_error(layout->json, item, error,
				      "\"%s\": expected objects with \"at\", a place",
				      lists[list].key);
	if (!rsb_json_keys(layout->json, item, lists[list].item_keys, error))
		return false;
	taken = take(layout, item, lists[list].kind, error);
	if (!taken || !rsb_json_text(layout->json, item, "at", &taken->at, error) ||
	    !rsb_json_integer(layout->json, item, "every", 1, INT32_MAX, &every, error) ||
	    !read_does(layout, item, &taken->incident, error))
		return false;
	taken->incident.every = (uint64_t)every;
	return taken->at || rsb_json_error(layout->json, item, error,
					   "\"%s\": expected \"at\", a place like \"symbol+0x7\"",
					   lists[list].key);
}

static bool read_list(struct rsb_layout *layout, const cJSON *environment, size_t list,
		      struct rsb_error *error)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(environment, lists[list].key), *item;

	if (array && !cJSON_IsArray(array))
		return rsb_json_error(layout->json, array, error,
				      "\"%s\": expected an array of places", lists[list].key);
	cJSON_ArrayForEach(item, array)
	{
		if (!read_item(layout, item, list, error))
			return false;
	}
	return true;
}

bool rsb_layout_read_incidents(struct rsb_layout *layout, const cJSON *root,
			       struct rsb_error *error)
{
	const cJSON *environment = cJSON_GetObjectItemCaseSensitive(root, "environment");
	struct rsb_layout_incident *taken;

	if (!environment)
		return true;
	if (!cJSON_IsObject(environment))
		return rsb_json_error(layout->json, environment, error,
				      "\"environment\": expected an object");
	if (!rsb_json_keys(layout->json, environment, "syscall|interrupt|switch|ibpb|shadow",
			   error))
		return false;
	if (cJSON_HasObjectItem(environment, "syscall")) {
		taken = take(layout, environment, RSB_INCIDENT_SYSCALL, error);
		if (!taken ||
		    !read_act(layout, environment, "syscall", &taken->incident.act, error))
			return false;
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (!read_list(layout, environment, i, error))
			return false;
	return true;
}

/* The number in text after a '+', or an address. */
static bool parse_number(const char *text, uint64_t *out)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	*out = strtoull(text, &end, 0);
	return !*end;
}

/* "symbol+0x7", "symbol" or "0x401000". */
static bool find_place(const struct rsb_layout *layout, const struct rsb_layout_incident *from,
		       const struct rsb_image *image, uint64_t *pc, struct rsb_error *error)
{
	const char *plus = strrchr(from->at, '+');
	uint64_t offset = 0;
	struct rsb_error why;
	char *symbol;
	bool found;

	if (parse_number(from->at, pc))
		return true;
	if (plus && !parse_number(plus + 1, &offset))
		plus = NULL;
	symbol = plus ? strndup(from->at, (size_t)(plus - from->at)) : strdup(from->at);
	if (!symbol)
		return rsb_error_set(error, "out of memory");
	found = rsb_image_find(image, symbol, pc, &why) ||
		rsb_json_error(layout->json, from->item, error, "\"at\": %s", why.text);
	free(symbol);
	*pc += offset;
	return found;
}

bool rsb_layout_apply_incidents(const struct rsb_layout *layout, struct rsb_image *image,
				struct rsb_error *error)
{
	for (size_t i = 0; i < layout->incident_count; i++) {
		struct rsb_incident incident = layout->incidents[i].incident;

		if (incident.kind != RSB_INCIDENT_SYSCALL &&
		    !find_place(layout, &layout->incidents[i], image, &incident.pc, error))
			return false;
		rsb_image_add_incident(image, &incident);
	}
	return true;
}
