/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watching a machine: each instruction before it runs, and each store. Many times slower than
 * running it, and of no cost to a machine that is not watched.
 */
#ifndef RSB_SIM_MACHINE_WATCH_H
#define RSB_SIM_MACHINE_WATCH_H

#include "sim/machine/machine.h"
#include "sim/machine/shadow.h"

struct rsb_watcher {
	/*
	 * The instruction at pc is about to run; the events of the one before it are in the trace.
	 * A string instruction that repeats comes once for each time. NULL: nobody asks.
	 */
	void (*instruction)(void *context, uint64_t pc, uint32_t size, uint64_t rsp);

	/* It stores size bytes (at most 8), the low ones of value. NULL: nobody asks. */
	void (*store)(void *context, uint64_t address, uint32_t size, uint64_t value);

	/*
	 * The return at pc, near or far, is about to run and was compared with the shadow stack,
	 * which is on. fault: why a processor would refuse it; NULL: it would not. NULL: nobody
	 * asks.
	 */
	void (*returned)(void *context, uint64_t pc, const struct rsb_shadow_fault *fault);
	void *context;
};

/* Watches every round; before the first one. The watcher must outlive the machine. */
bool rsb_machine_watch(struct rsb_machine *machine, const struct rsb_watcher *watcher,
		       struct rsb_error *error);

/* The machine's own stack: from start up to end. */
void rsb_machine_stack(const struct rsb_machine *machine, uint64_t *start, uint64_t *end);

/* Copies bytes as they are now; returns how many could be read. */
size_t rsb_machine_read(const struct rsb_machine *machine, uint64_t address, void *out,
			size_t size);

#endif
