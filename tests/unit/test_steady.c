/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steady state: layouts that change from round to round get the right word, the right averages
 * and the right totals. The traced functions are put together here from pieces whose calls and
 * returns can be counted by eye; the reference is a ring of a few lines that is fed every round,
 * one by one.
 */
#include "tests/unit/emitted.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct rsb_score *score_body(emit_body *emit, const uint64_t *counters, size_t count,
				    uint64_t rounds)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_image *image = emitted_image(emit, NULL, counters, count, &scenario);
	struct rsb_score *score = emitted_score(image, &scenario, rounds);

	rsb_image_free(image);
	return score;
}

static void close_to(double got, double want)
{
	ck_assert_msg(got > want - 1e-9 && got < want + 1e-9, "%.12f, not %.12f", got, want);
}

static void body_plain(struct rsb_code *code, const uint32_t *choice)
{
	(void)choice;
	emit_balanced(code);
}

/* A layout that touches no memory of its own is proved, after two rounds. */
START_TEST(a_plain_layout_is_proved)
{
	struct rsb_score *score = score_body(body_plain, NULL, 0, 0);

	ck_assert_int_eq(score->steady, RSB_STEADY_PROVED);
	ck_assert_uint_eq(score->period, 1);
	close_to(score->per_call.calls, 2);
	close_to(score->per_call.misses_inside + score->per_call.misses_callers, 0);
	rsb_score_free(score);
}
END_TEST

static void body_turns_in_the_seventh(struct rsb_code *code, const uint32_t *choice)
{
	rsb_label past = emit_every(code, 0, 7);

	(void)choice;
	emit_skip(code);
	rsb_code_place(code, past);
}

/* Rounds 6, 13, 20 ... leave one entry too many: their landing and the 8 callers miss. */
static void check_sevenths(const struct rsb_score *score, uint64_t rounds)
{
	uint64_t skips = rounds / 7;

	close_to(score->per_call.calls, 1 + 1 / 7.0);
	close_to(score->per_call.balance, 1 / 7.0);
	close_to(score->per_call.misses_inside, 1 / 7.0);
	close_to(score->per_call.misses_callers, 8 / 7.0);
	close_to(score->cold_inside, 0);
	ck_assert_uint_eq(score->period, 7);
	ck_assert_uint_eq(score->totals.rounds, rounds);
	ck_assert_uint_eq(score->totals.calls, rounds + skips);
	ck_assert_uint_eq(score->totals.returns, rounds);
	ck_assert_uint_eq(score->totals.misses_inside, skips);
	ck_assert_uint_eq(score->totals.misses_callers, 8 * skips);
}

/* A counter that comes back to where it was proves its period. */
START_TEST(a_counter_that_comes_back_is_proved)
{
	const uint64_t counters[] = { 7 };
	struct rsb_score *score = score_body(body_turns_in_the_seventh, counters, 1, 1000000000);

	ck_assert_int_eq(score->steady, RSB_STEADY_PROVED);
	check_sevenths(score, 1000000000);
	rsb_score_free(score);
}
END_TEST

static void body_counts_and_turns(struct rsb_code *code, const uint32_t *choice)
{
	emit_count(code, 1);
	body_turns_in_the_seventh(code, choice);
}

/* The same beside a counter that only grows: nothing is proved, the period is observed. */
START_TEST(a_branch_that_turns_every_seventh_round_is_observed)
{
	const uint64_t counters[] = { 7, 0 };
	struct rsb_score *score = score_body(body_counts_and_turns, counters, 2, 1000000000);

	ck_assert_int_eq(score->steady, RSB_STEADY_OBSERVED);
	check_sevenths(score, 1000000000);
	ck_assert_uint_ge(score->note_count, 1);
	ck_assert_msg(strstr(score->notes[0], "memory still changes"), "%s", score->notes[0]);
	rsb_score_free(score);
}
END_TEST

static void body_runs_out_in_the_tenth(struct rsb_code *code, const uint32_t *choice)
{
	rsb_label past;

	(void)choice;
	emit_count(code, 1);
	past = emit_every(code, 0, 10);
	emit_skip(code);
	rsb_code_place(code, past);
}

/* A counter that runs out in every tenth round is not missed: 0.1 inside, 0.8 in the callers. */
START_TEST(a_counter_that_runs_out_in_the_tenth_round_is_observed)
{
	const uint64_t counters[] = { 10, 0 };
	struct rsb_score *score = score_body(body_runs_out_in_the_tenth, counters, 2, 0);

	ck_assert_int_eq(score->steady, RSB_STEADY_OBSERVED);
	ck_assert_uint_eq(score->period, 10);
	close_to(score->per_call.misses_inside, 0.1);
	close_to(score->per_call.misses_callers, 0.8);
	rsb_score_free(score);
}
END_TEST

static void body_changes_after_300(struct rsb_code *code, const uint32_t *choice)
{
	rsb_label past;

	(void)choice;
	emit_count(code, 0);
	past = emit_above(code, 0, 300);
	emit_skip(code);
	rsb_code_place(code, past);
}

/*
 * One change after 300 rounds: neither word holds. Of the 512 rounds that are run, 0 to 299 are
 * balanced and 212 are not; the averages leave out round 0.
 */
START_TEST(a_change_after_300_rounds_is_not_steady)
{
	struct rsb_score *score = score_body(body_changes_after_300, NULL, 0, 0);

	ck_assert_int_eq(score->steady, RSB_STEADY_NO);
	ck_assert_uint_eq(score->period, 0);
	ck_assert_uint_eq(score->averaged, 511);
	close_to(score->per_call.misses_inside, 212 / 511.0);
	close_to(score->per_call.misses_callers, 8 * 212 / 511.0);
	rsb_score_free(score);
}
END_TEST

/* ... and every round asked for is run: of 5000, 4700 are not balanced. */
START_TEST(rounds_asked_for_are_run_when_nothing_is_steady)
{
	struct rsb_score *score = score_body(body_changes_after_300, NULL, 0, 5000);

	ck_assert_int_eq(score->steady, RSB_STEADY_NO);
	ck_assert_uint_eq(score->averaged, 4999);
	ck_assert_uint_eq(score->totals.misses_inside, 4700);
	ck_assert_uint_eq(score->totals.misses_callers, 8 * 4700);
	rsb_score_free(score);
}
END_TEST

/* Fewer rounds than a period asked for: the totals are of those alone. */
START_TEST(totals_over_few_rounds_are_exact)
{
	const uint64_t counters[] = { 7, 0 };

	for (uint64_t rounds = 1; rounds < 20; rounds++) {
		struct rsb_score *score = score_body(body_counts_and_turns, counters, 2, rounds);

		ck_assert_uint_eq(score->totals.misses_inside, rounds / 7);
		ck_assert_uint_eq(score->totals.traced_calls, rounds);
		rsb_score_free(score);
	}
}
END_TEST

UNIT_MAIN("steady state", a_plain_layout_is_proved, a_counter_that_comes_back_is_proved,
	  a_branch_that_turns_every_seventh_round_is_observed,
	  a_counter_that_runs_out_in_the_tenth_round_is_observed,
	  a_change_after_300_rounds_is_not_steady, rounds_asked_for_are_run_when_nothing_is_steady,
	  totals_over_few_rounds_are_exact)
