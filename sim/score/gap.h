/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which returns of a thread can be judged? After a gap in its trace, only those whose calls were
 * seen since: what was on the stack before them is not known.
 */
#ifndef RSB_SIM_SCORE_GAP_H
#define RSB_SIM_SCORE_GAP_H

#include "traces/site.h"

struct rsb_gap {
	bool seen;
	uint64_t open; /* calls since the gap that have not returned */
};

/* Takes the next event of the thread. Is it a return that cannot be judged? */
static inline bool rsb_gap_event(struct rsb_gap *gap, const struct rsb_site *site)
{
	bool returns = site->kind == RSB_RETURN || site->kind == RSB_SWAP;
	bool unjudged;

	if (site->kind == RSB_MARK && site->detail == RSB_MARK_GAP)
		*gap = (struct rsb_gap){ .seen = true };
	if (!gap->seen)
		return false;
	unjudged = returns && !gap->open;
	gap->open -= returns && gap->open;
	gap->open += site->kind == RSB_CALL || site->kind == RSB_SWAP;
	return unjudged;
}

#endif
