/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is claimed about layouts, a sentence each, on a ring of 32 entries below 8 callers, one call
 * a round, unless it says otherwise. Each claim is made or follows from the text of the kernel
 * commit, or of the sources, that is named with it.
 */
#include "tests/unit/explained.h"
#include "tests/unit/listing.h"
#include "tests/unit/scored.h"
#include "tests/unit/unit.h"

static struct rsb_per_call score(const char *layout)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = scored_profile("amd-zen4");
	struct rsb_per_call got = scored_layout(layout, profile, &scenario);

	rsb_profile_free(profile);
	return got;
}

static struct rsb_per_call score_with(const char *family, const char *set)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = scored_profile("amd-zen4");
	struct rsb_per_call got = scored_family(family, set, profile, &scenario);

	rsb_profile_free(profile);
	return got;
}

static void expect(const char *layout, double balance, double inside, double callers)
{
	struct rsb_per_call got = score(layout);

	ck_assert_msg(got.balance == balance && got.misses_inside == inside &&
			      got.misses_callers == callers,
		      "%s: %g/%g/%g, not %g/%g/%g", layout, got.balance, got.misses_inside,
		      got.misses_callers, balance, inside, callers);
}

/*
 * "x86/ftrace: Rebalance RSB" (36b64f101219, Linux 6.2) balances a fentry program that is reached
 * through ftrace_regs_caller, from -1 to 0.
 */
START_TEST(rebalancing_mends_fentry)
{
	expect("ftrace-regs-fentry-6.1", -1, 3, 8);
	expect("ftrace-regs-fentry-6.2", 0, 1, 0);
}
END_TEST

/*
 * The same commit unbalances what drops its own return address behind it, from 0 to +1: a fexit
 * program, and one on a livepatched function.
 */
START_TEST(rebalancing_spoils_fexit)
{
	expect("ftrace-regs-fexit-6.1", 0, 1, 0);
	expect("ftrace-regs-fexit-6.2", 1, 2, 8);
	expect("livepatch-fexit-6.1", 0, 1, 0);
	expect("livepatch-fexit-6.2", 1, 2, 8);
}
END_TEST

/*
 * The jmp form through ftrace_regs_caller (0c3772a8db1f, 6.19) is balanced, as its text says, and
 * keeps one miss: the return to the trampoline, which no call is before. Reached by the jmp itself
 * the trampoline has none.
 */
START_TEST(jmp_through_regs_caller_keeps_a_miss)
{
	expect("ftrace-regs-fexit-6.19", 0, 1, 0);
	expect("bpf-fexit-jmp", 0, 0, 0);
}
END_TEST

/*
 * A kretprobe leaves each caller one entry short; function graph tracing, which hooks the return in
 * the same way, does not, by a call that never returns (ftrace_64.S: "use a retpoline here to keep
 * the RSB balanced"). Both miss twice inside. With that call a kretprobe is as good, and since
 * fprobe is made of function graph (4346ba160409, 6.14) that is, too.
 */
START_TEST(kretprobe_against_function_graph)
{
	expect("kretprobe", -1, 2, 8);
	expect("ftrace-graph", 0, 2, 0);
	expect("ftrace-graph-no-dummy-call", -1, 2, 8);
	expect("kretprobe-dummy-call", 0, 2, 0);
	expect("fprobe-rethook", -1, 2, 8);
	expect("fprobe-graph", 0, 2, 0);
}
END_TEST

/*
 * The system call that a uretprobe enters the kernel by since 6.11 (ff474a78cef5) is worse for the
 * return stack than the int3 it replaced: a miss more inside, and the callers'. With a shadow stack
 * in the process the kernel goes to the caller itself, and it is no worse.
 */
START_TEST(uretprobe_by_int3_against_syscall)
{
	expect("uretprobe-int3", 0, 1, 0);
	expect("uretprobe-syscall", -1, 2, 8);
	expect("uretprobe-syscall-iret", 0, 1, 0);
}
END_TEST

/*
 * Three ways for a fexit program (the texts of the jmp series, 6.19): one call too many, a second
 * return that balances it at the price of a miss, a jmp at none. So it is for as many programs as
 * there can be, and for sessions.
 */
START_TEST(three_ways_for_fexit)
{
	expect("bpf-fexit-skip", 1, 1, 8);
	expect("bpf-fexit-double-ret", 0, 1, 0);
	expect("bpf-fexit-jmp", 0, 0, 0);
	expect("bpf-38-fexit-skip", 1, 1, 8);
	expect("bpf-38-fexit-jmp", 0, 0, 0);
	expect("bpf-fsession-skip", 1, 1, 8);
	expect("bpf-fsession-jmp", 0, 0, 0);
}
END_TEST

/*
 * A body that is skipped saves a call and its return, and no miss: an fmod_ret program is one call
 * too many whether the body runs or not, and the jmp balances both.
 */
START_TEST(fmod_ret_skips_the_body_and_keeps_the_imbalance)
{
	struct rsb_per_call runs = score_with("bpf-trampoline", "fmod_ret=1 exit=skip-frame");
	struct rsb_per_call skips = score("bpf-fmod-ret-skip");

	ck_assert(runs.calls == skips.calls + 1 && runs.returns == skips.returns + 1);
	expect("bpf-fmod-ret-skip", 1, 1, 8);
	ck_assert(runs.balance == 1 && runs.misses_inside == 1 && runs.misses_callers == 8);
	runs = score_with("bpf-trampoline", "fmod_ret=1 attach=jmp");
	ck_assert(runs.balance == 0 && runs.misses_inside == 0 && runs.misses_callers == 0);
	expect("bpf-fmod-ret-jmp", 0, 0, 0);
}
END_TEST

/*
 * A BPF trampoline makes a livepatched function return twice as often as ftrace does, 6 times
 * against 3: without a thunk that saves the one miss, and with a safe RET, where every return
 * misses, it doubles them.
 */
START_TEST(livepatch_by_a_trampoline_is_better_until_returns_miss)
{
	struct rsb_per_call ftrace = score_with("livepatch", "return_thunk=srso-alias");
	struct rsb_per_call bpf =
		score_with("livepatch", "through=bpf-jmp return_thunk=srso-alias");

	expect("livepatch-ftrace", 0, 1, 0);
	expect("livepatch-bpf-jmp", 0, 0, 0);
	ck_assert(ftrace.misses_inside == 3);
	ck_assert(bpf.misses_inside == 6);
}
END_TEST

/* A second return mends the callers and costs a miss without a thunk; with a safe RET it mends
 * nothing, and costs a miss more than dropping the address does. */
START_TEST(double_ret_hurts_under_safe_ret)
{
	struct rsb_per_call skip =
		score_with("bpf-trampoline", "fexit=1 exit=skip-frame return_thunk=srso-alias");
	struct rsb_per_call twice =
		score_with("bpf-trampoline", "fexit=1 exit=double-ret return_thunk=srso-alias");

	ck_assert(twice.misses_inside == skip.misses_inside + 1);
	ck_assert(twice.misses_callers == skip.misses_callers);
}
END_TEST

/*
 * An operation that is called through a pointer misses nothing, with or without the check of kCFI
 * and FineIBT, of which one makes a call more; by a retpoline it misses once, on purpose.
 */
START_TEST(operations_miss_by_a_retpoline_only)
{
	static const char *const layouts[] = { "struct-ops", "struct-ops-kcfi",
					       "struct-ops-fineibt", "struct-ops-fineibt-bhi" };

	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		expect(layouts[i], 0, 0, 0);
	ck_assert(score("struct-ops-fineibt-bhi").calls == score("struct-ops-fineibt").calls + 1);
	expect("struct-ops-retpoline", 0, 1, 0);
	ck_assert(score("struct-ops-retpoline").intended_inside == 1);
}
END_TEST

/*
 * Nor does a tail call, by jmp; by a retpoline it misses once. The counter that the trampoline
 * hands on changes nothing.
 */
START_TEST(tail_calls_miss_by_a_retpoline_only)
{
	expect("bpf-tail-call", 0, 0, 0);
	expect("bpf-tail-call-direct", 0, 0, 0);
	expect("bpf-tail-call-retpoline", 0, 1, 0);
	ck_assert(score("bpf-tail-call").calls == score("bpf-fexit-jmp").calls);
}
END_TEST

/* By how much is call depth tracking off, a call: what it counts less what is made. */
static double miscount(const char *family, const char *set)
{
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = scored_profile("intel-skylake");
	struct rsb_error error = { "" };
	struct rsb_image *image = listing_family(family, set, &scenario, &error);
	struct rsb_explanation *explanation;
	double off;

	ck_assert_msg(image, "%s", error.text);
	explanation = explained_image(image, profile, &scenario);
	ck_assert(explanation->accounting.known);
	off = explanation->accounting.software_balance - explanation->accounting.hardware_balance;
	rsb_explanation_free(explanation);
	rsb_profile_free(profile);
	return off;
}

/*
 * A trampoline accounts for the call of its function's site as it begins. Where a jmp is there, or
 * ftrace_regs_caller, which has accounted for it already, call depth tracking counts one call too
 * many; where it is called, whatever the return stack comes to, none.
 */
START_TEST(call_depth_counts_a_site_that_is_a_jmp)
{
	const char *const bpf = "bpf-trampoline", *const direct = "ftrace-direct";

	ck_assert(miscount(bpf, "fentry=1 return_thunk=call-depth") == 0);
	ck_assert(miscount(bpf, "fexit=1 exit=skip-frame return_thunk=call-depth") == 0);
	ck_assert(miscount(bpf, "fexit=1 exit=double-ret return_thunk=call-depth") == 0);
	ck_assert(miscount(bpf, "fexit=1 attach=jmp return_thunk=call-depth") == 1);
	ck_assert(miscount(direct, "direct=rebalance return_thunk=call-depth") == 1);
	ck_assert(miscount(direct, "direct=jmp program=fexit return_thunk=call-depth") == 1);
	ck_assert(miscount("struct-ops", "return_thunk=call-depth") == 0);
}
END_TEST

UNIT_MAIN("claims", rebalancing_mends_fentry, rebalancing_spoils_fexit,
	  jmp_through_regs_caller_keeps_a_miss, kretprobe_against_function_graph,
	  uretprobe_by_int3_against_syscall, three_ways_for_fexit,
	  fmod_ret_skips_the_body_and_keeps_the_imbalance,
	  livepatch_by_a_trampoline_is_better_until_returns_miss, double_ret_hurts_under_safe_ret,
	  operations_miss_by_a_retpoline_only, tail_calls_miss_by_a_retpoline_only,
	  call_depth_counts_a_site_that_is_a_jmp)
