/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The family split-stack: what gcc's -fsplit-stack makes of a function that needs more stack. */
#include "sim/generate/families.h"

#include "sim/generate/user.h"

enum { LEAVE };
enum { BY_RET_AT_SITE, BY_SKIPPING };

static const struct rsb_parameter rows[] = {
	[LEAVE] = RSB_PARAMETER_CHOICE(
		"leave",
		"how __morestack leaves: to a ret behind its call, or past its return address",
		"ret-at-site|skip", BY_RET_AT_SITE, BY_SKIPPING),
	{ 0 },
};

#define NEW_STACK 4096

/*
 * __morestack, of libgcc's config/i386/morestack.S: it gets memory, calls the function's body on
 * it, which is behind the ret that its own return address leads to, and releases the memory.
 */
static void emit_morestack(struct rsb_code *code, bool skips)
{
	rsb_code_function(code, "__morestack");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_push(code, RSB_RDI);
	rsb_x86_push(code, RSB_RSI);
	rsb_x86_call(code, rsb_code_named(code, "__generic_morestack"));
	rsb_x86_pop(code, RSB_RSI);
	rsb_x86_pop(code, RSB_RDI);
	rsb_x86_mov_label(code, RSB_R10, rsb_code_named(code, "target_body"));
	rsb_x86_mov_label(code, RSB_RSP, rsb_code_named(code, "new_stack"));
	rsb_x86_add_imm(code, RSB_RSP, NEW_STACK);
	rsb_x86_call_register(code, RSB_R10);
	rsb_x86_push(code, RSB_RAX);
	rsb_x86_push(code, RSB_RAX);
	rsb_x86_call(code, rsb_code_named(code, "__generic_releasestack"));
	rsb_x86_pop(code, RSB_RAX);
	rsb_x86_mov(code, RSB_RSP, RSB_RBP);
	rsb_x86_pop(code, RSB_RBP);
	if (skips)
		rsb_x86_add_imm(code, RSB_RSP, 8);
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	bool skips = values[LEAVE] == BY_SKIPPING;

	rsb_code_data(code, "new_stack", NEW_STACK);
	rsb_code_function(code, "target");
	rsb_x86_call(code, rsb_code_named(code, "__morestack"));
	if (!skips)
		rsb_x86_return(code);
	rsb_code_place(code, rsb_code_named(code, "target_body"));
	rsb_traced_body(code);
	emit_morestack(code, skips);
	rsb_user_leaf(code, "__generic_morestack");
	rsb_user_leaf(code, "__generic_releasestack");
}

const struct rsb_family rsb_family_split_stack = {
	.name = "split-stack",
	.summary = "a function that gets more stack as it begins",
	.parameters = rows,
	.emit = emit,
};
