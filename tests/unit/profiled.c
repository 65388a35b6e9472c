/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tests/unit/profiled.h. */
#include "tests/unit/profiled.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "profiled.XXXXXX", path[64];

/* Writes a profile to path, with " for each ' of the text. */
static void write_file(const char *text)
{
	FILE *file;

	if (!*path) {
		ck_assert_ptr_nonnull(mkdtemp(folder));
		snprintf(path, sizeof(path), "%s/mine.json", folder);
	}
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (; *text; text++)
		fputc(*text == '\'' ? '"' : *text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void remove_file(void)
{
	unlink(path);
	rmdir(folder);
	*path = '\0';
	memset(folder + strlen(folder) - 6, 'X', 6);
}

struct rsb_profile *profiled_load(const char *name)
{
	struct rsb_error error;
	struct rsb_profile *profile = rsb_profile_load(name, &error);

	ck_assert_msg(profile != NULL, "%s: %s", name, error.text);
	return profile;
}

struct rsb_profile *profiled_text(const char *text)
{
	struct rsb_profile *profile;

	write_file(text);
	profile = profiled_load(path);
	remove_file();
	return profile;
}

/* The start of the message, "PATH:", is written to where. */
static void load_bad(const char *text, char where[80], struct rsb_error *error)
{
	struct rsb_profile *profile;

	write_file(text);
	snprintf(where, 80, "%s:", path);
	profile = rsb_profile_load(path, error);
	remove_file();
	ck_assert_msg(profile == NULL, "loaded: %s", text);
}

void profiled_fails(const char *text, struct rsb_error *error)
{
	char where[80];

	load_bad(text, where, error);
	ck_assert_msg(!strncmp(error->text, where, strlen(where)), "%s", error->text);
}

void profiled_refuses(const char *text, const char *message)
{
	struct rsb_error error;
	char where[80], expected[1024];

	load_bad(text, where, &error);
	snprintf(expected, sizeof(expected), "%s%s", where, message);
	ck_assert_str_eq(error.text, expected);
}

const struct rsb_fact *profiled_fact(const struct rsb_profile *profile, const char *name)
{
	size_t count;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(facts[i].name, name))
			return &facts[i];
	ck_abort_msg("%s: no fact about %s", rsb_profile_name(profile), name);
	return NULL;
}
