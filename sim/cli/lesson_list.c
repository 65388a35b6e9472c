/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of lessons. */
#include "sim/cli/lesson_list.h"

#include "sim/cli/output.h"
#include "sim/cli/terminal.h"
#include "sim/lesson/lesson.h"
#include "sim/report/formats.h"
#include "sim/report/json.h"
#include "sim/report/table.h"

#include <string.h>

static void add_row(struct rsb_table *table, const struct rsb_lesson *lesson)
{
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%u", lesson->number);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", lesson->name);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", lesson->summary);
}

static bool add_object(cJSON *array, const struct rsb_lesson *lesson)
{
	cJSON *object = rsb_add_object(array, NULL);

	return rsb_add_text(object, "lesson", lesson->name) &&
	       rsb_add_integer(object, "number", lesson->number) &&
	       rsb_add_integer(object, "version", lesson->version) &&
	       rsb_add_text(object, "title", lesson->title) &&
	       rsb_add_text(object, "summary", lesson->summary);
}

/* One of them is NULL. */
static bool add_all(struct rsb_table *table, cJSON *array, struct rsb_error *error)
{
	for (const char *const *name = rsb_lesson_names(); *name; name++) {
		struct rsb_lesson *lesson = rsb_lesson_load(*name, error);
		bool good = lesson;

		if (good && table)
			add_row(table, lesson);
		if (good && array)
			good = add_object(array, lesson) || rsb_error_set(error, "out of memory");
		rsb_lesson_free(lesson);
		if (!good)
			return false;
	}
	return true;
}

static bool write_json(FILE *out, struct rsb_error *error)
{
	cJSON *root = rsb_json_new(), *array = rsb_add_array(root, "lessons");
	struct rsb_error ignored;
	bool good = array && add_all(NULL, array, error);

	return rsb_json_write(out, root, good, array && !good ? &ignored : error);
}

static bool write_text(FILE *out, struct rsb_error *error)
{
	struct rsb_table *table = rsb_table_new();
	bool good;

	if (!table)
		return rsb_error_set(error, "out of memory");
	rsb_table_column(table, "", RSB_TABLE_NUMBER, 0);
	rsb_table_column(table, "lesson", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "what it is about", RSB_TABLE_WORDS, 2);
	good = add_all(table, NULL, error);
	if (good && !rsb_table_write(table, out, cli_terminal_columns(), false))
		good = rsb_error_set(error, "out of memory");
	rsb_table_free(table);
	return good && rsb_report_end(out, error);
}

static bool write_list(FILE *out, const void *format, struct rsb_error *error)
{
	return !strcmp(format, "json") ? write_json(out, error) : write_text(out, error);
}

bool cli_lesson_list(const char *format, const char *output, struct rsb_error *error)
{
	if (strcmp(format, "text") && strcmp(format, "json"))
		return rsb_error_set(error, "the list of lessons is text or json, not %s", format);
	return cli_output_write(output, write_list, format, error);
}
