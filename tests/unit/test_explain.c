/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explanations of the built-in layouts, under mitigations, and of real kernels' trampolines. What
 * is expected of the layouts is what the kernel's developers say of them (see
 * test_layout_scores.c), of the captures the table of their README, which was found without this
 * project's code.
 */
#include "sim/image/layout.h"
#include "tests/unit/explained.h"
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CPU "intel-haswell" /* a plain ring of 16, as the captures' table was made with */

static const struct rsb_scenario unwind = { "unwind", 8, 1, 128 };
static struct rsb_error error;

/* The trampoline's exit drops its own return address: Linux 6.12, arch/x86/net/bpf_jit_comp.c. */
#define SKIPS(symbol)                                                  \
	{                                                              \
		RSB_CAUSE_SKIPPED_FRAME, symbol, 1, 8, 1, "add rsp, 8" \
	}

struct row {
	const char *layout;
	struct explained_finding finding;
	size_t count;
};

static const struct row rows[] = {
	{ "plain-call", { 0 }, 0 },
	{ "bpf-fentry", { 0 }, 0 },
	{ "bpf-fexit-skip", SKIPS("trampoline+0x"), 1 },
	{ "bpf-fexit-double-ret",
	  { RSB_CAUSE_REWRITTEN_RETURN, "trampoline+0x", 1, 0, 0, "mov qword ptr [rbp + 8], rax" },
	  1 },
	{ "bpf-fexit-jmp", { 0 }, 0 },
	{ "bpf-fmod-ret-skip", SKIPS("trampoline+0x"), 1 },
	{ "bpf-fmod-ret-jmp", { 0 }, 0 },
	/* arch/x86/kernel/ftrace_64.S writes what the handler left in regs->ip over the address. */
	{ "livepatch-ftrace",
	  { RSB_CAUSE_REWRITTEN_RETURN, "ftrace_caller+0x", 1, 0, 0,
	    "mov qword ptr [rsp + 0xa8], rax" },
	  1 },
	{ "livepatch-bpf-jmp", { 0 }, 0 },
};

/* Each built-in layout of the rows has the findings that its source says it must. */
START_TEST(layouts_have_their_cause)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rsb_explanation *explanation =
			explained_layout(rows[i].layout, CPU, &unwind);

		explained_check(explanation, rows[i].layout, &rows[i].finding, rows[i].count);
		rsb_explanation_free(explanation);
	}
}
END_TEST

/* The chain that the case of the patch is about. */
START_TEST(skip_frame_names_its_chain)
{
	struct rsb_explanation *explanation = explained_layout("bpf-fexit-skip", CPU, &unwind);
	const struct rsb_finding *finding = explanation->findings;
	const struct rsb_explained_miss *first = finding->misses;

	ck_assert_str_eq(finding->call.symbol, "target");
	ck_assert_str_eq(finding->entry.symbol, "target+0x5");
	ck_assert_str_eq(first->predicted.symbol, "target+0x5");
	ck_assert_str_eq(first->pushed_by.symbol, "target");
	ck_assert_str_eq(first->actual.symbol, "rsb_landing");
	ck_assert_str_eq(first->returned_by.text, "ret");
	ck_assert_uint_eq(finding->miss_count, 9);
	ck_assert_ptr_nonnull(strstr(finding->advice, "bpf-fexit-jmp"));
	ck_assert_ptr_nonnull(strstr(finding->advice, "bpf-fexit-double-ret"));
	rsb_explanation_free(explanation);
}
END_TEST

/* In a loop of 100 calls the callers miss once for all of them. */
START_TEST(misses_are_a_call)
{
	const struct rsb_scenario bench = RSB_SCENARIO_BENCH;
	struct rsb_explanation *explanation = explained_layout("bpf-fexit-skip", CPU, &bench);

	ck_assert_uint_eq(explanation->count, 1);
	ck_assert_double_eq_tol(explanation->findings->misses_inside, 1, 1e-9);
	ck_assert_double_eq_tol(explanation->findings->misses_callers, 0.08, 1e-9);
	ck_assert_double_eq_tol(explanation->findings->balance, 1, 1e-9);
	rsb_explanation_free(explanation);
}
END_TEST

/* 41 calls are open and 16 fit: 25 are lost. The 17th of them is that of caller_16. */
START_TEST(deep_callers_overflow)
{
	static const struct explained_finding expected = {
		RSB_CAUSE_OVERFLOW, "caller_16+0x", 0, 25, 0, NULL
	};
	const struct rsb_scenario deep = { "own", 40, 1, 128 };
	struct rsb_explanation *explanation = explained_layout("plain-call", CPU, &deep);

	explained_check(explanation, "plain-call", &expected, 1);
	rsb_explanation_free(explanation);
}
END_TEST

static struct rsb_explanation *explain_family(const char *family, const char *set)
{
	struct rsb_image *image = listing_family(family, set, &unwind, &error);
	struct rsb_profile *profile = rsb_profile_load(CPU, &error);
	struct rsb_explanation *explanation;

	ck_assert_msg(image && profile, "%s", error.text);
	explanation = explained_image(image, profile, &unwind);
	rsb_profile_free(profile);
	return explanation;
}

/*
 * Under safe RET each return misses by design, so that the dropped return address costs nothing; it
 * is told all the same.
 */
START_TEST(safe_ret_hides_an_imbalance)
{
	struct rsb_explanation *explanation = explain_family(
		"bpf-trampoline", "attach=call exit=skip-frame fexit=1 return_thunk=srso-alias");
	const struct rsb_finding *findings = explanation->findings;

	ck_assert_uint_eq(explanation->count, 2);
	ck_assert_int_eq(findings[0].cause, RSB_CAUSE_SKIPPED_FRAME);
	ck_assert_uint_eq(findings[0].miss_count, 0);
	ck_assert_double_eq_tol(findings[0].balance, 1, 1e-9);
	ck_assert_int_eq(findings[1].cause, RSB_CAUSE_INTENDED);
	ck_assert_str_eq(findings[1].mitigation, "srso_alias_return_thunk");
	ck_assert_double_eq_tol(findings[1].misses_callers, 8, 1e-9);
	rsb_explanation_free(explanation);
}
END_TEST

struct account_row {
	const char *set;
	int software, hardware;
	const char *culprit; /* how its symbol begins; NULL: none */
};

static const struct account_row account_rows[] = {
	{ "attach=call exit=skip-frame fexit=1", 1, 1, NULL },
	{ "attach=jmp fexit=1", 1, 0, "trampoline" },
	{ "attach=call fentry=1 fexit=0", 0, 0, NULL },
};

/*
 * A trampoline that is entered by jmp still accounts for the call that it is no more entered by:
 * __arch_prepare_bpf_trampoline() in Linux 6.19 emits that in both cases.
 */
START_TEST(accounting_for_no_call_is_found)
{
	for (size_t i = 0; i < sizeof(account_rows) / sizeof(*account_rows); i++) {
		const struct account_row *row = &account_rows[i];
		char set[128];
		struct rsb_explanation *explanation;
		const struct rsb_accounting *accounting;

		snprintf(set, sizeof(set), "%s return_thunk=call-depth", row->set);
		explanation = explain_family("bpf-trampoline", set);
		accounting = &explanation->accounting;
		ck_assert(accounting->known);
		ck_assert_msg(accounting->software_balance == row->software &&
				      accounting->hardware_balance == row->hardware,
			      "%s: %g accounted for, %g made", row->set,
			      accounting->software_balance, accounting->hardware_balance);
		ck_assert_msg(!row->culprit == !accounting->culprit.symbol, "%s", row->set);
		if (row->culprit) {
			ck_assert(!strncmp(accounting->culprit.symbol, row->culprit,
					   strlen(row->culprit)));
			ck_assert_ptr_nonnull(strstr(accounting->culprit.text, "sar "));
		}
		rsb_explanation_free(explanation);
	}
}
END_TEST

/* Code that returns by a plain ret accounts for nothing. */
START_TEST(no_accounting_is_not_known)
{
	struct rsb_explanation *explanation = explained_layout("bpf-fexit-jmp", CPU, &unwind);

	ck_assert(!explanation->accounting.known);
	rsb_explanation_free(explanation);
}
END_TEST

struct capture_row {
	const char *capture, *function;
	int balance, balance_layout, inside, intended_inside, callers, intended_callers;
};

static const struct capture_row captures[] = {
	{ "linux-6.1-off", "__x64_sys_getpgid", 0, 0, 0, 0, 0, 0 },
	{ "linux-6.1-off", "__x64_sys_getsid", 1, 1, 1, 0, 8, 0 },
	{ "linux-6.12-off", "__x64_sys_getpgid", 0, 0, 0, 0, 0, 0 },
	{ "linux-6.12-off", "__x64_sys_getsid", 1, 1, 1, 0, 8, 0 },
	{ "linux-6.12-off", "__x64_sys_sched_getscheduler", 1, 1, 1, 0, 8, 0 },
	{ "linux-6.12-off", "security_task_getsid", 1, 1, 1, 0, 8, 0 },
	{ "linux-6.12-srso", "__x64_sys_getpgid", 13, 0, 13, 13, 8, 8 },
	{ "linux-6.12-srso", "__x64_sys_getsid", 17, 1, 16, 16, 8, 8 },
	{ "linux-6.12-calldepth", "__x64_sys_getpgid", 0, 0, 0, 0, 0, 0 },
	{ "linux-6.12-calldepth", "__x64_sys_getsid", 1, 1, 1, 0, 8, 0 },
	{ "linux-7.2-off", "__x64_sys_getpgid", 0, 0, 0, 0, 0, 0 },
	{ "linux-7.2-off", "__x64_sys_getsid", 0, 0, 0, 0, 0, 0 },
	{ "linux-7.2-off", "security_task_getsid", 0, 0, 0, 0, 0, 0 },
};

static struct rsb_explanation *explain_capture(const char *folder, const char *capture,
					       const char *function)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "{ \"name\": \"%s\", \"core\": { \"file\": \"%s.core\", \"symbols\": "
		 "\"%s.kallsyms\" }, \"call\": \"%s\", \"registers\": { \"rdi\": \"scratch\" } }",
		 function, capture, capture, function);
	return explained_text(text, folder, CPU, &unwind);
}

/* What the row says in findings: one for the layout, one for the mitigation. */
static size_t expect_capture(const struct capture_row *row, struct explained_finding expected[2])
{
	size_t count = 0;

	if (row->balance_layout)
		expected[count++] = (struct explained_finding){
			RSB_CAUSE_SKIPPED_FRAME,
			"bpf_trampoline_",
			row->inside - row->intended_inside,
			row->callers - row->intended_callers,
			row->balance_layout,
			"add rsp, 8",
		};
	if (row->intended_inside)
		expected[count++] = (struct explained_finding){
			RSB_CAUSE_INTENDED,
			"srso_alias_return_thunk",
			row->intended_inside,
			row->intended_callers,
			row->balance - row->balance_layout,
			NULL,
		};
	return count;
}

/* So has code that was captured from kernels. */
START_TEST(captures_have_their_cause)
{
	char folder[4096];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	for (size_t i = 0; i < sizeof(captures) / sizeof(*captures); i++) {
		const struct capture_row *row = &captures[i];
		struct explained_finding expected[2];
		size_t count = expect_capture(row, expected);
		struct rsb_explanation *explanation =
			explain_capture(folder, row->capture, row->function);
		char name[128];

		snprintf(name, sizeof(name), "%s %s", row->capture, row->function);
		explained_check(explanation, name, expected, count);
		/* A kernel that accounts for its calls gets it right here. */
		if (explanation->accounting.known)
			ck_assert_double_eq(explanation->accounting.software_balance,
					    explanation->accounting.hardware_balance);
		ck_assert_int_eq(explanation->accounting.known,
				 !strcmp(row->capture, "linux-6.12-calldepth"));
		rsb_explanation_free(explanation);
	}
}
END_TEST

/* Whatever a CPU's stack does, what the score counts is explained, and nothing else. */
static void explain_everywhere(const char *name, const struct rsb_scenario *scenario)
{
	const struct rsb_run_options options = { .kinds = RSB_KIND_ALL };
	struct rsb_layout *layout = rsb_layout_load(name, &error);
	struct rsb_image *image = layout ? rsb_layout_image(layout, scenario, &error) : NULL;
	struct rsb_run *run = image ? rsb_run_new(image, &options, &error) : NULL;
	struct rsb_frames *frames = run ? rsb_frames_new(image, run, &error) : NULL;

	ck_assert_msg(frames, "%s", error.text);
	for (const char *const *cpu = rsb_profile_names(); *cpu; cpu++) {
		struct rsb_profile *profile = rsb_profile_load(*cpu, &error);
		struct rsb_explanation *explanation;

		ck_assert_msg(profile, "%s", error.text);
		explanation = rsb_explanation_new(frames, name, profile, scenario, &error);
		ck_assert_msg(explanation, "%s on %s: %s", name, *cpu, error.text);
		explained_agrees(explanation, run, profile, scenario);
		rsb_explanation_free(explanation);
		rsb_profile_free(profile);
	}
	rsb_frames_free(frames);
	rsb_run_free(run);
	rsb_image_free(image);
	rsb_layout_free(layout);
}

/* On each CPU the explanation's misses are those of the score. */
START_TEST(explains_what_is_scored_on_every_cpu)
{
	const struct rsb_scenario deep = { "own", 70, 2, 128 };

	explain_everywhere("plain-call", &deep);
	explain_everywhere("bpf-fexit-skip", &deep);
	explain_everywhere("bpf-fexit-skip", &unwind);
	explain_everywhere("livepatch-ftrace", &unwind);
}
END_TEST

UNIT_MAIN("explanations", layouts_have_their_cause, skip_frame_names_its_chain, misses_are_a_call,
	  deep_callers_overflow, safe_ret_hides_an_imbalance, accounting_for_no_call_is_found,
	  no_accounting_is_not_known, captures_have_their_cause,
	  explains_what_is_scored_on_every_cpu)
