/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family own-address: how code finds out where it is. The ways are those of 32-bit code, which
 * has no other, written with 64-bit registers: what they do to a return stack is the same.
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"
#include "sim/generate/x86_encode.h"

enum { BY, DATA };
enum { PC_THUNK, CALL_POP, RELATIVE };

#define DATA_MAX 64

static const struct rsb_parameter rows[] = {
	[BY] = RSB_PARAMETER_CHOICE("by", "what tells the address", "pc-thunk|call-pop|relative",
				    PC_THUNK, RELATIVE),
	[DATA] = RSB_PARAMETER_NUMBER(
		"data", "bytes between the call of call-pop and what it calls", 0, 0, DATA_MAX),
	{ 0 },
};

static bool check(const int64_t *values, struct rsb_error *error)
{
	const struct rsb_user_rule rules[] = {
		{ values[DATA] && values[BY] != CALL_POP,
		  "data without by call-pop: only that calls over what it takes the address of" },
		{ 0 },
	};

	return rsb_user_check(rules, error);
}

/* Without data the call is to the next instruction, which processors know not to pair. */
static void emit_call_pop(struct rsb_code *code, unsigned data)
{
	rsb_label over = rsb_code_label(code);

	rsb_x86_call_bare(code, over);
	rsb_code_fill(code, data, 0xcc);
	rsb_code_place(code, over);
	rsb_x86_pop(code, RSB_RCX);
}

static void emit_relative(struct rsb_code *code)
{
	rsb_label here = rsb_code_label(code);

	rsb_code_place(code, here);
	RSB_X86_BYTES(code, 0x48, 0x8d, 0x0d); /* lea rcx, relative to rip */
	rsb_code_relative32(code, here, 0);
}

static void emit_thunk(struct rsb_code *code)
{
	rsb_code_function(code, "__x86.get_pc_thunk.cx");
	rsb_x86_load(code, RSB_RCX, RSB_RSP, 0);
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_traced_start(code, "target", false);
	if (values[BY] == PC_THUNK)
		rsb_x86_call(code, rsb_code_named(code, "__x86.get_pc_thunk.cx"));
	else if (values[BY] == CALL_POP)
		emit_call_pop(code, (unsigned)values[DATA]);
	else
		emit_relative(code);
	rsb_traced_body(code);
	if (values[BY] == PC_THUNK)
		emit_thunk(code);
}

const struct rsb_family rsb_family_own_address = {
	.name = "own-address",
	.summary = "a function that finds out where it is",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
