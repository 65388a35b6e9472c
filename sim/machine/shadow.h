/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shadow stacks (Intel SDM volume 1, chapter 17), when they are on: near calls push there too, near
 * returns compare, and the instructions that the engine does not have are emulated, so that code
 * which asks for a shadow stack finds one. Where a processor would fault the run goes on, as if it
 * had popped; each round begins with an empty shadow stack.
 *
 * Far calls push three entries, and far returns and iret compare two of them and take the pointer
 * back from the third (volume 2, CALL, RET and IRET), as long as they stay at one privilege level.
 * Another level has a shadow stack of its own, which is not modelled: what changes the level leaves
 * this one alone. Where a far return would fault for want of a far call's entries, none are popped.
 */
#ifndef RSB_SIM_MACHINE_SHADOW_H
#define RSB_SIM_MACHINE_SHADOW_H

#include "sim/machine/machine.h"

enum rsb_shadow_fault_kind {
	RSB_SHADOW_FAULT_NONE,
	RSB_SHADOW_FAULT_RETURN,   /* a return to another address than the entry's */
	RSB_SHADOW_FAULT_EMPTY,    /* a return, and there is no entry */
	RSB_SHADOW_FAULT_RESTORE,  /* rstorssp of what is no restore token */
	RSB_SHADOW_FAULT_PREVIOUS, /* saveprevssp, and the entry is no token of a switch */
	RSB_SHADOW_FAULT_SEGMENT,  /* a far return to another code segment than the entry's */
	RSB_SHADOW_FAULT_ALIGNED,  /* a far return, and the pointer is not aligned, or the one it
				      takes back is not */
};

struct rsb_shadow_fault {
	enum rsb_shadow_fault_kind kind;
	uint64_t pc;
	uint64_t expected; /* a return's: the entry */
	uint64_t actual;   /* its target; a segment's selector; a pointer that is not aligned; else
			      what stands where the token should */
	bool inside;       /* before a traced call has landed */
};

/* All rounds together. */
struct rsb_shadow_tally {
	struct rsb_shadow_fault first;
	uint64_t faults, faults_inside;
	int64_t left; /* entries that the traced calls left behind at their landings */
};

/* What came of it so far. All zeros where shadow stacks are off. */
struct rsb_shadow_tally rsb_machine_shadow(const struct rsb_machine *machine);

#endif
