/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms as parameters. */
#include "sim/generate/forms.h"

#include <string.h>

enum { RETURN_THUNK, INDIRECT };

const struct rsb_parameter rsb_forms_parameters[] = {
	[RETURN_THUNK] = {
		.name = "return_thunk",
		.sentence = "how every function returns, the callers included",
		.choices = RSB_RETURN_THUNKS,
	},
	[INDIRECT] = {
		.name = "indirect",
		.sentence = "how code calls and jumps through a register",
		.choices = RSB_INDIRECT_FORMS,
	},
	{ 0 },
};

/* Linux 6.12 arch/x86/kernel/cpu/bugs.c: whose processors have the bug that a thunk is against. */
static const struct {
	const char *thunk, *vendor;
} vendors[] = {
	{ "retbleed", "AMD" },   { "its", "Intel" },        { "srso", "AMD" },
	{ "srso-alias", "AMD" }, { "call-depth", "Intel" },
};

bool rsb_return_thunk_occurs(const char *thunk, const struct rsb_profile *profile)
{
	const char *vendor = rsb_profile_vendor(profile);

	if (!*vendor)
		return true;
	for (size_t i = 0; i < sizeof(vendors) / sizeof(*vendors); i++)
		if (!strcmp(vendors[i].thunk, thunk))
			return !strcmp(vendors[i].vendor, vendor) &&
			       rsb_profile_may_return_by(profile, thunk);
	return true;
}

const char *rsb_return_thunk_name(enum rsb_return_thunk thunk, char *out, size_t size)
{
	rsb_parameter_print(&rsb_forms_parameters[RETURN_THUNK], thunk, out, size);
	return out;
}

struct rsb_forms rsb_forms_make(const int64_t *values)
{
	return (struct rsb_forms){
		.return_thunk = values[RETURN_THUNK],
		.indirect = values[INDIRECT],
		.account = values[RETURN_THUNK] == RSB_THUNK_CALL_DEPTH,
		.account_offset = RSB_FORMS_CALL_DEPTH,
	};
}
