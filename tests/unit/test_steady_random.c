/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steady state of random layouts: what is summed over a period is what each round by itself comes
 * to.
 */
#include "tests/unit/emitted.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct rsb_error error;

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
		image = emitted_image(body_random, choice, counters, PIECES, &scenario);
		score = emitted_score(image, &scenario, 10000);
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

UNIT_MAIN("steady state of random layouts", random_layouts_agree_with_every_round_run)
