/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lesson that is given, written out: as text that can ask, for a page, for a program. */
#ifndef RSB_SIM_LESSON_FORMAT_H
#define RSB_SIM_LESSON_FORMAT_H

#include "sim/lesson/given.h"

#include <stdio.h>

struct rsb_lesson_options {
	bool colour;
	unsigned columns;

	/*
	 * Text only: asks for a prediction once the question is written, and notes it with
	 * rsb_given_predict(). NULL: nobody is asked. False: nobody answers any more.
	 */
	bool (*ask)(void *context, struct rsb_given *given, struct rsb_given_block *question);

	/*
	 * Text only: so many lines come next, which belong together; a reader may want to be waited
	 * for before they do. NULL: nobody is.
	 */
	void (*wait)(void *context, unsigned lines);
	void *context;
};

struct rsb_lesson_format {
	const char *name;
	/* False: a write failed, or there was no memory. */
	bool (*write)(FILE *out, struct rsb_given *given, const struct rsb_lesson_options *options,
		      struct rsb_error *error);
};

/* All formats, ended by a row without a name; text is the first. */
const struct rsb_lesson_format *rsb_lesson_formats(void);
const struct rsb_lesson_format *rsb_lesson_format_find(const char *name, struct rsb_error *error);

typedef bool rsb_lesson_writer(FILE *out, struct rsb_given *given,
			       const struct rsb_lesson_options *options, struct rsb_error *error);

rsb_lesson_writer rsb_lesson_text;
rsb_lesson_writer rsb_lesson_markdown;
rsb_lesson_writer rsb_lesson_json;
rsb_lesson_writer rsb_lesson_html;

#endif
