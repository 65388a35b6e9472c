/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs and models that a command line means, with what it changes in them. */
#ifndef RSB_SIM_CLI_PROFILES_H
#define RSB_SIM_CLI_PROFILES_H

#include "models/plugin.h"
#include "models/profile.h"
#include "sim/cli/options.h"

#define CLI_DEFAULT_CPU "intel-haswell" /* a plain ring, and the part whose stack is known best */

/* What the options say. */
struct cli_profile_choice {
	struct cli_words lists;    /* of --cpu */
	struct cli_words models;   /* of --model */
	struct cli_words settings; /* of --set */
};

/* The rows of these options, for a command's own: of all but --set ... */
#define CLI_CPU_ROWS(at)                                                                     \
	{ .name = "cpu",                                                                     \
	  .letter = 'c',                                                                     \
	  .argument = "LIST",                                                                \
	  .take = cli_take_words,                                                            \
	  .sentence = "CPUs by name, pattern or file, with commas between; all: every "      \
		      "built-in one (default " CLI_DEFAULT_CPU "); may be given more than "  \
		      "once",                                                                \
	  .field = (at) + offsetof(struct cli_profile_choice, lists) },                      \
	{                                                                                    \
		.name = "model", .letter = 'm', .argument = "MODEL", .take = cli_take_words, \
		.sentence = "a model by itself, beside the CPUs of --cpu: a name or a "      \
			    "plug-in's file; may be given more than once",                   \
		.field = (at) + offsetof(struct cli_profile_choice, models)                  \
	}

/* ... and of all. */
#define CLI_PROFILE_ROWS(at)                                                           \
	CLI_CPU_ROWS(at),                                                              \
	{                                                                              \
		.name = "set", .argument = "LIST", .take = cli_take_words,             \
		.sentence = "change parameters of all these models: name=value, with " \
			    "commas between (rsbsim list models NAME)",                \
		.field = (at) + offsetof(struct cli_profile_choice, settings)          \
	}

struct cli_profiles {
	struct rsb_profile **all;
	size_t count;
	struct rsb_plugin **plugins;
	size_t plugin_count;
};

/* Loads them. False: error, and what was loaded is still to be cleared. */
bool cli_profiles_load(struct cli_profiles *profiles, const struct cli_profile_choice *choice,
		       struct rsb_error *error);
void cli_profiles_clear(struct cli_profiles *profiles);
void cli_profile_choice_clear(struct cli_profile_choice *choice);

/*
 * The model that a word means: a name, or a plug-in's file, which is opened and is the caller's to
 * close after the type's last use; else plugin is NULL. NULL: error.
 */
const struct rsb_model_type *cli_model_type(const char *word, struct rsb_plugin **plugin,
					    struct rsb_error *error);

/* The kinds of events that their models need. */
uint32_t cli_profiles_kinds(const struct cli_profiles *profiles);

#endif
