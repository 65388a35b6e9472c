/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The built-in layouts, scored. What is expected is how the kernel's developers describe them:
 * entering by call and dropping the return address is one call too many, a second ret balances it
 * at the price of a miss, a jump costs none.
 */
#include "sim/image/layout.h"
#include "sim/score/score.h"

#include "tests/unit/unit.h"

static struct rsb_error error;

static struct rsb_score *score_layout(const char *name, const struct rsb_profile *profile,
				      const struct rsb_scenario *scenario)
{
	struct rsb_run_options options = { .kinds = RSB_SCORE_KINDS };
	struct rsb_score_options score_options = { 0 };
	struct rsb_layout *layout = rsb_layout_load(name, &error);
	struct rsb_image *image = layout ? rsb_layout_image(layout, scenario, &error) : NULL;
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

static void check_figure(const struct rsb_score *score, const char *figure, double got, double want)
{
	ck_assert_msg(got > want - 1e-9 && got < want + 1e-9, "%s on %s: %s is %g, not %g",
		      score->layout, score->cpu, figure, got, want);
}

struct row {
	const char *layout;
	int balance, inside, callers;
};

/* Below 8 callers, one call a round. */
static const struct row rows[] = {
	{ "plain-call", 0, 0, 0 },
	{ "bpf-fentry", 0, 0, 0 },
	{ "bpf-fexit-skip", 1, 1, 8 },
	{ "bpf-fexit-double-ret", 0, 1, 0 },
	{ "bpf-fexit-jmp", 0, 0, 0 },
	{ "bpf-fmod-ret-skip", 1, 1, 8 },
	{ "bpf-fmod-ret-jmp", 0, 0, 0 },
	{ "bpf-2-fexit-jmp", 0, 0, 0 },
	{ "bpf-2-fexit-skip", 1, 1, 8 },
	{ "bpf-38-fentry", 0, 0, 0 },
	{ "bpf-38-fexit-jmp", 0, 0, 0 },
	{ "bpf-38-fexit-skip", 1, 1, 8 },
	{ "bpf-endbr-fexit-jmp", 0, 0, 0 },
	{ "bpf-fineibt-fexit-jmp", 0, 0, 0 },
	{ "bpf-fsession-jmp", 0, 0, 0 },
	{ "bpf-fsession-skip", 1, 1, 8 },
	{ "bpf-tail-call", 0, 0, 0 },
	{ "bpf-tail-call-direct", 0, 0, 0 },
	{ "bpf-tail-call-retpoline", 0, 1, 0 },
	{ "struct-ops", 0, 0, 0 },
	{ "struct-ops-fineibt", 0, 0, 0 },
	{ "struct-ops-fineibt-bhi", 0, 0, 0 },
	{ "struct-ops-kcfi", 0, 0, 0 },
	{ "struct-ops-retpoline", 0, 1, 0 },
};

/*
 * Of a list made apart from this program, by replaying the calls and returns of each kernel's code
 * by hand.
 */
static const struct row replayed[] = {
	{ "ftrace-caller", 0, 0, 0 },
	{ "ftrace-regs-caller", 0, 0, 0 },
	{ "ftrace-regs-fentry-6.1", -1, 3, 8 },
	{ "ftrace-regs-fentry-6.2", 0, 1, 0 },
	{ "ftrace-regs-fexit-6.1", 0, 1, 0 },
	{ "ftrace-regs-fexit-6.2", 1, 2, 8 },
	{ "ftrace-regs-fexit-6.19", 0, 1, 0 },
	{ "livepatch-ftrace", 0, 1, 0 },
	{ "livepatch-bpf-jmp", 0, 0, 0 },
	{ "livepatch-fexit-6.1", 0, 1, 0 },
	{ "livepatch-fexit-6.2", 1, 2, 8 },
	{ "ftrace-graph", 0, 2, 0 },
	{ "ftrace-graph-no-dummy-call", -1, 2, 8 },
	{ "fprobe-graph", 0, 2, 0 },
	{ "fprobe-rethook", -1, 2, 8 },
	{ "kretprobe", -1, 2, 8 },
	{ "kretprobe-optimised", -1, 2, 8 },
	{ "kretprobe-dummy-call", 0, 2, 0 },
	{ "kprobe-optimised", 0, 0, 0 },
	{ "indirect-call", 0, 0, 0 },
	{ "indirect-call-its", 0, 0, 0 },
	{ "indirect-call-lfence", 0, 0, 0 },
	{ "indirect-jmp", 0, 0, 0 },
	{ "indirect-jmp-its", 0, 0, 0 },
	{ "retpoline-call", 0, 1, 0 },
	{ "retpoline-call-4.15", 0, 1, 0 },
	{ "retpoline-call-inline-4.15", 0, 1, 0 },
	{ "retpoline-jmp", 0, 1, 0 },
	{ "retpoline-jmp-4.15", 0, 1, 0 },
	{ "return-thunk-gcc", 1, 1, 8 },
	{ "return-thunk-refill", 16, 1, 8 },
	{ "return-thunk-rethunk", 0, 0, 0 },
	{ "return-thunk-srso", 1, 1, 8 },
	{ "return-thunk-srso-alias", 1, 1, 8 },
	{ "syscall-pti-off", 0, 0, 0 },
	{ "syscall-pti-pcid", 0, 0, 0 },
	{ "syscall-pti-no-pcid", 0, 0, 0 },
	{ "syscall-iret", 0, 0, 0 },
	{ "syscall-trampoline-4.15", 0, 0, 0 },
	{ "syscall-trampoline-4.15-retpoline", 0, 1, 0 },
	{ "rsb-fill-1", 1, 1, 8 },
	{ "rsb-fill-32", 32, 1, 8 },
};

#define ROWS     (sizeof(rows) / sizeof(*rows))
#define REPLAYED (sizeof(replayed) / sizeof(*replayed))

static struct rsb_profile *load_profile(const char *name)
{
	struct rsb_profile *profile = rsb_profile_load(name, &error);

	ck_assert_msg(profile, "%s", error.text);
	return profile;
}

static void check_row(const struct row *row, const struct rsb_profile *profile)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_score *score = score_layout(row->layout, profile, &scenario);

	ck_assert_int_eq(score->steady, RSB_STEADY_PROVED);
	check_figure(score, "balance", score->per_call.balance, row->balance);
	check_figure(score, "misses_inside", score->per_call.misses_inside, row->inside);
	check_figure(score, "misses_callers", score->per_call.misses_callers, row->callers);
	check_figure(score, "caller_slope", score->per_call.caller_slope, row->callers ? 1 : 0);
	rsb_score_free(score);
}

static void check_rows(const struct rsb_profile *profile)
{
	for (size_t i = 0; i < ROWS; i++)
		check_row(rows + i, profile);
	for (size_t i = 0; i < REPLAYED; i++)
		check_row(replayed + i, profile);
}

/* A ring of 16 without a check, and a ring of 32: the same, since nothing overflows. */
START_TEST(unwind_on_rings)
{
	static const char *const cpus[] = { "intel-haswell", "amd-zen4" };

	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		struct rsb_profile *profile = load_profile(cpus[i]);

		check_rows(profile);
		rsb_profile_free(profile);
	}
}
END_TEST

/* A stack that counts its entries gives the same: the entries that are wrong are there. */
START_TEST(unwind_on_a_checked_stack)
{
	struct rsb_profile *profile;
	char path[4096];

	unit_source_path(path, sizeof(path), "tests/unit/data/checked-16.json");
	profile = load_profile(path);
	check_rows(profile);
	rsb_profile_free(profile);
}
END_TEST

/* In a loop of 100 calls the callers' 8 misses come once a round: 0.08 a call. */
START_TEST(bench_divides_the_callers_misses)
{
	struct rsb_scenario scenario = RSB_SCENARIO_BENCH;
	struct rsb_profile *profile = load_profile("intel-haswell");
	struct rsb_score *score = score_layout("bpf-fexit-skip", profile, &scenario);

	check_figure(score, "misses_inside", score->per_call.misses_inside, 1);
	check_figure(score, "misses_callers", score->per_call.misses_callers, 0.08);
	check_figure(score, "caller_slope", score->per_call.caller_slope, 1);
	rsb_score_free(score);
	rsb_profile_free(profile);
}
END_TEST

/* 41 calls are open below 40 callers; a ring of 16 keeps the newest 16, and 25 callers miss. */
START_TEST(deep_callers_overflow_a_ring)
{
	struct rsb_scenario scenario = { "own", 40, 1, 128 };
	struct rsb_profile *profile = load_profile("intel-haswell");
	struct rsb_score *score = score_layout("plain-call", profile, &scenario);

	check_figure(score, "misses_inside", score->per_call.misses_inside, 0);
	check_figure(score, "misses_callers", score->per_call.misses_callers, 25);
	check_figure(score, "headroom", score->per_call.headroom, 15);
	rsb_score_free(score);
	rsb_profile_free(profile);
}
END_TEST

/*
 * The helpers' own calls included: 14 calls and 13 returns for the skip-frame form, as counted on a
 * kernel of version 6.12; one call fewer by jump; one return more with the second ret. The others
 * are counted on listings by hand, the caller's call and the return to it included.
 */
START_TEST(counts_calls_and_returns)
{
	static const struct {
		const char *layout;
		int calls, returns;
	} counts[] = {
		{ "plain-call", 1, 1 },
		{ "bpf-fexit-skip", 14, 13 },
		{ "bpf-fexit-double-ret", 14, 14 },
		{ "bpf-fexit-jmp", 13, 13 },
		{ "ftrace-caller", 3, 3 },
		{ "livepatch-ftrace", 3, 3 },
		{ "ftrace-graph", 5, 5 },
		{ "ftrace-graph-no-dummy-call", 4, 5 },
		{ "kretprobe", 4, 5 },
		{ "kprobe-optimised", 2, 2 },
		{ "retpoline-call", 3, 3 },
		{ "retpoline-jmp", 2, 2 },
		{ "return-thunk-srso", 2, 1 },
		{ "return-thunk-refill", 17, 1 },
		{ "rsb-fill-32", 33, 1 },
	};
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = load_profile("intel-haswell");

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct rsb_score *score = score_layout(counts[i].layout, profile, &scenario);

		check_figure(score, "calls", score->per_call.calls, counts[i].calls);
		check_figure(score, "returns", score->per_call.returns, counts[i].returns);
		rsb_score_free(score);
	}
	rsb_profile_free(profile);
}
END_TEST

/* Each layout meets what its own file expects. */
START_TEST(layouts_meet_their_expectations)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = load_profile("intel-haswell");

	for (const char *const *name = rsb_layout_names(); *name; name++) {
		struct rsb_layout *layout = rsb_layout_load(*name, &error);
		struct rsb_score *score = score_layout(*name, profile, &scenario);
		double want;

		for (const struct rsb_figure *f = rsb_figures(); f->key; f++)
			if (rsb_layout_expect(layout, f->key, &want))
				check_figure(score, f->key,
					     *(const double *)((const char *)&score->per_call +
							       f->offset),
					     want);
		rsb_score_free(score);
		rsb_layout_free(layout);
	}
	rsb_profile_free(profile);
}
END_TEST

UNIT_MAIN("scores of the built-in layouts", unwind_on_rings, unwind_on_a_checked_stack,
	  bench_divides_the_callers_misses, deep_callers_overflow_a_ring, counts_calls_and_returns,
	  layouts_meet_their_expectations)
