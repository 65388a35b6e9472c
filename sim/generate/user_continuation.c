/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family continuation: a virtual thread of Java that is gone on with and yields again (OpenJDK
 * 21, src/hotspot/cpu/x86: gen_continuation_enter(), gen_continuation_yield() and
 * generate_cont_thaw(); share/runtime/continuationFreezeThaw.cpp). Freezing copies its frames from
 * the stack to the heap, thawing copies them back, all of them or the top one, whose return address
 * then is the return barrier, which thaws the next. Its frames are a bottom one, which is a loop,
 * and those that return and are called again each time.
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"

#include <stdio.h>

enum { FRAMES, THAWS, ENTER };
enum { ALL, ONE };
enum { BY_CALL, BY_JMP };

#define FRAMES_MAX 16

static const struct rsb_parameter rows[] = {
	[FRAMES] = RSB_PARAMETER_NUMBER("frames", "of the thread that return, and are called again",
					2, 0, FRAMES_MAX),
	[THAWS] = RSB_PARAMETER_CHOICE("thaws",
				       "frames that are brought back at a time: all, as of a small "
				       "stack, or one",
				       "all|one", ALL, ONE),
	[ENTER] = RSB_PARAMETER_CHOICE("enter", "what leads to the thawing", "call|jmp", BY_CALL,
				       BY_JMP),
	{ 0 },
};

/*
 * A frame is its caller's rbp, which is data, and its return address. In the heap there are, from
 * the top on, that of the call that yields, those of the frames, and that of the bottom one.
 */
enum { FRAME = 16, RBP = 0, PC = 8 };

/* In a thread: where the entry's frame is, is it to be gone on with, what is thawed next, and how
 * many frames are left. */
enum { ENTRY_SP = 0x00, STARTED = 0x08, NEXT = 0x10, LEFT = 0x18, THREAD_SIZE = 0x20 };

#define ENTRY_SIZE 0x48 /* a ContinuationEntry */

static rsb_label named(struct rsb_code *code, const char *name)
{
	return rsb_code_named(code, name);
}

/* The slots of all frames, in bytes. */
static int32_t all(int64_t frames)
{
	return FRAME * (int32_t)(frames + 2);
}

static void load_thread(struct rsb_code *code, enum rsb_x86_register target)
{
	rsb_x86_mov_label(code, target, named(code, "thread"));
}

static void leave_entry(struct rsb_code *code)
{
	rsb_x86_add_imm(code, RSB_RSP, ENTRY_SIZE);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
}

/* The bottom frame never returns here, so that what is behind the first call is not reached. */
static void emit_enter(struct rsb_code *code, int64_t how)
{
	rsb_label thaw = rsb_code_label(code);

	rsb_code_function(code, "target");
	rsb_user_call_aligned(code, named(code, "enterSpecial"));
	rsb_x86_return(code);

	rsb_code_function(code, "enterSpecial");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_sub_imm(code, RSB_RSP, ENTRY_SIZE);
	load_thread(code, RSB_RAX);
	rsb_x86_store(code, RSB_RAX, ENTRY_SP, RSB_RSP);
	rsb_x86_compare_imm(code, RSB_RAX, STARTED, 0);
	rsb_x86_jcc(code, RSB_NOT_EQUAL, thaw);
	rsb_x86_call(code, named(code, "frame_0"));
	rsb_x86_jmp(code, named(code, "entry_exit"));
	rsb_code_place(code, thaw);
	if (how == BY_JMP)
		rsb_x86_jmp(code, named(code, "cont_thaw"));
	else
		rsb_x86_call(code, named(code, "cont_thaw"));
	rsb_code_place(code, named(code, "entry_exit"));
	leave_entry(code);
}

static rsb_label frame(struct rsb_code *code, int64_t number)
{
	char name[32];

	snprintf(name, sizeof(name), "frame_%d", (int)number);
	return rsb_code_named(code, name);
}

/* Frame 0 calls the first again and again, the last yields. */
static void emit_frames(struct rsb_code *code, int64_t frames)
{
	rsb_label again = rsb_code_label(code);

	for (int64_t i = 0; i <= frames; i++) {
		rsb_code_align(code, 16, 0xcc);
		rsb_code_place(code, frame(code, i));
		rsb_x86_push(code, RSB_RBP);
		if (i == 0)
			rsb_code_place(code, again);
		rsb_x86_call(code,
			     i < frames ? frame(code, i + 1) : named(code, "continuation_yield"));
		if (i == 0) {
			rsb_x86_jmp(code, again);
			continue;
		}
		rsb_x86_pop(code, RSB_RBP);
		rsb_x86_return(code);
	}
}

/* To the heap, and to the code that went on with the thread. */
static void emit_yield(struct rsb_code *code, int64_t frames)
{
	rsb_code_function(code, "continuation_yield");
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RSI, RSB_RSP);
	rsb_x86_call(code, named(code, "freeze"));
	load_thread(code, RSB_RAX);
	rsb_x86_load(code, RSB_RSP, RSB_RAX, ENTRY_SP);
	leave_entry(code);

	rsb_code_function(code, "freeze");
	rsb_x86_mov_label(code, RSB_RDI, named(code, "chunk"));
	for (int32_t i = 0; i < all(frames); i += 8) {
		rsb_x86_load(code, RSB_RAX, RSB_RSI, i);
		rsb_x86_store(code, RSB_RDI, i, RSB_RAX);
	}
	load_thread(code, RSB_RAX);
	rsb_x86_store_imm(code, RSB_RAX, STARTED, 1);
	rsb_x86_add_imm(code, RSB_RDI, FRAME);
	rsb_x86_store(code, RSB_RAX, NEXT, RSB_RDI);
	rsb_x86_store_imm(code, RSB_RAX, LEFT, (int32_t)frames + 1);
	rsb_x86_return(code);
}

/*
 * Makes room, thaws, and "returns" into the top frame: the pc in which that goes on, and its rbp,
 * are put below it. size is of the frames with those.
 */
static void emit_stub(struct rsb_code *code, const char *thaws, int32_t size)
{
	rsb_x86_call(code, named(code, "prepare_thaw"));
	rsb_x86_sub_imm(code, RSB_RSP, size);
	rsb_x86_call(code, named(code, thaws));
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
}

/* Drops its return address first, since the bottom frame has it already. */
static void emit_thaw(struct rsb_code *code, const int64_t *values, int32_t size)
{
	rsb_code_function(code, "cont_thaw");
	if (values[ENTER] == BY_CALL)
		rsb_x86_pop(code, RSB_RCX);
	emit_stub(code, "thaw", size);
	rsb_user_leaf(code, "prepare_thaw");
}

/* Above its return address: room for all. */
static void emit_thaw_all(struct rsb_code *code, int64_t frames)
{
	rsb_code_function(code, "thaw");
	rsb_x86_mov_label(code, RSB_RSI, named(code, "chunk"));
	for (int32_t i = 0; i < all(frames); i += 8) {
		rsb_x86_load(code, RSB_RAX, RSB_RSI, i);
		rsb_x86_store(code, RSB_RSP, 8 + i, RSB_RAX);
	}
	rsb_x86_return(code);
}

/* The next frame, above its pc and rbp. Its caller is in the heap, unless it is the bottom one. */
static void emit_thaw_one(struct rsb_code *code)
{
	rsb_label barred = rsb_code_label(code), last = rsb_code_label(code);

	rsb_code_function(code, "thaw");
	load_thread(code, RSB_RDI);
	rsb_x86_load(code, RSB_RSI, RSB_RDI, NEXT);
	for (int32_t from = RBP - FRAME; from <= RBP; from += 8) {
		rsb_x86_load(code, RSB_RAX, RSB_RSI, from);
		rsb_x86_store(code, RSB_RSP, 8 + FRAME + from, RSB_RAX);
	}
	rsb_x86_decrement(code, RSB_RDI, LEFT);
	rsb_x86_jcc_short(code, RSB_EQUAL, last);
	rsb_x86_mov_label(code, RSB_RAX, named(code, "cont_returnBarrier"));
	rsb_x86_jmp_short(code, barred);
	rsb_code_place(code, last);
	rsb_x86_load(code, RSB_RAX, RSB_RSI, PC);
	rsb_code_place(code, barred);
	rsb_x86_store(code, RSB_RSP, 8 + FRAME + PC, RSB_RAX);
	rsb_x86_add_imm(code, RSB_RSI, FRAME);
	rsb_x86_store(code, RSB_RDI, NEXT, RSB_RSI);
	rsb_x86_return(code);
}

/* A frame returned here, because its caller is in the heap. That its result is kept is left out. */
static void emit_barrier(struct rsb_code *code)
{
	rsb_code_function(code, "cont_returnBarrier");
	load_thread(code, RSB_RCX);
	rsb_x86_load(code, RSB_RSP, RSB_RCX, ENTRY_SP);
	emit_stub(code, "thaw", 2 * FRAME);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	int64_t frames = values[FRAMES];

	rsb_code_data(code, "thread", THREAD_SIZE);
	rsb_code_data(code, "chunk", (size_t)all(frames));
	emit_enter(code, values[ENTER]);
	emit_frames(code, frames);
	emit_yield(code, frames);
	emit_thaw(code, values, values[THAWS] == ONE ? 2 * FRAME : all(frames));
	if (values[THAWS] == ONE) {
		emit_thaw_one(code);
		emit_barrier(code);
	} else {
		emit_thaw_all(code, frames);
	}
}

const struct rsb_family rsb_family_continuation = {
	.name = "continuation",
	.summary = "a virtual thread that is gone on with and yields again",
	.parameters = rows,
	.emit = emit,
};
