/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in XML, HTML and Markdown, as GitHub reads that (https://github.github.com/gfm/). */
#ifndef RSB_SIM_REPORT_MARKUP_H
#define RSB_SIM_REPORT_MARKUP_H

#include <stdio.h>

/*
 * Writes text of an element, or of an attribute in double quotes, so that nothing in it is markup.
 */
void rsb_markup_text(FILE *out, const char *text);

/*
 * Writes text in one line of Markdown, so that nothing in it is a mark. Of prose, the code between
 * a pair of back quotes stays code; in a cell of a table a bar would end even that.
 */
void rsb_markdown_text(FILE *out, const char *text);
void rsb_markdown_prose(FILE *out, const char *text);
void rsb_markdown_cell(FILE *out, const char *text);

#endif
