/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which layouts and CPUs a command line means: names, patterns over the built-in ones, paths. */
#ifndef RSB_SIM_CLI_NAMES_H
#define RSB_SIM_CLI_NAMES_H

#include "traces/util/error.h"

/* Does the name end so? */
bool cli_name_ends(const char *name, const char *end);

/* A path (a slash, or .json at the end) is none. */
bool cli_name_is_pattern(const char *word);

struct cli_names {
	char **names;
	size_t count;
};

/*
 * Adds what one word means: a path (a slash, or .json at the end) or a name as it is; a pattern
 * ("bpf-*") stands for all built-in names that match. None is added twice. False: nothing matches,
 * or no memory.
 */
bool cli_names_add(struct cli_names *names, const char *word, const char *const *builtin,
		   struct rsb_error *error);

/* The same for each word of a list "a,b"; "all" stands for all of builtin. */
bool cli_names_add_list(struct cli_names *names, const char *list, const char *const *builtin,
			struct rsb_error *error);

void cli_names_clear(struct cli_names *names);

#endif
