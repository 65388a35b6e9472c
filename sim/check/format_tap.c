/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test Anything Protocol, version 13 (https://testanything.org): a test for each layout and CPU. */
#include "sim/check/format.h"

/* A '#' would begin a directive. */
static void write_name(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(*text == '#' ? '_' : *text, out);
}

/* A scalar of YAML, in double quotes: those of JSON, whose escapes it has. */
static void write_scalar(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputs("\"\n", out);
}

static bool fails(const struct rsb_check_case *one)
{
	for (size_t i = 0; i < one->count; i++)
		if (rsb_check_result_fails(&one->results[i]))
			return true;
	return one->trouble != NULL;
}

static void write_result(FILE *out, const struct rsb_check_result *result)
{
	fprintf(out, "    - rule: %s\n      level: %s\n      standing: %s\n      message: ",
		result->rule->id, rsb_level_name(result->level),
		rsb_check_standing_name(result->standing));
	write_scalar(out, result->message);
	if (result->place.symbol) {
		fputs("      at: ", out);
		write_scalar(out, result->place.symbol);
	}
	if (result->reason) {
		fputs("      reason: ", out);
		write_scalar(out, result->reason);
	}
}

static void write_details(FILE *out, const struct rsb_check_case *one)
{
	fputs("  ---\n", out);
	if (one->trouble) {
		fputs("  trouble: ", out);
		write_scalar(out, one->trouble);
	}
	if (one->count)
		fputs("  results:\n", out);
	for (size_t i = 0; i < one->count; i++)
		write_result(out, &one->results[i]);
	fputs("  ...\n", out);
}

bool rsb_check_tap(FILE *out, const struct rsb_check *check, const struct rsb_check_style *style,
		   struct rsb_error *error)
{
	(void)style;
	fprintf(out, "TAP version 13\n1..%zu\n", check->count);
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		fprintf(out, "%s %zu - ", fails(one) ? "not ok" : "ok", i + 1);
		write_name(out, one->layout);
		if (one->cpu) {
			fputs(" on ", out);
			write_name(out, one->cpu);
		}
		fputc('\n', out);
		if (one->count || one->trouble)
			write_details(out, one);
	}
	return rsb_check_end(out, error);
}
