/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of origins. */
#include "sim/explain/origins.h"

#include "sim/explain/lifo.h"
#include "traces/util/grow.h"

#include <stdlib.h>

uint32_t rsb_origins_enter(struct rsb_origins *origins, enum rsb_cause cause, uint64_t key,
			   uint64_t culprit, uint32_t call)
{
	for (size_t i = 0; i < origins->count; i++)
		if (origins->all[i].cause == cause && origins->all[i].key == key)
			return (uint32_t)i;
	if (!RSB_GROW(origins->all, origins->count))
		return RSB_ORIGIN_NONE;
	origins->all[origins->count] =
		(struct rsb_origin){ .cause = cause, .key = key, .culprit = culprit, .call = call };
	return (uint32_t)origins->count++;
}

static bool is_like(const struct rsb_origin_miss *a, const struct rsb_origin_miss *b)
{
	return a->site == b->site && a->actual == b->actual && a->predicted == b->predicted &&
	       a->pushed_by == b->pushed_by && a->cause == b->cause && a->kind == b->kind &&
	       a->inside == b->inside;
}

/* The misses like this one. They come in the same order round after round. */
static struct rsb_origin_miss *find_like(struct rsb_origin *origin,
					 const struct rsb_origin_miss *miss)
{
	for (size_t i = 0; i < origin->count; i++) {
		size_t at = (origin->recent + i) % origin->count;

		if (is_like(&origin->misses[at], miss)) {
			origin->recent = at + 1;
			return &origin->misses[at];
		}
	}
	return NULL;
}

bool rsb_origin_count(struct rsb_origin *origin, const struct rsb_origin_miss *miss)
{
	struct rsb_origin_miss *like = find_like(origin, miss);

	if (like) {
		like->cold += miss->cold;
		like->steady += miss->steady;
		return true;
	}
	if (!RSB_GROW(origin->misses, origin->count))
		return false;
	origin->misses[origin->count++] = *miss;
	return true;
}

void rsb_origins_clear(struct rsb_origins *origins)
{
	for (size_t i = 0; i < origins->count; i++)
		free(origins->all[i].misses);
	free(origins->all);
	*origins = (struct rsb_origins){ 0 };
}
