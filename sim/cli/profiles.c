/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the CPUs that a command line means. */
#include "sim/cli/profiles.h"

#include "sim/cli/names.h"

#include <stdlib.h>
#include <string.h>

/* One "name=value". */
static bool apply(struct rsb_profile *profile, char *setting, struct rsb_error *error)
{
	char *value = strchr(setting, '=');

	if (!value)
		return rsb_error_set(error, "--set: expected name=value, got '%s'", setting);
	*value++ = '\0';
	return rsb_profile_set(profile, setting, value, error) ||
	       rsb_error_prefix(error, "--set: %s", rsb_profile_name(profile));
}

static bool apply_all(struct rsb_profile *profile, const char *settings, struct rsb_error *error)
{
	char *copy = strdup(settings), *save = NULL;
	bool good = copy || rsb_error_set(error, "out of memory");

	for (char *setting = copy ? strtok_r(copy, ",", &save) : NULL; good && setting;
	     setting = strtok_r(NULL, ",", &save))
		good = apply(profile, setting, error);
	free(copy);
	return good;
}

static bool load(struct cli_profiles *profiles, const char *name, const char *settings,
		 struct rsb_error *error)
{
	struct rsb_profile *profile = rsb_profile_load(name, error);

	if (!profile)
		return false;
	profiles->all[profiles->count++] = profile;
	return !settings || apply_all(profile, settings, error);
}

bool cli_profiles_load(struct cli_profiles *profiles, const char *list, const char *settings,
		       struct rsb_error *error)
{
	struct cli_names names = { NULL, 0 };
	bool good = cli_names_add_list(&names, list, rsb_profile_names(), error);

	if (good) {
		profiles->all = calloc(names.count, sizeof(struct rsb_profile *));
		good = profiles->all || rsb_error_set(error, "out of memory");
	}
	for (size_t i = 0; good && i < names.count; i++)
		good = load(profiles, names.names[i], settings, error);
	cli_names_clear(&names);
	return good;
}

void cli_profiles_clear(struct cli_profiles *profiles)
{
	for (size_t i = 0; i < profiles->count; i++)
		rsb_profile_free(profiles->all[i]);
	free(profiles->all);
	*profiles = (struct cli_profiles){ NULL, 0 };
}

uint32_t cli_profiles_kinds(const struct cli_profiles *profiles)
{
	uint32_t kinds = 0;

	for (size_t i = 0; i < profiles->count; i++) {
		const struct rsb_model_type *type = rsb_profile_type(profiles->all[i]);

		kinds |= type->kinds | type->predicts;
	}
	return kinds;
}
