/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The image of a BPF trampoline. */
#include "sim/generate/bpf_trampoline.h"

#include "sim/generate/bpf_frame.h"
#include "sim/generate/x86.h"

#include <stdio.h>

static void load_arguments(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	rsb_x86_load(code, RSB_RDI, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_ARGUMENT_1));
	rsb_x86_load(code, RSB_RSI, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_ARGUMENT_2));
}

/* The counter of tail calls, or its address, is pushed below the frame. */
static void load_counter(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	if (trampoline->hands_counter)
		rsb_x86_load(code, RSB_RAX, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_RUN_CTX) - 8);
}

/*
 * The accounting is that of the call at the function's site. Linux keeps it when a jmp is there:
 * then the call depth variable counts a call that is none. An operation's caller has counted.
 */
static void emit_start(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	if (trampoline->operation) {
		rsb_bpf_preamble_emit(code, trampoline->cfi, trampoline->endbr, 2, "trampoline");
		return;
	}
	rsb_code_function(code, "trampoline");
	rsb_x86_account(code);
}

static void emit_frame(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_sub_imm(code, RSB_RSP, -rsb_bpf_slot(trampoline, RSB_BPF_RUN_CTX));
	if (trampoline->hands_counter)
		rsb_x86_push(code, RSB_RAX);
	rsb_x86_store(code, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_SAVED_RBX), RSB_RBX);
	rsb_x86_mov_imm(code, RSB_RAX, RSB_BPF_ARGUMENTS);
	rsb_x86_store(code, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_COUNT), RSB_RAX);
	rsb_x86_store(code, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_ARGUMENT_1), RSB_RDI);
	rsb_x86_store(code, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_ARGUMENT_2), RSB_RSI);
}

/* Its argument is the kernel's record of the trampoline; nothing looks at it here. */
static void emit_guard(struct rsb_code *code, const char *helper)
{
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, "trampoline"));
	rsb_x86_call(code, rsb_code_named(code, helper));
}

static rsb_label around(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			const char *what)
{
	char name[32];

	snprintf(name, sizeof(name), "__bpf_prog_%s%s", what,
		 trampoline->operation ? "" : "_recur");
	return rsb_code_named(code, name);
}

static void emit_program(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			 rsb_label program, bool keeps_result)
{
	const int32_t run_ctx = rsb_bpf_slot(trampoline, RSB_BPF_RUN_CTX);
	rsb_label skip = rsb_code_label(code);

	rsb_x86_zero(code, RSB_RDI); /* no cookie */
	rsb_x86_store(code, RSB_RBP, run_ctx, RSB_RDI);
	rsb_x86_mov_label(code, RSB_RDI, program);
	rsb_x86_lea(code, RSB_RSI, RSB_RBP, run_ctx);
	rsb_x86_call(code, around(code, trampoline, "enter"));
	rsb_x86_mov(code, RSB_RBX, RSB_RAX);
	rsb_x86_test(code, RSB_RAX, RSB_RAX);
	rsb_x86_jcc_short(code, RSB_EQUAL, skip);
	rsb_x86_lea(code, RSB_RDI, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_ARGUMENT_1));
	rsb_x86_call(code, program);
	if (keeps_result)
		rsb_x86_store(code, RSB_RBP, RSB_BPF_RESULT, RSB_RAX);
	rsb_code_place(code, skip);
	rsb_x86_mov_label(code, RSB_RDI, program);
	rsb_x86_mov(code, RSB_RSI, RSB_RBX);
	rsb_x86_lea(code, RSB_RDX, RSB_RBP, run_ctx);
	rsb_x86_call(code, around(code, trampoline, "exit"));
}

static void emit_programs(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			  enum rsb_bpf_kind kind)
{
	for (unsigned i = 0; i < trampoline->programs[kind]; i++)
		emit_program(code, trampoline, rsb_bpf_program(code, kind, i),
			     kind == RSB_BPF_OPERATION);
}

/* One half of the sessions, which are told which by what stands before their arguments. */
static void emit_sessions(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			  bool returned)
{
	for (unsigned i = 0; i < trampoline->programs[RSB_BPF_FSESSION]; i++) {
		if (trampoline->cookies)
			rsb_bpf_session_cookie_emit(code, trampoline, i, returned);
		emit_program(code, trampoline, rsb_bpf_program(code, RSB_BPF_FSESSION, i), false);
	}
}

/* Each may decide that the body does not run. */
static void emit_fmod_ret(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			  rsb_label after_body)
{
	if (!trampoline->programs[RSB_BPF_FMOD_RET])
		return;
	rsb_x86_zero(code, RSB_RAX);
	rsb_x86_store(code, RSB_RBP, RSB_BPF_RESULT, RSB_RAX);
	for (unsigned i = 0; i < trampoline->programs[RSB_BPF_FMOD_RET]; i++) {
		emit_program(code, trampoline, rsb_bpf_program(code, RSB_BPF_FMOD_RET, i), true);
		rsb_x86_compare_imm(code, RSB_RBP, RSB_BPF_RESULT, 0);
		rsb_x86_jcc(code, RSB_NOT_EQUAL, after_body);
	}
}

static void align_with_nops(struct rsb_code *code, unsigned alignment)
{
	rsb_x86_nop(code, (unsigned)(-rsb_code_here(code) % alignment));
}

/* Linux writes this call at run time: by no retpoline, and not accounted for. */
static void call_origin_on_stack(struct rsb_code *code)
{
	rsb_x86_load(code, RSB_RBX, RSB_RBP, 8);
	rsb_x86_call_register_bare(code, RSB_RBX);
}

static void emit_origin(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			rsb_label after)
{
	load_arguments(code, trampoline);
	load_counter(code, trampoline);
	if (trampoline->origin_on_stack)
		call_origin_on_stack(code);
	else
		rsb_x86_call(code, trampoline->origin);
	rsb_x86_store(code, RSB_RBP, RSB_BPF_RESULT, RSB_RAX);
	rsb_x86_nop(code, 5); /* becomes a jmp to the end when the last program is detached */
	if (trampoline->programs[RSB_BPF_FMOD_RET])
		align_with_nops(code, 16);
	rsb_code_place(code, after);
}

/* The body, between what guards the trampoline while it runs. */
static void emit_around_origin(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	rsb_label after_body = rsb_code_label(code);

	emit_guard(code, "__bpf_tramp_enter");
	rsb_bpf_sessions_start_emit(code, trampoline);
	emit_programs(code, trampoline, RSB_BPF_FENTRY);
	emit_sessions(code, trampoline, false);
	emit_fmod_ret(code, trampoline, after_body);
	emit_origin(code, trampoline, after_body);
	rsb_bpf_sessions_returned_emit(code, trampoline);
	emit_programs(code, trampoline, RSB_BPF_FEXIT);
	emit_sessions(code, trampoline, true);
	emit_guard(code, "__bpf_tramp_exit");
}

/* Takes down the frame. */
static void emit_epilogue(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	if (rsb_bpf_has_result(trampoline))
		rsb_x86_load(code, RSB_RAX, RSB_RBP, RSB_BPF_RESULT);
	rsb_x86_load(code, RSB_RBX, RSB_RBP, rsb_bpf_slot(trampoline, RSB_BPF_SAVED_RBX));
	rsb_x86_leave(code);
}

static void leave_plainly(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	emit_epilogue(code, trampoline);
	rsb_x86_return(code);
}

static void leave_skipping(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	emit_epilogue(code, trampoline);
	rsb_x86_add_imm(code, RSB_RSP, 8);
	rsb_x86_return(code);
}

static void leave_twice(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	rsb_label second = rsb_code_label(code);

	rsb_x86_mov_label(code, RSB_RAX, second);
	rsb_x86_store(code, RSB_RBP, 8, RSB_RAX);
	emit_epilogue(code, trampoline);
	rsb_x86_return(code);
	rsb_code_place(code, second);
	rsb_x86_return(code);
}

static void (*const leaves[])(struct rsb_code *, const struct rsb_bpf_trampoline *) = {
	[RSB_BPF_PLAIN] = leave_plainly,
	[RSB_BPF_SKIP_FRAME] = leave_skipping,
	[RSB_BPF_DOUBLE_RET] = leave_twice,
};

void rsb_bpf_trampoline_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	emit_start(code, trampoline);
	emit_frame(code, trampoline);
	if (trampoline->calls_origin) {
		emit_around_origin(code, trampoline);
	} else if (trampoline->operation) {
		emit_programs(code, trampoline, RSB_BPF_OPERATION);
	} else {
		emit_programs(code, trampoline, RSB_BPF_FENTRY);
		load_arguments(code, trampoline);
		load_counter(code, trampoline);
	}
	leaves[trampoline->leave](code, trampoline);
}
