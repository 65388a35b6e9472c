/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lesson on a terminal: it asks where it can, and then tells what really comes out. */
#include "sim/lesson/format.h"

#include "sim/report/formats.h"
#include "sim/report/style.h"
#include "sim/report/wrap.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS 80 /* lines that are easy to read */
#define NARROW  20 /* below which commands are not broken further */

static unsigned columns(const struct rsb_lesson_options *options)
{
	return options->columns && options->columns < COLUMNS ? options->columns : COLUMNS;
}

/* Underlined, to be seen without colour too. */
static void write_heading(FILE *out, const char *text, bool colour)
{
	fprintf(out, "%s%s%s\n", rsb_style_start(RSB_STYLE_BOLD, colour), text,
		rsb_style_end(RSB_STYLE_BOLD, colour));
	for (size_t i = rsb_wrap_width(text); i; i--)
		fputc('-', out);
	fputs("\n\n", out);
}

static void write_title(FILE *out, const struct rsb_given *given, bool colour)
{
	const struct rsb_lesson *lesson = given->lesson;

	fprintf(out, "%s", rsb_style_start(RSB_STYLE_BOLD, colour));
	if (lesson->number)
		fprintf(out, "Lesson %u: ", lesson->number);
	fprintf(out, "%s%s\n\n", lesson->title, rsb_style_end(RSB_STYLE_BOLD, colour));
}

/* Lines as they are, and an empty one. */
static void write_lines(FILE *out, const char *text, const char *indent)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		fprintf(out, "%s%.*s\n", length ? indent : "", (int)length, text);
		text += length + (text[length] == '\n');
	}
	fputc('\n', out);
}

/* A line that is too long goes on in the next as a shell has it, so that it can be copied. */
static void write_typed(FILE *out, const char *text, unsigned columns)
{
	unsigned before = 2; /* columns of the prompt, or what is indented */

	if (columns < NARROW)
		columns = NARROW;
	while (strlen(text) + before > columns) {
		size_t length = columns - before - 2;

		while (length && text[length] != ' ')
			length--;
		if (!length)
			break;
		fprintf(out, "%.*s \\\n    ", (int)length, text);
		text += length + 1;
		before = 4;
	}
	fputs(text, out);
}

/* As it looks where it is typed in; what it prints is as wide as a terminal. */
static void write_command(FILE *out, const struct rsb_given_block *block,
			  const struct rsb_lesson_options *options)
{
	fprintf(out, "%s$ ", rsb_style_start(RSB_STYLE_BOLD, options->colour));
	write_typed(out, block->text, columns(options));
	fprintf(out, "%s\n", rsb_style_end(RSB_STYLE_BOLD, options->colour));
	write_lines(out, block->output ? block->output : "", "");
}

static void write_question(FILE *out, const struct rsb_given *given,
			   const struct rsb_given_block *block, unsigned number,
			   const struct rsb_lesson_options *options)
{
	char head[64];

	snprintf(head, sizeof(head), "Predict, %u of %zu:", number, given->questions);
	fprintf(out, "%s%s%s ", rsb_style_start(RSB_STYLE_BOLD, options->colour), head,
		rsb_style_end(RSB_STYLE_BOLD, options->colour));
	rsb_wrap_write(out, block->text, strlen(head) + 1, 2, columns(options));
	for (size_t i = 0; block->choices[i]; i++) {
		fprintf(out, "  %c) ", (char)('a' + i));
		rsb_wrap_write(out, block->choices[i], 5, 5, columns(options));
	}
}

static const char *right_words(const struct rsb_given_block *block)
{
	return block->right_choice < 0 ? block->right.text : block->choices[block->right_choice];
}

/* What comes out, beside what was said. */
static void write_right(FILE *out, const struct rsb_given_block *block,
			const struct rsb_lesson_options *options)
{
	char text[1024];

	if (block->is_right)
		snprintf(text, sizeof(text), "Yes: %s", right_words(block));
	else if (*block->prediction)
		snprintf(text, sizeof(text), "You predicted %s. What comes out is: %s",
			 block->prediction, right_words(block));
	else
		snprintf(text, sizeof(text), "What comes out is: %s", right_words(block));
	fputs("  ", out);
	rsb_wrap_write(out, text, 2, 4, columns(options));
	fputc('\n', out);
	if (!block->why)
		return;
	rsb_wrap_write(out, block->why, 0, 0, columns(options));
	fputc('\n', out);
}

/* On a terminal it is a program of its own that goes through a run. */
static void write_player(FILE *out, const struct rsb_given_block *block,
			 const struct rsb_lesson_options *options)
{
	const struct rsb_query *played = &block->block->played;
	char text[512];

	snprintf(text, sizeof(text), "(To go through it step by step: rsbsim step %s --cpu %s)",
		 played->subjects[0], played->cpu);
	rsb_wrap_write(out, text, 0, 0, columns(options));
	fputc('\n', out);
}

static void write_block(FILE *out, const struct rsb_given *given, size_t index,
			const struct rsb_lesson_options *options)
{
	const struct rsb_given_block *block = &given->blocks[index];

	switch (block->block->kind) {
	case RSB_LESSON_HEADING:
		write_heading(out, block->text, options->colour);
		break;
	case RSB_LESSON_TEXT:
		rsb_wrap_write(out, block->text, 0, 0, columns(options));
		fputc('\n', out);
		break;
	case RSB_LESSON_ITEM:
		fputs("- ", out);
		rsb_wrap_write(out, block->text, 2, 2, columns(options));
		if (index + 1 == given->count || block[1].block->kind != RSB_LESSON_ITEM)
			fputc('\n', out);
		break;
	case RSB_LESSON_LITERAL:
		write_lines(out, block->text, "    ");
		break;
	case RSB_LESSON_COMMAND:
		write_command(out, block, options);
		break;
	case RSB_LESSON_PLAYER:
		write_player(out, block, options);
		break;
	case RSB_LESSON_QUESTION:
		break;
	}
}

/* How it went, if anything was predicted. No answer is no wrong one. */
static void write_end(FILE *out, const struct rsb_given *given)
{
	const size_t none = given->questions - given->predicted;

	if (!given->predicted)
		return;
	fprintf(out, "You predicted %zu of %zu as they come out", given->right, given->predicted);
	if (none)
		fprintf(out, "; %zu %s no answer", none, none == 1 ? "has" : "have");
	fputs(".\n", out);
}

/* What is written in one go: blocks from first on, a question, or what comes out of that. */
struct part {
	size_t first, count;
	unsigned number; /* of the question */
	bool right;
};

static void write_part(FILE *out, const struct rsb_given *given, const struct part *part,
		       const struct rsb_lesson_options *options)
{
	const struct rsb_given_block *block = &given->blocks[part->first];

	if (part->right)
		write_right(out, block, options);
	else if (block->block->kind == RSB_LESSON_QUESTION)
		write_question(out, given, block, part->number, options);
	else
		for (size_t i = 0; i < part->count; i++)
			write_block(out, given, part->first + i, options);
}

/* The same, once the reader is ready for it. False: no memory. */
static bool give_part(FILE *out, const struct rsb_given *given, const struct part *part,
		      const struct rsb_lesson_options *options)
{
	char *text = NULL;
	size_t size;
	unsigned lines = 0;
	FILE *stream;

	if (!options->wait) {
		write_part(out, given, part, options);
		return true;
	}
	stream = open_memstream(&text, &size);
	if (!stream)
		return false;
	write_part(stream, given, part, options);
	if (fclose(stream)) {
		free(text);
		return false;
	}
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	options->wait(options->context, lines);
	fwrite(text, 1, size, out);
	free(text);
	return true;
}

/* Blocks that belong together: a heading stands above something. */
static size_t count_blocks(const struct rsb_given *given, size_t first)
{
	return given->blocks[first].block->kind == RSB_LESSON_HEADING && first + 1 < given->count &&
			       given->blocks[first + 1].block->kind != RSB_LESSON_QUESTION
		       ? 2
		       : 1;
}

bool rsb_lesson_text(FILE *out, struct rsb_given *given, const struct rsb_lesson_options *options,
		     struct rsb_error *error)
{
	struct part part = { 0 };
	bool asking = options->ask, good = true;

	write_title(out, given, options->colour);
	for (size_t i = 0; good && i < given->count; i += part.count) {
		struct rsb_given_block *block = &given->blocks[i];

		part.first = i;
		part.count = count_blocks(given, i);
		part.number += block->block->kind == RSB_LESSON_QUESTION;
		part.right = false;
		good = give_part(out, given, &part, options);
		if (!good || block->block->kind != RSB_LESSON_QUESTION)
			continue;
		asking = asking && options->ask(options->context, given, block);
		part.right = true;
		good = give_part(out, given, &part, options);
	}
	if (!good)
		return rsb_error_set(error, "out of memory");
	write_end(out, given);
	return rsb_report_end(out, error);
}
