/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats as rows, and what they share. */
#include "sim/check/format.h"

#include "traces/util/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* To add one: one row. */
static const struct rsb_check_format formats[] = {
	{ "text", "to read", rsb_check_text },
	{ "json", "everything, for scripts", rsb_check_json },
	{ "sarif", "SARIF 2.1.0, for code scanning", rsb_check_sarif },
	{ "junit", "JUnit's XML: a test case for each layout and CPU", rsb_check_junit },
	{ "github", "annotations of GitHub's workflows", rsb_check_github },
	{ "tap", "Test Anything Protocol: a test for each layout and CPU", rsb_check_tap },
	{ "markdown", "tables, for a comment on a change", rsb_check_markdown },
	{ NULL, NULL, NULL },
};

const struct rsb_check_format *rsb_check_formats(void)
{
	return formats;
}

const struct rsb_check_format *rsb_check_format_find(const char *name, size_t size,
						     struct rsb_error *error)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "%.*s", (int)(size < 63 ? size : 63), name);
	return rsb_row_find(formats, sizeof(*formats), "format", wanted, error);
}

bool rsb_check_end(FILE *out, struct rsb_error *error)
{
	if (!fflush(out) && !ferror(out))
		return true;
	return rsb_error_set(error, "cannot write the report: %s", strerror(errno));
}

/* RFC 3986: what a path may hold as it is. */
static bool is_plain(char c)
{
	return isalnum((unsigned char)c) || strchr("/-._~", c);
}

void rsb_check_uri(char *out, size_t size, const struct rsb_check_case *one)
{
	const char *path = *one->path ? one->path : one->layout;
	size_t used;

	while (!strncmp(path, "./", 2))
		path += 2;
	used = (size_t)snprintf(out, size, "%s", *path == '/' ? "file://" : "");
	for (; *path && used + 4 <= size; path++) {
		if (is_plain(*path))
			out[used++] = *path;
		else
			used += (size_t)snprintf(out + used, size - used, "%%%02X",
						 (unsigned char)*path);
	}
	out[used] = '\0';
}

void rsb_check_line(char *out, size_t size, const struct rsb_check_result *result)
{
	bool accepted = result->standing != RSB_STANDING_NEW;

	snprintf(out, size, "%s%s%s%s%s%s%s", result->message, result->place.symbol ? ", at " : "",
		 result->place.symbol ? result->place.symbol : "", accepted ? "; accepted, " : "",
		 rsb_check_standing_words(result->standing),
		 result->reason ? accepted ? ": " : "; " : "",
		 result->reason ? result->reason : "");
}
