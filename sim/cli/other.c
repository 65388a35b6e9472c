/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells files of code and traces from layouts. */
#include "sim/cli/other.h"

#include "sim/cli/names.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A kind of file: what it begins with, or how its name ends; and how it is given. */
struct kind {
	const char *start, *end; /* one of them is NULL */
	const char *what, *before, *after;
};

static const struct kind core = { NULL, NULL, "a core", "--core ",
				  " --symbols FILE --call FUNCTION" };

static const struct kind kinds[] = {
	{ ELFMAG, NULL, "an ELF file", "--elf ", " --call FUNCTION" },
	{ "DTiJ", NULL, "a jitdump", "--jitdump ", " --call FUNCTION" },
	{ "\x89rsb", NULL, "a trace", "rsbsim trace replay ", "" },
	{ NULL, ".S", "assembly", "--asm ", " --call FUNCTION" },
	{ NULL, ".s", "assembly", "--asm ", " --call FUNCTION" },
	{ NULL, ".asm", "assembly", "--asm ", " --call FUNCTION" },
};

/* The first bytes of a file. False: there is none, or it could not be read again. */
static bool read_start(const char *path, char start[EI_NIDENT + 2])
{
	struct stat status;
	FILE *in;

	memset(start, 0, EI_NIDENT + 2);
	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return false;
	in = fopen(path, "r");
	if (!in)
		return false;
	if (!fread(start, 1, EI_NIDENT + 2, in))
		start[0] = '\0';
	fclose(in);
	return true;
}

static const struct kind *find(const char *path)
{
	char start[EI_NIDENT + 2];

	if (!read_start(path, start))
		return NULL;
	if (!strncmp(start, ELFMAG, SELFMAG) && start[EI_NIDENT] == ET_CORE)
		return &core;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].start ? !strncmp(start, kinds[i].start, strlen(kinds[i].start))
				   : cli_name_ends(path, kinds[i].end))
			return &kinds[i];
	return NULL;
}

bool cli_other_check(const char *word, struct rsb_error *error)
{
	const struct kind *kind = find(word);

	return !kind || rsb_error_set(error, "%s: expected a layout, and this is %s: %s%s%s", word,
				      kind->what, kind->before, word, kind->after);
}
