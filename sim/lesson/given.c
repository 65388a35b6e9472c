/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works a lesson out. */
#include "sim/lesson/given.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct rsb_value *rsb_given_value(const struct rsb_given *given, const char *name)
{
	const struct rsb_lesson_let *let = rsb_lesson_let(given->lesson, name);

	return let ? &given->values[let - given->lesson->lets] : NULL;
}

static bool add_up(const struct rsb_given *given, const struct rsb_query *query,
		   struct rsb_value *value, struct rsb_error *error)
{
	const struct rsb_value *left = rsb_given_value(given, query->left);
	const struct rsb_value *right = rsb_given_value(given, query->right);

	if (!left->is_number || !right->is_number)
		return rsb_error_set(error, "expected numbers, '%s' is \"%s\", '%s' is \"%s\"",
				     query->left, left->text, query->right, right->text);
	rsb_value_set(value,
		      query->minus ? left->number - right->number : left->number + right->number);
	return true;
}

static bool work_out(struct rsb_given *given, struct rsb_error *error)
{
	const struct rsb_lesson *lesson = given->lesson;

	for (size_t i = 0; i < lesson->let_count; i++) {
		const struct rsb_lesson_let *let = &lesson->lets[i];

		if (let->query.asks ? !rsb_query_answer(&let->query, &given->values[i], error)
				    : !add_up(given, &let->query, &given->values[i], error))
			return rsb_error_prefix(error, "%s:%u", lesson->path, let->line);
	}
	return true;
}

/* The text with values in the place of {names}. NULL: no memory. */
static char *fill_in(const struct rsb_given *given, const char *text)
{
	char name[64], *filled = NULL;
	size_t size, length;
	FILE *out = open_memstream(&filled, &size);

	if (!out)
		return NULL;
	while (*text) {
		length = rsb_lesson_reference(text, name, sizeof(name));
		if (length)
			fputs(rsb_given_value(given, name)->text, out);
		else
			fputc(*text, out);
		text += length ? length : 1;
	}
	if (!fclose(out))
		return filled;
	free(filled);
	return NULL;
}

/* "violates: an instruction faults" is what "violates" means. */
static bool is_choice(const char *choice, const char *answer)
{
	size_t length = strlen(answer);

	return !strncmp(choice, answer, length) && (!choice[length] || choice[length] == ':');
}

/* Each must be told from the others, by words that a file of predictions can keep. */
static bool check_choice(const struct rsb_given_block *block, size_t index, struct rsb_error *error)
{
	const char *choice = block->choices[index];
	size_t words = strcspn(choice, ":");

	if (words >= RSB_PREDICTION_MAX)
		return rsb_error_set(error, "expected fewer than %d bytes before a choice's colon",
				     RSB_PREDICTION_MAX);
	for (size_t i = 0; i < index; i++)
		if (strcspn(block->choices[i], ":") == words &&
		    !strncmp(block->choices[i], choice, words))
			return rsb_error_set(error, "two choices are \"%.*s\"", (int)words, choice);
	return true;
}

static bool fill_choices(struct rsb_given *given, struct rsb_given_block *given_block,
			 struct rsb_error *error)
{
	const struct rsb_lesson_block *block = given_block->block;
	size_t count = 0;

	given_block->right_choice = -1;
	while (block->choices[count])
		count++;
	given_block->choices = calloc(count + 1, sizeof(*given_block->choices));
	if (!given_block->choices)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < count; i++) {
		given_block->choices[i] = fill_in(given, block->choices[i]);
		if (!given_block->choices[i])
			return rsb_error_set(error, "out of memory");
		if (!check_choice(given_block, i, error))
			return rsb_error_prefix(error, "%s:%u", given->lesson->path, block->line);
		if (given_block->right_choice < 0 &&
		    is_choice(given_block->choices[i], given_block->right.text))
			given_block->right_choice = (int)i;
	}
	if (count ? given_block->right_choice >= 0 : given_block->right.is_number)
		return true;
	return rsb_error_set(error, "%s:%u: no choice is what is right, \"%s\"",
			     given->lesson->path, block->line, given_block->right.text);
}

static bool give_question(struct rsb_given *given, struct rsb_given_block *given_block,
			  struct rsb_error *error)
{
	given->questions++;
	if (given_block->block->why) {
		given_block->why = fill_in(given, given_block->block->why);
		if (!given_block->why)
			return rsb_error_set(error, "out of memory");
	}
	given_block->right = given->values[given_block->block->answer - given->lesson->lets];
	return fill_choices(given, given_block, error);
}

static bool give_block(struct rsb_given *given, const struct rsb_lesson_block *block,
		       rsb_lesson_runner *runner, void *context, struct rsb_error *error)
{
	struct rsb_given_block *given_block = &given->blocks[given->count++];

	given_block->block = block;
	given_block->text = rsb_lesson_as_it_is(block->kind) ? strdup(block->text)
							     : fill_in(given, block->text);
	if (!given_block->text)
		return rsb_error_set(error, "out of memory");
	if (block->kind == RSB_LESSON_QUESTION)
		return give_question(given, given_block, error);
	if (block->kind != RSB_LESSON_COMMAND || !runner)
		return true;
	given_block->output = runner(context, block->text, error);
	return given_block->output ||
	       rsb_error_prefix(error, "%s:%u", given->lesson->path, block->line);
}

struct rsb_given *rsb_given_new(const struct rsb_lesson *lesson, rsb_lesson_runner *runner,
				void *context, struct rsb_error *error)
{
	struct rsb_given *given = calloc(1, sizeof(*given));
	bool good = given;

	if (given) {
		given->lesson = lesson;
		given->values = calloc(lesson->let_count + 1, sizeof(*given->values));
		given->blocks = calloc(lesson->block_count + 1, sizeof(*given->blocks));
		good = given->values && given->blocks;
	}
	if (!good)
		rsb_error_set(error, "out of memory");
	good = good && work_out(given, error);
	for (size_t i = 0; good && i < lesson->block_count; i++)
		good = give_block(given, &lesson->blocks[i], runner, context, error);
	if (good)
		return given;
	rsb_given_free(given);
	return NULL;
}

static void free_block(struct rsb_given_block *block)
{
	free(block->text);
	free(block->output);
	free(block->why);
	for (char **choice = block->choices; choice && *choice; choice++)
		free(*choice);
	free(block->choices);
}

void rsb_given_free(struct rsb_given *given)
{
	if (!given)
		return;
	for (size_t i = 0; i < given->count; i++)
		free_block(&given->blocks[i]);
	free(given->blocks);
	free(given->values);
	free(given);
}

struct rsb_given_block *rsb_given_question(const struct rsb_given *given, const char *name)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->blocks[i].block->kind == RSB_LESSON_QUESTION &&
		    !strcmp(given->blocks[i].block->name, name))
			return &given->blocks[i];
	return NULL;
}
