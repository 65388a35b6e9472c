/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a sequence repeat, from somewhere near its start to its end? */
#ifndef RSB_SIM_SCORE_PERIOD_H
#define RSB_SIM_SCORE_PERIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Finds the smallest first (at most warmup) from which the items repeat up to their end, with the
 * smallest period of which at least repeats have been seen. False: there is none, or no memory.
 */
bool rsb_period_find(const uint32_t *items, size_t count, size_t warmup, size_t repeats,
		     size_t *first, size_t *period);

/* The smallest divisor of period with which these period items repeat. */
size_t rsb_period_reduce(const uint32_t *items, size_t period);

#endif
