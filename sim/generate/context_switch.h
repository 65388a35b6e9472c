/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What switches contexts, in user space and in a kernel. */
#ifndef RSB_SIM_GENERATE_CONTEXT_SWITCH_H
#define RSB_SIM_GENERATE_CONTEXT_SWITCH_H

#include "sim/generate/user.h"

/* The symbols own_context, other_context and other_stack, and their bytes. */
#define RSB_SWITCH_CONTEXT 512
#define RSB_SWITCH_STACK   4096

/* The ways, in the order of the choices. */
enum {
	RSB_SWITCH_SWAPCONTEXT,
	RSB_SWITCH_FCONTEXT,
	RSB_SWITCH_PUSH_RET,
	RSB_SWITCH_JMP,
	RSB_SWITCH_INLINE,
	RSB_SWITCH_TO,
	RSB_SWITCH_TO_FILLING,
	RSB_SWITCH_WAYS
};

struct rsb_switch {
	int32_t stack_pointer; /* where a context has it; zero: not made yet */

	/* Makes the context that rax points to, which starts at "other" on other_stack. */
	void (*make)(struct rsb_code *code);

	/* Switches from one context to another; when it is switched back, it has returned from the
	 * function that it is in, or it goes on behind. */
	void (*leave)(struct rsb_code *code, const char *from, const char *to);
	void (*call)(struct rsb_code *code, const char *from, const char *to);

	void (*emit)(struct rsb_code *code); /* what those need; NULL: nothing */
};

extern const struct rsb_switch *const rsb_switches[RSB_SWITCH_WAYS];

extern const struct rsb_switch rsb_switch_swapcontext, rsb_switch_fcontext, rsb_switch_push_ret,
	rsb_switch_jmp, rsb_switch_inline, rsb_switch_to, rsb_switch_to_filling;

/* The contexts' addresses as arguments. */
void rsb_switch_names(struct rsb_code *code, const char *from, const char *to);

/* The traced function that makes a context whose function returns to it, and starts that. */
void rsb_switch_started_emit(struct rsb_code *code);

#endif
