/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models fed with the batches of a trace, all of them in one pass. Each thread of the trace has
 * models of its own, as each hardware thread has a return stack of its own. Memory does not grow
 * with the length of the trace.
 */
#ifndef RSB_SIM_SCORE_TRACE_REPLAY_H
#define RSB_SIM_SCORE_TRACE_REPLAY_H

#include "models/model.h"
#include "traces/file.h"

#define RSB_TRACE_THREADS_MAX 4096

/* What the last batch gave. */
struct rsb_trace_missed {
	size_t thread;                   /* a number, from 0 in the order of first appearance */
	struct rsb_miss *const *missed;  /* for each model; indexes are into the batch */
	const size_t *misses;            /* how many */
	struct rsb_model *const *models; /* of that thread */
};

struct rsb_trace_replay;

/* The models, in the state in which every thread begins, are copied. NULL: error. */
struct rsb_trace_replay *rsb_trace_replay_new(struct rsb_model *const *models, size_t count,
					      struct rsb_error *error);
void rsb_trace_replay_free(struct rsb_trace_replay *replay);

/* Replays a batch; missed is good until the next. False: no memory, or too many threads. */
bool rsb_trace_replay_batch(struct rsb_trace_replay *replay, const struct rsb_sites *sites,
			    const struct rsb_trace_batch *batch, struct rsb_trace_missed *missed,
			    struct rsb_error *error);

/* The number that the trace has for a thread. */
uint64_t rsb_trace_replay_thread(const struct rsb_trace_replay *replay, size_t thread);

/* What the threads so far exercised of a model, all together; as rsb_model_exercised(). */
uint64_t rsb_trace_replay_exercised(const struct rsb_trace_replay *replay, size_t model);

#endif
