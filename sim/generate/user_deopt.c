/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family deopt: compiled JavaScript that finds an assumption of its false and goes on in the
 * interpreter (V8, src/builtins/x64/builtins-x64.cc and src/deoptimizer/deoptimizer.cc, of a build
 * for shadow stacks where those are adapted). The frames of the interpreter are pushed, not called
 * into, and left by returns. That the function's frame goes through the deoptimizer's memory is
 * left out, as are registers of vectors and what is in a frame beside its return address and rbp.
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"
#include "sim/generate/x86_encode.h"

enum { FRAMES, ADAPT, EXIT };
enum { BY_CALL, BY_JMP };

#define FRAMES_MAX 64

static const struct rsb_parameter rows[] = {
	[FRAMES] = RSB_PARAMETER_NUMBER("frames",
					"the interpreter's: the function's, and those of what was "
					"inlined into it",
					2, 1, FRAMES_MAX),
	[ADAPT] = RSB_PARAMETER_SWITCH("adapt", "are their return addresses put on the shadow "
						"stack, by calls?"),
	[EXIT] = RSB_PARAMETER_CHOICE("exit", "what leads from the code to the deoptimizer",
				      "call|jmp", BY_CALL, BY_JMP),
	{ 0 },
};

/* What the entry saves. */
enum { VECTORS = 0x100, REGISTERS = 8 * RSB_X86_REGISTERS };

static rsb_label named(struct rsb_code *code, const char *name)
{
	return rsb_code_named(code, name);
}

/* The number of the exit is told by its return address, or by rdx. */
static void emit_optimized(struct rsb_code *code, int64_t how)
{
	rsb_code_function(code, "target");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	if (how == BY_JMP) {
		rsb_x86_mov_imm(code, RSB_RDX, 0);
		rsb_x86_jmp(code, named(code, "Deoptimization_Entry"));
		return;
	}
	rsb_x86_call(code, named(code, "Deoptimization_Entry"));
	rsb_x86_int3(code);
}

/* Saves everything and makes a deoptimizer; the return address is dropped, then the frame. */
static void emit_unwinding(struct rsb_code *code, int32_t own)
{
	rsb_x86_sub_imm(code, RSB_RSP, VECTORS);
	for (enum rsb_x86_register i = RSB_RAX; i < RSB_X86_REGISTERS; i++)
		rsb_x86_push(code, i);
	if (own)
		rsb_x86_load(code, RSB_RDX, RSB_RSP, REGISTERS + VECTORS);
	rsb_x86_lea(code, RSB_RCX, RSB_RSP, REGISTERS + VECTORS + own);
	rsb_x86_call(code, named(code, "new_deoptimizer"));
	rsb_x86_add_imm(code, RSB_RSP, REGISTERS + VECTORS);
	if (own)
		rsb_x86_add_imm(code, RSB_RSP, own);
	rsb_x86_mov(code, RSB_RSP, RSB_RBP);
	rsb_x86_push(code, RSB_RAX);
	rsb_x86_call(code, named(code, "compute_output_frames"));
	rsb_x86_pop(code, RSB_RAX);
}

static void push_label(struct rsb_code *code, rsb_label label)
{
	rsb_x86_mov_label(code, RSB_RCX, label);
	rsb_x86_push(code, RSB_RCX);
}

static void push_frame_pointer(struct rsb_code *code)
{
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
}

/* The outermost frame is where the function's was; each other one returns to the one before. */
static void emit_frames(struct rsb_code *code, int64_t frames)
{
	for (int64_t i = 1; i < frames; i++) {
		push_label(code, named(code, "next_bytecode"));
		push_frame_pointer(code);
	}
	push_label(code, named(code, "bytecode"));
}

/* incssp 1, if there is a shadow stack: rdssp leaves its register alone where there is none. */
static void drop_shadow_entry(struct rsb_code *code)
{
	rsb_label none = rsb_code_label(code);

	rsb_x86_mov_imm(code, RSB_RAX, 1);
	rsb_x86_zero(code, RSB_RDX);
	RSB_X86_BYTES(code, 0xf3, 0x48, 0x0f, 0x1e, 0xca); /* rdsspq rdx */
	rsb_x86_test(code, RSB_RDX, RSB_RDX);
	rsb_x86_jcc_short(code, RSB_EQUAL, none);
	RSB_X86_BYTES(code, 0xf3, 0x48, 0x0f, 0xae, 0xe8); /* incsspq rax */
	rsb_code_place(code, none);
}

/* What is to be jumped to in turn, the first on top: r11 says how many there are. */
static void emit_adapting(struct rsb_code *code, const int64_t *values)
{
	push_label(code, named(code, "NotifyDeoptimized"));
	push_label(code, named(code, "adapt_bytecode"));
	for (int64_t i = 1; i < values[FRAMES]; i++)
		push_label(code, named(code, "adapt_next_bytecode"));
	rsb_x86_mov_imm(code, RSB_R11, (uint64_t)values[FRAMES] + 1);
	if (values[EXIT] == BY_CALL)
		drop_shadow_entry(code);
	rsb_x86_jmp(code, named(code, "adapt_first"));
}

static void emit_entry(struct rsb_code *code, const int64_t *values)
{
	rsb_code_function(code, "Deoptimization_Entry");
	emit_unwinding(code, values[EXIT] == BY_CALL ? 8 : 0);
	emit_frames(code, values[FRAMES]);
	if (values[ADAPT]) {
		emit_adapting(code, values);
	} else {
		push_label(code, named(code, "NotifyDeoptimized"));
		rsb_x86_return(code);
	}
	rsb_user_leaf(code, "new_deoptimizer");
	rsb_user_leaf(code, "compute_output_frames");
}

/*
 * Is called from right before where a frame goes on, so that the call's return address is there,
 * and jumps to the next such call; at last to what goes on. Its own return address is dropped.
 */
static void emit_adapt(struct rsb_code *code)
{
	rsb_code_function(code, "AdaptShadowStackForDeopt");
	rsb_x86_pop(code, RSB_RAX);
	rsb_code_place(code, named(code, "adapt_first"));
	rsb_x86_decrement_register(code, RSB_R11);
	rsb_x86_pop(code, RSB_RAX);
	rsb_x86_push(code, RSB_R11);
	rsb_x86_call(code, named(code, "EnsureValidReturnAddress"));
	rsb_x86_pop(code, RSB_R11);
	rsb_x86_jmp_register(code, RSB_RAX);
	rsb_user_leaf(code, "EnsureValidReturnAddress");
}

/* Goes on with a frame; what calls that adapt is jumped over. */
static void emit_enter(struct rsb_code *code, const char *name, const char *adapt, const char *on,
		       bool adapts)
{
	rsb_code_function(code, name);
	if (adapts) {
		rsb_x86_jmp_short(code, named(code, on));
		rsb_code_place(code, named(code, adapt));
		rsb_x86_call(code, named(code, "AdaptShadowStackForDeopt"));
	}
	rsb_code_place(code, named(code, on));
	rsb_x86_jmp(code, named(code, "interpreter_dispatch"));
}

/* The frame's rest of bytecode, which returns. */
static void emit_interpreter(struct rsb_code *code)
{
	rsb_code_function(code, "NotifyDeoptimized");
	push_frame_pointer(code);
	rsb_x86_call(code, named(code, "Runtime_NotifyDeoptimized"));
	rsb_x86_leave(code);
	rsb_x86_return(code);
	rsb_user_leaf(code, "Runtime_NotifyDeoptimized");

	rsb_code_function(code, "interpreter_dispatch");
	rsb_x86_call(code, named(code, "bytecode_handler"));
	rsb_x86_leave(code);
	rsb_x86_return(code);
	rsb_user_leaf(code, "bytecode_handler");
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	emit_optimized(code, values[EXIT]);
	emit_entry(code, values);
	emit_enter(code, "InterpreterEnterAtBytecode", "adapt_bytecode", "bytecode", values[ADAPT]);
	if (values[FRAMES] > 1)
		emit_enter(code, "InterpreterEnterAtNextBytecode", "adapt_next_bytecode",
			   "next_bytecode", values[ADAPT]);
	if (values[ADAPT])
		emit_adapt(code);
	emit_interpreter(code);
}

const struct rsb_family rsb_family_deopt = {
	.name = "deopt",
	.summary = "compiled code that goes on in the interpreter",
	.parameters = rows,
	.emit = emit,
};
