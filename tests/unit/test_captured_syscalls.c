/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole system calls of real kernels. What is expected is the table of system calls in the
 * captures' README, which was found without this project's code. Without the captures the tests are
 * skipped.
 */
#include "sim/image/layout.h"
#include "sim/score/score.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static const struct row {
	const char *capture;
	int number, calls, returns, cr3_writes, instructions;
} rows[] = {
	{ "linux-6.12-off", 124, 23, 22, 0, 475 },       { "linux-6.12-pti", 121, 19, 19, 2, 426 },
	{ "linux-6.12-pti", 124, 23, 22, 2, 485 },       { "linux-6.12-srso", 124, 45, 23, 0, 541 },
	{ "linux-6.12-calldepth", 124, 23, 22, 2, 590 }, { "linux-7.2-off", 124, 18, 18, 0, 456 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static struct rsb_error error;

static struct rsb_layout *load_layout(const char *folder, const char *capture, int number)
{
	char text[1024];
	int size = snprintf(text, sizeof(text),
			    "{ \"core\": { \"file\": \"%s.core\", \"symbols\": \"%s.kallsyms\" }, "
			    "\"syscall\": %d }",
			    capture, capture, number);
	struct rsb_layout *layout = rsb_layout_parse("capture", text, (size_t)size, folder, &error);

	ck_assert_msg(layout, "%s %d: %s", capture, number, error.text);
	return layout;
}

static struct rsb_run *run_call(const char *folder, const struct row *row)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	const struct rsb_run_options options = { .kinds = RSB_KIND_ALL };
	struct rsb_layout *layout = load_layout(folder, row->capture, row->number);
	struct rsb_image *image = rsb_layout_image(layout, &scenario, &error);
	struct rsb_run *run = image ? rsb_run_new(image, &options, &error) : NULL;

	ck_assert_msg(run, "%s %d: %s", row->capture, row->number, error.text);
	rsb_image_free(image);
	rsb_layout_free(layout);
	return run;
}

/* Events of a kind between the traced call and its landing, in the first round that repeats. */
static int count_inside(const struct rsb_run *run, enum rsb_kind kind)
{
	const struct rsb_sequence *sequence =
		rsb_run_sequence(run, rsb_run_round(run, rsb_run_first(run)));
	size_t size;
	const struct rsb_site *sites = rsb_sites_array(rsb_run_sites(run), &size);
	bool inside = false;
	int count = 0;

	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_site *site = &sites[sequence->events[i].site];

		if (site->kind == RSB_MARK)
			inside = site->detail == RSB_MARK_TRACED_CALL;
		count += inside && site->kind == kind;
	}
	return count;
}

/* Each row of the table. All enter by syscall and leave by sysret. */
START_TEST(gives_the_table_of_the_captures)
{
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	for (size_t i = 0; i < ROWS; i++) {
		struct rsb_run *run = run_call(folder, &rows[i]);
		const struct rsb_sequence *sequence =
			rsb_run_sequence(run, rsb_run_round(run, rsb_run_first(run)));

		ck_assert_int_eq(count_inside(run, RSB_CALL), rows[i].calls);
		ck_assert_int_eq(count_inside(run, RSB_RETURN), rows[i].returns);
		ck_assert_int_eq(count_inside(run, RSB_ENVIRONMENT), rows[i].cr3_writes);
		ck_assert_int_eq(count_inside(run, RSB_SYSCALL), 1);
		ck_assert_int_eq(count_inside(run, RSB_SYSRET), 1);
		ck_assert_uint_eq(sequence->round.traced_instructions, rows[i].instructions);
		rsb_run_free(run);
	}
}
END_TEST

/*
 * The score has the writes of CR3. The kernels with page table isolation run without PCID (README),
 * so that each write flushes, and pages must be touched again; the others have no pages to count.
 */
START_TEST(scores_writes_of_cr3)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	const struct rsb_score_options options = { 0 };
	struct rsb_profile *profile = rsb_profile_load("intel-haswell", &error);
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	for (size_t i = 0; i < ROWS; i++) {
		struct rsb_run *run = run_call(folder, &rows[i]);
		struct rsb_score *score =
			rsb_score_new(run, "test", profile, &scenario, &options, &error);
		const struct rsb_per_call *got = &score->per_call;

		ck_assert(got->cr3_writes == rows[i].cr3_writes);
		ck_assert(got->tlb_flushes == rows[i].cr3_writes);
		ck_assert((got->pages_after_flush > 0) == (rows[i].cr3_writes > 0));
		rsb_score_free(score);
		rsb_run_free(run);
	}
	rsb_profile_free(profile);
}
END_TEST

/* A system call whose code is not in the capture stops where it goes there. */
START_TEST(says_what_is_missing)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	const struct rsb_run_options options = { .kinds = RSB_KIND_ALL };
	struct rsb_layout *layout;
	struct rsb_image *image;
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	layout = load_layout(folder, "linux-6.12-off", 0);
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image, "%s", error.text);
	ck_assert_ptr_null(rsb_run_new(image, &options, &error));
	ck_assert_msg(strstr(error.text, "jump to unmapped memory at x64_sys_call+"), "%s",
		      error.text);
	rsb_image_free(image);
	rsb_layout_free(layout);
}
END_TEST

UNIT_MAIN("system calls of the captures", gives_the_table_of_the_captures, scores_writes_of_cr3,
	  says_what_is_missing)
