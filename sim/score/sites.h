/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The return sites of a score: how often each returned and missed. */
#ifndef RSB_SIM_SCORE_SITES_H
#define RSB_SIM_SCORE_SITES_H

#include "sim/score/replay.h"

/*
 * Fills score->sites from rounds from up to end, which are those of rsb_replay_again(), by pc; a
 * site that returns inside spans and outside has a row for each.
 */
bool rsb_score_sites(struct rsb_score *score, const struct rsb_run *run,
		     const struct rsb_replay *replay, uint64_t from, uint64_t end,
		     struct rsb_error *error);

#endif
