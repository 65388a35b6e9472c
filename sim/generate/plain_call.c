/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family plain-call: no trampoline, the baseline. The function's site is a nop. It may end in a
 * sibling call, a jmp to another that returns for both.
 */
#include "sim/generate/families.h"

#include "sim/generate/x86.h"

enum { ENDBR, TAIL };

static const struct rsb_parameter rows[] = {
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "does the traced function begin with endbr64?"),
	[TAIL] = RSB_PARAMETER_SWITCH("tail", "does it end in a jmp to another function?"),
	{ 0 },
};

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_traced_start(code, "target", values[ENDBR]);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	if (!values[TAIL]) {
		rsb_traced_body(code);
		return;
	}
	rsb_traced_work(code);
	rsb_x86_jmp(code, rsb_code_named(code, "sibling"));
	rsb_traced_start(code, "sibling", values[ENDBR]);
	rsb_traced_body(code);
}

const struct rsb_family rsb_family_plain_call = {
	.name = "plain-call",
	.summary = "a function called without any trampoline",
	.parameters = rows,
	.emit = emit,
};
