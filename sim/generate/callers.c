/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The callers. */
#include "sim/generate/callers.h"

#include "sim/generate/x86.h"

#include <stdio.h>

#define INT3 0xcc

/* What rsb_round saves, as the ABI wants: six registers. */
static const enum rsb_x86_register saved[] = {
	RSB_RBX, RSB_RBP, RSB_R12, RSB_R13, RSB_R14, RSB_R15
};
#define SAVED (sizeof(saved) / sizeof(*saved))

/* Bytes of a push of rax, and of what call depth tracking puts before a call. With them, a caller
 * takes no more than the 32 bytes that spacing has at least. */
#define PUSH    1
#define ACCOUNT 10

static void save(struct rsb_code *code)
{
	for (size_t i = 0; i < SAVED; i++)
		rsb_x86_push(code, saved[i]);
}

/*
 * Leaves rsb_round, by a plain ret whatever the forms: whoever runs the image called it by a call
 * that is no event and was not accounted, so a thunk would pair its return with nothing.
 */
static void restore(struct rsb_code *code)
{
	for (size_t i = SAVED; i-- > 0;)
		rsb_x86_pop(code, saved[i]);
	rsb_x86_ret(code);
}

/*
 * The traced calls; returns where the call stands. The counter is on the stack, because the traced
 * function may change every register that is not its caller's, and its slot makes the stack pointer
 * a multiple of 16.
 */
static uint64_t emit_loop(struct rsb_code *code, const struct rsb_callers *callers)
{
	rsb_label again = rsb_code_label(code);
	uint64_t site;

	rsb_x86_push_imm(code, (int32_t)callers->scenario->batch);
	rsb_code_place(code, again);
	for (unsigned i = 0; i < callers->helpers; i++)
		rsb_x86_call(code, rsb_code_named(code, "rsb_helper"));
	for (unsigned i = 0; i < callers->count; i++)
		rsb_x86_mov_imm(code, callers->registers[i].number, callers->registers[i].value);
	if (callers->by == RSB_CALLERS_CALL)
		rsb_x86_account(code);
	site = rsb_code_here(code);
	rsb_code_place(code, rsb_code_named(code, "rsb_traced_call"));
	switch (callers->by) {
	case RSB_CALLERS_CALL:
		rsb_x86_call_bare(code, callers->traced);
		break;
	case RSB_CALLERS_SYSCALL:
		rsb_x86_syscall(code);
		break;
	case RSB_CALLERS_INT3:
		rsb_x86_int3(code);
		break;
	}
	rsb_code_place(code, rsb_code_named(code, "rsb_landing"));
	rsb_x86_decrement(code, RSB_RSP, 0);
	rsb_x86_jcc(code, RSB_NOT_EQUAL, again);
	rsb_x86_pop(code, RSB_RCX);
	return site;
}

/* Calls the next one in. The push makes the stack pointer a multiple of 16 at the call. */
static void emit_step(struct rsb_code *code, rsb_label next)
{
	rsb_x86_push(code, RSB_RAX);
	rsb_x86_call(code, next);
	rsb_x86_pop(code, RSB_RCX);
}

static rsb_label place_caller(struct rsb_code *code, unsigned number)
{
	char name[32];
	rsb_label label;

	snprintf(name, sizeof(name), "caller_%u", number);
	label = rsb_code_named(code, name);
	rsb_code_place(code, label);
	return label;
}

/* A caller whose call, after the push and its accounting, stands at site. */
static rsb_label emit_caller(struct rsb_code *code, unsigned number, rsb_label next, uint64_t site)
{
	uint64_t start = site - PUSH - (rsb_code_forms(code)->account ? ACCOUNT : 0);
	rsb_label label;

	rsb_code_fill(code, start - rsb_code_here(code), INT3);
	label = place_caller(code, number);
	emit_step(code, next);
	rsb_x86_return(code);
	return label;
}

/*
 * The innermost caller stands first: the registers that it loads before its call take any room, and
 * the sites are to be spacing bytes apart.
 */
static rsb_label emit_chain(struct rsb_code *code, const struct rsb_callers *callers)
{
	unsigned number = callers->scenario->depth;
	rsb_label label = place_caller(code, number);
	uint64_t site = emit_loop(code, callers);

	rsb_x86_return(code);
	while (--number) {
		site += callers->scenario->spacing;
		label = emit_caller(code, number, label, site);
	}
	return label;
}

/*
 * The call depth variable, if there is one, is not reset when a round begins: the loop of the
 * kernel's benchmark stays in the kernel, too. A chain of up to 12 calls leaves it as it was; from
 * 13 on the calls fill it with ones, whatever it was, and the returns empty it.
 */
void rsb_callers_emit(struct rsb_code *code, const struct rsb_callers *callers)
{
	rsb_label outermost = 0;

	rsb_code_align(code, 16, INT3);
	if (callers->scenario->depth)
		outermost = emit_chain(code, callers);
	rsb_code_function(code, "rsb_round");
	save(code);
	if (callers->scenario->depth)
		emit_step(code, outermost);
	else
		emit_loop(code, callers);
	restore(code);
	if (callers->helpers) {
		rsb_code_function(code, "rsb_helper");
		rsb_x86_return(code);
	}
}
