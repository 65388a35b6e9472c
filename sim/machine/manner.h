/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How an image is run: round after round through the callers that it holds, or once, as a program.
 * What the machine asks for in one way or the other is a function here.
 */
#ifndef RSB_SIM_MACHINE_MANNER_H
#define RSB_SIM_MACHINE_MANNER_H

#include "sim/machine/block.h"
#include "sim/machine/machine.h"

struct rsb_manner {
	/* There is one round, and the engine has run code before it. */
	bool once;

	/* Sets where a round begins, and where its marks are. */
	bool (*find)(struct rsb_machine *machine, struct rsb_error *error);

	/*
	 * Before the first round, when the engine is there. False: error, or the machine's trouble.
	 */
	bool (*open)(struct rsb_machine *machine, struct rsb_error *error);

	/* Readies registers and stack for a round; returns where it goes on from. */
	uint64_t (*begin)(struct rsb_machine *machine);

	/* Control comes to a block that a traced call returns to. */
	void (*land)(struct rsb_machine *machine, const struct rsb_block *block);

	/* The code makes a system call, which the engine would skip. */
	void (*call_system)(struct rsb_machine *machine);

	/*
	 * The engine stopped at rip, without an error: unless the round is over, that is trouble.
	 */
	void (*end)(struct rsb_machine *machine, uint64_t rip);
};

extern const struct rsb_manner rsb_manner_layout;  /* in sim/machine/round.c */
extern const struct rsb_manner rsb_manner_program; /* in sim/machine/program.c */

#endif
