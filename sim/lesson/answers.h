/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The predictions that somebody made in a lesson, as a file (JSON; rsbsim-lesson(1)), and what they
 * are worth: they are judged anew by what the lesson computes where it is graded, not by what the
 * file says.
 */
#ifndef RSB_SIM_LESSON_ANSWERS_H
#define RSB_SIM_LESSON_ANSWERS_H

#include "sim/lesson/given.h"

#include <stdio.h>

/* Writes what was predicted, and what is right. */
bool rsb_answers_write(FILE *out, const struct rsb_given *given, struct rsb_error *error);

struct rsb_answers;

/* Reads such a file. NULL: error names file, line, key and what was expected. */
struct rsb_answers *rsb_answers_load(const char *path, struct rsb_error *error);
struct rsb_answers *rsb_answers_parse(const char *name, const char *text, size_t size,
				      struct rsb_error *error);
void rsb_answers_free(struct rsb_answers *answers);

const char *rsb_answers_path(const struct rsb_answers *answers);
const char *rsb_answers_lesson(const struct rsb_answers *answers); /* its name */
unsigned rsb_answers_version(const struct rsb_answers *answers);

/*
 * Puts the predictions of the file in the place of those of the lesson, which must be of that name
 * and version. False: error says which prediction has no question.
 */
bool rsb_answers_apply(const struct rsb_answers *answers, struct rsb_given *given,
		       struct rsb_error *error);

/* A file that was graded. */
struct rsb_grade {
	char *path, *lesson;
	unsigned version, own_version; /* of the file; of the lesson here. If they differ the rest
					  is not known */
	size_t questions, predicted, right;
	char *wrong; /* what was not predicted as it comes out: "inside (2, not 1), cause (-, not
			skipped-frame)" */
};

/* given has the predictions applied, or is of another version. False: no memory. */
bool rsb_grade_make(struct rsb_grade *grade, const struct rsb_answers *answers,
		    const struct rsb_given *given);
void rsb_grade_clear(struct rsb_grade *grade);

/* A table, JSON, or comma-separated values. */
bool rsb_grades_text(FILE *out, const struct rsb_grade *grades, size_t count, unsigned columns,
		     struct rsb_error *error);
bool rsb_grades_json(FILE *out, const struct rsb_grade *grades, size_t count,
		     struct rsb_error *error);
bool rsb_grades_csv(FILE *out, const struct rsb_grade *grades, size_t count,
		    struct rsb_error *error);

#endif
