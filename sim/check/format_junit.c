/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JUnit's XML, as Jenkins and GitLab read it: a test case for each layout and CPU. A case has one
 * failure, with all that fails in its text: Jenkins keeps one. There are no times: the output of
 * two runs is the same.
 */
#include "sim/check/format.h"
#include "sim/report/markup.h"

static void write_attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=\"", name);
	rsb_markup_text(out, value);
	fputc('"', out);
}

static size_t count_failures(const struct rsb_check_case *one)
{
	size_t count = 0;

	for (size_t i = 0; i < one->count; i++)
		count += rsb_check_result_fails(&one->results[i]);
	return count;
}

static void write_result(FILE *out, const struct rsb_check_result *result)
{
	bool accepted = result->standing != RSB_STANDING_NEW;
	char line[4096];

	rsb_check_line(line, sizeof(line), result);
	fprintf(out, "%s %s %s: ", accepted ? "accepted" : rsb_level_name(result->level),
		result->rule->id, result->rule->name);
	rsb_markup_text(out, line);
	fputc('\n', out);
	for (size_t i = 0; i < result->step_count; i++) {
		const struct rsb_check_step *step = &result->steps[i];

		fputs("  ", out);
		if (step->place.symbol) {
			rsb_markup_text(out, step->place.symbol);
			fputs(": ", out);
			rsb_markup_text(out, step->place.text);
			fputs(": ", out);
		}
		rsb_markup_text(out, step->what);
		fputc('\n', out);
	}
}

/* Those that fail, or the others. */
static void write_results(FILE *out, const struct rsb_check_case *one, bool fail)
{
	for (size_t i = 0; i < one->count; i++)
		if (rsb_check_result_fails(&one->results[i]) == fail)
			write_result(out, &one->results[i]);
}

static void write_failure(FILE *out, const struct rsb_check_case *one)
{
	const struct rsb_check_result *worst = NULL;

	for (size_t i = 0; i < one->count; i++)
		if (rsb_check_result_fails(&one->results[i]) &&
		    (!worst || one->results[i].level > worst->level))
			worst = &one->results[i];
	fputs("\t\t\t<failure", out);
	write_attribute(out, "message", worst->message);
	write_attribute(out, "type", worst->rule->id);
	fputc('>', out);
	write_results(out, one, true);
	fputs("</failure>\n", out);
}

static void write_case(FILE *out, const struct rsb_check_case *one)
{
	size_t failures = count_failures(one);

	fputs("\t\t<testcase", out);
	write_attribute(out, "classname", one->layout);
	write_attribute(out, "name", one->cpu ? one->cpu : "load");
	fputs(" time=\"0\">\n", out);
	if (one->trouble) {
		fputs("\t\t\t<error", out);
		write_attribute(out, "message", one->trouble);
		fputs(" type=\"trouble\"/>\n", out);
	} else if (failures) {
		write_failure(out, one);
	}
	if (one->count > failures) {
		fputs("\t\t\t<system-out>", out);
		write_results(out, one, false);
		fputs("</system-out>\n", out);
	}
	fputs("\t\t</testcase>\n", out);
}

bool rsb_check_junit(FILE *out, const struct rsb_check *check, const struct rsb_check_style *style,
		     struct rsb_error *error)
{
	size_t failures = 0, errors = 0;

	(void)style;
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		errors += one->trouble != NULL;
		failures += !one->trouble && count_failures(one);
	}
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
	fprintf(out,
		"\t<testsuite name=\"rsbsim check\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		"skipped=\"0\" time=\"0\">\n",
		check->count, failures, errors);
	for (size_t i = 0; i < check->count; i++)
		write_case(out, &check->cases[i]);
	fputs("\t</testsuite>\n</testsuites>\n", out);
	return rsb_check_end(out, error);
}
