/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of predictions, graded. */
#include "sim/lesson/answers.h"

#include "sim/report/formats.h"
#include "sim/report/json.h"
#include "sim/report/table.h"

#include <stdlib.h>
#include <string.h>

static void write_wrong(FILE *out, const struct rsb_given *given)
{
	const char *comma = "";

	for (size_t i = 0; i < given->count; i++) {
		const struct rsb_given_block *block = &given->blocks[i];

		if (block->block->kind != RSB_LESSON_QUESTION || block->is_right)
			continue;
		fprintf(out, "%s%s (%s, not %s)", comma, block->block->name,
			*block->prediction ? block->prediction : "-", block->right.text);
		comma = ", ";
	}
}

static char *list_wrong(const struct rsb_given *given)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	write_wrong(out, given);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

bool rsb_grade_make(struct rsb_grade *grade, const struct rsb_answers *answers,
		    const struct rsb_given *given)
{
	*grade = (struct rsb_grade){
		.path = strdup(rsb_answers_path(answers)),
		.lesson = strdup(rsb_answers_lesson(answers)),
		.version = rsb_answers_version(answers),
		.own_version = given->lesson->version,
	};
	if (grade->version == grade->own_version) {
		grade->questions = given->questions;
		grade->predicted = given->predicted;
		grade->right = given->right;
		grade->wrong = list_wrong(given);
	} else {
		grade->wrong = strdup("");
	}
	return grade->path && grade->lesson && grade->wrong;
}

void rsb_grade_clear(struct rsb_grade *grade)
{
	free(grade->path);
	free(grade->lesson);
	free(grade->wrong);
}

static void add_row(struct rsb_table *table, const struct rsb_grade *grade)
{
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", grade->path);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", grade->lesson);
	if (grade->version != grade->own_version) {
		for (size_t i = 0; i < 3; i++)
			rsb_table_cell(table, RSB_STYLE_PLAIN, "-");
		rsb_table_cell(table, RSB_STYLE_PLAIN, "of version %u, and the lesson is of %u",
			       grade->version, grade->own_version);
		return;
	}
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%zu", grade->right);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%zu", grade->predicted);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%zu", grade->questions);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", grade->wrong);
}

bool rsb_grades_text(FILE *out, const struct rsb_grade *grades, size_t count, unsigned columns,
		     struct rsb_error *error)
{
	struct rsb_table *table = rsb_table_new();
	bool good = table;

	if (table) {
		rsb_table_column(table, "file", RSB_TABLE_WORDS, 0);
		rsb_table_column(table, "lesson", RSB_TABLE_WORDS, 2);
		rsb_table_column(table, "right", RSB_TABLE_NUMBER, 2);
		rsb_table_column(table, "predicted", RSB_TABLE_NUMBER, 2);
		rsb_table_column(table, "questions", RSB_TABLE_NUMBER, 2);
		rsb_table_column(table, "not as it comes out", RSB_TABLE_WORDS, 2);
		for (size_t i = 0; i < count; i++)
			add_row(table, &grades[i]);
		good = rsb_table_write(table, out, columns, false);
	}
	rsb_table_free(table);
	return good ? rsb_report_end(out, error) : rsb_error_set(error, "out of memory");
}

static bool add_grade(cJSON *to, const struct rsb_grade *grade)
{
	cJSON *object = rsb_add_object(to, NULL);
	bool good = rsb_add_text(object, "file", grade->path) &&
		    rsb_add_text(object, "lesson", grade->lesson) &&
		    rsb_add_integer(object, "version", grade->version) &&
		    rsb_add_switch(object, "graded", grade->version == grade->own_version);

	if (grade->version != grade->own_version)
		return good;
	return good && rsb_add_integer(object, "right", grade->right) &&
	       rsb_add_integer(object, "predicted", grade->predicted) &&
	       rsb_add_integer(object, "questions", grade->questions) &&
	       rsb_add_text(object, "wrong", grade->wrong);
}

bool rsb_grades_json(FILE *out, const struct rsb_grade *grades, size_t count,
		     struct rsb_error *error)
{
	cJSON *root = rsb_json_new(), *array = rsb_add_array(root, "grades");
	bool good = array;

	for (size_t i = 0; good && i < count; i++)
		good = add_grade(array, &grades[i]);
	return rsb_json_write(out, root, good, error);
}

bool rsb_grades_csv(FILE *out, const struct rsb_grade *grades, size_t count,
		    struct rsb_error *error)
{
	fputs("file,lesson,version,graded,right,predicted,questions,wrong\r\n", out);
	for (size_t i = 0; i < count; i++) {
		const struct rsb_grade *grade = &grades[i];
		bool graded = grade->version == grade->own_version;

		rsb_csv_text(out, grade->path);
		fputc(',', out);
		rsb_csv_text(out, grade->lesson);
		fprintf(out, ",%u,%s,", grade->version, graded ? "true" : "false");
		if (graded)
			fprintf(out, "%zu,%zu,%zu,", grade->right, grade->predicted,
				grade->questions);
		else
			fputs(",,,", out);
		rsb_csv_text(out, grade->wrong);
		fputs("\r\n", out);
	}
	return rsb_report_end(out, error);
}
