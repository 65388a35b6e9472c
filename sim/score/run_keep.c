/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps each different round of a run once. */
#include "sim/score/run_keep.h"

#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

/*
 * What a run may keep: round numbers (4 bytes each) and events (8 bytes each), 1 GiB of either.
 * Only a run that does not repeat can come near.
 */
#define ROUNDS_MAX (UINT64_C(1) << 28)
#define EVENTS_MAX (UINT64_C(1) << 27)

static uint64_t hash_sequence(const struct rsb_sequence *s)
{
	uint64_t h = s->count * UINT64_C(0x9e3779b97f4a7c15) + s->round.instructions;

	for (size_t i = 0; i < s->count; i++) {
		h ^= (uint64_t)s->events[i].site << 32 | s->events[i].target;
		h *= UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	return h;
}

static bool same_sequence(const struct rsb_sequence *a, const struct rsb_sequence *b)
{
	return a->count == b->count && a->round.instructions == b->round.instructions &&
	       a->round.traced_instructions == b->round.traced_instructions &&
	       a->round.traced_calls == b->round.traced_calls && a->round.pages == b->round.pages &&
	       !memcmp(a->events, b->events, a->count * sizeof(*a->events));
}

/* Where this sequence is in the index, or the free place where it belongs. */
static uint32_t *find_place(const struct rsb_run *run, const struct rsb_sequence *s)
{
	size_t i = hash_sequence(s) & (run->index_size - 1);

	while (run->index[i] && !same_sequence(&run->sequences[run->index[i] - 1], s))
		i = (i + 1) & (run->index_size - 1);
	return &run->index[i];
}

static bool grow_index(struct rsb_run *run)
{
	size_t size = run->index_size ? run->index_size * 2 : 64;
	uint32_t *index = calloc(size, sizeof(*index));

	if (!index)
		return false;
	free(run->index);
	run->index = index;
	run->index_size = size;
	for (size_t i = 0; i < run->sequence_count; i++)
		*find_place(run, &run->sequences[i]) = (uint32_t)i + 1;
	return true;
}

/* Enters a new sequence with a copy of its events. */
static bool keep_sequence(struct rsb_run *run, const struct rsb_sequence *s)
{
	struct rsb_event *events;

	if (!RSB_GROW(run->sequences, run->sequence_count))
		return false;
	events = malloc(s->count * sizeof(*events));
	if (!events)
		return false;
	memcpy(events, s->events, s->count * sizeof(*events));
	run->sequences[run->sequence_count] = *s;
	run->sequences[run->sequence_count++].events = events;
	run->events_kept += s->count;
	return true;
}

bool rsb_run_keep(struct rsb_run *run, const struct rsb_sequence *s, struct rsb_error *error)
{
	uint32_t *place;

	if (run->count == ROUNDS_MAX)
		return rsb_error_set(error,
				     "no end of changes after %zu rounds: ask for fewer rounds",
				     run->count);
	if (run->sequence_count * 2 >= run->index_size && !grow_index(run))
		goto no_memory;
	place = find_place(run, s);
	if (!*place) {
		if (run->events_kept + s->count > EVENTS_MAX)
			return rsb_error_set(error,
					     "after %zu rounds, each different, there is no end of "
					     "new ones: ask for fewer rounds",
					     run->count);
		if (!keep_sequence(run, s))
			goto no_memory;
		*place = (uint32_t)run->sequence_count;
	}
	if (!RSB_GROW(run->rounds, run->count))
		goto no_memory;
	run->rounds[run->count++] = *place - 1;
	return true;

no_memory:
	return rsb_error_set(error, "out of memory");
}

bool rsb_run_keep_notes(struct rsb_run *run, const struct rsb_image *image)
{
	const char *const *notes = rsb_image_notes(image);
	size_t count = 0;

	while (notes[count])
		count++;
	run->notes = calloc(count + 1, sizeof(*run->notes));
	for (size_t i = 0; run->notes && i < count; i++) {
		run->notes[i] = strdup(notes[i]);
		if (!run->notes[i])
			return false;
	}
	return run->notes != NULL;
}
