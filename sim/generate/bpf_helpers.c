/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What BPF trampolines call around programs and around themselves. The helpers' own calls are those
 * seen on Linux 6.12 with CONFIG_PREEMPT and without statistics; what they do besides matters to no
 * return stack and is left out.
 */
#include "sim/generate/bpf_trampoline.h"

#include "sim/generate/x86.h"

#define CALLS_MAX 2

struct helper {
	const char *name;
	const char *calls[CALLS_MAX];
	const char *tail; /* jumped to in place of returning; NULL: it returns */
	uint32_t result;
};

/* What enters returns the start time: it is not zero, so that the program runs. */
#define AROUND(suffix)                                                                    \
	{ "__bpf_prog_enter" suffix, { "__rcu_read_lock", "migrate_disable" }, NULL, 1 }, \
	{                                                                                 \
		"__bpf_prog_exit" suffix, { "update_prog_stats", "migrate_enable" },      \
			"__rcu_read_unlock", 0                                            \
	}

/* Of a trampoline at a function; and of one that is an operation, whose program may call that. */
static const struct helper of_functions[] = {
	AROUND("_recur"),
	{ "__bpf_tramp_enter", { "__rcu_read_lock" }, "__rcu_read_unlock", 0 },
	{ "__bpf_tramp_exit", { "__rcu_read_lock" }, "__rcu_read_unlock", 0 },
};
static const struct helper of_operations[] = { AROUND("") };

static const char *const leaves[] = {
	"__rcu_read_lock", "__rcu_read_unlock", "migrate_disable",
	"migrate_enable",  "update_prog_stats",
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void emit_calls(struct rsb_code *code, const struct helper *helper)
{
	rsb_x86_push(code, RSB_RBX);
	for (size_t i = 0; i < CALLS_MAX && helper->calls[i]; i++)
		rsb_x86_call(code, rsb_code_named(code, helper->calls[i]));
	rsb_x86_pop(code, RSB_RBX);
}

static void emit_helper(struct rsb_code *code, const struct helper *helper, bool nested)
{
	rsb_code_function(code, helper->name);
	if (nested)
		emit_calls(code, helper);
	if (helper->result)
		rsb_x86_mov_imm(code, RSB_RAX, helper->result);
	if (nested && helper->tail)
		rsb_x86_jmp(code, rsb_code_named(code, helper->tail));
	else
		rsb_x86_return(code);
}

static void emit_helpers(struct rsb_code *code, const struct helper *helpers, size_t count,
			 bool nested)
{
	for (size_t i = 0; i < count; i++)
		emit_helper(code, helpers + i, nested);
	for (size_t i = 0; nested && i < COUNT(leaves); i++) {
		rsb_code_function(code, leaves[i]);
		rsb_x86_return(code);
	}
}

void rsb_bpf_helpers_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			  bool nested)
{
	if (trampoline->operation)
		emit_helpers(code, of_operations, COUNT(of_operations), nested);
	else
		emit_helpers(code, of_functions, COUNT(of_functions), nested);
}
