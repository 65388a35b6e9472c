/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lesson as one page that needs nothing else: no network, no script. What follows a question
 * stands behind what comes out, which the reader opens.
 */
#include "sim/lesson/format.h"

#include "sim/report/formats.h"

#include <string.h>

static const char style[] =
	"body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.55 sans-serif;"
	"color:#1a1a1a;background:#fff}\n"
	"pre{overflow-x:auto;padding:.7rem;font:.85rem/1.4 monospace;background:#f3f3f3}\n"
	"code{font-family:monospace}\n"
	".ask{border-left:.3rem solid #0072b2;padding:.2rem 1rem;margin:1rem 0}\n"
	"details{margin:1rem 0}summary{cursor:pointer;font-weight:bold}\n"
	"@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}"
	"pre{background:#242424}.ask{border-color:#56b4e9}}\n"
	"@media print{pre{white-space:pre-wrap}}\n";

static void write_escaped(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
}

/* The same with code in backticks. */
static void write_text(FILE *out, const char *text)
{
	bool code = false;

	while (*text) {
		char piece[2] = { *text, '\0' };

		if (*text++ != '`') {
			write_escaped(out, piece);
			continue;
		}
		fputs(code ? "</code>" : "<code>", out);
		code = !code;
	}
	if (code)
		fputs("</code>", out);
}

static void write_element(FILE *out, const char *name, const char *text)
{
	fprintf(out, "<%s>", name);
	write_text(out, text);
	fprintf(out, "</%s>\n", name);
}

static void write_question(FILE *out, const struct rsb_given_block *block)
{
	fputs("<div class=\"ask\">\n<p><b>Predict:</b> ", out);
	write_text(out, block->text);
	fputs("</p>\n", out);
	if (block->choices[0])
		fputs("<ol type=\"a\">\n", out);
	for (size_t i = 0; block->choices[i]; i++)
		write_element(out, "li", block->choices[i]);
	if (block->choices[0])
		fputs("</ol>\n", out);
	fputs("</div>\n<details>\n<summary>What comes out</summary>\n<p><b>", out);
	write_text(out, block->right_choice < 0 ? block->right.text
						: block->choices[block->right_choice]);
	fputs("</b></p>\n", out);
}

static void write_lines(FILE *out, const char *command, const char *lines)
{
	fputs("<pre tabindex=\"0\">", out);
	if (command) {
		fputs("<b>$ ", out);
		write_escaped(out, command);
		fputs("</b>\n", out);
	}
	write_escaped(out, lines);
	fputs("</pre>\n", out);
}

static void write_item(FILE *out, const struct rsb_given *given, size_t index)
{
	const struct rsb_given_block *block = &given->blocks[index];

	if (!index || block[-1].block->kind != RSB_LESSON_ITEM)
		fputs("<ul>\n", out);
	write_element(out, "li", block->text);
	if (index + 1 == given->count || block[1].block->kind != RSB_LESSON_ITEM)
		fputs("</ul>\n", out);
}

static void write_block(FILE *out, const struct rsb_given *given, size_t index)
{
	const struct rsb_given_block *block = &given->blocks[index];

	switch (block->block->kind) {
	case RSB_LESSON_HEADING:
		write_element(out, "h2", block->text);
		break;
	case RSB_LESSON_TEXT:
		write_element(out, "p", block->text);
		break;
	case RSB_LESSON_ITEM:
		write_item(out, given, index);
		break;
	case RSB_LESSON_LITERAL:
		write_lines(out, NULL, block->text);
		break;
	case RSB_LESSON_COMMAND:
		write_lines(out, block->text, block->output ? block->output : "");
		break;
	case RSB_LESSON_QUESTION:
		write_question(out, block);
		break;
	}
}

/* What a question hides goes on to the next one, or to a heading. */
static bool ends_answer(const struct rsb_given *given, size_t index)
{
	enum rsb_lesson_kind kind;

	if (index == given->count)
		return true;
	kind = given->blocks[index].block->kind;
	return kind == RSB_LESSON_QUESTION || kind == RSB_LESSON_HEADING;
}

bool rsb_lesson_html(FILE *out, struct rsb_given *given, const struct rsb_lesson_options *options,
		     struct rsb_error *error)
{
	bool open = false;

	(void)options;
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n",
	      out);
	fputs("<title>", out);
	write_escaped(out, given->lesson->title);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
	write_element(out, "h1", given->lesson->title);
	for (size_t i = 0; i < given->count; i++) {
		if (open && ends_answer(given, i)) {
			fputs("</details>\n", out);
			open = false;
		}
		write_block(out, given, i);
		open |= given->blocks[i].block->kind == RSB_LESSON_QUESTION;
	}
	fprintf(out, "%s</main>\n</body>\n</html>\n", open ? "</details>\n" : "");
	return rsb_report_end(out, error);
}
