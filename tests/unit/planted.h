/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imbalances planted in code that is there already. An instruction that a round executes is
 * replaced by a jump to code of ours, which does what it did with the imbalance, and comes back:
 *
 *	planted_walk(&path, image);
 *	if (planted_find(&path, image, kind, step, &place))
 *		culprit = planted_put(image, kind, &place);
 */
#ifndef RSB_TESTS_PLANTED_H
#define RSB_TESTS_PLANTED_H

#include "sim/explain/explain.h"
#include "sim/generate/code.h"
#include "sim/machine/instruction.h"

/* The bytes of the jump that a plant puts over the code. */
#define PLANTED_JUMP 5u

struct planted_step {
	uint64_t pc;
	uint32_t size;
};

/*
 * What two rounds execute, and which part of the second stands between a traced call and its
 * landing.
 */
struct planted_path {
	struct planted_step *steps;
	size_t count, room;
	size_t first, end;
};

/* What a kind is planted at. */
enum planted_at {
	PLANTED_AT_CALL,
	PLANTED_AT_RETURN,
	PLANTED_AT_ENTRY, /* the first instruction that a call leads to */
	PLANTED_AT_ANY,   /* whatever falls through */
};

struct planted_place {
	uint64_t start, site, back; /* first byte moved, the instruction, what follows it */
	uint64_t end;               /* of the bytes written over */
	uint64_t target;            /* of a direct call; 0: not direct */
	uint64_t answer;            /* at an entry, what the call pushed */
	uint8_t bytes[2 * RSB_INSTRUCTION_MAX]; /* from start up to back */
};

/* How a kind's code does; *culprit is where the instruction at fault stands. */
typedef void planted_emitter(struct rsb_code *code, const struct planted_place *place,
			     uint64_t *culprit);

struct planted_kind {
	const char *name;
	enum planted_at at;
	enum rsb_cause cause;
	planted_emitter *emit;
};

/* All kinds; a NULL name ends them. */
extern const struct planted_kind planted_kinds[];

/* Runs the rounds, watched. The test fails if that cannot be done. */
void planted_walk(struct planted_path *path, const struct rsb_image *image);

/* Can the kind be planted at this step, within the traced call? */
bool planted_find(const struct planted_path *path, const struct rsb_image *image,
		  const struct planted_kind *kind, size_t step, struct planted_place *place);

/* Plants; returns the culprit. */
uint64_t planted_put(struct rsb_image *image, const struct planted_kind *kind,
		     const struct planted_place *place);

/* Is this address in what was planted there, or in what that stands for? */
bool planted_has(const struct rsb_image *image, const struct planted_place *place, uint64_t pc);

#endif
