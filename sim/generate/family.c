/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The families: one row each. */
#include "sim/generate/families.h"

#include "traces/util/suggest.h"

#include <string.h>

static const struct rsb_family *const families[] = {
	&rsb_family_bpf_trampoline,
	&rsb_family_context_switch,
	&rsb_family_continuation,
	&rsb_family_deopt,
	&rsb_family_exception,
	&rsb_family_ftrace,
	&rsb_family_ftrace_direct,
	&rsb_family_function_graph,
	&rsb_family_go,
	&rsb_family_hook,
	&rsb_family_indirect_branch,
	&rsb_family_kprobe,
	&rsb_family_livepatch,
	&rsb_family_nested_function,
	&rsb_family_own_address,
	&rsb_family_plain_call,
	&rsb_family_plt,
	&rsb_family_recursion,
	&rsb_family_rethook,
	&rsb_family_return_thunk,
	&rsb_family_rsb_fill,
	&rsb_family_signal,
	&rsb_family_split_stack,
	&rsb_family_struct_ops,
	&rsb_family_syscall,
	&rsb_family_unwind,
	&rsb_family_uprobe,
	NULL,
};

const struct rsb_family *const *rsb_families(void)
{
	return families;
}

const struct rsb_family *rsb_family_find(const char *name, struct rsb_error *error)
{
	const char *known[sizeof(families) / sizeof(*families)] = { NULL };

	for (size_t i = 0; families[i]; i++) {
		if (!strcmp(families[i]->name, name))
			return families[i];
		known[i] = families[i]->name;
	}
	return rsb_unknown(error, "family", name, known);
}
