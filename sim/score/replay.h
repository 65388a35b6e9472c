/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay: a model fed with the rounds of a run, until its own state repeats too. The run may
 * repeat after one round while a ring needs as many as it has entries to be full of the same.
 */
#ifndef RSB_SIM_SCORE_REPLAY_H
#define RSB_SIM_SCORE_REPLAY_H

#include "sim/score/score.h"

/* What one round cost. */
struct rsb_tally {
	uint64_t inside, callers;                   /* returns that missed */
	uint64_t intended_inside, intended_callers; /* those of them a mitigation is to blame for */
	uint64_t indirect;                          /* indirect jumps and calls that missed */
};

/* One miss, with what the replay knows of it. */
struct rsb_replay_miss {
	const struct rsb_event *event;
	const struct rsb_miss *miss;
	const struct rsb_site *site; /* that missed */
	bool inside, intended;
};

struct rsb_replay;

/*
 * Replays. options->watcher sees the misses of the rounds below options->rounds (0: of all), up to
 * the end of the first steady period. NULL: error. The run and the profile must outlive the
 * replay.
 */
struct rsb_replay *rsb_replay_new(const struct rsb_run *run, const struct rsb_profile *profile,
				  const struct rsb_score_options *options, struct rsb_error *error);
void rsb_replay_free(struct rsb_replay *replay);

enum rsb_steady rsb_replay_steady(const struct rsb_replay *replay);

/* Unless RSB_STEADY_NO: rounds first to first + period - 1 repeat for ever. */
uint64_t rsb_replay_first(const struct rsb_replay *replay);
uint64_t rsb_replay_period(const struct rsb_replay *replay);

/* Rounds that can be told apart: all that were replayed. */
uint64_t rsb_replay_count(const struct rsb_replay *replay);

/* For each event of this kind of round, whether it is in a span. Owned by it. NULL: no memory. */
const bool *rsb_replay_inside(const struct rsb_replay *replay, size_t kind);

/* What rounds from up to end cost; end may lie far behind what was replayed if it is steady. */
struct rsb_tally rsb_replay_sum(const struct rsb_replay *replay, uint64_t from, uint64_t end);

/*
 * Replays rounds from up to end once more, from the state in which the model was at round from,
 * which is 0, 1 or rsb_replay_first(), and calls each for every miss.
 */
bool rsb_replay_again(const struct rsb_replay *replay, uint64_t from, uint64_t end,
		      void (*each)(void *context, const struct rsb_replay_miss *miss),
		      void *context, struct rsb_error *error);

/* The model as it is after the replay. */
const struct rsb_model *rsb_replay_model(const struct rsb_replay *replay);

#endif
