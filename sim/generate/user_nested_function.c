/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family nested-function: what gcc makes of the address of a nested function of C. The
 * enclosing function wrote the trampoline to its stack before it gave that address away.
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"

static const struct rsb_parameter rows[] = { { 0 } };

/* r10 is the enclosing function's frame. */
static void emit(struct rsb_code *code, const int64_t *values)
{
	(void)values;
	rsb_code_data(code, "frame", 8);
	rsb_traced_start(code, "target", true);
	rsb_x86_mov_label(code, RSB_R11, rsb_code_named(code, "nested"));
	rsb_x86_mov_label(code, RSB_R10, rsb_code_named(code, "frame"));
	rsb_x86_jmp_register(code, RSB_R11);
	rsb_traced_start(code, "nested", true);
	rsb_traced_body(code);
}

const struct rsb_family rsb_family_nested_function = {
	.name = "nested-function",
	.summary = "a nested function of C, through the trampoline on the stack",
	.parameters = rows,
	.emit = emit,
};
