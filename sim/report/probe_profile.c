/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probe found, as the file of a CPU. */
#include "sim/report/probe.h"

#include "sim/report/json.h"

static bool add_raw(cJSON *to, const char *key, const char *text)
{
	return rsb_add_item(to, key, cJSON_CreateRaw(text));
}

static bool add_field(cJSON *to, const struct rsb_probe_field *field)
{
	cJSON *object = rsb_add_object(to, field->name);

	return add_raw(object, "value", field->value) &&
	       (!*field->assumed || add_raw(object, "assumed", field->assumed)) &&
	       rsb_add_text(object, "strength", field->strength) &&
	       rsb_add_text(object, "source", field->source);
}

bool rsb_probe_profile(FILE *out, const struct rsb_probe *probe, const char *name,
		       struct rsb_error *error)
{
	cJSON *root = cJSON_CreateObject(), *fields, *notes;
	char summary[160];
	bool good;

	snprintf(summary, sizeof(summary), "%s, family %u model %u, as rsbsim probe found it",
		 probe->host.name, probe->host.family, probe->host.model);
	good = rsb_add_text(root, "name", name) && rsb_add_text(root, "summary", summary) &&
	       rsb_add_text(root, "vendor", probe->host.vendor) &&
	       rsb_add_text(root, "arch", "x86_64") && rsb_add_integer(root, "version", 1) &&
	       rsb_add_text(root, "model", probe->candidates[0].model);
	fields = rsb_add_object(root, "fields");
	for (size_t i = 0; good && i < probe->field_count; i++)
		good = add_field(fields, &probe->fields[i]);
	notes = rsb_add_array(root, "notes");
	for (size_t i = 0; good && i < probe->note_count; i++)
		good = rsb_add_text(notes, NULL, probe->notes[i]);
	return rsb_json_write(out, root, good && fields && notes, error);
}
