/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs that a command line means, with what it changes in them. */
#ifndef RSB_SIM_CLI_PROFILES_H
#define RSB_SIM_CLI_PROFILES_H

#include "models/profile.h"

struct cli_profiles {
	struct rsb_profile **all;
	size_t count;
};

/*
 * Loads each of a list "a,b" of names, patterns and files. settings is "name=value,...", for all of
 * them, or NULL. False: error, and what was loaded is still to be cleared.
 */
bool cli_profiles_load(struct cli_profiles *profiles, const char *list, const char *settings,
		       struct rsb_error *error);
void cli_profiles_clear(struct cli_profiles *profiles);

/* The kinds of events that their models need. */
uint32_t cli_profiles_kinds(const struct cli_profiles *profiles);

#endif
