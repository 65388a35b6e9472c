/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family rsb-fill: a function that fills the return stack and returns. Linux fills it when it
 * switches tasks and leaves guests (arch/x86/include/asm/nospec-branch.h, 6.12).
 */
#include "sim/generate/families.h"

#include "sim/generate/thunks.h"
#include "sim/generate/x86.h"

#define ENTRIES_MAX 128

enum { ENTRIES, ENDBR };

static const struct rsb_parameter rows[] = {
	[ENTRIES] = RSB_PARAMETER_NUMBER("entries", "how many are filled: 1, or an even number", 32,
					 1, ENTRIES_MAX),
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr", "does the function begin with endbr64?"),
	{ 0 },
};

static bool check(const int64_t *values, struct rsb_error *error)
{
	if (values[ENTRIES] == 1 || values[ENTRIES] % 2 == 0)
		return true;
	return rsb_error_set(error,
			     "entries is odd: the loop fills two at a time; only one alone is "
			     "filled without it");
}

static void fill_one(struct rsb_code *code)
{
	rsb_code_mitigation(code, RSB_MITIGATION_FILL);
	rsb_x86_call_over_int3(code);
	rsb_x86_add_imm(code, RSB_RSP, 8);
	rsb_x86_lfence(code);
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_traced_start(code, "target", values[ENDBR]);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	if (values[ENTRIES] == 1)
		fill_one(code);
	else
		rsb_thunks_fill_emit(code, (unsigned)values[ENTRIES]);
	rsb_traced_body(code);
}

const struct rsb_family rsb_family_rsb_fill = {
	.name = "rsb-fill",
	.summary = "a function that fills the return stack",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
