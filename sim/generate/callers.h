/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The callers: real code that plays a scenario. rsb_round saves what the ABI wants kept and calls
 * caller_1, each calls the next from its own site, the innermost calls the traced function batch
 * times in a loop, then all return, by the form that the code has.
 */
#ifndef RSB_SIM_GENERATE_CALLERS_H
#define RSB_SIM_GENERATE_CALLERS_H

#include "sim/generate/code.h"
#include "sim/scenario.h"

#define RSB_CALLERS_REGISTERS 16

/* What the innermost caller comes to the traced function by. */
enum rsb_callers_by {
	RSB_CALLERS_CALL,
	RSB_CALLERS_SYSCALL, /* of a kernel, which is entered */
	RSB_CALLERS_INT3,    /* the same, by an exception */
};

struct rsb_callers {
	const struct rsb_scenario *scenario;
	enum rsb_callers_by by;
	rsb_label traced; /* the function; nothing, if a kernel is entered */
	unsigned helpers; /* calls of rsb_helper, which only returns, before each traced call */
	unsigned count; /* registers to load before each traced call, by their x86 number (rdi is 7)
			 */
	struct {
		unsigned number; /* not rsp (4), nor the loop's counter, which is kept on the stack
				  */
		uint64_t value;
	} registers[RSB_CALLERS_REGISTERS];
};

/*
 * Emits rsb_round, caller_1 to caller_N, and the symbols rsb_traced_call and rsb_landing. The stack
 * pointer is a multiple of 16 at the traced call and those of helpers.
 */
void rsb_callers_emit(struct rsb_code *code, const struct rsb_callers *callers);

#endif
