/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine: Unicorn running an image, turned into events. Memory and registers are kept from
 * round to round, as a processor would.
 *
 *	machine = rsb_machine_new(image, sites, &options, &error);
 *	while (rsb_machine_round(machine, &trace, &round, &error))
 *		...
 */
#ifndef RSB_SIM_MACHINE_MACHINE_H
#define RSB_SIM_MACHINE_MACHINE_H

#include "sim/image/image.h"
#include "traces/site.h"
#include "traces/trace.h"

/* Instructions a round may take, unless options say otherwise. */
#define RSB_BUDGET UINT64_C(10000000)

struct rsb_machine_options {
	uint32_t kinds;    /* RSB_KIND_BIT() of the kinds to record; marks are always recorded */
	uint64_t budget;   /* instructions a round; 0: RSB_BUDGET */
	bool shadow_stack; /* shadow stacks are on even if the image does not say so */
};

/* How a whole program ended. */
struct rsb_ending {
	bool ended;
	bool exited;      /* by a system call; else its entry returned */
	int status;       /* then */
	bool left_open;   /* a call of the traced function had not returned */
	uint64_t written; /* bytes that it wrote to its standard output and error */
};

/* What one round gave beside its events. */
struct rsb_round {
	uint64_t instructions;        /* executed in the round, rsb_round itself included */
	uint64_t traced_instructions; /* executed after the traced calls up to their landings */
	unsigned traced_calls;        /* traced calls that landed */
	/*
	 * Pages of code and data that were touched for the first time since the TLB was flushed,
	 * be it in an earlier round; counted only in an image with a kernel to enter
	 * (rsb_image_system()), and 0 until there is a flush.
	 */
	unsigned pages;
};

/* rsb_round.pages of a round that was not run, but read from a file. */
#define RSB_PAGES_UNKNOWN UINT32_MAX

struct rsb_machine;

/* The image and the sites must outlive the machine. NULL: error. */
struct rsb_machine *rsb_machine_new(const struct rsb_image *image, struct rsb_sites *sites,
				    const struct rsb_machine_options *options,
				    struct rsb_error *error);
void rsb_machine_free(struct rsb_machine *machine);

/*
 * Runs rsb_round once and appends its events: RSB_MARK_ROUND first; RSB_MARK_TRACED_CALL before
 * each traced call; RSB_MARK_LANDING after the transfer that reaches rsb_landing with the caller's
 * stack pointer. Neither the call that enters rsb_round nor the return that leaves it is an event.
 * False: error names the layout's instruction (address, symbol, text) and what went wrong: a fault
 * and the address touched, an instruction that the engine refuses, the budget, a traced call that
 * never landed, a hlt. Afterwards the machine can only be freed. A whole program runs once: it is
 * one round, and asking for another is an error.
 */
bool rsb_machine_round(struct rsb_machine *machine, struct rsb_trace *trace,
		       struct rsb_round *round, struct rsb_error *error);

/* How the program ended that the image is; all 0 if it is none. */
struct rsb_ending rsb_machine_ending(const struct rsb_machine *machine);

/* Did the code come to every place where an incident is to happen? False: error names one. */
bool rsb_machine_reached(const struct rsb_machine *machine, struct rsb_error *error);

/* What the registers and the memory hold now, to compare a later moment with. */
struct rsb_snapshot;

/* Takes one, between rounds; into old if that is not NULL. NULL: no memory (old is freed). */
struct rsb_snapshot *rsb_machine_snapshot(const struct rsb_machine *machine,
					  struct rsb_snapshot *old);
void rsb_snapshot_free(struct rsb_snapshot *snapshot);

/* Are registers and memory as they were then? Pages touched since then count as changed only if
 * they differ from the image's. */
bool rsb_machine_same(const struct rsb_machine *machine, const struct rsb_snapshot *snapshot);

/*
 * The first few addresses whose bytes differ from the snapshot's, as aligned 8-byte words; returns
 * how many words differ in all, and writes at most room of them. Registers do not count.
 */
size_t rsb_machine_changes(const struct rsb_machine *machine, const struct rsb_snapshot *snapshot,
			   uint64_t *words, size_t room);

#endif
