/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lessons: where they are kept, and how one is found. */
#include "sim/lesson/lesson.h"

#include "sim/lesson/read.h"
#include "traces/util/builtin.h"
#include "traces/util/clean.h"
#include "traces/util/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".lesson"

const char *const *rsb_lesson_names(void)
{
	return rsb_builtin_lesson_names;
}

/* The length of a name without the ending of a lesson's file. */
static size_t stem(const char *name)
{
	size_t length = strlen(name), suffix = strlen(SUFFIX);

	return length > suffix && !strcmp(name + length - suffix, SUFFIX) ? length - suffix
									  : length;
}

bool rsb_lesson_is_file(const char *name)
{
	return name[stem(name)] != '\0';
}

/* Of "03-overflow", "overflow". */
static const char *after_number(const char *name)
{
	const char *rest = name + strspn(name, "0123456789");

	return rest > name && *rest == '-' && rest[1] ? rest + 1 : name;
}

static bool is_called(const char *name, const char *word)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	if (!strcmp(name, word) || !strcmp(after_number(name), word))
		return true;
	return isdigit((unsigned char)*word) && !*end && number == strtoul(name, NULL, 10);
}

static struct rsb_lesson *load_builtin(const char *word, struct rsb_error *error)
{
	const char *known[128] = { NULL };
	char near[256];

	for (size_t i = 0; rsb_builtin_lessons[i].name; i++) {
		const struct rsb_builtin *row = &rsb_builtin_lessons[i];

		if (is_called(row->name, word))
			return rsb_lesson_parse(row->name, row->text, row->size, error);
		if (i < 127)
			known[i] = after_number(row->name);
	}
	rsb_suggest(word, known, near, sizeof(near));
	return rsb_error_null(
		error,
		"there is no lesson '%s'%s%s (the path of a lesson's file has a slash "
		"or ends in .lesson)",
		word, *near ? "; the nearest: " : ": rsbsim lesson lists them", near);
}

/* The whole of a file, of one byte more than it may have. NULL: error. */
static char *read_file(const char *path, size_t *size, struct rsb_error *error)
{
	FILE *in = fopen(path, "r");
	char *text = in ? malloc(RSB_LESSON_MAX + 1) : NULL;
	bool failed;

	if (!in)
		return rsb_error_null(error, "%s: %s", path, strerror(errno));
	if (text)
		*size = fread(text, 1, RSB_LESSON_MAX + 1, in);
	failed = ferror(in);
	fclose(in);
	if (text && !failed)
		return text;
	free(text);
	return rsb_error_null(error, "%s: %s", path, failed ? strerror(errno) : "out of memory");
}

static struct rsb_lesson *load_file(const char *path, struct rsb_error *error)
{
	size_t size = 0;
	char *text = read_file(path, &size, error);
	struct rsb_lesson *lesson = text ? rsb_lesson_parse(path, text, size, error) : NULL;

	free(text);
	return lesson;
}

struct rsb_lesson *rsb_lesson_load(const char *word, struct rsb_error *error)
{
	if (strchr(word, '/') || rsb_lesson_is_file(word))
		return load_file(word, error);
	return load_builtin(word, error);
}

/* "a/03-overflow.lesson" is number 3 and called "overflow". */
static bool name_lesson(struct rsb_lesson *lesson, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t length = stem(base);
	unsigned long number = strtoul(base, NULL, 10);

	lesson->path = strdup(path);
	lesson->name = strndup(after_number(base), length - (size_t)(after_number(base) - base));
	if (isdigit((unsigned char)*base) && number < 1000)
		lesson->number = (unsigned)number;
	rsb_clean(lesson->name);
	return lesson->path && lesson->name;
}

struct rsb_lesson *rsb_lesson_parse(const char *name, const char *text, size_t size,
				    struct rsb_error *error)
{
	struct rsb_lesson *lesson = calloc(1, sizeof(*lesson));
	bool good = lesson && name_lesson(lesson, name);

	if (!good)
		rsb_error_set(error, "out of memory");
	good = good && rsb_lesson_read(lesson, text, size, error);
	if (good)
		return lesson;
	rsb_lesson_free(lesson);
	return NULL;
}

void rsb_lesson_free(struct rsb_lesson *lesson)
{
	if (!lesson)
		return;
	free(lesson->name);
	free(lesson->path);
	free(lesson->lets);
	free(lesson->blocks);
	free(lesson->text);
	free(lesson);
}

bool rsb_lesson_as_it_is(enum rsb_lesson_kind kind)
{
	return kind == RSB_LESSON_LITERAL || kind == RSB_LESSON_COMMAND ||
	       kind == RSB_LESSON_PLAYER;
}

size_t rsb_lesson_reference(const char *text, char *name, size_t size)
{
	size_t length;

	if (*text != '{')
		return 0;
	for (length = 0; isalnum((unsigned char)text[1 + length]) || text[1 + length] == '_';)
		length++;
	if (!length || length >= size || text[1 + length] != '}')
		return 0;
	memcpy(name, text + 1, length);
	name[length] = '\0';
	return length + 2;
}

const struct rsb_lesson_let *rsb_lesson_let(const struct rsb_lesson *lesson, const char *name)
{
	for (size_t i = 0; i < lesson->let_count; i++)
		if (!strcmp(lesson->lets[i].name, name))
			return &lesson->lets[i];
	return NULL;
}
