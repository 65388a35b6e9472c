/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flow of threads whose every instruction a trace holds: a branch went where the thread's next
 * instruction is, unless the trace says so earlier, and a jump that no branch explains is a gap.
 */
#ifndef RSB_TRACES_IMPORT_FLOW_H
#define RSB_TRACES_IMPORT_FLOW_H

#include "traces/import/found.h"
#include "traces/import/threads.h"

/* A thread. */
struct rsb_flow {
	struct rsb_found branch; /* waits for its target, if branches */
	bool branches, conditional;
	bool follows;  /* the next instruction should be at next */
	bool enters;   /* it will be written as the target of entrance */
	bool restarts; /* after its end: it is another thread with the number of the old */
	uint8_t length;
	uint64_t pc; /* of the last instruction, which has that length */
	uint64_t next;
	struct rsb_found entrance;
};

/* All of them, and the one that what comes is of. */
struct rsb_flows {
	const struct rsb_import *import;
	struct rsb_threads *threads;
	struct rsb_flow *flow;
	uint64_t thread;
	uint64_t gaps; /* jumps that nothing explains */
	uint64_t lost; /* branches whose target nothing tells */
};

/* What follows is of that thread. */
bool rsb_flows_thread(struct rsb_flows *flows, uint64_t thread, struct rsb_error *error);

/* The thread executes the instruction at pc. */
bool rsb_flow_step(struct rsb_flows *flows, uint64_t pc, uint8_t length, struct rsb_error *error);

/*
 * That instruction is a branch of this kind. target: where it goes; NULL: the next instruction will
 * tell. conditional: whether it is taken, too.
 */
bool rsb_flow_branch(struct rsb_flows *flows, enum rsb_kind kind, uint8_t flags, bool conditional,
		     const uint64_t *target, struct rsb_error *error);

/*
 * Something else than the thread's code leads to its next instruction, and is written as an event
 * of this kind at pc. resumed: where the thread was going to go on; NULL: not known.
 */
bool rsb_flow_enter(struct rsb_flows *flows, enum rsb_kind kind, uint64_t pc,
		    const uint64_t *resumed, struct rsb_error *error);

/* The next instruction can be anywhere, and that is no gap. */
bool rsb_flow_break(struct rsb_flows *flows, struct rsb_error *error);

/* Events are missing here. */
bool rsb_flow_gap(struct rsb_flows *flows, struct rsb_error *error);

/* The thread has ended. */
bool rsb_flow_end(struct rsb_flows *flows, struct rsb_error *error);

/* Says in notes what could not be told. */
void rsb_flows_note(const struct rsb_flows *flows);

#endif
