/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions and addresses of an image, with their names and texts. */
#ifndef RSB_SIM_EXPLAIN_PLACE_H
#define RSB_SIM_EXPLAIN_PLACE_H

#include "sim/explain/explain.h"
#include "sim/machine/instruction.h"

/* What names places. */
struct rsb_namer {
	const struct rsb_image *image;
	struct rsb_disassembler disassembler;
};

/* Fills in the instruction at pc. False: no memory. */
bool rsb_place_instruction(const struct rsb_namer *namer, uint64_t pc,
			   struct rsb_instruction *instruction);

/*
 * Fills in the instructions of a symbol's code from a few before pc to a few after it; none if
 * decoding from the symbol on does not come to pc. False: no memory.
 */
bool rsb_place_around(const struct rsb_namer *namer, uint64_t pc,
		      struct rsb_instruction **instructions, size_t *count);

/* Names an address. False: no memory. */
bool rsb_place_address(const struct rsb_namer *namer, uint64_t address,
		       struct rsb_named_address *named);

void rsb_place_clear(struct rsb_instruction *instruction);

#endif
