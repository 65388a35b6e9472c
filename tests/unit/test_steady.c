/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steady state: layouts that change from round to round get the right word, the right averages
 * and the right totals. The traced functions are put together here from pieces whose calls and
 * returns can be counted by eye; the reference is a ring of a few lines that is fed every round,
 * one by one.
 */
#include "sim/generate/callers.h"
#include "sim/score/score.h"

#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define DATA 0x20000000u /* a page of counters, 8 bytes each */

static struct rsb_error error;

static void emit32(struct rsb_code *code, uint32_t value)
{
	rsb_code_bytes(code, &value, 4);
}

#define EMIT(code, ...)                                        \
	rsb_code_bytes(code, (const uint8_t[]){ __VA_ARGS__ }, \
		       sizeof((const uint8_t[]){ __VA_ARGS__ }))

static uint32_t counter_at(unsigned counter)
{
	return DATA + 8 * counter;
}

/* inc qword [counter] */
static void emit_count(struct rsb_code *code, unsigned counter)
{
	EMIT(code, 0x48, 0xff, 0x04, 0x25);
	emit32(code, counter_at(counter));
}

/* dec dword [counter]; jnz past; mov dword [counter], n; the caller places past */
static rsb_label emit_every(struct rsb_code *code, unsigned counter, unsigned n)
{
	rsb_label past = rsb_code_label(code);

	EMIT(code, 0xff, 0x0c, 0x25);
	emit32(code, counter_at(counter));
	EMIT(code, 0x0f, 0x85);
	rsb_code_relative32(code, past, 0);
	EMIT(code, 0xc7, 0x04, 0x25);
	emit32(code, counter_at(counter));
	emit32(code, n);
	return past;
}

/* cmp dword [counter], n; jbe past */
static rsb_label emit_above(struct rsb_code *code, unsigned counter, unsigned n)
{
	rsb_label past = rsb_code_label(code);

	EMIT(code, 0x81, 0x3c, 0x25);
	emit32(code, counter_at(counter));
	emit32(code, n);
	EMIT(code, 0x0f, 0x86);
	rsb_code_relative32(code, past, 0);
	return past;
}

/* test dword [counter], mask; jnz past */
static rsb_label emit_masked(struct rsb_code *code, unsigned counter, unsigned mask)
{
	rsb_label past = rsb_code_label(code);

	EMIT(code, 0xf7, 0x04, 0x25);
	emit32(code, counter_at(counter));
	emit32(code, mask);
	EMIT(code, 0x0f, 0x85);
	rsb_code_relative32(code, past, 0);
	return past;
}

/* call 1f; int3; 1: add rsp, 8: a call without a return */
static void emit_skip(struct rsb_code *code)
{
	EMIT(code, 0xe8, 1, 0, 0, 0, 0xcc, 0x48, 0x83, 0xc4, 8);
}

/* lea rax, [rip + 2]; push rax; ret: a return without a call */
static void emit_push_return(struct rsb_code *code)
{
	EMIT(code, 0x48, 0x8d, 0x05, 2, 0, 0, 0, 0x50, 0xc3);
}

/* call 1f; jmp 2f; 1: lea rax, [rip + 5]; mov [rsp], rax; ret; 2: a return to where no call said */
static void emit_rewrite(struct rsb_code *code)
{
	EMIT(code, 0xe8, 2, 0, 0, 0, 0xeb, 12, 0x48, 0x8d, 0x05, 5, 0, 0, 0, 0x48, 0x89, 0x04, 0x24,
	     0xc3);
}

/* call 1f; jmp 2f; 1: ret; 2: a call and its return */
static void emit_balanced(struct rsb_code *code)
{
	EMIT(code, 0xe8, 2, 0, 0, 0, 0xeb, 1, 0xc3);
}

typedef void body(struct rsb_code *code, const uint32_t *choice);

/* An image whose traced function is this body and a ret; counters start at the values given. */
static struct rsb_image *build_image(body *emit, const uint32_t *choice, const uint64_t *counters,
				     size_t count, const struct rsb_scenario *scenario)
{
	struct rsb_image *image = rsb_image_new();
	struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);
	struct rsb_callers callers = { .scenario = scenario };

	callers.traced = rsb_code_named(code, "target");
	rsb_callers_emit(code, &callers);
	rsb_code_function(code, "target");
	emit(code, choice);
	EMIT(code, 0xc3);
	ck_assert_msg(rsb_code_finish(code, image, &error), "%s", error.text);
	ck_assert_msg(rsb_image_map(image, "counters", DATA, RSB_PAGE, RSB_READ | RSB_WRITE,
				    counters, count * sizeof(*counters), &error),
		      "%s", error.text);
	rsb_code_free(code);
	return image;
}

/* Scores the image on a ring of 16; rounds 0: no totals. */
static struct rsb_score *score_image(const struct rsb_image *image,
				     const struct rsb_scenario *scenario, uint64_t rounds)
{
	struct rsb_run_options options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN), .rounds = rounds
	};
	struct rsb_score_options score_options = { .rounds = rounds };
	struct rsb_profile *ring = rsb_profile_load("intel-haswell", &error);
	struct rsb_run *run = rsb_run_new(image, &options, &error);
	struct rsb_score *score;

	ck_assert_msg(ring && run, "%s", error.text);
	score = rsb_score_new(run, "test", ring, scenario, &score_options, &error);
	ck_assert_msg(score, "%s", error.text);
	rsb_run_free(run);
	rsb_profile_free(ring);
	return score;
}

static struct rsb_score *score_body(body *emit, const uint64_t *counters, size_t count,
				    uint64_t rounds)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_image *image = build_image(emit, NULL, counters, count, &scenario);
	struct rsb_score *score = score_image(image, &scenario, rounds);

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

#define PIECES 6

/* A traced function of random pieces, each of which may hide behind a counter. */
static void body_random(struct rsb_code *code, const uint32_t *choice)
{
	static const unsigned every[] = { 2, 3, 5, 7 };

	for (unsigned i = 0; i < PIECES; i++) {
		uint32_t c = choice[i];
		rsb_label past = 0;
		bool hidden = c % 3;

		if (c % 3 == 1)
			past = emit_every(code, i, every[c / 3 % 4]);
		if (c % 3 == 2) {
			emit_count(code, i);
			past = emit_masked(code, i, c / 3 % 2 ? 1 : 7);
		}
		switch (c / 24 % 5) {
		case 0:
			emit_skip(code);
			break;
		case 1:
			emit_push_return(code);
			break;
		case 2:
			emit_rewrite(code);
			break;
		default:
			emit_balanced(code);
		}
		if (hidden)
			rsb_code_place(code, past);
	}
}

/* A ring of 16, as plain as it can be. */
struct plain_ring {
	uint64_t slot[16];
	bool valid[16];
	unsigned top;
};

static bool plain_ring_misses(struct plain_ring *ring, const struct rsb_site *site, uint64_t target)
{
	bool hit;

	if (site->kind == RSB_CALL && !(site->flags & RSB_SITE_ZERO_CALL)) {
		ring->top = (ring->top + 1) % 16;
		ring->slot[ring->top] = site->fall_through;
		ring->valid[ring->top] = true;
	}
	if (site->kind != RSB_RETURN)
		return false;
	hit = ring->valid[ring->top] && ring->slot[ring->top] == target;
	ring->top = (ring->top + 15) % 16;
	return !hit;
}

/* Totals of so many rounds, each run and counted by itself. */
static struct rsb_totals count_one_by_one(const struct rsb_image *image, uint64_t rounds)
{
	struct rsb_sites *table = rsb_sites_new();
	struct rsb_machine_options options = { .kinds = RSB_KIND_BIT(RSB_CALL) |
							RSB_KIND_BIT(RSB_RETURN) };
	struct rsb_machine *machine = rsb_machine_new(image, table, &options, &error);
	struct rsb_totals totals = { .rounds = rounds };
	struct plain_ring ring = { .top = 0 };
	struct rsb_trace trace = { 0 };
	bool inside = false;

	for (uint64_t r = 0; r < rounds; r++) {
		const struct rsb_site *sites;
		const uint64_t *addresses;
		struct rsb_round round;
		size_t count;

		trace.count = 0;
		ck_assert_msg(rsb_machine_round(machine, &trace, &round, &error), "%s", error.text);
		sites = rsb_sites_array(table, &count);
		addresses = rsb_sites_addresses(table, &count);
		totals.traced_calls += round.traced_calls;
		totals.instructions += round.traced_instructions;
		for (size_t i = 0; i < trace.count; i++) {
			const struct rsb_site *site = &sites[trace.events[i].site];
			bool missed =
				plain_ring_misses(&ring, site, addresses[trace.events[i].target]);

			if (site->kind == RSB_MARK)
				inside = site->detail == RSB_MARK_TRACED_CALL;
			totals.calls += inside && site->kind == RSB_CALL;
			totals.returns += inside && site->kind == RSB_RETURN;
			totals.misses_inside += inside && missed;
			totals.misses_callers += !inside && missed;
		}
	}
	rsb_trace_clear(&trace);
	rsb_machine_free(machine);
	rsb_sites_free(table);
	return totals;
}

/* Random layouts: the totals of 10 000 rounds are those of 10 000 rounds run one by one. */
START_TEST(random_layouts_agree_with_every_round_run)
{
	unsigned words[3] = { 0 };

	srand(2);
	for (int trial = 0; trial < 40; trial++) {
		struct rsb_scenario scenario = { "own", (unsigned)rand() % 12,
						 1 + (unsigned)rand() % 3, 64 };
		uint64_t counters[PIECES];
		uint32_t choice[PIECES];
		struct rsb_totals want;
		struct rsb_score *score;
		struct rsb_image *image;

		for (unsigned i = 0; i < PIECES; i++) {
			choice[i] = (uint32_t)rand();
			if (trial % 2) /* half of them without counters that only grow */
				choice[i] -= choice[i] % 3 == 2;
			counters[i] = 1 + (unsigned)rand() % 5;
		}
		image = build_image(body_random, choice, counters, PIECES, &scenario);
		score = score_image(image, &scenario, 10000);
		want = count_one_by_one(image, 10000);
		words[score->steady]++;
		ck_assert_msg(!memcmp(&score->totals, &want, sizeof(want)),
			      "trial %d: inside %llu, not %llu; callers %llu, not %llu", trial,
			      (unsigned long long)score->totals.misses_inside,
			      (unsigned long long)want.misses_inside,
			      (unsigned long long)score->totals.misses_callers,
			      (unsigned long long)want.misses_callers);
		rsb_score_free(score);
		rsb_image_free(image);
	}
	/* The draw reaches both ways of being steady. */
	ck_assert_uint_gt(words[RSB_STEADY_PROVED], 0);
	ck_assert_uint_gt(words[RSB_STEADY_OBSERVED], 0);
}
END_TEST

UNIT_MAIN("steady state", a_plain_layout_is_proved, a_counter_that_comes_back_is_proved,
	  a_branch_that_turns_every_seventh_round_is_observed,
	  a_counter_that_runs_out_in_the_tenth_round_is_observed,
	  a_change_after_300_rounds_is_not_steady, rounds_asked_for_are_run_when_nothing_is_steady,
	  totals_over_few_rounds_are_exact, random_layouts_agree_with_every_round_run)
