/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict of indirect branch tracking (CET IBT): an indirect call or jump must land on endbr64.
 * Returns are not tracked. It is judged for layouts that say that it is on.
 */
#ifndef RSB_SIM_EXPLAIN_IBT_H
#define RSB_SIM_EXPLAIN_IBT_H

#include "sim/explain/explain.h"

/* What an indirect branch landed on. */
enum rsb_pad {
	RSB_PAD_ENDBR64, /* the only one that may be landed on */
	RSB_PAD_ENDBR32, /* of 32-bit code */
	RSB_PAD_SEALED,  /* an endbr64 that the kernel overwrote: nothing takes this address */
	RSB_PAD_FINEIBT, /* such a one behind a FineIBT preamble, which is the place to land on */
	RSB_PAD_NONE,    /* any other instruction */
	RSB_PADS
};

struct rsb_ibt_verdict {
	bool on;    /* the image says that it is */
	bool clean; /* on, and nothing violates it */

	/* The first branch that violates it: a processor would not come further. */
	struct rsb_instruction branch; /* symbol NULL: none does */
	struct rsb_instruction landed;
	enum rsb_pad pad;

	uint64_t violations; /* all, in these rounds ... */
	uint64_t tracked;    /* ... of so many indirect branches */
	uint64_t untracked;  /* beside so many with notrack, which is on */
	uint64_t rounds;
	char *story; /* the verdict in one sentence with its instructions; "" if it is not on */
};

/* "an endbr64 that was sealed", ...; never NULL. */
const char *rsb_pad_name(enum rsb_pad pad);

#define RSB_PAD_SIZE      4  /* bytes of each */
#define RSB_PREAMBLE_SIZE 16 /* of FineIBT and kCFI, before the function */

/*
 * What these bytes are to a branch that lands on them. preamble: those where a preamble would
 * begin; NULL: there are none.
 */
enum rsb_pad rsb_pad_find(const uint8_t landed[RSB_PAD_SIZE], const uint8_t *preamble);

/* Judges as rsb_shadow_judge() does. False: error, and there is nothing to clear. */
bool rsb_ibt_judge(const struct rsb_image *image, const struct rsb_run *run,
		   struct rsb_ibt_verdict *verdict, struct rsb_error *error);

struct rsb_refusals; /* sim/explain/refusals.h */

/* The same, and each branch that is refused is told, by what it lands on (enum rsb_pad). */
bool rsb_ibt_judge_each(const struct rsb_image *image, const struct rsb_run *run,
			struct rsb_ibt_verdict *verdict, struct rsb_refusals *refusals,
			struct rsb_error *error);
void rsb_ibt_verdict_clear(struct rsb_ibt_verdict *verdict);

#endif
