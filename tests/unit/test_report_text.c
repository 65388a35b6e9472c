/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format to read, from scores made by hand. The expected texts were written by hand too, from
 * the layout of a table at 100 columns.
 */
#include "sim/report/report.h"
#include "tests/unit/reported.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Two layouts, both scenarios: all of what one looks at first. */
START_TEST(text_stands_side_by_side)
{
	struct rsb_score scores[] = {
		reported_score("bpf-fexit-skip", "intel-haswell", RSB_SCENARIO_BENCH, 1, 1, 8),
		reported_score("bpf-fexit-skip", "intel-haswell", RSB_SCENARIO_UNWIND, 1, 1, 8),
		reported_score("bpf-fexit-jmp", "intel-haswell", RSB_SCENARIO_BENCH, 0, 0, 0),
		reported_score("bpf-fexit-jmp", "intel-haswell", RSB_SCENARIO_UNWIND, 0, 0, 0),
	};
	char *text = reported_text("text", scores, COUNT(scores), false);

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
		scores[i] = reported_score("bpf-fexit-skip", cpus[i / 2],
					   i % 2 ? RSB_SCENARIO_UNWIND : RSB_SCENARIO_BENCH, 1, 1,
					   8);
	scores[4].known = scores[5].known = (char *)"assumed (overflow)";
	text = reported_text("text", scores, COUNT(scores), false);
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
		scores[i] = reported_score("plain-call", cpus[i], RSB_SCENARIO_BENCH, 0, 0, 0);
	for (size_t i = 0; i < COUNT(notes); i++) {
		scores[i].notes = (char **)&notes[i];
		scores[i].note_count = 1;
	}
	text = reported_text("text", scores, COUNT(scores), false);
	ck_assert_ptr_nonnull(strstr(text, "\nnote: depth is assumed to be 4 [a, b]\n"));
	free(text);
}
END_TEST

/* A terminal gets red for what misses, and nothing else gets escapes. */
START_TEST(colour_is_for_misses)
{
	struct rsb_score score = reported_score("a", "intel-haswell", RSB_SCENARIO_UNWIND, 1, 1, 8);
	char *text = reported_text("text", &score, 1, true);

	ck_assert_ptr_nonnull(strstr(text, "\033[31m8\033[0m"));
	ck_assert_ptr_null(strstr(text, "\033[31m13"));
	free(text);
}
END_TEST

/* A name may not tell a terminal what to do. */
START_TEST(names_are_masked)
{
	struct rsb_score score =
		reported_score("a\033[2Jb", "intel-haswell", RSB_SCENARIO_UNWIND, 0, 0, 0);
	char *text = reported_text("text", &score, 1, false);

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
	score = reported_score(name, "intel-haswell", RSB_SCENARIO_UNWIND, 1, 1, 8);
	text = reported_text("text", &score, 1, false);
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
	struct rsb_score score =
		reported_score("safe-ret", "amd-zen4", RSB_SCENARIO_UNWIND, 17, 13, 8);
	char *text;

	score.per_call.balance_layout = 1;
	score.per_call.intended_inside = 13;
	text = reported_text("text", &score, 1, false);
	ck_assert_ptr_nonnull(strstr(text, "13 (13)"));
	ck_assert_ptr_nonnull(strstr(text, "balance own balance"));
	ck_assert_ptr_nonnull(strstr(text, "+17          +1"));
	free(text);
}
END_TEST

/* A note is said once, with those it is about. */
START_TEST(notes_are_said_once)
{
	struct rsb_score scores[] = {
		reported_score("a", "x", RSB_SCENARIO_UNWIND, 0, 0, 0),
		reported_score("b", "x", RSB_SCENARIO_UNWIND, 0, 0, 0),
		reported_score("c", "x", RSB_SCENARIO_UNWIND, 0, 0, 0),
	};
	char *note = (char *)"memory changes", *text, *first;

	scores[0].notes = scores[1].notes = &note;
	scores[0].note_count = scores[1].note_count = 1;
	text = reported_text("text", scores, COUNT(scores), false);
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
		reported_score("a", "x", RSB_SCENARIO_BENCH, 0, 0, 0),
		reported_score("b", "x", RSB_SCENARIO_UNWIND, 0, 0, 0),
	};
	char *text = reported_text("text", scores, COUNT(scores), false), *second;

	second = strstr(strstr(text, "layout") + 1, "\nlayout");
	ck_assert_ptr_nonnull(second);
	free(text);
}
END_TEST

UNIT_MAIN("report to read", text_stands_side_by_side, many_cpus_get_rows, many_cpus_share_notes,
	  colour_is_for_misses, names_are_masked, long_names_leave_the_figures_aligned,
	  intended_misses_stand_in_brackets, notes_are_said_once,
	  different_layouts_get_tables_of_their_own)
