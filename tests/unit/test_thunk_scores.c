/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generated code, run and scored on a ring of 16 entries, as it is and with each return thunk. What
 * is expected was counted on listings by hand, and for chains of calls taken from a model of the
 * thunks that was written apart from this one.
 */
#include "sim/score/score.h"
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static struct rsb_error error;

static struct rsb_per_call score(const char *family, const char *set, unsigned depth)
{
	const struct rsb_scenario scenario = { "own", depth, 1, 128 };
	const struct rsb_run_options options = { .kinds = RSB_KIND_BIT(RSB_CALL) |
							  RSB_KIND_BIT(RSB_RETURN) };
	const struct rsb_score_options score_options = { 0 };
	struct rsb_profile *profile = rsb_profile_load("intel-haswell", &error);
	struct rsb_image *image = listing_family(family, set, &scenario, &error);
	struct rsb_run *run = image ? rsb_run_new(image, &options, &error) : NULL;
	struct rsb_per_call per_call;
	struct rsb_score *score;

	ck_assert_msg(profile && run, "%s %s: %s", family, set, error.text);
	score = rsb_score_new(run, family, profile, &scenario, &score_options, &error);
	ck_assert_msg(score, "%s %s: %s", family, set, error.text);
	ck_assert_int_eq(score->steady, RSB_STEADY_PROVED);
	per_call = score->per_call;
	rsb_score_free(score);
	rsb_run_free(run);
	rsb_image_free(image);
	rsb_profile_free(profile);
	return per_call;
}

static void expect(const char *what, const char *figure, double got, double want)
{
	ck_assert_msg(got == want, "%s: %s is %g, not %g", what, figure, got, want);
}

struct row {
	const char *family, *set;
	double calls, returns, inside, callers; /* per call of the traced function, below 8 */
};

#define FEXIT_SKIP   "bpf-trampoline", "fexit=1 exit=skip-frame"
#define FEXIT_DOUBLE "bpf-trampoline", "fexit=1 exit=double-ret"
#define FEXIT_JMP    "bpf-trampoline", "fexit=1 attach=jmp"

/*
 * The helpers' own calls included: 3 where a program starts, 3 where it ends, 2 each to enter and
 * to leave the trampoline.
 */
static const struct row rows[] = {
	{ "plain-call", "", 1, 1, 0, 0 },
	{ "bpf-trampoline", "fentry=1", 9, 9, 0, 0 },
	{ FEXIT_SKIP, 14, 13, 1, 8 },
	{ FEXIT_DOUBLE, 14, 14, 1, 0 },
	{ FEXIT_JMP, 13, 13, 0, 0 },
	{ "bpf-trampoline", "fexit=1 exit=skip-frame helpers=leaf", 8, 7, 1, 8 },
	{ "bpf-trampoline", "fexit=1 attach=jmp endbr=true", 13, 13, 0, 0 },
	{ "bpf-trampoline", "fmod_ret=1 exit=skip-frame", 14, 13, 1, 8 },
	{ "bpf-trampoline", "fmod_ret=1 fmod_ret_returns=nonzero exit=skip-frame", 13, 12, 1, 8 },
	{ "bpf-trampoline", "fmod_ret=1 fmod_ret_returns=nonzero attach=jmp", 12, 12, 0, 0 },
	{ "bpf-trampoline", "fmod_ret=2 fmod_ret_returns=nonzero attach=jmp", 12, 12, 0, 0 },
	{ "bpf-trampoline", "fentry=10 fmod_ret=10 fexit=18 attach=jmp", 272, 272, 0, 0 },
	{ "bpf-trampoline", "fsession=1 exit=skip-frame", 21, 20, 1, 8 },
	{ "bpf-trampoline", "fsession=19 session_cookies=true attach=jmp", 272, 272, 0, 0 },
	{ "bpf-trampoline", "fexit=1 attach=jmp tail_call=direct", 13, 13, 0, 0 },
	{ "bpf-trampoline", "fexit=1 exit=skip-frame tail_call=indirect", 14, 13, 1, 8 },
	{ "bpf-trampoline", "fentry=1 cfi=kcfi", 9, 9, 0, 0 },
	{ "struct-ops", "", 9, 9, 0, 0 },
	{ "struct-ops", "helpers=leaf cfi=kcfi", 5, 5, 0, 0 },
	{ "livepatch", "through=ftrace", 3, 3, 1, 0 },
	{ "livepatch", "through=bpf-jmp", 6, 6, 0, 0 },
	{ "ftrace", "", 3, 3, 0, 0 },
	{ "ftrace", "saves=all", 3, 3, 0, 0 },
	{ "ftrace-direct", "direct=push", 10, 11, 3, 8 },
	{ "ftrace-direct", "direct=rebalance", 11, 11, 1, 0 },
	{ "ftrace-direct", "direct=push program=fexit", 15, 15, 1, 0 },
	{ "ftrace-direct", "direct=rebalance program=fexit", 16, 15, 2, 8 },
	{ "ftrace-direct", "direct=jmp program=fexit", 15, 15, 1, 0 },
	{ "ftrace-direct", "direct=push program=fexit livepatch=true", 15, 15, 1, 0 },
	{ "ftrace-direct", "direct=rebalance program=fexit livepatch=true", 16, 15, 2, 8 },
	{ "function-graph", "", 5, 5, 2, 0 },
	{ "function-graph", "leave=ret", 4, 5, 2, 8 },
	{ "function-graph", "leave=jmp", 4, 4, 1, 0 },
	{ "indirect-branch", "", 2, 2, 0, 0 },
	{ "indirect-branch", "branch=jmp", 1, 1, 0, 0 },
	{ "kprobe", "", 2, 2, 0, 0 },
	{ "rethook", "", 4, 5, 2, 8 },
	{ "rethook", "leave=dummy-call", 5, 5, 2, 0 },
	{ "rethook", "entry=optimised", 3, 4, 2, 8 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

/* Rows that are apart from the others. */
struct name {
	const char *family, *set; /* NULL ends the list */
};

/* They make a call that call depth tracking does not know. */
static const struct name unaccounted[] = {
	{ "kprobe", "" },
	{ "rethook", "entry=optimised" },
	{ NULL, NULL },
};

/* They go through a register, once. */
static const struct name indirect[] = {
	{ "function-graph", "leave=jmp" },
	{ "indirect-branch", "" },
	{ "indirect-branch", "branch=jmp" },
	{ "bpf-trampoline", "fexit=1 exit=skip-frame tail_call=indirect" },
	{ "struct-ops", "" },
	{ "struct-ops", "helpers=leaf cfi=kcfi" },
	{ NULL, NULL },
};

static bool is_among(const struct row *row, const struct name *names)
{
	for (; names->family; names++)
		if (!strcmp(row->family, names->family) && !strcmp(row->set, names->set))
			return true;
	return false;
}

/* Without thunks the rows cost what their calls and returns say. */
START_TEST(plain_returns)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct rsb_per_call got = score(rows[i].family, rows[i].set, 8);

		expect(rows[i].set, "calls", got.calls, rows[i].calls);
		expect(rows[i].set, "returns", got.returns, rows[i].returns);
		expect(rows[i].set, "misses_inside", got.misses_inside, rows[i].inside);
		expect(rows[i].set, "misses_callers", got.misses_callers, rows[i].callers);
	}
}
END_TEST

static struct rsb_per_call score_row(const struct row *row, const char *thunk)
{
	char set[256];

	snprintf(set, sizeof(set), "%s return_thunk=%s", row->set, thunk);
	return score(row->family, set, 8);
}

/* A thunk that is a ret changes no figure but the number of instructions. */
START_TEST(thunks_that_are_a_ret)
{
	static const char *const thunks[] = { "rethunk", "retbleed", "its" };

	for (size_t i = 0; i < 3 * ROWS; i++) {
		const struct row *row = rows + i / 3;
		struct rsb_per_call got = score_row(row, thunks[i % 3]);

		expect(row->set, "calls", got.calls, row->calls);
		expect(row->set, "returns", got.returns, row->returns);
		expect(row->set, "misses_inside", got.misses_inside, row->inside);
		expect(row->set, "misses_callers", got.misses_callers, row->callers);
		expect(row->set, "intended_inside", got.intended_inside, 0);
	}
}
END_TEST

/* Under safe RET every return misses by design, and the layout's own balance is what it was. */
START_TEST(safe_ret)
{
	static const char *const thunks[] = { "srso", "srso-alias" };

	for (size_t i = 0; i < 2 * ROWS; i++) {
		const struct row *row = rows + i / 2;
		struct rsb_per_call got = score_row(row, thunks[i % 2]);

		expect(row->set, "calls", got.calls, row->calls + row->returns);
		expect(row->set, "returns", got.returns, row->returns);
		expect(row->set, "misses_inside", got.misses_inside, row->returns);
		expect(row->set, "intended_inside", got.intended_inside, row->returns);
		expect(row->set, "misses_callers", got.misses_callers, 8);
		expect(row->set, "intended_callers", got.intended_callers, 8);
		expect(row->set, "balance_layout", got.balance_layout, row->calls - row->returns);
	}
}
END_TEST

/* Call depth tracking costs these nothing: no chain of calls is longer than the 12 it keeps. */
START_TEST(call_depth)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct rsb_per_call got;

		if (is_among(rows + i, unaccounted))
			continue;
		got = score_row(rows + i, "call-depth");
		expect(rows[i].set, "calls", got.calls, rows[i].calls);
		expect(rows[i].set, "returns", got.returns, rows[i].returns);
		expect(rows[i].set, "misses_inside", got.misses_inside, rows[i].inside);
		expect(rows[i].set, "misses_callers", got.misses_callers, rows[i].callers);
	}
}
END_TEST

/*
 * An optimised kprobe's call is written at run time and not accounted, but its return counts: 9
 * calls and 10 returns a round. Of the variable's 64 bits a return takes 5, so that 14, 9 and 4 are
 * left, and the last return of the fourth round refills the stack, and misses.
 */
START_TEST(call_depth_runs_out)
{
	struct rsb_per_call got = score("kprobe", "return_thunk=call-depth", 8);

	expect("kprobe", "misses_inside", got.misses_inside, 0);
	expect("kprobe", "misses_callers", got.misses_callers, 0.25);
}
END_TEST

/*
 * Where code goes through a register, a retpoline adds a call and a return that misses, each by
 * design, an lfence and an ITS thunk nothing; elsewhere none of them changes anything.
 */
START_TEST(indirect_forms)
{
	static const char *const forms[] = { "lfence", "its", "retpoline" };

	for (size_t i = 0; i < 3 * ROWS; i++) {
		const struct row *row = rows + i / 3;
		int added = i % 3 == 2 && is_among(row, indirect);
		struct rsb_per_call got;
		char set[256];

		snprintf(set, sizeof(set), "%s indirect=%s", row->set, forms[i % 3]);
		got = score(row->family, set, 8);
		expect(set, "calls", got.calls, row->calls + added);
		expect(set, "returns", got.returns, row->returns + added);
		expect(set, "misses_inside", got.misses_inside, row->inside + added);
		expect(set, "intended_inside", got.intended_inside, added);
		expect(set, "misses_callers", got.misses_callers, row->callers);
	}
}
END_TEST

/* Returns that miss in a chain of calls, the traced one the last of them. */
START_TEST(chains)
{
	static const struct {
		unsigned calls;
		double none, srso, call_depth;
	} chain[] = {
		{ 4, 0, 4, 0 },    { 12, 0, 12, 0 },   { 16, 0, 16, 4 },   { 17, 1, 17, 5 },
		{ 24, 8, 24, 12 }, { 32, 16, 32, 20 }, { 64, 48, 64, 52 },
	};
	static const char *const thunks[] = { "return_thunk=none", "return_thunk=srso",
					      "return_thunk=call-depth" };

	for (size_t i = 0; i < sizeof(chain) / sizeof(*chain); i++) {
		const double want[] = { chain[i].none, chain[i].srso, chain[i].call_depth };

		for (int thunk = 0; thunk < 3; thunk++) {
			struct rsb_per_call got =
				score("plain-call", thunks[thunk], chain[i].calls - 1);

			expect(thunks[thunk], "misses", got.misses_inside + got.misses_callers,
			       want[thunk]);
		}
	}
}
END_TEST

UNIT_MAIN("scores of generated code", plain_returns, thunks_that_are_a_ret, safe_ret, call_depth,
	  call_depth_runs_out, indirect_forms, chains)
