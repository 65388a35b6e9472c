/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family recursion: a function that calls itself, or functions that call each other in a
 * circle, so deep that the return stack may not hold it. All calls of one function push the same
 * return address.
 */
#include "sim/generate/families.h"

#include "sim/generate/x86.h"

#include <stdio.h>

enum { CALLS, FUNCTIONS };

static const struct rsb_parameter rows[] = {
	[CALLS] = RSB_PARAMETER_NUMBER("calls", "calls below the traced function's", 24, 1, 4096),
	[FUNCTIONS] = RSB_PARAMETER_NUMBER("functions", "functions that call each other", 1, 1, 64),
	{ 0 },
};

static rsb_label function(struct rsb_code *code, int64_t number)
{
	char name[32];

	snprintf(name, sizeof(name), "recurse_%d", (int)number);
	return rsb_code_named(code, name);
}

/* Calls the next one while there are calls left in rcx. */
static void emit_function(struct rsb_code *code, int64_t number, int64_t functions)
{
	rsb_label out = rsb_code_label(code);

	rsb_code_align(code, 16, 0xcc);
	rsb_code_place(code, function(code, number));
	rsb_x86_test(code, RSB_RCX, RSB_RCX);
	rsb_x86_jcc(code, RSB_EQUAL, out);
	rsb_x86_decrement_register(code, RSB_RCX);
	rsb_x86_call(code, function(code, number % functions + 1));
	rsb_code_place(code, out);
	rsb_x86_return(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_code_function(code, "target");
	rsb_x86_mov_imm(code, RSB_RCX, (uint64_t)values[CALLS]);
	rsb_x86_jmp(code, function(code, 1));
	for (int64_t i = 1; i <= values[FUNCTIONS]; i++)
		emit_function(code, i, values[FUNCTIONS]);
}

const struct rsb_family rsb_family_recursion = {
	.name = "recursion",
	.summary = "a function that calls itself, or some that call each other",
	.parameters = rows,
	.emit = emit,
};
