/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The quantities that a CPU profile may hold. To add one: one row, and its place in the enum. */
#include "models/profile.h"

const struct rsb_quantity_row rsb_quantities[RSB_QUANTITIES] = {
	[RSB_QUANTITY_PENALTY] = { "penalty", "cycles", "what a mispredicted return costs",
				   100000 },
	[RSB_QUANTITY_CR3_WRITE] = { "cr3_write", "cycles",
				     "what a write of CR3 costs that keeps the TLB", 100000 },
	[RSB_QUANTITY_TLB_FLUSH] = { "tlb_flush", "cycles",
				     "what one that empties the TLB costs more, without the "
				     "refills",
				     100000 },
	[RSB_QUANTITY_WIDTH] = { "width", "instructions a cycle",
				 "the most that the core can carry on in the long run", 100 },
	[RSB_QUANTITY_CLOCK] = { "clock", "GHz", "the clock of the part that the source names",
				 100 },
};
