/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feeding the batches of a trace to models. */
#include "sim/score/trace_replay.h"

#include "traces/util/grow.h"

#include <stdlib.h>

struct thread {
	uint64_t id;
	struct rsb_model **models;
};

struct rsb_trace_replay {
	struct rsb_model **first; /* as every thread begins */
	size_t model_count;
	struct thread *threads;
	size_t thread_count;
	size_t last; /* thread of the last batch */
	struct rsb_miss **missed;
	size_t *misses;
	size_t room; /* events that each of missed has room for */
};

static void free_models(struct rsb_model **models, size_t count)
{
	for (size_t i = 0; models && i < count; i++)
		rsb_model_free(models[i]);
	free(models);
}

static struct rsb_model **copy_models(struct rsb_model *const *models, size_t count)
{
	struct rsb_model **copies = calloc(count, sizeof(*copies));

	for (size_t i = 0; copies && i < count; i++) {
		copies[i] = rsb_model_copy(models[i]);
		if (!copies[i]) {
			free_models(copies, i);
			return NULL;
		}
	}
	return copies;
}

struct rsb_trace_replay *rsb_trace_replay_new(struct rsb_model *const *models, size_t count,
					      struct rsb_error *error)
{
	struct rsb_trace_replay *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return rsb_error_null(error, "out of memory");
	replay->model_count = count;
	replay->first = copy_models(models, count);
	replay->missed = calloc(count, sizeof(*replay->missed));
	replay->misses = calloc(count, sizeof(*replay->misses));
	if (replay->first && replay->missed && replay->misses)
		return replay;
	rsb_trace_replay_free(replay);
	return rsb_error_null(error, "out of memory");
}

void rsb_trace_replay_free(struct rsb_trace_replay *replay)
{
	if (!replay)
		return;
	for (size_t i = 0; i < replay->thread_count; i++)
		free_models(replay->threads[i].models, replay->model_count);
	free_models(replay->first, replay->model_count);
	for (size_t i = 0; replay->missed && i < replay->model_count; i++)
		free(replay->missed[i]);
	free(replay->missed);
	free(replay->misses);
	free(replay->threads);
	free(replay);
}

static bool add_thread(struct rsb_trace_replay *replay, uint64_t id, struct rsb_error *error)
{
	struct thread *thread;

	if (replay->thread_count == RSB_TRACE_THREADS_MAX)
		return rsb_error_set(error,
				     "more than %d threads, each with return stacks of its own: "
				     "expected fewer, or an import with --threads shared",
				     RSB_TRACE_THREADS_MAX);
	if (!RSB_GROW(replay->threads, replay->thread_count))
		return rsb_error_set(error, "out of memory");
	thread = &replay->threads[replay->thread_count];
	thread->id = id;
	thread->models = copy_models(replay->first, replay->model_count);
	if (!thread->models)
		return rsb_error_set(error, "out of memory");
	replay->last = replay->thread_count++;
	return true;
}

/* Makes the thread of that id the last one. */
static bool find_thread(struct rsb_trace_replay *replay, uint64_t id, struct rsb_error *error)
{
	if (replay->thread_count && replay->threads[replay->last].id == id)
		return true;
	for (size_t i = 0; i < replay->thread_count; i++) {
		if (replay->threads[i].id == id) {
			replay->last = i;
			return true;
		}
	}
	return add_thread(replay, id, error);
}

static bool make_room(struct rsb_trace_replay *replay, size_t count, struct rsb_error *error)
{
	if (count <= replay->room)
		return true;
	replay->room = 0;
	for (size_t i = 0; i < replay->model_count; i++) {
		free(replay->missed[i]);
		replay->missed[i] = malloc(count * sizeof(*replay->missed[i]));
		if (!replay->missed[i])
			return rsb_error_set(error, "out of memory");
	}
	replay->room = count;
	return true;
}

bool rsb_trace_replay_batch(struct rsb_trace_replay *replay, const struct rsb_sites *sites,
			    const struct rsb_trace_batch *batch, struct rsb_trace_missed *missed,
			    struct rsb_error *error)
{
	if (!find_thread(replay, batch->thread, error) || !make_room(replay, batch->count, error))
		return false;
	*missed = (struct rsb_trace_missed){
		.thread = replay->last,
		.missed = replay->missed,
		.misses = replay->misses,
		.models = replay->threads[replay->last].models,
	};
	rsb_models_replay(missed->models, replay->model_count, sites, batch->events, batch->count,
			  replay->missed, replay->misses);
	return true;
}

uint64_t rsb_trace_replay_thread(const struct rsb_trace_replay *replay, size_t thread)
{
	return replay->threads[thread].id;
}

uint64_t rsb_trace_replay_exercised(const struct rsb_trace_replay *replay, size_t model)
{
	uint64_t exercised = 0;

	for (size_t i = 0; i < replay->thread_count; i++)
		exercised |= rsb_model_exercised(replay->threads[i].models[model]);
	return exercised;
}
