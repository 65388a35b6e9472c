/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family go: how Go's runtime (1.19, runtime/asm_amd64.s and proc.go) leaves a goroutine and
 * comes back to it. r14 is the goroutine; what the scheduler does between is calls that return, and
 * those that do not, which are what counts here.
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"

enum { BY };
enum { GOSCHED, MORESTACK, SYSTEMSTACK, ASYNC_PREEMPT, RECOVER };

static const struct rsb_parameter rows[] = {
	[BY] = RSB_PARAMETER_CHOICE("by", "what leaves the goroutine",
				    "gosched|morestack|systemstack|async-preempt|recover", GOSCHED,
				    RECOVER),
	{ 0 },
};

/* What is in a goroutine (its gobuf), and the stack that the runtime runs on. */
enum { G_SP = 0x00, G_PC = 0x08, G_BP = 0x10, G_GROWN = 0x18, G_SIZE = 0x20 };
#define G0_STACK 4096

static rsb_label named(struct rsb_code *code, const char *name)
{
	return rsb_code_named(code, name);
}

/* To the runtime's stack. */
static void switch_to_g0(struct rsb_code *code)
{
	rsb_x86_mov_label(code, RSB_RSP, named(code, "g0_stack"));
	rsb_x86_add_imm(code, RSB_RSP, G0_STACK);
}

/* A function of the runtime that calls the next and never sees it return. */
static void emit_link(struct rsb_code *code, const char *name, const char *next)
{
	rsb_code_function(code, name);
	rsb_user_call_aligned(code, named(code, next));
	rsb_x86_int3(code);
}

/* Goes on with the goroutine. */
static void emit_gogo(struct rsb_code *code)
{
	rsb_code_function(code, "gogo");
	rsb_x86_mov_label(code, RSB_R14, named(code, "g"));
	rsb_x86_load(code, RSB_RSP, RSB_R14, G_SP);
	rsb_x86_load(code, RSB_RBP, RSB_R14, G_BP);
	rsb_x86_load(code, RSB_RBX, RSB_R14, G_PC);
	rsb_x86_store_imm(code, RSB_R14, G_SP, 0);
	rsb_x86_store_imm(code, RSB_R14, G_BP, 0);
	rsb_x86_store_imm(code, RSB_R14, G_PC, 0);
	rsb_x86_jmp_register(code, RSB_RBX);
}

/* Keeps where the goroutine goes on: behind the call that is being run. */
static void save_g(struct rsb_code *code)
{
	rsb_x86_mov_label(code, RSB_R14, named(code, "g"));
	rsb_x86_load(code, RSB_RBX, RSB_RSP, 0);
	rsb_x86_store(code, RSB_R14, G_PC, RSB_RBX);
	rsb_x86_lea(code, RSB_RBX, RSB_RSP, 8);
	rsb_x86_store(code, RSB_R14, G_SP, RSB_RBX);
	rsb_x86_store(code, RSB_R14, G_BP, RSB_RBP);
}

/* rax: what to call on the runtime's stack, which does not return. */
static void emit_mcall(struct rsb_code *code)
{
	rsb_code_function(code, "mcall");
	rsb_x86_mov(code, RSB_R12, RSB_RAX);
	save_g(code);
	switch_to_g0(code);
	rsb_x86_push(code, RSB_R14);
	rsb_x86_call_register(code, RSB_R12);
	rsb_x86_pop(code, RSB_RAX);
	rsb_x86_int3(code);
}

static void call_mcall(struct rsb_code *code, const char *function)
{
	rsb_x86_mov_label(code, RSB_RAX, named(code, function));
	rsb_x86_call(code, named(code, "mcall"));
}

/* The scheduler picks the goroutine that it left. */
static void emit_gosched(struct rsb_code *code)
{
	rsb_code_function(code, "target");
	rsb_x86_push(code, RSB_RBP);
	call_mcall(code, "gosched_m");
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
	emit_mcall(code);
	emit_link(code, "gosched_m", "goschedImpl");
	emit_link(code, "goschedImpl", "schedule");
	emit_link(code, "schedule", "execute");
	emit_link(code, "execute", "gogo");
	emit_gogo(code);
}

/*
 * A function that finds its stack too small asks for another and begins again. That the stack is
 * large enough the second time is a word that its end takes back, so that each call grows it.
 */
static void emit_morestack(struct rsb_code *code)
{
	rsb_label grow = rsb_code_label(code);

	rsb_code_function(code, "target");
	rsb_x86_mov_label(code, RSB_R14, named(code, "g"));
	rsb_x86_compare_imm(code, RSB_R14, G_GROWN, 0);
	rsb_x86_jcc(code, RSB_EQUAL, grow);
	rsb_x86_store_imm(code, RSB_R14, G_GROWN, 0);
	rsb_traced_body(code);
	rsb_code_place(code, grow);
	rsb_x86_call(code, named(code, "morestack"));
	rsb_x86_jmp(code, named(code, "target"));

	rsb_code_function(code, "morestack");
	save_g(code);
	switch_to_g0(code);
	rsb_x86_call(code, named(code, "newstack"));
	rsb_x86_int3(code);

	rsb_code_function(code, "newstack");
	rsb_x86_mov_label(code, RSB_RAX, named(code, "g"));
	rsb_x86_store_imm(code, RSB_RAX, G_GROWN, 1);
	rsb_user_call_aligned(code, named(code, "gogo"));
	rsb_x86_int3(code);
	emit_gogo(code);
}

/* A function is called on the runtime's stack, and returns there. */
static void emit_systemstack(struct rsb_code *code)
{
	rsb_code_function(code, "target");
	rsb_x86_mov_label(code, RSB_RDI, named(code, "on_g0"));
	rsb_x86_mov_label(code, RSB_R14, named(code, "g"));
	rsb_x86_store(code, RSB_R14, G_SP, RSB_RSP);
	rsb_x86_store(code, RSB_R14, G_BP, RSB_RBP);
	switch_to_g0(code);
	rsb_x86_call_register(code, RSB_RDI);
	rsb_x86_mov_label(code, RSB_R14, named(code, "g"));
	rsb_x86_load(code, RSB_RSP, RSB_R14, G_SP);
	rsb_x86_load(code, RSB_RBP, RSB_R14, G_BP);
	rsb_x86_return(code);
	rsb_user_leaf(code, "on_g0");
}

/*
 * What the signal's handler does to the interrupted code, by jmp as the kernel's way back is none.
 */
static void push_call(struct rsb_code *code, const char *resume, const char *function)
{
	rsb_x86_sub_imm(code, RSB_RSP, 8);
	rsb_x86_mov_label(code, RSB_R11, named(code, resume));
	rsb_x86_store(code, RSB_RSP, 0, RSB_R11);
	rsb_x86_jmp(code, named(code, function));
}

static const enum rsb_x86_register all[] = { RSB_RAX, RSB_RCX, RSB_RDX, RSB_RBX, RSB_RSI,
					     RSB_RDI, RSB_R8,  RSB_R9,  RSB_R10, RSB_R11,
					     RSB_R12, RSB_R13, RSB_R14, RSB_R15 };
#define ALL ((int32_t)(sizeof(all) / sizeof(*all)))

enum { PREEMPT_FRAME = 0x170 };

/* Interrupted at its first instruction; registers of vectors are left out. */
static void emit_async_preempt(struct rsb_code *code)
{
	rsb_code_function(code, "target");
	push_call(code, "resume", "asyncPreempt");
	rsb_code_place(code, named(code, "resume"));
	rsb_traced_body(code);

	rsb_code_function(code, "asyncPreempt");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_x86_pushfq(code);
	rsb_x86_sub_imm(code, RSB_RSP, PREEMPT_FRAME);
	for (int32_t i = 0; i < ALL; i++)
		rsb_x86_store(code, RSB_RSP, 8 * i, all[i]);
	rsb_x86_call(code, named(code, "asyncPreempt2"));
	for (int32_t i = ALL; i-- > 0;)
		rsb_x86_load(code, all[i], RSB_RSP, 8 * i);
	rsb_x86_add_imm(code, RSB_RSP, PREEMPT_FRAME);
	rsb_x86_popfq(code);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
	rsb_user_leaf(code, "asyncPreempt2");
}

/*
 * A fault becomes a panic that a deferred function recovers from: the goroutine goes on where its
 * function runs what is deferred, and returns. The stack pointer there is written down first.
 */
static void emit_recover(struct rsb_code *code)
{
	rsb_code_data(code, "frame_that_defers", 8);
	rsb_code_function(code, "target");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov_label(code, RSB_RAX, named(code, "frame_that_defers"));
	rsb_x86_store(code, RSB_RAX, 0, RSB_RSP);
	push_call(code, "recovered", "sigpanic");
	rsb_code_place(code, named(code, "recovered"));
	rsb_x86_call(code, named(code, "deferreturn"));
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);

	emit_link(code, "sigpanic", "panicmem");
	emit_link(code, "panicmem", "gopanic");
	rsb_code_function(code, "gopanic");
	rsb_x86_sub_imm(code, RSB_RSP, 8);
	rsb_x86_call(code, named(code, "deferred"));
	call_mcall(code, "recovery");
	rsb_x86_int3(code);
	rsb_user_leaf(code, "deferred");
	rsb_user_leaf(code, "deferreturn");
	emit_mcall(code);

	rsb_code_function(code, "recovery");
	rsb_x86_mov_label(code, RSB_RAX, named(code, "frame_that_defers"));
	rsb_x86_load(code, RSB_RCX, RSB_RAX, 0);
	rsb_x86_store(code, RSB_R14, G_SP, RSB_RCX);
	rsb_x86_mov_label(code, RSB_RCX, named(code, "recovered"));
	rsb_x86_store(code, RSB_R14, G_PC, RSB_RCX);
	rsb_user_call_aligned(code, named(code, "gogo"));
	rsb_x86_int3(code);
	emit_gogo(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	static void (*const ways[])(struct rsb_code * code) = {
		[GOSCHED] = emit_gosched,         [MORESTACK] = emit_morestack,
		[SYSTEMSTACK] = emit_systemstack, [ASYNC_PREEMPT] = emit_async_preempt,
		[RECOVER] = emit_recover,
	};

	rsb_code_data(code, "g", G_SIZE);
	rsb_code_data(code, "g0_stack", G0_STACK);
	ways[values[BY]](code);
}

const struct rsb_family rsb_family_go = {
	.name = "go",
	.summary = "a goroutine that is left and gone on with",
	.parameters = rows,
	.emit = emit,
};
