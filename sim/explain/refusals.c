/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping what enforcement refuses, and finding it again: see sim/explain/refusals.h. */
#include "sim/explain/refusals.h"

#include "traces/util/grow.h"

#include <stdlib.h>

/* The round in the upper half: the times of another one count no more. */
uint32_t rsb_refusals_count(struct rsb_words *counted, uint64_t round, uint64_t pc, bool *failed)
{
	uint64_t *known = rsb_words_find(counted, pc);
	uint64_t value = known && *known >> 32 == (uint32_t)round ? *known : round << 32;

	if (known)
		*known = value + 1;
	else
		*failed |= !rsb_words_set(counted, pc, value + 1);
	return (uint32_t)value;
}

void rsb_refusals_see(struct rsb_refusals *refusals, uint64_t round, uint64_t pc,
		      const struct rsb_refusal *refusal)
{
	uint32_t times;

	if (refusals->count == RSB_REFUSALS_MAX) {
		if (refusal && !refusals->left_out++)
			refusals->left_out_from = round;
		return;
	}
	times = rsb_refusals_count(&refusals->counted, round, pc, &refusals->failed);
	if (!refusal)
		return;
	if (!RSB_GROW(refusals->all, refusals->count)) {
		refusals->failed = true;
		return;
	}
	refusals->all[refusals->count++] = (struct rsb_refusal){
		.round = round,
		.pc = pc,
		.expected = refusal->expected,
		.times = times,
		.why = refusal->why,
	};
}

static int compare(const void *a, const void *b)
{
	const struct rsb_refusal *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return (x->times > y->times) - (x->times < y->times);
}

bool rsb_refusals_end(struct rsb_refusals *refusals, const struct rsb_run *run)
{
	if (rsb_run_steady(run) != RSB_STEADY_NO) {
		refusals->first = rsb_run_first(run);
		refusals->period = rsb_run_period(run);
	}
	if (refusals->count)
		qsort(refusals->all, refusals->count, sizeof(*refusals->all), compare);
	return !refusals->failed;
}

const struct rsb_refusal *rsb_refusals_find(const struct rsb_refusals *refusals, uint64_t round,
					    uint64_t pc, uint32_t times)
{
	struct rsb_refusal key = { .round = round, .pc = pc, .times = times };

	if (!refusals->count)
		return NULL;
	if (refusals->period && round >= refusals->first)
		key.round = refusals->first + (round - refusals->first) % refusals->period;
	return bsearch(&key, refusals->all, refusals->count, sizeof(key), compare);
}

void rsb_refusals_clear(struct rsb_refusals *refusals)
{
	free(refusals->all);
	rsb_words_clear(&refusals->counted);
	*refusals = (struct rsb_refusals){ 0 };
}
