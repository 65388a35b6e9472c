/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's real stack: the return addresses on the stack that the stack pointer is on, and how
 * they change with each instruction. One that code stored without a call counts if a return takes
 * it.
 */
#ifndef RSB_SIM_SEE_REAL_STACK_H
#define RSB_SIM_SEE_REAL_STACK_H

#include "sim/see/watched.h"

/* A return address on the stack. */
struct rsb_real_frame {
	uint64_t slot, address;
	uint32_t site; /* of the call that pushed it; RSB_SITE_NONE: none */
	bool rewritten;
};

/* Called for each change, in order; NULL is nothing. False: no memory. */
typedef bool rsb_real_change(void *context, uint32_t step, size_t index,
			     const struct rsb_real_frame *before,
			     const struct rsb_real_frame *after);

/* Follows the stack over all acts. False: no memory. */
bool rsb_real_stack_follow(const struct rsb_watched *watched, rsb_real_change *change,
			   void *context);

#endif
