/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layouts of user space, scored. What is expected was counted by hand from the sources that
 * the layouts name, one push for each call and one pop for each return from the caller's call on,
 * before they were run. A switch is made twice, there and back; so its figures are twice one
 * switch's.
 */
#include "sim/image/layout.h"
#include "sim/score/score.h"

#include "tests/unit/unit.h"

static struct rsb_error error;

static struct rsb_profile *load_profile(const char *name)
{
	struct rsb_profile *profile = rsb_profile_load(name, &error);

	ck_assert_msg(profile, "%s", error.text);
	return profile;
}

static struct rsb_layout *load_layout(const char *name)
{
	struct rsb_layout *layout = rsb_layout_load(name, &error);

	ck_assert_msg(layout, "%s", error.text);
	return layout;
}

/* The layout is freed. */
static struct rsb_score *score_loaded(struct rsb_layout *layout, const char *name,
				      const struct rsb_profile *profile,
				      const struct rsb_scenario *scenario)
{
	struct rsb_run_options options = { .kinds = RSB_KIND_BIT(RSB_CALL) |
						    RSB_KIND_BIT(RSB_RETURN) };
	struct rsb_score_options score_options = { 0 };
	struct rsb_image *image = rsb_layout_image(layout, scenario, &error);
	struct rsb_run *run = image ? rsb_run_new(image, &options, &error) : NULL;
	struct rsb_score *score;

	ck_assert_msg(run, "%s: %s", name, error.text);
	score = rsb_score_new(run, name, profile, scenario, &score_options, &error);
	ck_assert_msg(score, "%s: %s", name, error.text);
	rsb_run_free(run);
	rsb_image_free(image);
	rsb_layout_free(layout);
	return score;
}

static struct rsb_score *score_layout(const char *name, const struct rsb_profile *profile,
				      const struct rsb_scenario *scenario)
{
	return score_loaded(load_layout(name), name, profile, scenario);
}

static void check_figure(const struct rsb_score *score, const char *figure, double got, double want)
{
	ck_assert_msg(got > want - 1e-9 && got < want + 1e-9, "%s on %s: %s is %g, not %g",
		      score->layout, score->cpu, figure, got, want);
}

struct row {
	const char *layout;
	int calls, returns, balance, inside;
};

/* Below 8 callers all 8 miss if the balance is not 0, and none does if it is. */
#define CALLERS 8

static const struct row rows[] = {
	/* The caller's call, _dl_fixup(); both return. */
	{ "plt-lazy", 2, 2, 0, 0 },
	{ "plt-now", 1, 1, 0, 0 },
	/* A call to the next instruction is not pushed; a call over a byte is, and is popped. */
	{ "pc-thunk", 2, 2, 0, 0 },
	{ "call-pop", 2, 1, 0, 0 },
	{ "call-over-pop", 2, 1, 1, 1 },
	{ "pc-relative", 1, 1, 0, 0 },
	/* setjmp() returns, once; two frames and longjmp() do not; then the function does. */
	{ "longjmp-2", 5, 2, 3, 1 },
	/* Two frames, __cxa_throw(), _Unwind_RaiseException() do not; two phases and catch do. */
	{ "throw-2", 9, 5, 4, 1 },
	{ "return-2", 3, 3, 0, 0 },
	/* Each switch pops the entry of the call that it does not return to. */
	{ "swapcontext", 2, 2, 0, 2 },
	{ "fiber-push-ret", 2, 2, 0, 2 },
	/* Into the function, out of it, and by setcontext(), which was called, to the caller. */
	{ "makecontext", 2, 3, -1, 3 },
	/* Each switch leaves the entry of its call; it lands by jmp, and nothing inside misses. */
	{ "fcontext", 2, 0, 2, 0 },
	{ "fiber-jmp", 2, 0, 2, 0 },
	{ "fiber-inline", 1, 1, 0, 0 },
	/* mcall, its function and three more, gogo; only the goroutine's function returns. */
	{ "go-gosched", 7, 1, 6, 1 },
	/* morestack, newstack, gogo. */
	{ "go-morestack", 4, 1, 3, 1 },
	{ "go-systemstack", 2, 2, 0, 0 },
	/* asyncPreempt2() returns; asyncPreempt returns without a call of its own. */
	{ "go-async-preempt", 2, 3, -1, 2 },
	/* panicmem, gopanic, mcall, recovery, gogo; what was deferred, twice, returns. */
	{ "go-recover", 8, 3, 5, 1 },
	/* The hook calls the function through the trampoline. */
	{ "detours", 2, 2, 0, 0 },
	{ "frida-enter", 2, 2, 0, 0 },
	/* The function returns to on_leave, on_leave to the caller. */
	{ "frida-attach", 3, 4, -1, 2 },
	{ "frida-attach-dummy-call", 4, 4, 0, 2 },
	/* __morestack, what it calls before and after, the body; all return, one to a ret. */
	{ "split-stack", 5, 5, 0, 0 },
	{ "split-stack-skip", 5, 4, 1, 1 },
	{ "uprobe-int3", 1, 1, 0, 0 },
	{ "uprobe-nop5", 2, 2, 0, 0 },
	/* The function returns to the trampoline; from there, the kernel or a return goes on. */
	{ "uretprobe-int3", 1, 1, 0, 1 },
	{ "uretprobe-syscall", 1, 2, -1, 2 },
	{ "uretprobe-syscall-iret", 1, 1, 0, 1 },
	{ "uretprobe-syscall-dummy-call", 2, 2, 0, 2 },
	{ "nested-function", 1, 1, 0, 0 },
	/* Shallow enough for each of the three. */
	{ "recursion-4", 5, 5, 0, 0 },
	/* The handler returns to the restorer, which nobody called from there. */
	{ "signal-frame", 1, 2, -1, 2 },
	{ "signal-frame-jmp", 1, 1, 0, 0 },
	/* Two frames, bpf_throw(), the callback, which returns instead of all; the walk does. */
	{ "bpf-throw-2", 6, 2, 4, 1 },
	/* Each switch pops the entry of the call that it does not return to. */
	{ "switch-to", 2, 2, 0, 2 },
	{ "sibling-call", 1, 1, 0, 0 },
	/*
	 * The deoptimizer's entry, two functions of its, the notice's and one for each of two
	 * frames; all but the first return, and so do the entry itself, the notice and the frames,
	 * which nobody called.
	 */
	{ "v8-deopt", 7, 9, -2, 4 },
	/*
	 * The same calls; each of two frames is called into, and each of three places that is gone
	 * to is looked at. The entry jumps; the outermost frame meets the entry's call.
	 */
	{ "v8-deopt-cet", 12, 11, 1, 1 },
	{ "v8-deopt-cet-jmp", 11, 11, 0, 0 },
	/*
	 * enterSpecial, cont_thaw and two functions of its; the thread's two frames, yield, freeze.
	 * The two functions, freeze and the caller's return as they were called. So do the stub,
	 * two frames and yield, to where no call of theirs is known; and the caller's meets theirs.
	 */
	{ "java-thaw", 9, 8, 1, 5 },
	/* Two functions for each of two times at the barrier, whose returns nobody called. */
	{ "java-thaw-barrier", 9 + 4, 8 + 6, -1, 7 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static void check_row(const struct row *row, const struct rsb_profile *profile)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_score *score = score_layout(row->layout, profile, &scenario);

	ck_assert_int_eq(score->steady, RSB_STEADY_PROVED);
	check_figure(score, "calls", score->per_call.calls, row->calls);
	check_figure(score, "returns", score->per_call.returns, row->returns);
	check_figure(score, "balance", score->per_call.balance, row->balance);
	check_figure(score, "misses_inside", score->per_call.misses_inside, row->inside);
	check_figure(score, "misses_callers", score->per_call.misses_callers,
		     row->balance ? CALLERS : 0);
	rsb_score_free(score);
}

/* A ring of 16 without a check, a ring of 32, and a stack that counts its entries. */
START_TEST(unwind)
{
	static const char *const cpus[] = { "intel-haswell", "amd-zen4" };
	struct rsb_profile *profile;
	char path[4096];

	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		profile = load_profile(cpus[i]);
		for (size_t j = 0; j < ROWS; j++)
			check_row(rows + j, profile);
		rsb_profile_free(profile);
	}
	unit_source_path(path, sizeof(path), "tests/unit/data/checked-16.json");
	profile = load_profile(path);
	for (size_t j = 0; j < ROWS; j++)
		check_row(rows + j, profile);
	rsb_profile_free(profile);
}
END_TEST

static void check_misses(const char *layout, const struct rsb_profile *profile, int inside,
			 int callers)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_score *score = score_layout(layout, profile, &scenario);

	check_figure(score, "calls", score->per_call.calls, 25);
	check_figure(score, "balance", score->per_call.balance, 0);
	check_figure(score, "misses_inside", score->per_call.misses_inside, inside);
	check_figure(score, "misses_callers", score->per_call.misses_callers, callers);
	rsb_score_free(score);
}

/*
 * Balanced, but the thread's frames took the entry of a caller at first, where now is one of their
 * own.
 */
START_TEST(balanced_and_wrong)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = load_profile("amd-zen4");
	struct rsb_score *score = score_layout("java-thaw-jmp", profile, &scenario);

	check_figure(score, "calls", score->per_call.calls, 8);
	check_figure(score, "balance", score->per_call.balance, 0);
	check_figure(score, "misses_inside", score->per_call.misses_inside, 5);
	check_figure(score, "misses_callers", score->per_call.misses_callers, 1);
	rsb_score_free(score);
	rsb_profile_free(profile);
}
END_TEST

/*
 * A switch of tasks with 32 entries filled on the way, there and back. The return of each takes one
 * of those, and so do the callers'; all of it is meant.
 */
START_TEST(a_switch_that_fills)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = load_profile("amd-zen4");
	struct rsb_score *score = score_layout("switch-to-fill", profile, &scenario);

	check_figure(score, "calls", score->per_call.calls, 2 + 64);
	check_figure(score, "balance_layout", score->per_call.balance_layout, 0);
	check_figure(score, "balance_intended", score->per_call.balance_intended, 64);
	check_figure(score, "misses_inside", score->per_call.misses_inside, 2);
	check_figure(score, "intended_inside", score->per_call.intended_inside, 2);
	check_figure(score, "misses_callers", score->per_call.misses_callers, CALLERS);
	check_figure(score, "intended_callers", score->per_call.intended_callers, CALLERS);
	rsb_score_free(score);
	rsb_profile_free(profile);
}
END_TEST

/*
 * 33 calls are open, and the stack holds 16: it is empty for 8 of the 24 calls of itself, for the
 * landing and for the 8 callers. A ring then hands out again what it had, the newest first. That is
 * right as long as one function calls itself, for all of its calls push one address. Where three
 * take turns it is not: the address that is 16 calls older is another's, for 3 does not divide 16.
 */
START_TEST(recursion)
{
	struct rsb_profile *ring = load_profile("intel-haswell"), *checked;
	char path[4096];

	unit_source_path(path, sizeof(path), "tests/unit/data/checked-16.json");
	checked = load_profile(path);
	check_misses("recursion-24", ring, 1, 8);
	check_misses("recursion-24-mutual", ring, 8 + 1, 8);
	check_misses("recursion-24", checked, 8 + 1, 8);
	check_misses("recursion-24-mutual", checked, 8 + 1, 8);
	rsb_profile_free(checked);
	rsb_profile_free(ring);
}
END_TEST

/* A processor that pushed for a call to the next instruction would be off by one after it. */
START_TEST(call_to_the_next_instruction_pushed)
{
	static const struct row pushed = { "call-pop", 2, 1, 1, 1 };
	struct rsb_profile *profile = load_profile("intel-haswell");

	ck_assert_msg(rsb_profile_set(profile, "zero_call_pushes", "true", &error), "%s",
		      error.text);
	check_row(&pushed, profile);
	rsb_profile_free(profile);
}
END_TEST

/* Mitigations that miss by design are not the layout's: its own balance is what it was without. */
START_TEST(balance_does_not_depend_on_mitigations)
{
	static const char *const thunks[] = { "srso-alias", "call-depth" };
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = load_profile("ideal");

	for (size_t i = 0; i < 2 * ROWS; i++) {
		const struct row *row = rows + i / 2;
		struct rsb_layout *layout = load_layout(row->layout);
		struct rsb_score *score;

		ck_assert(rsb_layout_set_form(layout, "return_thunk", thunks[i % 2], &error));
		ck_assert(rsb_layout_set_form(layout, "indirect", "retpoline", &error));
		score = score_loaded(layout, row->layout, profile, &scenario);
		check_figure(score, "balance_layout", score->per_call.balance_layout, row->balance);
		rsb_score_free(score);
	}
	rsb_profile_free(profile);
}
END_TEST

static double lost(const char *layout, const struct rsb_profile *profile,
		   const struct rsb_scenario *scenario)
{
	struct rsb_score *score = score_layout(layout, profile, scenario);
	double misses = score->per_call.misses_inside + score->per_call.misses_callers;

	rsb_score_free(score);
	return misses;
}

/*
 * In a loop the jmp of a fiber's switch saves both misses of push and ret, but for the callers'
 * below; where the callers return after each switch, it costs more than it saves. Without a call
 * there is neither.
 */
START_TEST(jmp_in_a_fiber_is_better_in_a_loop_only)
{
	struct rsb_scenario loop = RSB_SCENARIO_BENCH, unwinding = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = load_profile("amd-zen4");

	ck_assert(lost("fiber-jmp", profile, &loop) < 0.1);
	ck_assert(lost("fiber-push-ret", profile, &loop) > 1.9);
	ck_assert(lost("fiber-jmp", profile, &unwinding) >
		  lost("fiber-push-ret", profile, &unwinding));
	ck_assert(lost("fiber-inline", profile, &loop) == 0);
	ck_assert(lost("fiber-inline", profile, &unwinding) == 0);
	rsb_profile_free(profile);
}
END_TEST

/*
 * The system call of Linux 6.11 is cheaper than the int3 that it replaced, and worse for the return
 * stack: one miss more inside, and the callers'.
 */
START_TEST(the_uretprobe_that_is_faster_misses_more)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = load_profile("amd-zen4");

	ck_assert(lost("uretprobe-int3", profile, &scenario) == 1);
	ck_assert(lost("uretprobe-syscall-dummy-call", profile, &scenario) == 2);
	ck_assert(lost("uretprobe-syscall", profile, &scenario) == 2 + CALLERS);
	rsb_profile_free(profile);
}
END_TEST

UNIT_MAIN("scores of the layouts of user space", unwind, balanced_and_wrong, a_switch_that_fills,
	  recursion, call_to_the_next_instruction_pushed, balance_does_not_depend_on_mitigations,
	  jmp_in_a_fiber_is_better_in_a_loop_only, the_uretprobe_that_is_faster_misses_more)
