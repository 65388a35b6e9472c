/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lesson for programs: its text with the numbers in it, what was asked, and what came out. */
#include "sim/lesson/format.h"

#include "sim/report/json.h"

static const char *const kinds[] = {
	[RSB_LESSON_HEADING] = "heading", [RSB_LESSON_TEXT] = "text",
	[RSB_LESSON_ITEM] = "item",       [RSB_LESSON_LITERAL] = "literal",
	[RSB_LESSON_COMMAND] = "command", [RSB_LESSON_QUESTION] = "question",
	[RSB_LESSON_PLAYER] = "player",
};

static bool add_choices(cJSON *to, const struct rsb_given_block *block)
{
	cJSON *array;

	if (block->right_choice < 0)
		return true;
	array = rsb_add_array(to, "choices");
	for (char **choice = block->choices; *choice; choice++)
		if (!rsb_add_text(array, NULL, *choice))
			return false;
	return array;
}

static bool add_value(cJSON *to, const char *key, const struct rsb_value *value)
{
	return value->is_number ? rsb_add_number(to, key, value->number)
				: rsb_add_text(to, key, value->text);
}

static bool add_block(cJSON *to, const struct rsb_given_block *block)
{
	cJSON *object = rsb_add_object(to, NULL);
	bool good = rsb_add_text(object, "kind", kinds[block->block->kind]) &&
		    rsb_add_text(object, "text", block->text);

	if (block->output)
		good = good && rsb_add_text(object, "output", block->output);
	if (block->block->kind == RSB_LESSON_QUESTION)
		good = good && rsb_add_text(object, "name", block->block->name) &&
		       add_choices(object, block) && add_value(object, "computed", &block->right) &&
		       rsb_add_text(object, "why", block->why);
	if (block->block->kind == RSB_LESSON_PLAYER)
		good = good && rsb_add_text(object, "cpu", block->block->played.cpu);
	return good;
}

static bool add_values(cJSON *to, const struct rsb_given *given)
{
	cJSON *values = rsb_add_object(to, "values");
	bool good = values;

	for (size_t i = 0; good && i < given->lesson->let_count; i++)
		good = add_value(values, given->lesson->lets[i].name, &given->values[i]);
	return good;
}

bool rsb_lesson_json(FILE *out, struct rsb_given *given, const struct rsb_lesson_options *options,
		     struct rsb_error *error)
{
	const struct rsb_lesson *lesson = given->lesson;
	cJSON *root = rsb_json_new(), *blocks;
	bool good = rsb_add_text(root, "lesson", lesson->name) &&
		    rsb_add_integer(root, "number", lesson->number) &&
		    rsb_add_integer(root, "version", lesson->version) &&
		    rsb_add_text(root, "title", lesson->title) &&
		    rsb_add_text(root, "summary", lesson->summary) && add_values(root, given);

	(void)options;
	blocks = rsb_add_array(root, "parts");
	for (size_t i = 0; good && i < given->count; i++)
		good = add_block(blocks, &given->blocks[i]);
	return rsb_json_write(out, root, good && blocks, error);
}
