/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes files of predictions, graded by a lesson. */
#include "sim/lesson/answers.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nothing in it takes long to work out. */
static const char lesson_text[] = "# T\nversion: 1\nsummary: S.\nlet e = entries of amd-zen4\n"
				  "? n = e\nHow many?\n\n? c = e\nWhich?\n* 16\n* 32\n";

static void grade(const struct rsb_answers *answers, const struct rsb_lesson *lesson)
{
	struct rsb_error error;
	struct rsb_given *given = rsb_given_new(lesson, NULL, NULL, &error);
	struct rsb_grade grade;

	if (!given)
		abort();
	if (rsb_answers_apply(answers, given, &error) && rsb_grade_make(&grade, answers, given)) {
		if (grade.right > grade.predicted || grade.predicted > grade.questions)
			abort();
		rsb_grade_clear(&grade);
	}
	rsb_given_free(given);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rsb_error error;
	struct rsb_answers *answers = rsb_answers_parse("fuzz", (const char *)data, size, &error);
	struct rsb_lesson *lesson;

	if (!answers)
		return 0;
	lesson = rsb_lesson_parse("t.lesson", lesson_text, sizeof(lesson_text) - 1, &error);
	if (!lesson)
		abort();
	grade(answers, lesson);
	rsb_lesson_free(lesson);
	rsb_answers_free(answers);
	return 0;
}
