/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family return-thunk: a function that alone returns by a thunk, while its callers return by
 * the form of the code. It shows what one such return does to the return stack.
 */
#include "sim/generate/families.h"

#include "sim/generate/thunks.h"
#include "sim/generate/x86.h"

enum { THUNK, ENDBR };
enum { SRSO, SRSO_ALIAS, GCC, REFILL };

static const struct rsb_parameter rows[] = {
	[THUNK] = RSB_PARAMETER_CHOICE(
		"thunk",
		"what the function returns by: a safe RET, gcc's -mfunction-return=thunk, or "
		"what call depth tracking does when its count has run out",
		"srso|srso-alias|gcc|refill", SRSO, REFILL),
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "does the function begin with endbr64?"),
	{ 0 },
};

static rsb_label emit_srso(struct rsb_code *code)
{
	return rsb_thunks_one_return(code, RSB_THUNK_SRSO);
}

static rsb_label emit_srso_alias(struct rsb_code *code)
{
	return rsb_thunks_one_return(code, RSB_THUNK_SRSO_ALIAS);
}

static rsb_label start(struct rsb_code *code, const char *name)
{
	rsb_code_function(code, name);
	rsb_code_mitigation(code, RSB_MITIGATION_RETURN);
	return rsb_code_named(code, name);
}

static void finish(struct rsb_code *code)
{
	rsb_x86_ret_alone(code);
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
}

/* gcc 12's __x86_return_thunk; Linux has another of that name. */
static rsb_label emit_gcc(struct rsb_code *code)
{
	rsb_label label = start(code, "gcc_return_thunk");

	rsb_thunks_call_over_trap(code);
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, 8);
	finish(code);
	return label;
}

/* The second half of call_depth_return_thunk, without the variable, that nobody else looks at. */
static rsb_label emit_refill(struct rsb_code *code)
{
	rsb_label label = start(code, "refill_return_thunk");

	rsb_thunks_refill_emit(code);
	finish(code);
	return label;
}

static rsb_label (*const thunks[])(struct rsb_code *) = {
	[SRSO] = emit_srso,
	[SRSO_ALIAS] = emit_srso_alias,
	[GCC] = emit_gcc,
	[REFILL] = emit_refill,
};

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_label thunk = thunks[values[THUNK]](code);

	rsb_traced_start(code, "target", values[ENDBR]);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_traced_work(code);
	rsb_x86_jmp(code, thunk);
}

const struct rsb_family rsb_family_return_thunk = {
	.name = "return-thunk",
	.summary = "a function that alone returns by a thunk",
	.parameters = rows,
	.emit = emit,
};
