/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lesson in Markdown; what comes out stands behind a line that can be opened. */
#include "sim/lesson/format.h"

#include "sim/report/formats.h"
#include "sim/report/markup.h"

#include <string.h>

static void write_fenced(FILE *out, const char *command, const char *lines)
{
	size_t size = strlen(lines);

	fputs("```\n", out);
	if (command)
		fprintf(out, "$ %s\n", command);
	fprintf(out, "%s%s```\n\n", lines, size && lines[size - 1] != '\n' ? "\n" : "");
}

static void write_question(FILE *out, const struct rsb_given_block *block)
{
	fputs("**Predict:** ", out);
	rsb_markdown_prose(out, block->text);
	fputs("\n\n", out);
	for (size_t i = 0; block->choices[i]; i++) {
		fprintf(out, "- %c) ", (char)('a' + i));
		rsb_markdown_prose(out, block->choices[i]);
		fputc('\n', out);
	}
	fputs("\n<details><summary>What comes out</summary>\n\n", out);
	rsb_markdown_prose(out, block->right_choice < 0 ? block->right.text
							: block->choices[block->right_choice]);
	if (block->why) {
		fputs("\n\n", out);
		rsb_markdown_prose(out, block->why);
	}
	fputs("\n\n</details>\n\n", out);
}

static void write_block(FILE *out, const struct rsb_given *given, size_t index)
{
	const struct rsb_given_block *block = &given->blocks[index];

	switch (block->block->kind) {
	case RSB_LESSON_HEADING:
		fputs("## ", out);
		break;
	case RSB_LESSON_ITEM:
		fputs("- ", out);
		rsb_markdown_prose(out, block->text);
		fputs(index + 1 < given->count && block[1].block->kind == RSB_LESSON_ITEM ? "\n"
											  : "\n\n",
		      out);
		return;
	case RSB_LESSON_LITERAL:
		write_fenced(out, NULL, block->text);
		return;
	case RSB_LESSON_COMMAND:
		write_fenced(out, block->text, block->output ? block->output : "");
		return;
	case RSB_LESSON_QUESTION:
		write_question(out, block);
		return;
	case RSB_LESSON_PLAYER:
		fprintf(out, "(To go through it step by step: `rsbsim step %s --cpu %s`)\n\n",
			block->block->played.subjects[0], block->block->played.cpu);
		return;
	case RSB_LESSON_TEXT:
		break;
	}
	rsb_markdown_prose(out, block->text);
	fputs("\n\n", out);
}

bool rsb_lesson_markdown(FILE *out, struct rsb_given *given,
			 const struct rsb_lesson_options *options, struct rsb_error *error)
{
	(void)options;
	fputs("# ", out);
	rsb_markdown_prose(out, given->lesson->title);
	fputs("\n\n", out);
	for (size_t i = 0; i < given->count; i++)
		write_block(out, given, i);
	return rsb_report_end(out, error);
}
