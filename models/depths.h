/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One return stack at every depth at once: as many stacks as there are depths, from none on, that
 * see the same events, at a small part of what so many models cost. Only their mispredicted returns
 * are counted.
 */
#ifndef RSB_MODELS_DEPTHS_H
#define RSB_MODELS_DEPTHS_H

#include "models/model.h"

#define RSB_DEPTHS_MAX 256

struct rsb_depths;

/* Can the depths of this type, with these values, be taken together? */
bool rsb_depths_fit(const struct rsb_model_type *type, const int64_t *values);

/* Stacks of depth 0 to deepest (at most RSB_DEPTHS_MAX), all else as in values. NULL: error. */
struct rsb_depths *rsb_depths_new(const struct rsb_model_type *type, const int64_t *values,
				  uint32_t deepest, struct rsb_error *error);
void rsb_depths_free(struct rsb_depths *depths);

/*
 * Runs events through all of them. A return whose byte in unjudged is not 0 moves the stacks but is
 * not counted; NULL: all are. False: no memory; the counts mean nothing any more.
 */
bool rsb_depths_replay(struct rsb_depths *depths, const struct rsb_sites *sites,
		       const struct rsb_event *events, size_t count, const uint8_t *unjudged);

/* Returns (and swaps) that the stack of that depth has mispredicted. */
uint64_t rsb_depths_misses(const struct rsb_depths *depths, uint32_t depth);

#endif
