/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a check is written as: one file here and one row in sim/check/format.c each. The library
 * does not open files: it writes to the stream given.
 */
#ifndef RSB_SIM_CHECK_FORMAT_H
#define RSB_SIM_CHECK_FORMAT_H

#include "sim/check/rule.h"

#include <stdio.h>

struct rsb_check_style {
	bool colour;      /* ANSI colour in text */
	unsigned columns; /* width of text to keep to */
};

typedef bool rsb_check_writer(FILE *out, const struct rsb_check *check,
			      const struct rsb_check_style *style, struct rsb_error *error);

struct rsb_check_format {
	const char *name; /* "sarif" */
	const char *sentence;
	rsb_check_writer *write; /* false: a write failed, or there was no memory */
};

/* All formats, ended by a row without a name. */
const struct rsb_check_format *rsb_check_formats(void);

/* By a name of size bytes. NULL: error lists the nearest. */
const struct rsb_check_format *rsb_check_format_find(const char *name, size_t size,
						     struct rsb_error *error);

extern rsb_check_writer rsb_check_github;
extern rsb_check_writer rsb_check_json;
extern rsb_check_writer rsb_check_junit;
extern rsb_check_writer rsb_check_markdown;
extern rsb_check_writer rsb_check_sarif;
extern rsb_check_writer rsb_check_tap;
extern rsb_check_writer rsb_check_text;

/* Ends a format: were all writes good? */
bool rsb_check_end(FILE *out, struct rsb_error *error);

/*
 * The file that a case is about, as it was given; the layout's name where the user has no such
 * file.
 */
void rsb_check_uri(char *out, size_t size, const struct rsb_check_case *one);

/* One sentence of what a result says, where it is and how it stands: for formats of one line. */
void rsb_check_line(char *out, size_t size, const struct rsb_check_result *result);

#endif
