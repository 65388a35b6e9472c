/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the preprocessor and the assembler, in a folder that is removed afterwards. */
#include "sim/image/assemble.h"

#include "sim/image/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARGUMENTS 16

/* The names of what preprocesses, the first that is there. */
static const char *const preprocessors[] = { "cc", "gcc", "clang", NULL };
static const char *const assemblers[] = { "as", RSB_AS, NULL }; /* RSB_AS is configure's */

struct work {
	char folder[256], preprocessed[280], object[280], include[4200];
	char path[4200]; /* the file, not to be taken for an option */
	char says[RSB_TOOL_SAYS];
};

static bool is_preprocessed(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (strcmp(dot, ".S") == 0 || strcmp(dot, ".sx") == 0);
}

static bool make_folder(struct work *work, struct rsb_error *error)
{
	if (!rsb_tool_folder(work->folder, sizeof(work->folder), error))
		return false;
	snprintf(work->preprocessed, sizeof(work->preprocessed), "%s/code.s", work->folder);
	snprintf(work->object, sizeof(work->object), "%s/code.o", work->folder);
	return true;
}

static void remove_folder(const struct work *work)
{
	unlink(work->preprocessed);
	unlink(work->object);
	rmdir(work->folder);
}

/* The assembler would find its own standard input by it, which is empty. */
static bool is_descriptor(const char *path)
{
	static const char *const names[] = { "/dev/stdin", "/dev/fd/", "/proc/self/fd/" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(path, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool name_source(struct work *work, const char *path, struct rsb_error *error)
{
	const char *slash = strrchr(path, '/');
	struct stat status;

	if (stat(path, &status))
		return rsb_error_set(error, "%s: cannot be opened: %s", path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return rsb_error_set(error, "%s: is not a regular file", path);
	if (status.st_size > RSB_FILE_MAX)
		return rsb_error_set(error, "%s: expected at most %u bytes", path, RSB_FILE_MAX);
	if (is_descriptor(path))
		return rsb_error_set(error, "%s: expected the file's own name, for the assembler",
				     path);
	if (strlen(path) > 4096)
		return rsb_error_set(error, "%s: the path is too long", path);
	snprintf(work->path, sizeof(work->path), "%s%s", path[0] == '-' ? "./" : "", path);
	snprintf(work->include, sizeof(work->include), "-I%.*s", slash ? (int)(slash - path) : 1,
		 slash ? path : ".");
	return true;
}

/* Runs the first of these programs that is there. */
static enum rsb_tool_end run_one(struct work *work, const char *const *names,
				 const char *arguments[ARGUMENTS], struct rsb_error *error)
{
	const struct rsb_tool tool = { .arguments = arguments };
	enum rsb_tool_end end = RSB_TOOL_ABSENT;

	for (; *names && end == RSB_TOOL_ABSENT; names++) {
		arguments[0] = *names;
		end = rsb_tool_run(&tool, work->says, error);
	}
	return end;
}

/*
 * Takes the lines of what a program said that have this word in them: the first of them, and how
 * many more there are. Without any, the first line. "f.s: Assembler messages:" only announces them.
 */
static void pick(const char *says, const char *word, char *out, size_t size)
{
	const char *first = NULL, *any = NULL;
	size_t more = 0;

	for (const char *line = says; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t length = strcspn(line, "\n");
		char text[512];

		snprintf(text, sizeof(text), "%.*s", (int)length, line);
		if (strstr(text, "Assembler messages:") || strstr(text, "In file included from"))
			continue;
		if (!any && length)
			any = line;
		if (!strstr(text, word))
			continue;
		if (first)
			more++;
		else
			first = line;
	}
	if (!first && strcmp(word, "arning") != 0)
		first = any;
	snprintf(out, size, "%.*s", first ? (int)strcspn(first, "\n") : 0, first ? first : "");
	if (more)
		snprintf(out + strlen(out), size - strlen(out), " (and %zu more)", more);
}

static bool refuse(const struct work *work, enum rsb_tool_end end, const char *absent,
		   struct rsb_error *error)
{
	char text[900];

	if (end == RSB_TOOL_DONE || end == RSB_TOOL_BROKEN)
		return end == RSB_TOOL_DONE;
	if (end == RSB_TOOL_ABSENT)
		return rsb_error_set(error, "%s: %s is not there", work->path, absent);
	pick(work->says, "rror", text, sizeof(text));
	if (!*text)
		return rsb_error_set(error,
				     "%s: the assembler ended without a message; it may take %d "
				     "seconds and 4 GiB of memory, and write %u MiB",
				     work->path, RSB_TOOL_SECONDS, RSB_TOOL_FILE_MAX >> 20);
	return rsb_error_set(error, "%s", text);
}

static bool preprocess(struct work *work, struct rsb_error *error)
{
	const char *arguments[ARGUMENTS] = {
		NULL, "-E", "-x", "assembler-with-cpp", "-o", work->preprocessed, work->path
	};
	enum rsb_tool_end end = run_one(work, preprocessors, arguments, error);

	return refuse(work, end, "a preprocessor (cc -E; Debian: gcc)", error);
}

static bool assemble(struct work *work, bool intel, const char *source, struct rsb_error *error)
{
	const char *arguments[ARGUMENTS] = { NULL, "--64", work->include, "-o", work->object };
	size_t count = 5;
	enum rsb_tool_end end;

	if (intel) {
		arguments[count++] = "-msyntax=intel";
		arguments[count++] = "-mnaked-reg";
	}
	arguments[count] = source;
	end = run_one(work, assemblers, arguments, error);
	return refuse(work, end, "the assembler, as (Debian: binutils),", error);
}

static bool run(struct work *work, const char *path, bool intel, struct rsb_assembled *out,
		struct rsb_error *error)
{
	bool preprocessed = is_preprocessed(path), good;

	if (!name_source(work, path, error) || !make_folder(work, error))
		return false;
	good = (!preprocessed || preprocess(work, error)) &&
	       assemble(work, intel, preprocessed ? work->preprocessed : work->path, error) &&
	       rsb_file_read(&out->object, work->object, error);
	if (good)
		pick(work->says, "arning", out->warnings, sizeof(out->warnings));
	remove_folder(work);
	return good;
}

bool rsb_assemble(const char *path, bool intel, struct rsb_assembled *out, struct rsb_error *error)
{
	struct rsb_tool_hold hold;
	struct work work;
	bool good;

	*out = (struct rsb_assembled){ .object = { NULL, 0 } };
	rsb_tool_hold(&hold);
	good = run(&work, path, intel, out, error);
	rsb_tool_release(&hold);
	return good;
}
