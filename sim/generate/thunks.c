/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Return thunks and retpolines. */
#include "sim/generate/thunks.h"

#include <stdio.h>

#define LINE 64 /* bytes of a cache line */
#define INT3 0xcc

struct return_thunk {
	const char *name;
	void (*emit)(struct rsb_code *code, const char *name);
};

/*
 * Nothing but ret. Retbleed's is the second byte of an instruction that untrains it, and the first
 * of a line.
 */
static void emit_plain(struct rsb_code *code, const char *name)
{
	rsb_code_align(code, LINE, INT3);
	rsb_code_function(code, name);
	rsb_x86_ret(code);
}

/* The same in the upper half of a line, where the flaw that it avoids is not. */
static void emit_its(struct rsb_code *code, const char *name)
{
	rsb_code_align(code, LINE, INT3);
	rsb_code_fill(code, LINE / 2, INT3);
	rsb_code_function(code, name);
	rsb_x86_ret(code);
}

/* Calls its safe half, which drops the call's return address from memory but not from the return
 * stack. */
static void emit_safe_ret(struct rsb_code *code, const char *name, const char *safe)
{
	rsb_code_align(code, LINE, INT3);
	rsb_code_function(code, safe);
	rsb_x86_lea(code, RSB_RSP, RSB_RSP, 8);
	rsb_x86_ret(code);
	rsb_code_function(code, name);
	rsb_x86_call_bare(code, rsb_code_named(code, safe));
	rsb_x86_ud2(code);
}

static void emit_srso(struct rsb_code *code, const char *name)
{
	emit_safe_ret(code, name, "srso_safe_ret");
}

static void emit_srso_alias(struct rsb_code *code, const char *name)
{
	emit_safe_ret(code, name, "srso_alias_safe_ret");
}

void rsb_thunks_refill_emit(struct rsb_code *code)
{
	for (int i = 0; i < RSB_THUNKS_REFILL; i++)
		rsb_x86_call_over_int3(code);
	rsb_x86_add_imm(code, RSB_RSP, 8 * RSB_THUNKS_REFILL);
}

void rsb_thunks_fill_emit(struct rsb_code *code, unsigned entries)
{
	const struct rsb_forms *forms = rsb_code_forms(code);
	rsb_label again = rsb_code_label(code);

	rsb_code_mitigation(code, RSB_MITIGATION_FILL);
	rsb_x86_mov_imm(code, RSB_RAX, entries / 2);
	rsb_code_place(code, again);
	rsb_x86_call_over_int3(code);
	rsb_x86_call_over_int3(code);
	rsb_x86_add_imm(code, RSB_RSP, 16);
	rsb_x86_decrement_register(code, RSB_RAX);
	rsb_x86_jcc_short(code, RSB_NOT_EQUAL, again);
	rsb_x86_lfence(code);
	if (forms->account)
		rsb_x86_gs_store_imm(code, (int32_t)forms->account_offset, -1);
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
}

/* Refills the return stack when as many returns as are known to have entries have run. */
static void emit_call_depth(struct rsb_code *code, const char *name)
{
	int32_t depth = (int32_t)rsb_code_forms(code)->account_offset;
	rsb_label refill = rsb_code_label(code);

	rsb_code_function(code, name);
	rsb_x86_gs_shl(code, depth, RSB_THUNKS_DEPTH_SHIFT);
	rsb_x86_jcc_short(code, RSB_EQUAL, refill);
	rsb_x86_ret(code);
	rsb_code_place(code, refill);
	rsb_thunks_refill_emit(code);
	rsb_x86_gs_store_imm(code, depth, -1);
	rsb_x86_ret(code);
}

/* In the order of enum rsb_return_thunk. */
static const struct return_thunk return_thunks[] = {
	[RSB_THUNK_RETHUNK] = { "__x86_return_thunk", emit_plain },
	[RSB_THUNK_RETBLEED] = { "retbleed_return_thunk", emit_plain },
	[RSB_THUNK_ITS] = { "its_return_thunk", emit_its },
	[RSB_THUNK_SRSO] = { "srso_return_thunk", emit_srso },
	[RSB_THUNK_SRSO_ALIAS] = { "srso_alias_return_thunk", emit_srso_alias },
	[RSB_THUNK_CALL_DEPTH] = { "call_depth_return_thunk", emit_call_depth },
};

rsb_label rsb_thunks_return(struct rsb_code *code)
{
	const struct rsb_forms *forms = rsb_code_forms(code);

	if (forms->return_thunk == RSB_THUNK_EXTERNAL)
		return rsb_code_external(code, forms->thunk);
	return rsb_code_named(code, return_thunks[forms->return_thunk].name);
}

rsb_label rsb_thunks_one_return(struct rsb_code *code, enum rsb_return_thunk thunk)
{
	const char *name = return_thunks[thunk].name;

	if (rsb_code_forms(code)->return_thunk != thunk) {
		rsb_code_mitigation(code, RSB_MITIGATION_RETURN);
		return_thunks[thunk].emit(code, name);
		rsb_code_mitigation(code, RSB_MITIGATION_NONE);
	}
	return rsb_code_named(code, name);
}

void rsb_thunks_call_over_trap(struct rsb_code *code)
{
	rsb_label over = rsb_code_label(code), trap = rsb_code_label(code);

	rsb_x86_call_bare(code, over);
	rsb_code_place(code, trap);
	rsb_x86_pause(code);
	rsb_x86_lfence(code);
	rsb_x86_jmp_short(code, trap);
	rsb_code_place(code, over);
}

/* The thunk for a register; kind is "", "its_", or "call_" or "jump_" where calls are accounted. */
static rsb_label indirect_thunk(struct rsb_code *code, const char *kind,
				enum rsb_x86_register target)
{
	static const char *const names[] = {
		"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"
	};
	char name[64];

	snprintf(name, sizeof(name), "__x86_indirect_%sthunk_%s", kind, names[target]);
	return rsb_code_named(code, name);
}

static rsb_label one_of(struct rsb_code *code, const char *accounted, enum rsb_x86_register target)
{
	const struct rsb_forms *forms = rsb_code_forms(code);

	if (forms->indirect == RSB_INDIRECT_ITS)
		return indirect_thunk(code, "its_", target);
	return indirect_thunk(code, forms->account ? accounted : "", target);
}

bool rsb_thunks_indirect(const struct rsb_code *code)
{
	enum rsb_indirect form = rsb_code_forms(code)->indirect;

	return form == RSB_INDIRECT_RETPOLINE || form == RSB_INDIRECT_ITS;
}

rsb_label rsb_thunks_call(struct rsb_code *code, enum rsb_x86_register target)
{
	return one_of(code, "call_", target);
}

rsb_label rsb_thunks_jump(struct rsb_code *code, enum rsb_x86_register target)
{
	return one_of(code, "jump_", target);
}

static void emit_retpoline(struct rsb_code *code, rsb_label name, enum rsb_x86_register target,
			   bool call)
{
	rsb_code_align(code, LINE / 2, INT3);
	rsb_code_place(code, name);
	if (call)
		rsb_x86_account(code);
	rsb_x86_call_over_int3(code);
	rsb_x86_store(code, RSB_RSP, 0, target);
	rsb_x86_return_unaccounted(code);
}

/* Linux has one for each register but rsp, called and jumped to alike; two where calls are
 * accounted. */
static void emit_retpolines(struct rsb_code *code)
{
	for (enum rsb_x86_register target = RSB_RAX; target < RSB_X86_REGISTERS; target++) {
		if (target == RSB_RSP)
			continue;
		emit_retpoline(code, rsb_thunks_call(code, target), target, true);
		if (rsb_code_forms(code)->account)
			emit_retpoline(code, rsb_thunks_jump(code, target), target, false);
	}
}

/*
 * One line for each register, with the jump in its upper half. In a kernel's own code only those
 * instructions go through them that are themselves in a lower half; of BPF's, all do.
 */
static void emit_its_jumps(struct rsb_code *code)
{
	for (enum rsb_x86_register target = RSB_RAX; target < RSB_X86_REGISTERS; target++) {
		if (target == RSB_RSP)
			continue;
		rsb_code_align(code, LINE, INT3);
		rsb_code_fill(code, LINE / 2, INT3);
		rsb_code_place(code, rsb_thunks_jump(code, target));
		rsb_x86_jmp_register_bare(code, target);
		rsb_x86_int3(code);
	}
}

void rsb_thunks_emit(struct rsb_code *code)
{
	const struct rsb_forms *forms = rsb_code_forms(code);

	if (forms->indirect == RSB_INDIRECT_ITS)
		emit_its_jumps(code);

	if (forms->indirect == RSB_INDIRECT_RETPOLINE) {
		rsb_code_mitigation(code, RSB_MITIGATION_JUMP);
		emit_retpolines(code);
	}
	if (forms->return_thunk != RSB_THUNK_NONE && forms->return_thunk != RSB_THUNK_EXTERNAL) {
		const struct return_thunk *thunk = return_thunks + forms->return_thunk;

		rsb_code_mitigation(code, RSB_MITIGATION_RETURN);
		thunk->emit(code, thunk->name);
	}
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
}
