/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The family plain-call: no trampoline, the baseline. The function's site is a nop. */
#include "sim/generate/families.h"

#include "sim/generate/x86.h"

enum { ENDBR };

static const struct rsb_parameter rows[] = {
	[ENDBR] = { "endbr", "does the traced function begin with endbr64?", "false|true", 0, 0,
		    1 },
	{ 0 },
};

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_traced_start(code, "target", values[ENDBR]);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_traced_body(code);
}

const struct rsb_family rsb_family_plain_call = {
	.name = "plain-call",
	.summary = "a function called without any trampoline",
	.parameters = rows,
	.emit = emit,
};
