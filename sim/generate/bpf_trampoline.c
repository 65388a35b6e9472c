/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The image of a BPF trampoline. */
#include "sim/generate/bpf_trampoline.h"

#include "sim/generate/x86.h"

#define ARGUMENTS 2

/* The frame, in bytes below rbp. The first slot exists if the origin is called; it moves the rest
 * down. */
#define RESULT     -8
#define ARGUMENT_1 -0x10
#define ARGUMENT_2 -0x08
#define COUNT      -0x18
#define SAVED_RBX  -0x20
#define RUN_CTX    -0x30

static int32_t slot(const struct rsb_bpf_trampoline *trampoline, int32_t offset)
{
	return offset - (trampoline->calls_origin ? 8 : 0);
}

static void load_arguments(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	rsb_x86_load(code, RSB_RDI, RSB_RBP, slot(trampoline, ARGUMENT_1));
	rsb_x86_load(code, RSB_RSI, RSB_RBP, slot(trampoline, ARGUMENT_2));
}

/*
 * The accounting is that of the call at the function's site. Linux keeps it when a jmp is there:
 * then the call depth variable counts a call that is none.
 */
static void emit_entry(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	rsb_x86_account(code);
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_sub_imm(code, RSB_RSP, -slot(trampoline, RUN_CTX));
	rsb_x86_store(code, RSB_RBP, slot(trampoline, SAVED_RBX), RSB_RBX);
	rsb_x86_mov_imm(code, RSB_RAX, ARGUMENTS);
	rsb_x86_store(code, RSB_RBP, slot(trampoline, COUNT), RSB_RAX);
	rsb_x86_store(code, RSB_RBP, slot(trampoline, ARGUMENT_1), RSB_RDI);
	rsb_x86_store(code, RSB_RBP, slot(trampoline, ARGUMENT_2), RSB_RSI);
}

/* Its argument is the kernel's record of the trampoline; nothing looks at it here. */
static void emit_guard(struct rsb_code *code, const char *helper)
{
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, "trampoline"));
	rsb_x86_call(code, rsb_code_named(code, helper));
}

static void emit_program(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			 rsb_label program, bool keeps_result)
{
	rsb_label skip = rsb_code_label(code);

	rsb_x86_zero(code, RSB_RDI); /* no cookie */
	rsb_x86_store(code, RSB_RBP, slot(trampoline, RUN_CTX), RSB_RDI);
	rsb_x86_mov_label(code, RSB_RDI, program);
	rsb_x86_lea(code, RSB_RSI, RSB_RBP, slot(trampoline, RUN_CTX));
	rsb_x86_call(code, rsb_code_named(code, "__bpf_prog_enter_recur"));
	rsb_x86_mov(code, RSB_RBX, RSB_RAX);
	rsb_x86_test(code, RSB_RAX, RSB_RAX);
	rsb_x86_jcc_short(code, RSB_EQUAL, skip);
	rsb_x86_lea(code, RSB_RDI, RSB_RBP, slot(trampoline, ARGUMENT_1));
	rsb_x86_call(code, program);
	if (keeps_result)
		rsb_x86_store(code, RSB_RBP, RESULT, RSB_RAX);
	rsb_code_place(code, skip);
	rsb_x86_mov_label(code, RSB_RDI, program);
	rsb_x86_mov(code, RSB_RSI, RSB_RBX);
	rsb_x86_lea(code, RSB_RDX, RSB_RBP, slot(trampoline, RUN_CTX));
	rsb_x86_call(code, rsb_code_named(code, "__bpf_prog_exit_recur"));
}

static void emit_programs(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			  enum rsb_bpf_kind kind)
{
	for (unsigned i = 0; i < trampoline->programs[kind]; i++)
		emit_program(code, trampoline, rsb_bpf_program(code, kind, i), false);
}

/* Each may decide that the body does not run. */
static void emit_fmod_ret(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			  rsb_label after_body)
{
	if (!trampoline->programs[RSB_BPF_FMOD_RET])
		return;
	rsb_x86_zero(code, RSB_RAX);
	rsb_x86_store(code, RSB_RBP, RESULT, RSB_RAX);
	for (unsigned i = 0; i < trampoline->programs[RSB_BPF_FMOD_RET]; i++) {
		emit_program(code, trampoline, rsb_bpf_program(code, RSB_BPF_FMOD_RET, i), true);
		rsb_x86_compare_imm(code, RSB_RBP, RESULT, 0);
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
	if (trampoline->origin_on_stack)
		call_origin_on_stack(code);
	else
		rsb_x86_call(code, trampoline->origin);
	rsb_x86_store(code, RSB_RBP, RESULT, RSB_RAX);
	rsb_x86_nop(code, 5); /* becomes a jmp to the end when the last program is detached */
	if (trampoline->programs[RSB_BPF_FMOD_RET])
		align_with_nops(code, 16);
	rsb_code_place(code, after);
}

/* Takes down the frame. */
static void emit_epilogue(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline)
{
	if (trampoline->calls_origin)
		rsb_x86_load(code, RSB_RAX, RSB_RBP, RESULT);
	rsb_x86_load(code, RSB_RBX, RSB_RBP, slot(trampoline, SAVED_RBX));
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
	rsb_label after_body = rsb_code_label(code);

	rsb_code_function(code, "trampoline");
	emit_entry(code, trampoline);
	if (trampoline->calls_origin)
		emit_guard(code, "__bpf_tramp_enter");
	emit_programs(code, trampoline, RSB_BPF_FENTRY);
	emit_fmod_ret(code, trampoline, after_body);
	if (trampoline->calls_origin) {
		emit_origin(code, trampoline, after_body);
		emit_programs(code, trampoline, RSB_BPF_FEXIT);
		emit_guard(code, "__bpf_tramp_exit");
	} else {
		load_arguments(code, trampoline);
	}
	leaves[trampoline->leave](code, trampoline);
}
