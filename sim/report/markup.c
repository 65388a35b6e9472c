/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in XML, HTML and Markdown. */
#include "sim/report/markup.h"

#include <stdbool.h>
#include <string.h>

#define MARKS "\\|*_<>[]#"

void rsb_markup_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
			break;
		}
	}
}

/* The characters of marks are those outside code, and inside it. */
static void write_markdown(FILE *out, const char *text, const char *marks, const char *code_marks)
{
	bool code = false;

	for (; *text; text++) {
		code ^= *text == '`';
		if (strchr(code ? code_marks : marks, *text))
			fputc('\\', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
}

void rsb_markdown_text(FILE *out, const char *text)
{
	write_markdown(out, text, MARKS "`", MARKS "`");
}

void rsb_markdown_prose(FILE *out, const char *text)
{
	write_markdown(out, text, MARKS, "");
}

void rsb_markdown_cell(FILE *out, const char *text)
{
	write_markdown(out, text, MARKS, "|");
}
