/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for a terminal: its width, and lines broken between words. */
#ifndef RSB_SIM_REPORT_WRAP_H
#define RSB_SIM_REPORT_WRAP_H

#include <stdio.h>

/* Columns that a text in UTF-8 takes: one for each code point. */
size_t rsb_wrap_width(const char *text);

/* The same of its first bytes. */
size_t rsb_wrap_columns(const char *text, size_t size);

/*
 * The bytes of text that go on a line of so many columns: whole words, or part of a word that is
 * longer than the line.
 */
size_t rsb_wrap_take(const char *text, size_t columns);

/*
 * Writes text and a newline, from column at on; what does not fit goes to lines of its own,
 * indented. A word longer than a line is broken behind a slash, or else behind another mark as a
 * symbol has it, or not at all. Control characters are masked.
 */
void rsb_wrap_write(FILE *out, const char *text, size_t at, size_t indent, size_t columns);

/* The same of "name: text"; of the name alone where there is no text. */
void rsb_wrap_named(FILE *out, const char *name, const char *text, size_t columns);

#endif
