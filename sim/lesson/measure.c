/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A layout of a query, run as the query says. */
#include "sim/lesson/measure.h"

#include <stdio.h>
#include <string.h>

/* A lesson names no files: what it is about is the same everywhere. */
static bool is_file(const char *name)
{
	return strchr(name, '/') || strstr(name, ".json");
}

/* "depth=4" */
static bool apply_setting(struct rsb_profile *profile, const char *setting, struct rsb_error *error)
{
	size_t length = strcspn(setting, "=");
	char name[64];

	if (length >= sizeof(name))
		return rsb_error_set(error, "'%s' is too long", setting);
	memcpy(name, setting, length);
	name[length] = '\0';
	return rsb_profile_set(profile, name, setting + length + 1, error);
}

struct rsb_profile *rsb_measure_profile(const struct rsb_query *query, const char *cpu,
					struct rsb_error *error)
{
	struct rsb_profile *profile;

	if (is_file(cpu))
		return rsb_error_null(error, "'%s': expected a built-in CPU", cpu);
	profile = rsb_profile_load(cpu, error);
	for (const char *const *each = query->settings; profile && *each; each++) {
		if (apply_setting(profile, *each, error))
			continue;
		rsb_profile_free(profile);
		profile = NULL;
	}
	return profile;
}

static bool load_layout(struct rsb_measured *measured, const struct rsb_query *query,
			const char *name, struct rsb_error *error)
{
	if (is_file(name))
		return rsb_error_set(error, "'%s': expected a built-in layout", name);
	measured->layout = rsb_layout_load(name, error);
	if (!measured->layout)
		return false;
	measured->scenario = query->scenario;
	if (!query->scenario_given)
		rsb_layout_scenario(measured->layout, &measured->scenario);
	return !query->return_thunk ||
	       rsb_layout_set_form(measured->layout, "return_thunk", query->return_thunk, error);
}

static bool run_layout(struct rsb_measured *measured, struct rsb_error *error)
{
	struct rsb_run_options options = { .kinds = RSB_KIND_BIT(RSB_CALL) |
						    RSB_KIND_BIT(RSB_RETURN) };

	if (measured->profile) {
		const struct rsb_model_type *type = rsb_profile_type(measured->profile);

		options.kinds |= type->kinds | type->predicts;
	}
	measured->image = rsb_layout_image(measured->layout, &measured->scenario, error);
	if (measured->image)
		measured->run = rsb_run_new(measured->image, &options, error);
	return measured->run;
}

bool rsb_measure(struct rsb_measured *measured, const struct rsb_query *query, const char *layout,
		 struct rsb_error *error)
{
	*measured = (struct rsb_measured){ .profile = NULL };
	if (query->cpu) {
		measured->profile = rsb_measure_profile(query, query->cpu, error);
		if (!measured->profile)
			return false;
	}
	return load_layout(measured, query, layout, error) && run_layout(measured, error);
}

void rsb_measured_clear(struct rsb_measured *measured)
{
	rsb_run_free(measured->run);
	rsb_image_free(measured->image);
	rsb_layout_free(measured->layout);
	rsb_profile_free(measured->profile);
}
