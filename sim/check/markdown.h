/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in Markdown. */
#ifndef RSB_SIM_CHECK_MARKDOWN_H
#define RSB_SIM_CHECK_MARKDOWN_H

#include <stdio.h>

/* Writes text so that nothing in it is taken for a mark, on one line. */
void rsb_markdown_write(FILE *out, const char *text);

#endif
