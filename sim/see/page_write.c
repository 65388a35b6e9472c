/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a page: the document with its style, its scripts and its data in their places. The data
 * stand in a script element, where a browser looks for nothing but its end, so that they are
 * written without < and &; the policy in the document lets only our own style and script in.
 */
#include "sim/report/formats.h"
#include "sim/report/markup.h"
#include "sim/see/page_private.h"
#include "traces/util/builtin.h"

#include <string.h>

/* A place in the document is @its name@. */
#define MARK '@'

/* The bytes of U+2028 and U+2029, which end a line of JavaScript, but for the last. */
static const char separator[] = "\xe2\x80";

static void write_data(FILE *out, const char *json)
{
	for (const char *c = json; *c; c++) {
		if (!strncmp(c, separator, 2) && (c[2] == '\xa8' || c[2] == '\xa9')) {
			fprintf(out, "\\u202%c", c[2] == '\xa8' ? '8' : '9');
			c += 2;
		} else if (*c == '<' || *c == '>' || *c == '&' || *c == 0x7f) {
			fprintf(out, "\\u%04x", *c);
		} else {
			fputc(*c, out);
		}
	}
}

static const struct rsb_builtin *find_part(const char *name, size_t size)
{
	for (const struct rsb_builtin *part = rsb_builtin_page; part->name; part++)
		if (strlen(part->name) == size && !memcmp(part->name, name, size))
			return part;
	return NULL;
}

/* What stands in the place of that name; false: it is none. */
static bool write_place(FILE *out, const struct rsb_page *page, const char *json, const char *name,
			size_t size)
{
	const struct rsb_builtin *part = find_part(name, size);

	if (part)
		fwrite(part->text, 1, part->size, out);
	else if (size == 4 && !memcmp(name, "data", size))
		write_data(out, json);
	else if (size == 5 && !memcmp(name, "title", size))
		rsb_markup_text(out,
				cJSON_GetStringValue(cJSON_GetObjectItem(page->root, "title")));
	else
		return false;
	return true;
}

static void write_document(FILE *out, const struct rsb_page *page, const char *json)
{
	const char *text = find_part("document", strlen("document"))->text;

	while (*text) {
		const char *end = *text == MARK ? strchr(text + 1, MARK) : NULL;

		if (end && write_place(out, page, json, text + 1, (size_t)(end - text - 1)))
			text = end + 1;
		else
			fputc(*text++, out);
	}
}

bool rsb_page_write(FILE *out, const struct rsb_page *page, struct rsb_error *error)
{
	char *json = page->failed ? NULL : cJSON_PrintUnformatted(page->root);

	if (!json)
		return rsb_error_set(error, "out of memory");
	write_document(out, page, json);
	cJSON_free(json);
	return rsb_report_end(out, error);
}

bool rsb_page_write_json(FILE *out, const struct rsb_page *page, struct rsb_error *error)
{
	char *json = page->failed ? NULL : cJSON_PrintUnformatted(page->root);

	if (!json)
		return rsb_error_set(error, "out of memory");
	fprintf(out, "%s\n", json);
	cJSON_free(json);
	return rsb_report_end(out, error);
}
