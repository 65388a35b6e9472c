/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats, from scores made by hand. The expected texts were written by hand too, from the
 * layout of a table at 100 columns, from RFC 4180, and from the keys that the design names.
 */
#include "sim/report/number.h"
#include "sim/report/report.h"
#include "tests/unit/reported.h"
#include "tests/unit/unit.h"

#include <cjson/cJSON.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Figures that are not known are "?" to people, null in JSON, and empty in CSV. */
START_TEST(unknown_figures)
{
	struct rsb_score score = reported_score("a", "x", RSB_SCENARIO_UNWIND, 0, 1, 0);
	char *text, *json, *csv;

	score.per_call.lost_cycles_low = score.per_call.lost_cycles_high = NAN;
	score.per_call.headroom = NAN;
	text = reported_text("text", &score, 1, false);
	json = reported_text("json", &score, 1, false);
	csv = reported_text("csv", &score, 1, false);
	ck_assert_ptr_nonnull(strstr(text, " ?\n"));
	ck_assert_ptr_nonnull(strstr(json, "\"lost_cycles\":\tnull"));
	ck_assert_ptr_nonnull(strstr(json, "\"headroom\":\tnull"));
	ck_assert_ptr_nonnull(strstr(csv, ",4,,,,"));
	free(text);
	free(json);
	free(csv);
}
END_TEST

/* Averages read as they are said; totals beyond the 2^53 of a double stay exact. */
START_TEST(numbers_are_exact)
{
	struct rsb_score score = reported_score("a", "x", RSB_SCENARIO_BENCH, 1, 1, 8);
	char *text;

	score.totals.rounds = 1000000000;
	score.totals.instructions = UINT64_C(9007199254740993);
	text = reported_text("json", &score, 1, false);
	ck_assert_ptr_nonnull(strstr(text, "\"misses_callers\":\t0.08,"));
	ck_assert_ptr_nonnull(strstr(text, "\"instructions\":\t9007199254740993,"));
	free(text);
}
END_TEST

/* A number is written as people write it: no needless exponent, no noise of adding doubles. */
START_TEST(numbers_for_programs_are_short)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = { { 80, "80" },
		      { 180, "180" },
		      { 0.08, "0.08" },
		      { 1000000, "1000000" },
		      { 15.12 + 2e-15, "15.12" },
		      { 1.0 / 3, "0.333333333333" },
		      { -0.5, "-0.5" },
		      { -0.0, "0" },
		      { 9007199254740991.0, "9007199254740991" } };
	char text[RSB_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rsb_number_data(text, sizeof(text), cases[i].value);
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

/* A comma in the locale's numbers does not reach the formats. */
START_TEST(numbers_do_not_follow_the_locale)
{
	struct rsb_score score = reported_score("a", "x", RSB_SCENARIO_BENCH, 1, 1, 8);
	char *text;

	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
		return;
	text = reported_text("csv", &score, 1, false);
	ck_assert_ptr_nonnull(strstr(text, ",0.08,"));
	free(text);
	setlocale(LC_NUMERIC, "C");
}
END_TEST

static const cJSON *find(const cJSON *object, const char *path)
{
	char copy[128], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *key = strtok_r(copy, ".", &save); key; key = strtok_r(NULL, ".", &save))
		object = cJSON_GetObjectItemCaseSensitive(object, key);
	return object;
}

/* The keys that scripts rely on are there, with these values. */
START_TEST(json_has_the_keys)
{
	struct rsb_site_score site = { (char *)"trampoline+0x5e", 0x1000, 1, 1, 0, true, "other" };
	struct rsb_score score = reported_score("a", "x", RSB_SCENARIO_UNWIND, 1, 1, 8);
	char *note = (char *)"said \"so\"", *text;
	const cJSON *result;
	cJSON *root;

	score.sites = &site;
	score.site_count = 1;
	score.notes = &note;
	score.note_count = 1;
	score.cold_inside = 2;
	text = reported_text("json", &score, 1, false);
	root = cJSON_Parse(text);
	ck_assert_ptr_nonnull(root);
	ck_assert_int_eq(find(root, "schema")->valueint, 1);
	result = cJSON_GetArrayItem(find(root, "results"), 0);
	ck_assert_str_eq(find(result, "layout")->valuestring, "a");
	ck_assert_str_eq(find(result, "cpu")->valuestring, "x");
	ck_assert_str_eq(find(result, "scenario.name")->valuestring, "unwind");
	ck_assert_int_eq(find(result, "scenario.depth")->valueint, 8);
	ck_assert_str_eq(find(result, "steady")->valuestring, "proved");
	ck_assert_int_eq(find(result, "period")->valueint, 1);
	ck_assert_double_eq(find(result, "per_call.misses_callers")->valuedouble, 8);
	ck_assert_double_eq(
		cJSON_GetArrayItem(find(result, "per_call.lost_cycles"), 1)->valuedouble, 180);
	ck_assert_double_eq(find(result, "cold.misses_inside")->valuedouble, 2);
	result = cJSON_GetArrayItem(find(result, "sites"), 0);
	ck_assert_str_eq(find(result, "symbol")->valuestring, "trampoline+0x5e");
	ck_assert_str_eq(find(result, "kind")->valuestring, "other");
	cJSON_Delete(root);
	free(text);
}
END_TEST

/* RFC 4180: quotes are doubled inside quotes, lines end in CR LF, every row has as many fields. */
START_TEST(csv_quotes)
{
	struct rsb_score score = reported_score("a,\"b\"", "x", RSB_SCENARIO_UNWIND, 1, 1, 8);
	char *text = reported_text("csv", &score, 1, false), *row = strstr(text, "\r\n") + 2;
	size_t header = 0, fields = 0;

	ck_assert_ptr_eq(strstr(row, "\"a,\"\"b\"\"\",x,ring of 16,measured,unwind,8,1,128,"), row);
	for (const char *c = text; c < row; c++)
		header += *c == ',';
	for (const char *c = row; *c; c++)
		fields += *c == ',';
	ck_assert_uint_eq(header, fields - 1);
	ck_assert_str_eq(row + strlen(row) - 2, "\r\n");
	free(text);
}
END_TEST

/* A bar in a name would end a cell of a pipe table. */
START_TEST(markdown_escapes)
{
	struct rsb_score score = reported_score("a|b", "x", RSB_SCENARIO_UNWIND, 1, 1, 8);
	char *text = reported_text("markdown", &score, 1, false);

	ck_assert_ptr_nonnull(strstr(text, "| a\\|b | unwind 8/1 | +1 | +1 | 14 | 13 | 79 | 1 | 8 "
					   "| 0 | 135-180 | proved |\n"));
	free(text);
}
END_TEST

/* Within a CPU and scenario: misses first, then |balance|, instructions and the name. */
START_TEST(sorts_best_first)
{
	struct rsb_score scores[] = {
		reported_score("misses", "b", RSB_SCENARIO_UNWIND, 0, 1, 0),
		reported_score("unbalanced", "b", RSB_SCENARIO_UNWIND, -1, 0, 0),
		reported_score("z", "b", RSB_SCENARIO_UNWIND, 0, 0, 0),
		reported_score("a", "b", RSB_SCENARIO_UNWIND, 0, 0, 0),
		reported_score("other-cpu", "a", RSB_SCENARIO_UNWIND, 0, 0, 0),
	};
	static const char *const order[] = { "a", "z", "unbalanced", "misses", "other-cpu" };
	struct rsb_score *sorted[COUNT(scores)];

	for (size_t i = 0; i < COUNT(scores); i++)
		sorted[i] = &scores[i];
	ck_assert(rsb_report_sort(sorted, COUNT(scores)));
	for (size_t i = 0; i < COUNT(scores); i++)
		ck_assert_str_eq(sorted[i]->layout, order[i]);
}
END_TEST

/* A full disk is an error, not a short report. */
START_TEST(failed_writes_are_told)
{
	const struct rsb_report_options options = { .colour = false };
	struct rsb_score score = reported_score("a", "x", RSB_SCENARIO_UNWIND, 0, 0, 0);
	const struct rsb_score *one = &score;
	FILE *full = fopen("/dev/full", "w");
	struct rsb_error error;

	if (!full)
		return;
	for (const struct rsb_report_format *f = rsb_report_formats(); f->name; f++) {
		ck_assert(!f->write(full, &one, 1, &options, &error));
		ck_assert_ptr_nonnull(strstr(error.text, "No space left on device"));
		clearerr(full);
	}
	fclose(full);
}
END_TEST

/* An unknown format names the nearest. */
START_TEST(unknown_format)
{
	struct rsb_error error;

	ck_assert_ptr_null(rsb_report_format_find("jsn", &error));
	ck_assert_str_eq(error.text, "unknown format 'jsn': expected json");
}
END_TEST

UNIT_MAIN("report", unknown_figures, numbers_are_exact, numbers_for_programs_are_short,
	  numbers_do_not_follow_the_locale, json_has_the_keys, csv_quotes, markdown_escapes,
	  sorts_best_first, failed_writes_are_told, unknown_format)
