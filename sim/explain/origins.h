/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Origins: what went wrong at which instruction, each once, with the misses that follow from it. */
#ifndef RSB_SIM_EXPLAIN_ORIGINS_H
#define RSB_SIM_EXPLAIN_ORIGINS_H

#include "sim/explain/explain.h"

/* Misses that are alike. */
struct rsb_origin_miss {
	enum rsb_cause cause;
	enum rsb_miss_kind kind;
	bool inside;
	uint32_t site, pushed_by; /* the return; the call, or RSB_SITE_NONE */
	uint64_t predicted, actual;
	uint64_t cold, steady; /* how many */
};

struct rsb_origin {
	enum rsb_cause cause;
	enum rsb_cause means; /* of an intended one: what the mitigation does to the stack */
	uint64_t key;         /* what tells it from others of that cause */
	uint64_t culprit;     /* pc; 0: none */
	uint32_t call;        /* the site that pushed what it concerns; RSB_SITE_NONE: none */
	uint64_t depth;       /* of an overflow: the index of the entry that overwrote */
	int64_t balance;      /* entries left on the stack, in the steady rounds' spans */
	struct rsb_origin_miss *misses;
	size_t count;
	size_t recent; /* the miss that was counted last */
};

struct rsb_origins {
	struct rsb_origin *all;
	size_t count;
};

/* The origin of this cause and key, which is entered if it is new. RSB_ORIGIN_NONE: no memory. */
uint32_t rsb_origins_enter(struct rsb_origins *origins, enum rsb_cause cause, uint64_t key,
			   uint64_t culprit, uint32_t call);

/* Counts a miss; cold and steady say in which counts. False: no memory. */
bool rsb_origin_count(struct rsb_origin *origin, const struct rsb_origin_miss *miss);

void rsb_origins_clear(struct rsb_origins *origins);

#endif
