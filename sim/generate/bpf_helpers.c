/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What BPF trampolines call: the helpers around programs and around themselves, and programs. The
 * helpers' own calls are those seen on Linux 6.12 with CONFIG_PREEMPT and without statistics; what
 * they do besides matters to no return stack and is left out.
 */
#include "sim/generate/bpf_trampoline.h"

#include "sim/generate/x86.h"

#include <stdio.h>

#define CALLS_MAX 2

struct helper {
	const char *name;
	const char *calls[CALLS_MAX];
	const char *tail; /* jumped to in place of returning; NULL: it returns */
	uint32_t result;
};

static const struct helper helpers[] = {
	/* The start time: it is not zero, so that the program runs. */
	{ "__bpf_prog_enter_recur", { "__rcu_read_lock", "migrate_disable" }, NULL, 1 },
	{ "__bpf_prog_exit_recur",
	  { "update_prog_stats", "migrate_enable" },
	  "__rcu_read_unlock",
	  0 },
	{ "__bpf_tramp_enter", { "__rcu_read_lock" }, "__rcu_read_unlock", 0 },
	{ "__bpf_tramp_exit", { "__rcu_read_lock" }, "__rcu_read_unlock", 0 },
};

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

void rsb_bpf_helpers_emit(struct rsb_code *code, bool nested)
{
	for (size_t i = 0; i < COUNT(helpers); i++)
		emit_helper(code, helpers + i, nested);
	for (size_t i = 0; nested && i < COUNT(leaves); i++) {
		rsb_code_function(code, leaves[i]);
		rsb_x86_return(code);
	}
}

rsb_label rsb_bpf_program(struct rsb_code *code, enum rsb_bpf_kind kind, unsigned number)
{
	static const char *const kinds[] = { "fentry", "fmod_ret", "fexit" };
	char name[32];

	snprintf(name, sizeof(name), "bpf_prog_%s_%u", kinds[kind], number + 1);
	return rsb_code_named(code, name);
}

/* As the JIT compiles it: a program can be traced itself, and tail calls land past its frame. */
void rsb_bpf_program_emit(struct rsb_code *code, enum rsb_bpf_kind kind, unsigned number,
			  bool endbr, uint32_t result)
{
	rsb_code_align(code, 16, 0xcc);
	rsb_code_place(code, rsb_bpf_program(code, kind, number));
	if (endbr)
		rsb_x86_endbr64(code);
	rsb_x86_nop(code, 5);
	rsb_x86_nop(code, 3);
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	if (endbr)
		rsb_x86_endbr64(code);
	if (result)
		rsb_x86_mov_imm(code, RSB_RAX, result);
	else
		rsb_x86_zero(code, RSB_RAX);
	rsb_x86_leave(code);
	rsb_x86_return(code);
}
