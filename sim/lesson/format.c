/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats of a lesson: one row each. */
#include "sim/lesson/format.h"

#include "traces/util/suggest.h"

static const struct rsb_lesson_format formats[] = {
	{ "text", rsb_lesson_text },
	{ "json", rsb_lesson_json },
	{ "markdown", rsb_lesson_markdown },
	{ "html", rsb_lesson_html },
	{ NULL, NULL },
};

const struct rsb_lesson_format *rsb_lesson_formats(void)
{
	return formats;
}

const struct rsb_lesson_format *rsb_lesson_format_find(const char *name, struct rsb_error *error)
{
	return rsb_row_find(formats, sizeof(*formats), "format", name, error);
}
