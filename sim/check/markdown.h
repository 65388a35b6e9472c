/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in a cell of a table of Markdown. */
#ifndef RSB_SIM_CHECK_MARKDOWN_H
#define RSB_SIM_CHECK_MARKDOWN_H

#include <stdio.h>

/* Writes a name so that nothing in it is taken for a mark. */
void rsb_markdown_name(FILE *out, const char *text);

/* Writes a sentence; what stands between back quotes in it stays code. */
void rsb_markdown_sentence(FILE *out, const char *text);

#endif
