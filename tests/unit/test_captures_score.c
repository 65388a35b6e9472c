/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real kernels' trampolines: the captures that are kept beside the source tree, scored. The
 * expected figures are those of the table in the captures' README, which were found without this
 * project's code. The captures hold the kernel's own machine code and are not part of the project;
 * without them the tests are skipped.
 */
#include "sim/image/layout.h"
#include "sim/score/score.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const char *capture, *function;
	int calls, returns, balance, balance_layout, instructions;
	int inside, intended_inside, callers, intended_callers;
};

static const struct row rows[] = {
	{ "linux-6.1-off", "__x64_sys_getpgid", 13, 13, 0, 0, 188, 0, 0, 0, 0 },
	{ "linux-6.1-off", "__x64_sys_getsid", 17, 16, 1, 1, 238, 1, 0, 8, 0 },
	{ "linux-6.12-off", "__x64_sys_getpgid", 13, 13, 0, 0, 198, 0, 0, 0, 0 },
	{ "linux-6.12-off", "__x64_sys_getsid", 17, 16, 1, 1, 254, 1, 0, 8, 0 },
	{ "linux-6.12-off", "__x64_sys_sched_getscheduler", 25, 24, 1, 1, 389, 1, 0, 8, 0 },
	{ "linux-6.12-off", "security_task_getsid", 15, 14, 1, 1, 225, 1, 0, 8, 0 },
	{ "linux-6.12-srso", "__x64_sys_getpgid", 26, 13, 13, 0, 237, 13, 13, 8, 8 },
	{ "linux-6.12-srso", "__x64_sys_getsid", 33, 16, 17, 1, 302, 16, 16, 8, 8 },
	{ "linux-6.12-calldepth", "__x64_sys_getpgid", 13, 13, 0, 0, 262, 0, 0, 0, 0 },
	{ "linux-6.12-calldepth", "__x64_sys_getsid", 17, 16, 1, 1, 334, 1, 0, 8, 0 },
	{ "linux-7.2-off", "__x64_sys_getpgid", 11, 11, 0, 0, 171, 0, 0, 0, 0 },
	{ "linux-7.2-off", "__x64_sys_getsid", 14, 14, 0, 0, 221, 0, 0, 0, 0 },
	{ "linux-7.2-off", "security_task_getsid", 12, 12, 0, 0, 197, 0, 0, 0, 0 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static struct rsb_error error;

/* A layout for one function of a capture; more is added to the object. */
static struct rsb_layout *load_layout(const char *folder, const char *capture, const char *function,
				      const char *more)
{
	char text[1024];
	struct rsb_layout *layout;
	int size = snprintf(text, sizeof(text),
			    "{ \"name\": \"%s\", \"core\": { \"file\": \"%s.core\", \"symbols\": "
			    "\"%s.kallsyms\" }, \"call\": \"%s\", \"registers\": { \"rdi\": "
			    "\"scratch\" }%s }",
			    function, capture, capture, function, more);

	layout = rsb_layout_parse("capture", text, (size_t)size, folder, &error);
	ck_assert_msg(layout, "%s %s: %s", capture, function, error.text);
	return layout;
}

static struct rsb_score *score_image(const struct rsb_image *image, const char *cpu)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_run_options options = { .kinds = RSB_KIND_ALL };
	struct rsb_score_options score_options = { 0 };
	struct rsb_profile *profile = rsb_profile_load(cpu, &error);
	struct rsb_run *run = rsb_run_new(image, &options, &error);
	struct rsb_score *score;

	ck_assert_msg(run && profile, "%s", error.text);
	score = rsb_score_new(run, "test", profile, &scenario, &score_options, &error);
	ck_assert_msg(score, "%s", error.text);
	rsb_run_free(run);
	rsb_profile_free(profile);
	return score;
}

static struct rsb_score *score_function(const char *folder, const char *capture,
					const char *function, const char *cpu)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_layout *layout = load_layout(folder, capture, function, "");
	struct rsb_image *image = rsb_layout_image(layout, &scenario, &error);
	struct rsb_score *score;

	ck_assert_msg(image, "%s %s: %s", capture, function, error.text);
	score = score_image(image, cpu);
	rsb_image_free(image);
	rsb_layout_free(layout);
	return score;
}

static void check_figure(const struct row *row, const char *name, double got, int want)
{
	ck_assert_msg(got > want - 1e-9 && got < want + 1e-9, "%s %s: %s is %g, not %d",
		      row->capture, row->function, name, got, want);
}

/* Each row of the table, on the plain 16-entry ring it was made with. */
START_TEST(gives_the_table_of_the_captures)
{
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];
		struct rsb_score *score =
			score_function(folder, row->capture, row->function, "intel-haswell");
		const struct rsb_per_call *got = &score->per_call;

		check_figure(row, "calls", got->calls, row->calls);
		check_figure(row, "returns", got->returns, row->returns);
		check_figure(row, "balance", got->balance, row->balance);
		check_figure(row, "balance_layout", got->balance_layout, row->balance_layout);
		check_figure(row, "instructions", got->instructions, row->instructions);
		check_figure(row, "misses_inside", got->misses_inside, row->inside);
		check_figure(row, "intended_inside", got->intended_inside, row->intended_inside);
		check_figure(row, "misses_callers", got->misses_callers, row->callers);
		check_figure(row, "intended_callers", got->intended_callers, row->intended_callers);
		rsb_score_free(score);
	}
}
END_TEST

/*
 * How each kernel's functions return is read off its code; and an fexit program costs the return
 * stack one entry on every 6.x kernel, whatever its return thunk, and none on 7.2.
 */
START_TEST(fexit_by_kernel)
{
	static const struct {
		const char *capture, *thunk;
		double balance_layout;
	} kernels[] = {
		{ "linux-6.1-off", "none", 1 },
		{ "linux-6.12-off", "none", 1 },
		{ "linux-6.12-pti", "none", 1 },
		{ "linux-6.12-srso", "srso-alias", 1 },
		{ "linux-6.12-calldepth", "call-depth", 1 },
		{ "linux-7.2-off", "none", 0 },
	};
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
		struct rsb_layout *layout =
			load_layout(folder, kernels[i].capture, "__x64_sys_getsid", "");
		struct rsb_image *image = rsb_layout_image(layout, &scenario, &error);
		struct rsb_score *score;

		ck_assert_msg(image, "%s: %s", kernels[i].capture, error.text);
		ck_assert_str_eq(rsb_image_return_thunk(image), kernels[i].thunk);
		score = score_image(image, "intel-haswell");
		ck_assert_msg(score->per_call.balance_layout == kernels[i].balance_layout, "%s: %g",
			      kernels[i].capture, score->per_call.balance_layout);
		rsb_score_free(score);
		rsb_image_free(image);
		rsb_layout_free(layout);
	}
}
END_TEST

/* Code that is not generated keeps its forms; which it cannot be given is said. */
START_TEST(forms_cannot_be_chosen)
{
	struct rsb_layout *layout;
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	layout = load_layout(folder, "linux-6.12-off", "__x64_sys_getsid", "");
	ck_assert(!rsb_layout_set_form(layout, "return_thunk", "srso", &error));
	ck_assert_msg(strstr(error.text, "is not generated"), "%s", error.text);
	rsb_layout_free(layout);
}
END_TEST

/* The programs count their hits in memory, so that no run of them can be proved to repeat. */
START_TEST(programs_that_count_are_observed)
{
	char folder[4096];
	struct rsb_score *score;

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	score = score_function(folder, "linux-6.12-off", "__x64_sys_getsid", "intel-haswell");
	ck_assert_int_eq(score->steady, RSB_STEADY_OBSERVED);
	ck_assert_uint_eq(score->period, 1);
	rsb_score_free(score);
}
END_TEST

/*
 * A kernel's own barrier, which nothing in a layout has to tell of: its return and the callers'
 * miss where it clears the return stack, and nowhere else (Linux rsb.rst).
 */
START_TEST(barrier_of_a_kernel)
{
	static const struct {
		const char *cpu;
		int inside, callers;
	} cpus[] = { { "intel-haswell", 1, 8 }, { "amd-zen4", 1, 8 }, { "amd-zen3", 0, 0 } };
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		struct rsb_score *score =
			score_function(folder, "linux-6.1-off", "entry_ibpb", cpus[i].cpu);

		ck_assert_msg(score->per_call.misses_inside == cpus[i].inside &&
				      score->per_call.misses_callers == cpus[i].callers,
			      "%s: %g inside, %g in callers", cpus[i].cpu,
			      score->per_call.misses_inside, score->per_call.misses_callers);
		rsb_score_free(score);
	}
}
END_TEST

UNIT_MAIN("scores of the captures", gives_the_table_of_the_captures, fexit_by_kernel,
	  forms_cannot_be_chosen, programs_that_count_are_observed, barrier_of_a_kernel)
