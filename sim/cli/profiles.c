/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the CPUs and the models that a command line means. */
#include "sim/cli/profiles.h"

#include "sim/cli/names.h"
#include "sim/cli/output.h"
#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

static bool has(const struct rsb_profile *profile, const char *name)
{
	return rsb_parameter_find(rsb_profile_type(profile)->parameters, name) >= 0;
}

/*
 * One "name=value", for each whose model has such a parameter: "all" has the ideal stack among
 * them, which has no depth. Where none has it, the first one says so.
 */
static bool apply(const struct cli_profiles *profiles, char *setting, struct rsb_error *error)
{
	char *value = strchr(setting, '=');
	bool known = false;

	if (!value)
		return rsb_error_set(error, "--set: expected name=value, got '%s'", setting);
	*value++ = '\0';
	for (size_t i = 0; i < profiles->count; i++)
		known |= has(profiles->all[i], setting);
	for (size_t i = 0; i < profiles->count; i++)
		if ((!known || has(profiles->all[i], setting)) &&
		    !rsb_profile_set(profiles->all[i], setting, value, error))
			return rsb_error_prefix(error, "--set: %s",
						rsb_profile_name(profiles->all[i]));
	return true;
}

static bool apply_list(const struct cli_profiles *profiles, const char *list,
		       struct rsb_error *error)
{
	char *copy = strdup(list), *next = copy;
	bool good = copy || rsb_error_set(error, "out of memory");

	while (good && next) {
		char *setting = next;

		next = strchr(setting, ',');
		if (next)
			*next++ = '\0';
		good = apply(profiles, setting, error);
	}
	free(copy);
	return good;
}

/* Values may each be in range and yet not go together, and a plug-in has its own rules. */
static bool check_model(const struct rsb_profile *profile, struct rsb_error *error)
{
	struct rsb_model *model = rsb_profile_model(profile, error);

	rsb_model_free(model);
	return model || rsb_error_prefix(error, "%s", rsb_profile_name(profile));
}

static bool apply_all(const struct cli_profiles *profiles, const struct cli_words *settings,
		      struct rsb_error *error)
{
	for (size_t i = 0; i < settings->count; i++)
		if (!apply_list(profiles, settings->words[i], error))
			return false;
	for (size_t i = 0; i < profiles->count; i++)
		if (!check_model(profiles->all[i], error))
			return false;
	return true;
}

/* Takes a profile over. */
static bool add(struct cli_profiles *profiles, struct rsb_profile *profile, struct rsb_error *error)
{
	if (!profile)
		return false;
	if (!RSB_GROW(profiles->all, profiles->count)) {
		rsb_profile_free(profile);
		return rsb_error_set(error, "out of memory");
	}
	profiles->all[profiles->count++] = profile;
	return true;
}

static bool load_cpus(struct cli_profiles *profiles, const struct cli_words *lists,
		      struct rsb_error *error)
{
	struct cli_names names = { NULL, 0 };
	bool good = true;

	for (size_t i = 0; good && i < lists->count; i++)
		good = cli_names_add_list(&names, lists->words[i], rsb_profile_names(), error);
	for (size_t i = 0; good && i < names.count; i++) {
		if (strchr(names.names[i], '/') || strstr(names.names[i], ".json"))
			cli_output_spare_file(names.names[i]);
		good = add(profiles, rsb_profile_load(names.names[i], error), error);
	}
	cli_names_clear(&names);
	return good && cli_output_check_wanted(error);
}

static bool is_plugin(const char *word)
{
	size_t size = strlen(word);

	return strchr(word, '/') || (size > 3 && !strcmp(word + size - 3, ".so"));
}

const struct rsb_model_type *cli_model_type(const char *word, struct rsb_plugin **plugin,
					    struct rsb_error *error)
{
	const struct rsb_model_type *type;

	*plugin = NULL;
	if (!is_plugin(word))
		return rsb_model_type_find(word, error);
	*plugin = rsb_model_plugin_open(word, &type, error);
	return *plugin ? type : NULL;
}

/* A plug-in's file is open as long as its profiles are there. */
static const struct rsb_model_type *open_model(struct cli_profiles *profiles, const char *word,
					       struct rsb_error *error)
{
	const struct rsb_model_type *type;
	struct rsb_plugin **plugin;

	if (!RSB_GROW(profiles->plugins, profiles->plugin_count))
		return rsb_error_null(error, "out of memory");
	plugin = &profiles->plugins[profiles->plugin_count];
	type = cli_model_type(word, plugin, error);
	if (*plugin)
		profiles->plugin_count++;
	return type;
}

static bool load_model(struct cli_profiles *profiles, const char *word, struct rsb_error *error)
{
	const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
	const struct rsb_model_type *type = open_model(profiles, word, error);

	return type && add(profiles, rsb_profile_of_model(type, name, error), error);
}

bool cli_profiles_load(struct cli_profiles *profiles, const struct cli_profile_choice *choice,
		       struct rsb_error *error)
{
	const char *word = CLI_DEFAULT_CPU;
	const struct cli_words own = { &word, 1 };
	bool given = choice->lists.count || choice->models.count;

	if (!load_cpus(profiles, given ? &choice->lists : &own, error))
		return false;
	for (size_t i = 0; i < choice->models.count; i++)
		if (!load_model(profiles, choice->models.words[i], error))
			return false;
	return apply_all(profiles, &choice->settings, error);
}

void cli_profiles_clear(struct cli_profiles *profiles)
{
	for (size_t i = 0; i < profiles->count; i++)
		rsb_profile_free(profiles->all[i]);
	for (size_t i = 0; i < profiles->plugin_count; i++)
		rsb_model_plugin_close(profiles->plugins[i]);
	free(profiles->all);
	free(profiles->plugins);
	*profiles = (struct cli_profiles){ NULL, 0, NULL, 0 };
}

void cli_profile_choice_clear(struct cli_profile_choice *choice)
{
	cli_words_clear(&choice->lists);
	cli_words_clear(&choice->models);
	cli_words_clear(&choice->settings);
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
