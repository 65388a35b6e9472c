/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The families' rows, and the function that all of them trace. */
#ifndef RSB_SIM_GENERATE_FAMILIES_H
#define RSB_SIM_GENERATE_FAMILIES_H

#include "sim/generate/family.h"

extern const struct rsb_family rsb_family_bpf_trampoline;
extern const struct rsb_family rsb_family_context_switch;
extern const struct rsb_family rsb_family_continuation;
extern const struct rsb_family rsb_family_deopt;
extern const struct rsb_family rsb_family_exception;
extern const struct rsb_family rsb_family_ftrace;
extern const struct rsb_family rsb_family_ftrace_direct;
extern const struct rsb_family rsb_family_function_graph;
extern const struct rsb_family rsb_family_go;
extern const struct rsb_family rsb_family_hook;
extern const struct rsb_family rsb_family_indirect_branch;
extern const struct rsb_family rsb_family_kprobe;
extern const struct rsb_family rsb_family_livepatch;
extern const struct rsb_family rsb_family_nested_function;
extern const struct rsb_family rsb_family_own_address;
extern const struct rsb_family rsb_family_plain_call;
extern const struct rsb_family rsb_family_plt;
extern const struct rsb_family rsb_family_recursion;
extern const struct rsb_family rsb_family_rethook;
extern const struct rsb_family rsb_family_return_thunk;
extern const struct rsb_family rsb_family_rsb_fill;
extern const struct rsb_family rsb_family_signal;
extern const struct rsb_family rsb_family_split_stack;
extern const struct rsb_family rsb_family_struct_ops;
extern const struct rsb_family rsb_family_syscall;
extern const struct rsb_family rsb_family_unwind;
extern const struct rsb_family rsb_family_uprobe;

/*
 * A function that may be traced, in three parts: its start, then the 5 bytes of its site (a nop, a
 * call or a jmp), which the family emits, then its body.
 */
#define RSB_TRACED_SITE 5

void rsb_traced_start(struct rsb_code *code, const char *name, bool endbr);
void rsb_traced_work(struct rsb_code *code); /* the body without its return */
void rsb_traced_body(struct rsb_code *code);

#endif
