/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family unwind: a function calls some others, and the innermost brings it back at once: by
 * longjmp(), by an exception, by bpf_throw(), or, for comparison, by returning an error through all
 * of them.
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"

#include <stdio.h>

enum { BY, FRAMES };
enum { LONGJMP, THROW, RETURN, BPF_THROW };

#define FRAMES_MAX 64

static const struct rsb_parameter rows[] = {
	[BY] = RSB_PARAMETER_CHOICE("by", "what ends the calls", "longjmp|throw|return|bpf-throw",
				    LONGJMP, BPF_THROW),
	[FRAMES] = RSB_PARAMETER_NUMBER("frames", "calls that are ended", 2, 1, FRAMES_MAX),
	{ 0 },
};

/* A jmp_buf of glibc 2.36 on x86-64, without the mask of signals; pointers are not mangled. */
enum { BUF_KEPT = 0, BUF_RSP = 0x30, BUF_RIP = 0x38, BUF_MASK_SAVED = 0x40, BUF_SIZE = 0x48 };

static rsb_label frame(struct rsb_code *code, int64_t number)
{
	char name[32];

	snprintf(name, sizeof(name), "frame_%d", (int)number);
	return rsb_code_named(code, name);
}

/* The functions between the traced one and what ends them. */
static void emit_frames(struct rsb_code *code, int64_t count, const char *ends)
{
	for (int64_t i = 1; i <= count; i++) {
		rsb_code_align(code, 16, 0xcc);
		rsb_code_place(code, frame(code, i));
		if (i < count)
			rsb_user_call_aligned(code, frame(code, i + 1));
		else if (ends)
			rsb_user_call_aligned(code, rsb_code_named(code, ends));
		rsb_x86_return(code);
	}
}

static void emit_setjmp(struct rsb_code *code)
{
	rsb_code_function(code, "__sigsetjmp");
	rsb_user_store_kept(code, RSB_RDI, BUF_KEPT);
	rsb_x86_lea(code, RSB_RDX, RSB_RSP, 8);
	rsb_x86_store(code, RSB_RDI, BUF_RSP, RSB_RDX);
	rsb_x86_load(code, RSB_RAX, RSB_RSP, 0);
	rsb_x86_store(code, RSB_RDI, BUF_RIP, RSB_RAX);
	rsb_x86_jmp(code, rsb_code_named(code, "__sigjmp_save"));

	rsb_code_function(code, "__sigjmp_save");
	rsb_x86_store_imm(code, RSB_RDI, BUF_MASK_SAVED, 0);
	rsb_x86_zero(code, RSB_RAX);
	rsb_x86_return(code);
}

static void emit_longjmp(struct rsb_code *code)
{
	rsb_code_function(code, "__longjmp");
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, "jmp_buf"));
	rsb_x86_load(code, RSB_R8, RSB_RDI, BUF_RSP);
	rsb_user_load_kept(code, RSB_RDI, BUF_KEPT);
	rsb_x86_load(code, RSB_RDX, RSB_RDI, BUF_RIP);
	rsb_x86_mov_imm(code, RSB_RAX, 1);
	rsb_x86_mov(code, RSB_RSP, RSB_R8);
	rsb_x86_jmp_register(code, RSB_RDX);
}

/* setjmp() returns 0, and again 1 when it is jumped back to. */
static void emit_over_longjmp(struct rsb_code *code, int64_t frames)
{
	rsb_label out = rsb_code_label(code);

	rsb_code_data(code, "jmp_buf", BUF_SIZE);
	rsb_code_function(code, "target");
	rsb_x86_sub_imm(code, RSB_RSP, 8);
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, "jmp_buf"));
	rsb_x86_call(code, rsb_code_named(code, "__sigsetjmp"));
	rsb_x86_test(code, RSB_RAX, RSB_RAX);
	rsb_x86_jcc(code, RSB_NOT_EQUAL, out);
	rsb_x86_call(code, frame(code, 1));
	rsb_code_place(code, out);
	rsb_x86_add_imm(code, RSB_RSP, 8);
	rsb_x86_return(code);

	emit_frames(code, frames, "__longjmp");
	emit_setjmp(code);
	emit_longjmp(code);
}

/*
 * The unwinder asks for a handler (phase 1), restores the registers of the function that has one
 * (phase 2), puts the handler's address on that function's stack and jumps there: libgcc 12,
 * _Unwind_RaiseException(). What it calls to read the tables returns, and is one function here.
 */
static void emit_raise(struct rsb_code *code)
{
	rsb_code_function(code, "_Unwind_RaiseException");
	rsb_x86_sub_imm(code, RSB_RSP, 8);
	rsb_x86_call(code, rsb_code_named(code, "unwind_phase1"));
	rsb_x86_call(code, rsb_code_named(code, "unwind_phase2"));
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "frame_with_handler"));
	rsb_x86_load(code, RSB_RCX, RSB_RAX, 0);
	rsb_x86_mov_label(code, RSB_RDX, rsb_code_named(code, "landing_pad"));
	rsb_x86_store(code, RSB_RCX, -8, RSB_RDX);
	rsb_x86_lea(code, RSB_RCX, RSB_RCX, -8);
	rsb_x86_mov(code, RSB_RSP, RSB_RCX);
	rsb_x86_pop(code, RSB_RCX);
	rsb_x86_jmp_register(code, RSB_RCX);
	rsb_user_leaf(code, "unwind_phase1");
	rsb_user_leaf(code, "unwind_phase2");
}

static void emit_throw(struct rsb_code *code)
{
	rsb_code_function(code, "__cxa_throw");
	rsb_user_call_aligned(code, rsb_code_named(code, "_Unwind_RaiseException"));
	rsb_x86_int3(code);
	emit_raise(code);
	rsb_user_leaf(code, "__cxa_begin_catch");
	rsb_user_leaf(code, "__cxa_end_catch");
}

/* That the stack pointer is written down stands for what the unwinder reads from its tables. */
static void emit_over_throw(struct rsb_code *code, int64_t frames)
{
	rsb_code_data(code, "frame_with_handler", 8);
	rsb_code_function(code, "target");
	rsb_x86_sub_imm(code, RSB_RSP, 8);
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "frame_with_handler"));
	rsb_x86_store(code, RSB_RAX, 0, RSB_RSP);
	rsb_x86_call(code, frame(code, 1));
	rsb_x86_add_imm(code, RSB_RSP, 8);
	rsb_x86_return(code);
	rsb_code_place(code, rsb_code_named(code, "landing_pad"));
	rsb_x86_call(code, rsb_code_named(code, "__cxa_begin_catch"));
	rsb_x86_call(code, rsb_code_named(code, "__cxa_end_catch"));
	rsb_x86_add_imm(code, RSB_RSP, 8);
	rsb_x86_return(code);

	emit_frames(code, frames, "__cxa_throw");
	emit_throw(code);
}

/* What a BPF program keeps that others may throw through (arch/x86/net/bpf_jit_comp.c, 6.12). */
static const enum rsb_x86_register boundary[] = { RSB_R12, RSB_RBX, RSB_R13, RSB_R14, RSB_R15 };
#define BOUNDARY ((int32_t)(sizeof(boundary) / sizeof(*boundary)))

static void leave_program(struct rsb_code *code)
{
	for (int32_t i = BOUNDARY; i-- > 0;)
		rsb_x86_pop(code, boundary[i]);
	rsb_x86_leave(code);
	rsb_x86_return(code);
}

/*
 * bpf_throw() walks the stack up to the program's frame and calls the exception callback, which
 * takes that frame over and returns in its place. That the frame pointer is written down stands for
 * the walk's result.
 */
static void emit_over_bpf_throw(struct rsb_code *code, int64_t frames)
{
	rsb_code_data(code, "boundary_frame", 8);
	rsb_code_function(code, "target");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	for (int32_t i = 0; i < BOUNDARY; i++)
		rsb_x86_push(code, boundary[i]);
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "boundary_frame"));
	rsb_x86_store(code, RSB_RAX, 0, RSB_RBP);
	rsb_x86_call(code, frame(code, 1));
	leave_program(code);
	emit_frames(code, frames, "bpf_throw");

	rsb_code_function(code, "bpf_throw");
	rsb_x86_sub_imm(code, RSB_RSP, 8);
	rsb_x86_call(code, rsb_code_named(code, "arch_bpf_stack_walk"));
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "boundary_frame"));
	rsb_x86_load(code, RSB_RDX, RSB_RAX, 0);
	rsb_x86_lea(code, RSB_RSI, RSB_RDX, -8 * BOUNDARY);
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "bpf_exception_cb"));
	rsb_x86_call_register(code, RSB_RAX);
	rsb_x86_int3(code);
	rsb_user_leaf(code, "arch_bpf_stack_walk");

	rsb_code_function(code, "bpf_exception_cb");
	rsb_x86_mov(code, RSB_RSP, RSB_RSI);
	rsb_x86_mov(code, RSB_RBP, RSB_RDX);
	leave_program(code);
}

static void emit_over_returns(struct rsb_code *code, int64_t frames)
{
	rsb_code_function(code, "target");
	rsb_user_call_aligned(code, frame(code, 1));
	rsb_x86_return(code);
	emit_frames(code, frames, NULL);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	static void (*const ways[])(struct rsb_code * code, int64_t frames) = {
		[LONGJMP] = emit_over_longjmp,
		[THROW] = emit_over_throw,
		[RETURN] = emit_over_returns,
		[BPF_THROW] = emit_over_bpf_throw,
	};

	ways[values[BY]](code, values[FRAMES]);
}

const struct rsb_family rsb_family_unwind = {
	.name = "unwind",
	.summary = "calls that are ended from within, all at once",
	.parameters = rows,
	.emit = emit,
};
