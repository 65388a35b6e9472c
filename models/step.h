/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every replay does with one event: make a step of it, and a miss of a wrong prediction. */
#ifndef RSB_MODELS_STEP_H
#define RSB_MODELS_STEP_H

#include "models/model.h"

static inline struct rsb_step rsb_step_of(const struct rsb_site *sites, uint32_t id)
{
	const struct rsb_site *site = &sites[id];

	return (struct rsb_step){
		.site = id,
		.count = site->count,
		.pc = site->pc,
		.fall_through = site->fall_through,
		.kind = site->kind,
		.detail = site->detail,
		.mitigation = site->mitigation,
		.flags = site->flags,
	};
}

/* Is a model that predicts these kinds asked about this step? Of calls, only indirect ones. */
static inline bool rsb_step_asks(const struct rsb_step *step, uint32_t predicts)
{
	if (!(predicts & RSB_KIND_BIT(step->kind)))
		return false;
	return step->kind != RSB_CALL || (step->flags & RSB_SITE_INDIRECT);
}

static inline bool rsb_prediction_hits(const struct rsb_prediction *prediction, uint64_t target)
{
	return prediction->valid && prediction->target == target;
}

static inline struct rsb_miss rsb_miss_of(const struct rsb_prediction *prediction, uint32_t event)
{
	if (!prediction->valid)
		return (struct rsb_miss){ event, RSB_SITE_NONE, 0, RSB_MISS_EMPTY };
	return (struct rsb_miss){ event, prediction->pushed_by, prediction->target,
				  prediction->stale ? RSB_MISS_STALE : RSB_MISS_OTHER };
}

/* Notes the prediction among the lane's misses unless it is the target. */
static inline void rsb_lane_resolve(struct rsb_lane *lane, struct rsb_prediction prediction,
				    uint64_t target, uint32_t event)
{
	if (!rsb_prediction_hits(&prediction, target))
		lane->missed[lane->misses++] = rsb_miss_of(&prediction, event);
}

#endif
