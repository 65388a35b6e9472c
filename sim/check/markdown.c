/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in a cell of a table of Markdown, as GitHub reads it (https://github.github.com/gfm/). */
#include "sim/check/markdown.h"

#include <stdbool.h>
#include <string.h>

#define MARKS "\\|*_<>[]#"

void rsb_markdown_name(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(MARKS "`", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

void rsb_markdown_sentence(FILE *out, const char *text)
{
	bool code = false;

	for (; *text; text++) {
		code ^= *text == '`';
		/* A bar ends the cell in code too. */
		if (*text == '|' || (!code && strchr(MARKS, *text)))
			fputc('\\', out);
		fputc(*text, out);
	}
}
