/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that take jobs one after the other. */
#include "sim/sweep/jobs.h"

#include <pthread.h>

struct queue {
	const struct rsb_jobs *jobs;
	pthread_mutex_t lock; /* of what follows */
	size_t next, done;
	size_t failed; /* the first job in order that failed; SIZE_MAX: none */
	struct rsb_error error;
};

/* The next job, if there is one. Jobs are begun in order, so that all before a failed one end. */
static bool take(struct queue *queue, size_t *index)
{
	bool taken;

	pthread_mutex_lock(&queue->lock);
	taken = queue->failed == SIZE_MAX && queue->next < queue->jobs->count;
	if (taken)
		*index = queue->next++;
	pthread_mutex_unlock(&queue->lock);
	return taken;
}

/* Returns how many are done. */
static size_t finish(struct queue *queue, size_t index, bool good, const struct rsb_error *error)
{
	size_t done;

	pthread_mutex_lock(&queue->lock);
	done = ++queue->done;
	if (!good && index < queue->failed) {
		queue->failed = index;
		queue->error = *error;
	}
	pthread_mutex_unlock(&queue->lock);
	return done;
}

static void work(struct queue *queue, bool tell)
{
	const struct rsb_jobs *jobs = queue->jobs;
	size_t index;

	while (take(queue, &index)) {
		struct rsb_error error;
		bool good = jobs->job(jobs->context, index, &error);
		size_t done = finish(queue, index, good, &error);

		if (tell && jobs->progress)
			jobs->progress(jobs->progress_context, done, jobs->count);
	}
}

static void *run_thread(void *context)
{
	work(context, false);
	return NULL;
}

bool rsb_jobs_run(const struct rsb_jobs *jobs, struct rsb_error *error)
{
	struct queue queue = { .jobs = jobs, .failed = SIZE_MAX };
	pthread_t threads[RSB_JOBS_MAX];
	unsigned wanted = jobs->threads < RSB_JOBS_MAX ? jobs->threads : RSB_JOBS_MAX;
	unsigned started = 0;

	if (pthread_mutex_init(&queue.lock, NULL))
		return rsb_error_set(error, "out of memory");
	while (started + 1 < wanted && started + 1 < jobs->count &&
	       !pthread_create(&threads[started], NULL, run_thread, &queue))
		started++;
	work(&queue, true);
	while (started)
		pthread_join(threads[--started], NULL);
	pthread_mutex_destroy(&queue.lock);
	if (queue.failed == SIZE_MAX)
		return true;
	*error = queue.error;
	return false;
}
