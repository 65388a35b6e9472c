/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a score, each with the sentence that the formats and the documents show. */
#include "sim/score/score.h"

/* clang-format off */
#define FIGURE(key, sentence) \
	{ #key, sentence, offsetof(struct rsb_per_call, key), 0 }
#define INTERVAL(key, sentence) \
	{ #key, sentence, offsetof(struct rsb_per_call, key##_low), \
	  offsetof(struct rsb_per_call, key##_high) }
/* clang-format on */

static const struct rsb_figure figures[] = {
	FIGURE(calls, "near calls from the caller's call to the landing, that call included"),
	FIGURE(returns, "near returns in that span, the landing return included"),
	FIGURE(instructions, "instructions in that span, without the caller's call"),
	FIGURE(balance, "calls that push minus returns"),
	FIGURE(balance_layout, "the balance with each mitigation replaced by a plain instruction"),
	FIGURE(balance_intended, "the rest of the balance: what the mitigations add"),
	FIGURE(misses_inside, "returns in the span that miss"),
	FIGURE(misses_callers, "returns of the callers that miss in a round, divided by batch"),
	FIGURE(caller_slope, "returns of the callers that miss in a round, divided by depth"),
	FIGURE(intended_inside, "misses inside whose entry a mitigation pushed"),
	FIGURE(intended_callers, "misses of the callers whose entry a mitigation pushed"),
	FIGURE(misses_indirect, "indirect jumps and calls of a round that miss, divided by batch"),
	FIGURE(peak, "most entries above the caller's"),
	FIGURE(headroom, "callers that fit below before even the balanced form overflows"),
	INTERVAL(lost_cycles, "misses times the CPU's penalty, from and to"),
	FIGURE(cr3_writes, "writes of CR3 in the span"),
	FIGURE(tlb_flushes, "those of them that flush the TLB"),
	FIGURE(pages_after_flush,
	       "pages touched for the first time since a flush, of all the round"),
	INTERVAL(cr3_cycles,
		 "what the writes of CR3 cost the CPU without the refills, from and to"),
	{ NULL, NULL, 0, 0 },
};

const struct rsb_figure *rsb_figures(void)
{
	return figures;
}

const char *rsb_steady_name(enum rsb_steady steady)
{
	static const char *const names[] = { "proved", "observed", "no" };

	return names[steady];
}
