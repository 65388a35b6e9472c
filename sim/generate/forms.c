/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms as parameters. Their choices stand in the order of the enumerations in forms.h. */
#include "sim/generate/forms.h"

enum { RETURN_THUNK, INDIRECT };

const struct rsb_parameter rsb_forms_parameters[] = {
	[RETURN_THUNK] = {
		.name = "return_thunk",
		.sentence = "how every function returns, the callers included",
		.choices = "none|rethunk|retbleed|its|srso|srso-alias|call-depth",
	},
	[INDIRECT] = {
		.name = "indirect",
		.sentence = "how code calls and jumps through a register",
		.choices = "direct|retpoline|lfence",
	},
	{ 0 },
};

struct rsb_forms rsb_forms_make(const int64_t *values)
{
	return (struct rsb_forms){
		.return_thunk = values[RETURN_THUNK],
		.indirect = values[INDIRECT],
		.account = values[RETURN_THUNK] == RSB_THUNK_CALL_DEPTH,
		.account_offset = RSB_FORMS_CALL_DEPTH,
	};
}
