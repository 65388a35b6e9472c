/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Grades what rsbsim lesson -o wrote. */
#include "sim/cli/lesson_grade.h"

#include "sim/cli/output.h"
#include "sim/cli/terminal.h"
#include "sim/lesson/answers.h"

#include <stdlib.h>
#include <string.h>

#define LESSONS_MAX 128 /* that one call grades */

/* Each lesson is worked out once. */
struct work {
	struct rsb_lesson *lessons[LESSONS_MAX];
	struct rsb_given *given[LESSONS_MAX];
	size_t lesson_count;
	struct rsb_grade *grades;
	size_t count;
	const char *format;
};

static struct rsb_given *add_lesson(struct work *work, const char *word, struct rsb_error *error)
{
	struct rsb_lesson *lesson;

	if (work->lesson_count == LESSONS_MAX)
		return rsb_error_null(error, "expected at most %d lessons", LESSONS_MAX);
	lesson = rsb_lesson_load(word, error);
	if (!lesson)
		return NULL;
	work->lessons[work->lesson_count] = lesson;
	work->given[work->lesson_count] = rsb_given_new(lesson, NULL, NULL, error);
	return work->given[work->lesson_count++];
}

static struct rsb_given *find_lesson(struct work *work, const char *name, struct rsb_error *error)
{
	for (size_t i = 0; i < work->lesson_count; i++)
		if (!strcmp(work->lessons[i]->name, name))
			return work->given[i];
	if (strchr(name, '/') || rsb_lesson_is_file(name))
		return rsb_error_null(error, "\"lesson\": expected a name, found '%s'", name);
	return add_lesson(work, name, error);
}

static bool grade(struct work *work, const struct rsb_answers *answers, struct rsb_error *error)
{
	struct rsb_given *given = find_lesson(work, rsb_answers_lesson(answers), error);

	if (!given)
		return rsb_error_prefix(error, "%s", rsb_answers_path(answers));
	if (rsb_answers_version(answers) == given->lesson->version &&
	    !rsb_answers_apply(answers, given, error))
		return false;
	return rsb_grade_make(&work->grades[work->count++], answers, given) ||
	       rsb_error_set(error, "out of memory");
}

static bool grade_all(struct work *work, int argc, char **argv, struct rsb_error *error)
{
	for (int i = 0; i < argc; i++)
		if (rsb_lesson_is_file(argv[i]) && !add_lesson(work, argv[i], error))
			return false;
	for (int i = 0; i < argc; i++) {
		struct rsb_answers *answers;
		bool good;

		if (rsb_lesson_is_file(argv[i]))
			continue;
		answers = rsb_answers_load(argv[i], error);
		good = answers && grade(work, answers, error);
		rsb_answers_free(answers);
		if (!good)
			return false;
	}
	return work->count || rsb_error_set(error, "expected files that rsbsim lesson -o wrote");
}

static bool write_grades(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;

	if (!strcmp(work->format, "json"))
		return rsb_grades_json(out, work->grades, work->count, error);
	if (!strcmp(work->format, "csv"))
		return rsb_grades_csv(out, work->grades, work->count, error);
	return rsb_grades_text(out, work->grades, work->count, cli_terminal_columns(), error);
}

static void clear_work(struct work *work)
{
	for (size_t i = 0; i < work->count; i++)
		rsb_grade_clear(&work->grades[i]);
	for (size_t i = 0; i < work->lesson_count; i++) {
		rsb_given_free(work->given[i]);
		rsb_lesson_free(work->lessons[i]);
	}
	free(work->grades);
}

bool cli_lesson_grade(const char *format, const char *output, int argc, char **argv,
		      struct rsb_error *error)
{
	struct work work = { .format = format };
	bool good;

	if (strcmp(format, "text") && strcmp(format, "json") && strcmp(format, "csv"))
		return rsb_error_set(error, "grades are text, json or csv, not %s", format);
	work.grades = calloc((size_t)argc + 1, sizeof(*work.grades));
	good = work.grades ? grade_all(&work, argc, argv, error) &&
				     cli_output_write(output, write_grades, &work, error)
			   : rsb_error_set(error, "out of memory");
	clear_work(&work);
	return good;
}
