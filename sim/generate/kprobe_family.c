/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family kprobe: a function with an optimised kprobe behind its site. One at the site itself is
 * ftrace's (the family ftrace, saves all); one that is not optimised is an int3, no transfer of a
 * return stack's.
 */
#include "sim/generate/families.h"

#include "sim/generate/kprobe.h"
#include "sim/generate/x86.h"

#define CALLBACK "optimized_callback"

enum { ENDBR };

static const struct rsb_parameter rows[] = {
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "does the traced function begin with endbr64?"),
	{ 0 },
};

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_kprobe_target_emit(code, values[ENDBR], true, CALLBACK);
	rsb_code_function(code, CALLBACK);
	rsb_x86_return(code);
}

const struct rsb_family rsb_family_kprobe = {
	.name = "kprobe",
	.summary = "a function with an optimised kprobe",
	.parameters = rows,
	.emit = emit,
};
