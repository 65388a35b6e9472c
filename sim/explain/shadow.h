/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shadow stack's verdict: would x86's shadow stacks (CET) let this code run? Calls push their
 * return address there too, and a return to another one faults (#CP). The code is run once more
 * with shadow stacks on, so that code which asks for them takes that way.
 */
#ifndef RSB_SIM_EXPLAIN_SHADOW_H
#define RSB_SIM_EXPLAIN_SHADOW_H

#include "sim/explain/explain.h"

enum rsb_shadow_answer {
	RSB_SHADOW_CLEAN,
	RSB_SHADOW_LEAVES,   /* nothing in a traced call faults, but it leaves entries, so that what
				returns later does */
	RSB_SHADOW_VIOLATES, /* an instruction faults */
	RSB_SHADOW_UNJUDGED, /* with shadow stacks the code does not run, and nobody said it does */
	RSB_SHADOW_ANSWERS
};

struct rsb_shadow_verdict {
	enum rsb_shadow_answer answer;

	/*
	 * The first instruction that faults, if any does; a processor would not come further. The
	 * run goes on as if that entry had been popped.
	 */
	struct rsb_instruction instruction; /* symbol NULL: none faults */
	struct rsb_named_address expected;  /* a return's: the shadow stack's entry; symbol NULL:
					       there was none */
	struct rsb_named_address actual;    /* where it returned to, or the token it was given */
	bool inside;                        /* in a traced call */
	enum rsb_mitigation mitigation;     /* that the instruction is part of: it faults by
					       construction */

	double left;         /* entries that a traced call leaves behind, averaged */
	uint64_t violations; /* all, in these rounds */
	uint64_t rounds, traced_calls;
	char *story;      /* the answer in one sentence with its instructions; why it cannot run */
	const char *note; /* on what the answer is worth: Linux has no shadow stacks in the kernel;
			     "" */
};

/* "clean", "leaves entries", "violates", "not judged". Never NULL. */
const char *rsb_shadow_answer_name(enum rsb_shadow_answer answer);

/*
 * Judges the rounds of a run, up to the end of its first period. The run tells only how many these
 * are. False: error, and there is nothing to clear; trouble with the code is an error only where
 * the image says that shadow stacks are on.
 */
bool rsb_shadow_judge(const struct rsb_image *image, const struct rsb_run *run,
		      struct rsb_shadow_verdict *verdict, struct rsb_error *error);

struct rsb_refusals; /* sim/explain/refusals.h */

/*
 * The same, and each return that is refused is told, by why it is (enum rsb_shadow_fault_kind).
 * The refusals are empty before, and to be cleared also after an error.
 */
bool rsb_shadow_judge_each(const struct rsb_image *image, const struct rsb_run *run,
			   struct rsb_shadow_verdict *verdict, struct rsb_refusals *refusals,
			   struct rsb_error *error);
void rsb_shadow_verdict_clear(struct rsb_shadow_verdict *verdict);

#endif
