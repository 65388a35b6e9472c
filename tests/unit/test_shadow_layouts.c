/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verdicts of the shadow stack on generated and captured layouts: what hardware with one would say,
 * and where an ideal stack of return addresses misses.
 */
#include "sim/explain/shadow.h"
#include "sim/image/layout.h"
#include "tests/unit/judged.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rsb_image *build(const char *generate, const char *thunk)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_layout *layout;
	struct rsb_image *image;
	struct rsb_error error;
	char text[512];

	snprintf(text, sizeof(text), "{ \"generate\": { %s, \"return_thunk\": \"%s\" } }", generate,
		 thunk);
	layout = rsb_layout_parse("test", text, strlen(text), ".", &error);
	ck_assert_msg(layout, "%s", error.text);
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image, "%s", error.text);
	rsb_layout_free(layout);
	return image;
}

/*
 * Layouts as they are generated. With shadow stacks in the kernel, a trampoline must return where
 * it was called from: one that drops or rewrites a return address faults there, and one that is
 * jumped to does not. A safe RET faults wherever it is used.
 */
static const struct generated {
	const char *generate, *thunk;
	enum rsb_shadow_answer answer;
	const char *place, *text; /* of the first fault: how its symbol begins, the instruction */
	const char *expected;     /* how that symbol begins */
	double left;
	enum rsb_mitigation mitigation;
} generateds[] = {
	{ "\"family\": \"plain-call\"", "none", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"plain-call\"", "its", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"plain-call\"", "retbleed", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"plain-call\"", "srso", RSB_SHADOW_VIOLATES, "srso_safe_ret", "ret",
	  "srso_return_thunk", 1, RSB_MITIGATION_RETURN },
	{ "\"family\": \"plain-call\"", "srso-alias", RSB_SHADOW_VIOLATES, "srso_alias_safe_ret",
	  "ret", "srso_alias_return_thunk", 1, RSB_MITIGATION_RETURN },
	{ "\"family\": \"bpf-trampoline\", \"fentry\": 1", "none", RSB_SHADOW_CLEAN, NULL, NULL,
	  NULL, 0, 0 },
	{ "\"family\": \"bpf-trampoline\", \"fexit\": 1, \"exit\": \"skip-frame\"", "none",
	  RSB_SHADOW_VIOLATES, "trampoline", "ret", "target+0x5", 1, 0 },
	{ "\"family\": \"bpf-trampoline\", \"fexit\": 1, \"exit\": \"double-ret\"", "none",
	  RSB_SHADOW_VIOLATES, "trampoline", "ret", "target+0x5", 0, 0 },
	{ "\"family\": \"bpf-trampoline\", \"fexit\": 1, \"attach\": \"jmp\"", "none",
	  RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"livepatch\", \"through\": \"ftrace\"", "none", RSB_SHADOW_VIOLATES,
	  "ftrace_caller", "ret", "target+0x5", 0, 0 },
	{ "\"family\": \"ftrace\"", "none", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"ftrace-direct\", \"direct\": \"push\"", "none", RSB_SHADOW_VIOLATES,
	  "ftrace_regs_caller", "ret", "target+0x5", -1, 0 },
	{ "\"family\": \"ftrace-direct\", \"direct\": \"jmp\", \"program\": \"fexit\"", "none",
	  RSB_SHADOW_VIOLATES, "ftrace_regs_caller", "ret", "target+0x5", 0, 0 },
	{ "\"family\": \"function-graph\"", "none", RSB_SHADOW_VIOLATES, "target", "ret",
	  "rsb_landing", 0, 0 },
	{ "\"family\": \"rethook\"", "none", RSB_SHADOW_VIOLATES, "target", "ret", "rsb_landing",
	  -1, 0 },
	{ "\"family\": \"kprobe\"", "none", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"rsb-fill\"", "none", RSB_SHADOW_VIOLATES, "target", "ret", "target+0x15",
	  32, 0 },
};

static void judge_generated(const struct generated *row)
{
	struct rsb_image *image = build(row->generate, row->thunk);
	struct rsb_run *run = judged_run(image);
	struct rsb_shadow_verdict verdict = judged_verdict(image, run);

	ck_assert_msg(verdict.answer == row->answer, "%s, %s: %s", row->generate, row->thunk,
		      verdict.story);
	ck_assert_msg(verdict.left == row->left, "%s, %s: %g left", row->generate, row->thunk,
		      verdict.left);
	ck_assert_int_eq(verdict.mitigation, row->mitigation);
	if (row->place) {
		ck_assert_msg(strncmp(verdict.instruction.symbol, row->place, strlen(row->place)) ==
				      0,
			      "%s, %s: %s", row->generate, row->thunk, verdict.story);
		ck_assert_str_eq(verdict.instruction.text, row->text);
		ck_assert_msg(
			strncmp(verdict.expected.symbol, row->expected, strlen(row->expected)) == 0,
			"%s, %s: %s", row->generate, row->thunk, verdict.story);
	}
	rsb_shadow_verdict_clear(&verdict);
	rsb_run_free(run);
	rsb_image_free(image);
}

/* Each of the rows leaves, or takes, what its source says. */
START_TEST(judges_generated_layouts)
{
	for (size_t i = 0; i < sizeof(generateds) / sizeof(generateds[0]); i++)
		judge_generated(&generateds[i]);
}
END_TEST

/*
 * How many returns of a round an ideal stack of return addresses does not predict, that of
 * rsb_round itself included, which is no event: it misses where entries are left or lacking.
 */
static uint64_t count_misses(const struct rsb_sequence *sequence, const struct rsb_sites *table)
{
	uint64_t *stack = calloc(sequence->count + 1, sizeof(*stack)), misses = 0;
	const struct rsb_site *sites;
	const uint64_t *addresses;
	size_t depth = 0, count;
	bool lacking = false;

	ck_assert_ptr_nonnull(stack);
	sites = rsb_sites_array(table, &count);
	addresses = rsb_sites_addresses(table, &count);
	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_site *site = &sites[sequence->events[i].site];

		if (site->kind == RSB_CALL && !(site->flags & RSB_SITE_ZERO_CALL))
			stack[depth++] = site->fall_through;
		if (site->kind != RSB_RETURN)
			continue;
		lacking |= !depth;
		misses += !depth || stack[--depth] != addresses[sequence->events[i].target];
	}
	free(stack);
	return misses + (depth || lacking);
}

static void compare_with_ideal(const char *generate, const char *thunk)
{
	struct rsb_image *image = build(generate, thunk);
	struct rsb_run *run = judged_run(image);
	struct rsb_shadow_verdict verdict = judged_verdict(image, run);
	uint64_t misses = 0;

	for (uint64_t i = 0; i < verdict.rounds; i++)
		misses += count_misses(rsb_run_sequence(run, rsb_run_round(run, i)),
				       rsb_run_sites(run));
	ck_assert_msg(verdict.violations == misses, "%s, %s: %llu violations, %llu misses",
		      generate, thunk, (unsigned long long)verdict.violations,
		      (unsigned long long)misses);
	ck_assert((verdict.answer == RSB_SHADOW_CLEAN) == (misses == 0));
	rsb_shadow_verdict_clear(&verdict);
	rsb_run_free(run);
	rsb_image_free(image);
}

/* A shadow stack is such an ideal stack: it violates exactly where that one misses. */
START_TEST(violates_where_an_ideal_stack_misses)
{
	static const char *const thunks[] = { "none", "srso", "call-depth" };

	for (size_t i = 0; i < sizeof(generateds) / sizeof(generateds[0]); i++)
		for (size_t j = 0; j < sizeof(thunks) / sizeof(thunks[0]); j++)
			if (strcmp(generateds[i].thunk, "none") == 0)
				compare_with_ideal(generateds[i].generate, thunks[j]);
}
END_TEST

/*
 * The same code in running kernels: 6.12 drops the return address, 7.2 jumps to the trampoline, and
 * with safe RET nothing returns where it was called from.
 */
static const struct captured {
	const char *capture;
	enum rsb_shadow_answer answer;
	const char *place; /* of the first fault: how its symbol begins */
	enum rsb_mitigation mitigation;
} captureds[] = {
	{ "linux-6.12-off", RSB_SHADOW_VIOLATES, "bpf_trampoline_", RSB_MITIGATION_NONE },
	{ "linux-6.12-srso", RSB_SHADOW_VIOLATES, "srso_alias_safe_ret", RSB_MITIGATION_RETURN },
	{ "linux-7.2-off", RSB_SHADOW_CLEAN, NULL, RSB_MITIGATION_NONE },
};

static struct rsb_image *load_capture(const char *capture, const char *folder)
{
	static const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_layout *layout;
	struct rsb_image *image;
	struct rsb_error error;
	char text[512];

	snprintf(text, sizeof(text),
		 "{ \"core\": { \"file\": \"%s.core\", \"symbols\": \"%s.kallsyms\" }, "
		 "\"call\": \"__x64_sys_getsid\", \"registers\": { \"rdi\": \"scratch\" } }",
		 capture, capture);
	layout = rsb_layout_parse(capture, text, strlen(text), folder, &error);
	ck_assert_msg(layout, "%s", error.text);
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image, "%s", error.text);
	rsb_layout_free(layout);
	return image;
}

static void judge_captured(const struct captured *row, const char *folder)
{
	struct rsb_image *image = load_capture(row->capture, folder);
	struct rsb_run *run = judged_run(image);
	struct rsb_shadow_verdict verdict = judged_verdict(image, run);

	ck_assert_msg(verdict.answer == row->answer, "%s: %s", row->capture, verdict.story);
	ck_assert_msg(!row->place || strncmp(verdict.instruction.symbol, row->place,
					     strlen(row->place)) == 0,
		      "%s: %s", row->capture, verdict.story);
	ck_assert_int_eq(verdict.mitigation, row->mitigation);
	/* Linux 6.12, Documentation/arch/x86/shstk.rst: only for user space. */
	ck_assert_ptr_nonnull(strstr(verdict.note, "none in the kernel"));
	rsb_shadow_verdict_clear(&verdict);
	rsb_run_free(run);
	rsb_image_free(image);
}

/* So does the code of kernels. */
START_TEST(judges_captures)
{
	char folder[512];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	for (size_t i = 0; i < sizeof(captureds) / sizeof(captureds[0]); i++)
		judge_captured(&captureds[i], folder);
}
END_TEST

UNIT_MAIN("shadow stack verdict of layouts", judges_generated_layouts,
	  violates_where_an_ideal_stack_misses, judges_captures)
