/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source "generate": a family of layouts and the values of its parameters. */
#include "sim/generate/generate.h"
#include "sim/image/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The object's keys: the family's name, its parameters and those that every family has. */
static void list_keys(const struct rsb_family *family, char *out, size_t size)
{
	const struct rsb_parameter *tables[] = { family->parameters, rsb_forms_parameters };
	size_t used = (size_t)snprintf(out, size, "family");

	for (size_t i = 0; i < 2; i++)
		for (const struct rsb_parameter *row = tables[i]; row->name && used < size; row++)
			used += (size_t)snprintf(out + used, size - used, "|%s", row->name);
}

/* A value as it would be given on a command line; NULL: it is no number, text or switch. */
static const char *print_value(const cJSON *item, char *out, size_t size)
{
	if (cJSON_IsString(item))
		return item->valuestring;
	if (cJSON_IsBool(item))
		return cJSON_IsTrue(item) ? "true" : "false";
	if (!cJSON_IsNumber(item))
		return NULL;
	snprintf(out, size, "%.17g", item->valuedouble);
	return out;
}

static bool read_value(struct rsb_layout *layout, const cJSON *item, struct rsb_error *error)
{
	const struct rsb_parameter *rows = layout->generate.family->parameters;
	int64_t *values = layout->generate.values;
	char number[32];
	const char *text = print_value(item, number, sizeof(number));
	struct rsb_error why;

	if (!text)
		return rsb_json_error(layout->json, item, error,
				      "\"%s\": expected a number, a text, true or false",
				      item->string);
	if (rsb_parameter_find(rsb_forms_parameters, item->string) >= 0) {
		rows = rsb_forms_parameters;
		values = layout->generate.forms;
	}
	return rsb_parameter_set(rows, values, item->string, text, &why) ||
	       rsb_json_error(layout->json, item, error, "%s", why.text);
}

static bool find_family(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "family");
	const char *name = NULL;
	struct rsb_error why;

	if (!rsb_json_text(layout->json, object, "family", &name, error))
		return false;
	if (!name)
		return rsb_json_error(layout->json, object, error,
				      "\"generate\": expected \"family\", what to generate");
	layout->generate.family = rsb_family_find(name, &why);
	return layout->generate.family ||
	       rsb_json_error(layout->json, item, error, "\"family\": %s", why.text);
}

static bool read_generate(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	const struct rsb_family *family;
	struct rsb_error why;
	const cJSON *item;
	char keys[2048];

	if (!find_family(layout, object, error))
		return false;
	family = layout->generate.family;
	list_keys(family, keys, sizeof(keys));
	if (!rsb_json_keys(layout->json, object, keys, error))
		return false;
	rsb_parameter_defaults(family->parameters, layout->generate.values);
	rsb_parameter_defaults(rsb_forms_parameters, layout->generate.forms);
	cJSON_ArrayForEach(item, object)
	{
		if (strcmp(item->string, "family") != 0 && !read_value(layout, item, error))
			return false;
	}
	return !family->check || family->check(layout->generate.values, &why) ||
	       rsb_json_error(layout->json, object, error, "\"generate\": %s", why.text);
}

static struct rsb_image *make_generate(const struct rsb_layout *layout,
				       const struct rsb_scenario *scenario, struct rsb_error *error)
{
	return rsb_generate_how(layout->generate.family, layout->generate.values,
				layout->generate.forms, scenario, &layout->generate.how, error);
}

const struct rsb_source rsb_source_generate = {
	.key = "generate",
	.example = "{ \"family\": \"plain-call\" }",
	.called = false,
	.read = read_generate,
	.make = make_generate,
};
