/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats, from scores made by hand. The expected texts were written by hand too, from the
 * layout of a table at 100 columns, from RFC 4180, and from the keys that the design names.
 */
#include "sim/report/number.h"
#include "sim/report/report.h"

#include "tests/unit/unit.h"

#include <cjson/cJSON.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/*
 * What a fexit trampoline that drops its frame costs: the 1 + 0.08 in a loop, 1 + 8 going
 * up.
 */
static struct rsb_score make_score(const char *layout, const char *cpu,
				   struct rsb_scenario scenario, double balance, double inside,
				   double in_round)
{
	struct rsb_score score = {
		.layout = (char *)layout,
		.cpu = (char *)cpu,
		.return_thunk = (char *)"none",
		.model = (char *)"ring of 16",
		.known = (char *)"measured",
		.scenario = scenario,
		.steady = RSB_STEADY_PROVED,
		.period = 1,
		.averaged = 1,
	};
	double misses = inside + in_round / scenario.batch;

	score.per_call = (struct rsb_per_call){
		.calls = 13 + balance,
		.returns = 13,
		.instructions = 78 + balance,
		.balance = balance,
		.balance_layout = balance,
		.misses_inside = inside,
		.misses_callers = in_round / scenario.batch,
		.caller_slope = in_round / scenario.depth,
		.peak = 4,
		.headroom = 12,
		.lost_cycles_low = misses * 15,
		.lost_cycles_high = misses * 20,
	};
	return score;
}

/* Writes in a format; the text is to be freed. */
static char *write_scores(const char *format, struct rsb_score *scores, size_t count, bool colour)
{
	const struct rsb_report_options options = { .colour = colour };
	const struct rsb_report_format *row;
	struct rsb_score *sorted[8];
	struct rsb_error error;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_uint_le(count, COUNT(sorted));
	for (size_t i = 0; i < count; i++)
		sorted[i] = &scores[i];
	ck_assert(rsb_report_sort(sorted, count));
	row = rsb_report_format_find(format, &error);
	ck_assert_ptr_nonnull(row);
	ck_assert(
		row->write(out, (const struct rsb_score *const *)sorted, count, &options, &error));
	fclose(out);
	return text;
}

/* Two layouts, both scenarios: all of what one looks at first. */
START_TEST(text_stands_side_by_side)
{
	struct rsb_score scores[] = {
		make_score("bpf-fexit-skip", "intel-haswell", RSB_SCENARIO_BENCH, 1, 1, 8),
		make_score("bpf-fexit-skip", "intel-haswell", RSB_SCENARIO_UNWIND, 1, 1, 8),
		make_score("bpf-fexit-jmp", "intel-haswell", RSB_SCENARIO_BENCH, 0, 0, 0),
		make_score("bpf-fexit-jmp", "intel-haswell", RSB_SCENARIO_UNWIND, 0, 0, 0),
	};
	char *text = write_scores("text", scores, COUNT(scores), false);

	ck_assert_str_eq(
		text,
		"intel-haswell: ring of 16, profile measured\n"
		"\n"
		"                                              bench                   unwind\n"
		"                                              depth 8, batch 100      "
		"depth 8, batch 1\n"
		"layout          balance calls returns instr   inside callers cycles   "
		"inside callers  cycles\n"
		"bpf-fexit-jmp         0    13      13    78        0       0      0   "
		"     0       0       0\n"
		"bpf-fexit-skip       +1    14      13    79        1    0.08  16-22   "
		"     1       8 135-180\n"
		"\n"
		"All figures are per call of the traced function. inside, callers: returns that "
		"miss in the layout\n"
		"and in its callers; cycles: what they cost.\n"
		"steady: proved, every round is alike\n");
	free(text);
}
END_TEST

/* One layout on many CPUs: a row for each of them, and what only the code decides is said once. */
START_TEST(many_cpus_get_rows)
{
	static const char *const cpus[] = { "amd-zen4", "apple-m4-p", "ibm-power9",
					    "intel-haswell" };
	struct rsb_score scores[8];
	char *text;

	for (size_t i = 0; i < COUNT(scores); i++)
		scores[i] = make_score("bpf-fexit-skip", cpus[i / 2],
				       i % 2 ? RSB_SCENARIO_UNWIND : RSB_SCENARIO_BENCH, 1, 1, 8);
	scores[4].known = scores[5].known = (char *)"assumed (overflow)";
	text = write_scores("text", scores, COUNT(scores), false);
	ck_assert_str_eq(
		text,
		"bpf-fexit-skip: balance +1, calls 14, returns 13, instr 79\n"
		"\n"
		"                                    bench                   unwind\n"
		"                                    depth 8, batch 100      depth 8, batch 1\n"
		"cpu           model      profile    inside callers cycles   inside callers  cycles\n"
		"amd-zen4      ring of 16 measured        1    0.08  16-22        1       8 135-180\n"
		"apple-m4-p    ring of 16 measured        1    0.08  16-22        1       8 135-180\n"
		"ibm-power9    ring of 16 assumed         1    0.08  16-22        1       8 135-180\n"
		"intel-haswell ring of 16 measured        1    0.08  16-22        1       8 135-180\n"
		"\n"
		"All figures are per call of the traced function. inside, callers: returns that "
		"miss in the layout\n"
		"and in its callers; cycles: what they cost.\n"
		"steady: proved, every round is alike\n");
	free(text);
}
END_TEST

/* A note that each of many CPUs has is said once, with their names. */
START_TEST(many_cpus_share_notes)
{
	static const char *const cpus[] = { "a", "b", "c", "d" };
	static char *const notes[] = { (char *)"a: depth is assumed to be 4",
				       (char *)"b: depth is assumed to be 4" };
	struct rsb_score scores[4];
	char *text;

	for (size_t i = 0; i < COUNT(scores); i++)
		scores[i] = make_score("plain-call", cpus[i], RSB_SCENARIO_BENCH, 0, 0, 0);
	for (size_t i = 0; i < COUNT(notes); i++) {
		scores[i].notes = (char **)&notes[i];
		scores[i].note_count = 1;
	}
	text = write_scores("text", scores, COUNT(scores), false);
	ck_assert_ptr_nonnull(strstr(text, "\nnote: depth is assumed to be 4 [a, b]\n"));
	free(text);
}
END_TEST

/* A terminal gets red for what misses, and nothing else gets escapes. */
START_TEST(colour_is_for_misses)
{
	struct rsb_score score = make_score("a", "intel-haswell", RSB_SCENARIO_UNWIND, 1, 1, 8);
	char *text = write_scores("text", &score, 1, true);

	ck_assert_ptr_nonnull(strstr(text, "\033[31m8\033[0m"));
	ck_assert_ptr_null(strstr(text, "\033[31m13"));
	free(text);
}
END_TEST

/* A name may not tell a terminal what to do. */
START_TEST(names_are_masked)
{
	struct rsb_score score =
		make_score("a\033[2Jb", "intel-haswell", RSB_SCENARIO_UNWIND, 0, 0, 0);
	char *text = write_scores("text", &score, 1, false);

	ck_assert_ptr_null(strchr(text, '\033'));
	ck_assert_ptr_nonnull(strstr(text, "a?[2Jb"));
	free(text);
}
END_TEST

/* A long name stands on a line of its own, so that the figures stay within 100 columns. */
START_TEST(long_names_leave_the_figures_aligned)
{
	char name[121];
	struct rsb_score score;
	char *text;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	score = make_score(name, "intel-haswell", RSB_SCENARIO_UNWIND, 1, 1, 8);
	text = write_scores("text", &score, 1, false);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		if (*line != 'n')
			ck_assert_uint_le(strcspn(line, "\n"), 100);
	ck_assert_ptr_nonnull(strstr(text, "nn\n  "));
	free(text);
}
END_TEST

/* What a mitigation wants stands in brackets, and only where there is any. */
START_TEST(intended_misses_stand_in_brackets)
{
	struct rsb_score score = make_score("safe-ret", "amd-zen4", RSB_SCENARIO_UNWIND, 17, 13, 8);
	char *text;

	score.per_call.balance_layout = 1;
	score.per_call.intended_inside = 13;
	text = write_scores("text", &score, 1, false);
	ck_assert_ptr_nonnull(strstr(text, "13 (13)"));
	ck_assert_ptr_nonnull(strstr(text, "balance own balance"));
	ck_assert_ptr_nonnull(strstr(text, "+17          +1"));
	free(text);
}
END_TEST

/* Figures that are not known are "?" to people, null in JSON, and empty in CSV. */
START_TEST(unknown_figures)
{
	struct rsb_score score = make_score("a", "x", RSB_SCENARIO_UNWIND, 0, 1, 0);
	char *text, *json, *csv;

	score.per_call.lost_cycles_low = score.per_call.lost_cycles_high = NAN;
	score.per_call.headroom = NAN;
	text = write_scores("text", &score, 1, false);
	json = write_scores("json", &score, 1, false);
	csv = write_scores("csv", &score, 1, false);
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
	struct rsb_score score = make_score("a", "x", RSB_SCENARIO_BENCH, 1, 1, 8);
	char *text;

	score.totals.rounds = 1000000000;
	score.totals.instructions = UINT64_C(9007199254740993);
	text = write_scores("json", &score, 1, false);
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
	struct rsb_score score = make_score("a", "x", RSB_SCENARIO_BENCH, 1, 1, 8);
	char *text;

	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
		return;
	text = write_scores("csv", &score, 1, false);
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
	struct rsb_score score = make_score("a", "x", RSB_SCENARIO_UNWIND, 1, 1, 8);
	char *note = (char *)"said \"so\"", *text;
	const cJSON *result;
	cJSON *root;

	score.sites = &site;
	score.site_count = 1;
	score.notes = &note;
	score.note_count = 1;
	score.cold_inside = 2;
	text = write_scores("json", &score, 1, false);
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
	struct rsb_score score = make_score("a,\"b\"", "x", RSB_SCENARIO_UNWIND, 1, 1, 8);
	char *text = write_scores("csv", &score, 1, false), *row = strstr(text, "\r\n") + 2;
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
	struct rsb_score score = make_score("a|b", "x", RSB_SCENARIO_UNWIND, 1, 1, 8);
	char *text = write_scores("markdown", &score, 1, false);

	ck_assert_ptr_nonnull(strstr(text, "| a\\|b | unwind 8/1 | +1 | +1 | 14 | 13 | 79 | 1 | 8 "
					   "| 0 | 135-180 | proved |\n"));
	free(text);
}
END_TEST

/* Within a CPU and scenario: misses first, then |balance|, instructions and the name. */
START_TEST(sorts_best_first)
{
	struct rsb_score scores[] = {
		make_score("misses", "b", RSB_SCENARIO_UNWIND, 0, 1, 0),
		make_score("unbalanced", "b", RSB_SCENARIO_UNWIND, -1, 0, 0),
		make_score("z", "b", RSB_SCENARIO_UNWIND, 0, 0, 0),
		make_score("a", "b", RSB_SCENARIO_UNWIND, 0, 0, 0),
		make_score("other-cpu", "a", RSB_SCENARIO_UNWIND, 0, 0, 0),
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

/* A note is said once, with those it is about. */
START_TEST(notes_are_said_once)
{
	struct rsb_score scores[] = {
		make_score("a", "x", RSB_SCENARIO_UNWIND, 0, 0, 0),
		make_score("b", "x", RSB_SCENARIO_UNWIND, 0, 0, 0),
		make_score("c", "x", RSB_SCENARIO_UNWIND, 0, 0, 0),
	};
	char *note = (char *)"memory changes", *text, *first;

	scores[0].notes = scores[1].notes = &note;
	scores[0].note_count = scores[1].note_count = 1;
	text = write_scores("text", scores, COUNT(scores), false);
	first = strstr(text, "note: memory changes [a, b]\n");
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + strlen("note: memory"), "memory changes"));
	free(text);
}
END_TEST

/* Rows that cannot be compared side by side are not: the layouts of the scenarios differ. */
START_TEST(different_layouts_get_tables_of_their_own)
{
	struct rsb_score scores[] = {
		make_score("a", "x", RSB_SCENARIO_BENCH, 0, 0, 0),
		make_score("b", "x", RSB_SCENARIO_UNWIND, 0, 0, 0),
	};
	char *text = write_scores("text", scores, COUNT(scores), false), *second;

	second = strstr(strstr(text, "layout") + 1, "\nlayout");
	ck_assert_ptr_nonnull(second);
	free(text);
}
END_TEST

/* A full disk is an error, not a short report. */
START_TEST(failed_writes_are_told)
{
	const struct rsb_report_options options = { .colour = false };
	struct rsb_score score = make_score("a", "x", RSB_SCENARIO_UNWIND, 0, 0, 0);
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

UNIT_MAIN("report", text_stands_side_by_side, many_cpus_get_rows, many_cpus_share_notes,
	  colour_is_for_misses, names_are_masked, long_names_leave_the_figures_aligned,
	  intended_misses_stand_in_brackets, unknown_figures, numbers_are_exact,
	  numbers_for_programs_are_short, numbers_do_not_follow_the_locale, json_has_the_keys,
	  csv_quotes, markdown_escapes, sorts_best_first, notes_are_said_once,
	  different_layouts_get_tables_of_their_own, failed_writes_are_told, unknown_format)
