/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A layout of a query, run as the query says. */
#include "sim/lesson/query_run.h"

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

struct rsb_profile *rsb_query_profile(const struct rsb_query *query, const char *cpu,
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

static bool load_layout(struct rsb_query_run *ran, const struct rsb_query *query, const char *name,
			struct rsb_error *error)
{
	if (is_file(name))
		return rsb_error_set(error, "'%s': expected a built-in layout", name);
	ran->layout = rsb_layout_load(name, error);
	if (!ran->layout)
		return false;
	ran->scenario = query->scenario;
	if (!query->scenario_given)
		rsb_layout_scenario(ran->layout, &ran->scenario);
	return !query->return_thunk ||
	       rsb_layout_set_form(ran->layout, "return_thunk", query->return_thunk, error);
}

static bool run_layout(struct rsb_query_run *ran, struct rsb_error *error)
{
	struct rsb_run_options options = { .kinds = RSB_KIND_BIT(RSB_CALL) |
						    RSB_KIND_BIT(RSB_RETURN) };

	if (ran->profile) {
		const struct rsb_model_type *type = rsb_profile_type(ran->profile);

		options.kinds |= type->kinds | type->predicts;
	}
	ran->image = rsb_layout_image(ran->layout, &ran->scenario, error);
	if (ran->image)
		ran->run = rsb_run_new(ran->image, &options, error);
	return ran->run;
}

bool rsb_query_run(struct rsb_query_run *ran, const struct rsb_query *query, const char *layout,
		   struct rsb_error *error)
{
	*ran = (struct rsb_query_run){ .profile = NULL };
	if (query->cpu) {
		ran->profile = rsb_query_profile(query, query->cpu, error);
		if (!ran->profile)
			return false;
	}
	return load_layout(ran, query, layout, error) && run_layout(ran, error);
}

void rsb_query_run_clear(struct rsb_query_run *ran)
{
	rsb_run_free(ran->run);
	rsb_image_free(ran->image);
	rsb_layout_free(ran->layout);
	rsb_profile_free(ran->profile);
}
