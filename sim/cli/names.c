/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands the words of a command line to names. */
#include "sim/cli/names.h"

#include "traces/util/grow.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

bool cli_name_ends(const char *name, const char *end)
{
	size_t size = strlen(name), length = strlen(end);

	return size >= length && !strcmp(name + size - length, end);
}

bool cli_name_is_pattern(const char *word)
{
	return !strchr(word, '/') && !cli_name_ends(word, ".json") && word[strcspn(word, "*?[")];
}

static bool add_once(struct cli_names *names, const char *name, struct rsb_error *error)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->names[i], name))
			return true;
	if (!RSB_GROW(names->names, names->count))
		return rsb_error_set(error, "out of memory");
	names->names[names->count] = strdup(name);
	if (!names->names[names->count])
		return rsb_error_set(error, "out of memory");
	names->count++;
	return true;
}

bool cli_names_add(struct cli_names *names, const char *word, const char *const *builtin,
		   struct rsb_error *error)
{
	bool found = false;

	if (!cli_name_is_pattern(word))
		return add_once(names, word, error);
	for (; *builtin; builtin++) {
		if (fnmatch(word, *builtin, 0))
			continue;
		if (!add_once(names, *builtin, error))
			return false;
		found = true;
	}
	return found ||
	       rsb_error_set(error, "no built-in name matches '%s'; see rsbsim list", word);
}

static bool add_all(struct cli_names *names, const char *const *builtin, struct rsb_error *error)
{
	for (; *builtin; builtin++)
		if (!add_once(names, *builtin, error))
			return false;
	return true;
}

bool cli_names_add_list(struct cli_names *names, const char *list, const char *const *builtin,
			struct rsb_error *error)
{
	char *words = strdup(list), *next = words;
	bool good = words || rsb_error_set(error, "out of memory");

	while (good && next) {
		char *word = next;

		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		if (!*word)
			good = rsb_error_set(error, "expected names between commas, got '%s'",
					     list);
		else if (!strcmp(word, "all"))
			good = add_all(names, builtin, error);
		else
			good = cli_names_add(names, word, builtin, error);
	}
	free(words);
	return good;
}

void cli_names_clear(struct cli_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	*names = (struct cli_names){ NULL, 0 };
}
