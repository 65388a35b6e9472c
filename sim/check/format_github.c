/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Annotations of GitHub's workflows, as its documentation gives their form ("Workflow commands").
 * Few of them are shown for a step: the worst come first.
 */
#include "sim/check/format.h"
#include "sim/check/group.h"

#include <stdlib.h>
#include <string.h>

/* The data of a command; a property has two characters more that end it. */
static void write_data(FILE *out, const char *text, const char *ends)
{
	for (; *text; text++) {
		if (*text == '%' || strchr(ends, *text))
			fprintf(out, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, out);
	}
}

static void write_start(FILE *out, const char *command, const struct rsb_check_case *one,
			const char *title)
{
	char uri[4096];

	fprintf(out, "::%s ", command);
	if (*one->path) {
		rsb_check_uri(uri, sizeof(uri), one);
		fputs("file=", out);
		write_data(out, uri, ":,");
		fprintf(out, ",line=%u,", one->line ? one->line : 1);
	}
	fputs("title=", out);
	write_data(out, title, ":,");
	fputs("::", out);
}

static bool write_result(FILE *out, const struct rsb_check *check, size_t index, size_t number)
{
	const struct rsb_check_case *one = &check->cases[index];
	const struct rsb_check_result *result = &one->results[number];
	char *cpus = rsb_group_cpus(check, index, number);
	const char *command = "notice";
	char title[256], line[4096];

	if (!cpus)
		return false;
	if (rsb_check_result_fails(result))
		command = rsb_level_name(result->level);
	snprintf(title, sizeof(title), "%s %s", result->rule->id, result->rule->name);
	rsb_check_line(line, sizeof(line), result);
	write_start(out, command, one, title);
	write_data(out, one->layout, "");
	fputs(" on ", out);
	write_data(out, cpus, "");
	fputs(": ", out);
	write_data(out, line, "");
	fputc('\n', out);
	free(cpus);
	return true;
}

/* fails: those that fail at this level, or else all others that were above it. */
static bool write_level(FILE *out, const struct rsb_check *check, enum rsb_level level, bool fails)
{
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		for (size_t k = 0; k < one->count; k++)
			if (one->results[k].level == level &&
			    rsb_check_result_fails(&one->results[k]) == fails &&
			    rsb_group_is_first(check, i, k) && !write_result(out, check, i, k))
				return false;
	}
	return true;
}

static void write_trouble(FILE *out, const struct rsb_check *check)
{
	for (size_t i = 0; i < check->count; i++) {
		if (!check->cases[i].trouble)
			continue;
		write_start(out, "error", &check->cases[i], "trouble");
		write_data(out, check->cases[i].trouble, "");
		fputc('\n', out);
	}
}

bool rsb_check_github(FILE *out, const struct rsb_check *check, const struct rsb_check_style *style,
		      struct rsb_error *error)
{
	bool good;

	(void)style;
	write_trouble(out, check);
	good = write_level(out, check, RSB_LEVEL_ERROR, true) &&
	       write_level(out, check, RSB_LEVEL_WARNING, true) &&
	       write_level(out, check, RSB_LEVEL_ERROR, false) &&
	       write_level(out, check, RSB_LEVEL_WARNING, false) &&
	       write_level(out, check, RSB_LEVEL_NOTE, false);
	if (!good)
		return rsb_error_set(error, "out of memory");
	return rsb_check_end(out, error);
}
