/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thread numbers are interned as the addresses of a table are: that gives dense numbers. */
#include "traces/import/threads.h"

#include "traces/site.h"
#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

struct rsb_threads {
	struct rsb_sites *ids;
	uint8_t *states;
	size_t size, count;
};

struct rsb_threads *rsb_threads_new(size_t state_size)
{
	struct rsb_threads *threads = calloc(1, sizeof(*threads));

	if (!threads)
		return NULL;
	threads->size = state_size;
	threads->ids = rsb_sites_new();
	if (threads->ids)
		return threads;
	free(threads);
	return NULL;
}

void rsb_threads_free(struct rsb_threads *threads)
{
	if (!threads)
		return;
	rsb_sites_free(threads->ids);
	free(threads->states);
	free(threads);
}

void *rsb_threads_find(struct rsb_threads *threads, uint64_t id, struct rsb_error *error)
{
	uint32_t index = rsb_sites_address(threads->ids, id);

	if (index == UINT32_MAX)
		return rsb_error_null(error, "out of memory");
	if (index >= RSB_THREADS_MAX)
		return rsb_error_null(error, "more than %d threads", RSB_THREADS_MAX);
	if (index == threads->count) {
		if (!rsb_grow(&threads->states, threads->count, threads->size))
			return rsb_error_null(error, "out of memory");
		memset(threads->states + index * threads->size, 0, threads->size);
		threads->count++;
	}
	return threads->states + index * threads->size;
}

void *rsb_threads_at(const struct rsb_threads *threads, size_t index)
{
	return index < threads->count ? threads->states + index * threads->size : NULL;
}
