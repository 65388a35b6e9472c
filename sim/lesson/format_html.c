/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lesson as a page for the browser (sim/see/page.h), with runs to go through where the lesson has
 * them. What comes out is told when the reader has made a prediction.
 */
#include "sim/lesson/format.h"

#include "sim/lesson/query_run.h"
#include "sim/see/page.h"

#include <stdlib.h>
#include <string.h>

static bool add_item(struct rsb_page *page, const char *text)
{
	size_t size = strlen(text) + 8;
	char *item = malloc(size);
	bool good = item;

	if (item) {
		snprintf(item, size, "\u2022 %s", text);
		good = rsb_page_prose(page, item);
	}
	free(item);
	return good;
}

static bool add_command(struct rsb_page *page, const struct rsb_given_block *block)
{
	const char *output = block->output ? block->output : "";
	size_t size = strlen(block->text) + strlen(output) + 8;
	char *lines = malloc(size);
	bool good = lines;

	if (lines) {
		snprintf(lines, size, "$ %s\n%s", block->text, output);
		good = rsb_page_code(page, lines);
	}
	free(lines);
	return good;
}

static bool add_question(struct rsb_page *page, const struct rsb_given_block *block)
{
	bool number = block->right_choice < 0;

	return rsb_page_ask(
		page,
		&(struct rsb_page_question){
			.question = block->text,
			.choices = number ? NULL : (const char *const *)block->choices,
			.answer = number ? block->right.text : block->choices[block->right_choice],
			.why = block->why,
		});
}

/* False: error. */
static bool add_player(struct rsb_page *page, const struct rsb_given_block *block,
		       struct rsb_error *error)
{
	const struct rsb_query *played = &block->block->played;
	const struct rsb_recording_options options = { .events = 0 };
	const struct rsb_recording *recording = NULL;
	struct rsb_query_run ran;
	bool good = rsb_query_run(&ran, played, played->subjects[0], error);

	if (good)
		recording = rsb_recording_new(ran.image, played->subjects[0], ran.profile,
					      &ran.scenario, &options, error);
	good = recording && (rsb_page_recordings(page, played->subjects[0],
						 rsb_layout_summary(ran.layout), &recording, 1) ||
			     rsb_error_set(error, "out of memory"));
	rsb_recording_free((struct rsb_recording *)recording);
	rsb_query_run_clear(&ran);
	return good;
}

/* Of those that can only want memory the page keeps that in mind (rsb_page_write()). */
static bool add_block(struct rsb_page *page, const struct rsb_given_block *block,
		      struct rsb_error *error)
{
	switch (block->block->kind) {
	case RSB_LESSON_HEADING:
		rsb_page_heading(page, block->text);
		break;
	case RSB_LESSON_TEXT:
		rsb_page_prose(page, block->text);
		break;
	case RSB_LESSON_ITEM:
		return add_item(page, block->text) || rsb_error_set(error, "out of memory");
	case RSB_LESSON_LITERAL:
		rsb_page_code(page, block->text);
		break;
	case RSB_LESSON_COMMAND:
		return add_command(page, block) || rsb_error_set(error, "out of memory");
	case RSB_LESSON_QUESTION:
		add_question(page, block);
		break;
	case RSB_LESSON_PLAYER:
		return add_player(page, block, error);
	}
	return true;
}

bool rsb_lesson_html(FILE *out, struct rsb_given *given, const struct rsb_lesson_options *options,
		     struct rsb_error *error)
{
	struct rsb_page *page = rsb_page_new(given->lesson->title, given->lesson->summary);
	bool good = page || rsb_error_set(error, "out of memory");

	(void)options;
	for (size_t i = 0; good && i < given->count; i++)
		good = add_block(page, &given->blocks[i], error);
	good = good && rsb_page_write(out, page, error);
	rsb_page_free(page);
	return good;
}
