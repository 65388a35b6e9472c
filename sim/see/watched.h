/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rounds of a run once more, every instruction watched: the events of all kinds, the
 * instructions between them, and what was done to the stack.
 */
#ifndef RSB_SIM_SEE_WATCHED_H
#define RSB_SIM_SEE_WATCHED_H

#include "sim/machine/instruction.h"
#include "sim/score/run.h"

enum rsb_stack_act {
	RSB_ACT_CALL,    /* pushed value at address */
	RSB_ACT_RETURN,  /* took value from address */
	RSB_ACT_STORE,   /* stored value at address */
	RSB_ACT_POINTER, /* the stack pointer is address */
};

struct rsb_watched_act {
	uint64_t address, value;
	uint64_t pc;
	uint32_t step; /* in the effect of that many instructions, of all rounds */
	uint32_t site; /* of a call */
	uint8_t act, size;
	bool taken; /* a return takes what was stored, and no call had pushed it there */
};

/* An event, and how many instructions had been run up to it, itself included. */
struct rsb_watched_event {
	uint32_t site, target, end;
};

struct rsb_watched_round {
	size_t events, acts; /* at its end */
	uint32_t steps;      /* at its start */
	unsigned traced_calls;
};

struct rsb_watched {
	struct rsb_sites *sites;
	struct rsb_watched_event *events;
	struct rsb_watched_act *acts;
	struct rsb_watched_round *rounds;
	uint64_t *pcs; /* of each step */
	size_t event_count, act_count, round_count, step_count;
	uint64_t stack_start, stack_end; /* the machine's own */
	bool full;                       /* rounds are left out for want of room */
	bool cut;                        /* the first round is not all there */

	/* Instructions as they were when they ran first. */
	struct rsb_watched_code {
		uint64_t pc;
		uint8_t bytes[RSB_INSTRUCTION_MAX];
		uint8_t length;
	} * codes;
	size_t code_count;
};

/*
 * Watches rounds 0 up to rounds, as long as there is room for events and steps; of the first round
 * as much as there is room for. False: error.
 */
bool rsb_watched_run(struct rsb_watched *watched, const struct rsb_image *image, uint64_t rounds,
		     size_t events, size_t steps, struct rsb_error *error);
void rsb_watched_clear(struct rsb_watched *watched);

#endif
