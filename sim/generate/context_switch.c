/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family context-switch: the traced function switches to another stack, and what runs there
 * switches back at once, so that the caller's return address is reached by the second switch. The
 * traced function is the switch itself, behind an entry that names the contexts and jumps to it.
 */
#include "sim/generate/context_switch.h"

#include "sim/generate/families.h"
#include "sim/generate/user.h"

enum { BY, OTHER };
enum { RESUMES, STARTS };

static const struct rsb_parameter rows[] = {
	[BY] = RSB_PARAMETER_CHOICE(
		"by", "what switches",
		"swapcontext|fcontext|push-ret|jmp|inline|switch-to|switch-to-fill",
		RSB_SWITCH_SWAPCONTEXT, RSB_SWITCH_TO_FILLING),
	[OTHER] = RSB_PARAMETER_CHOICE(
		"other", "the other context: resumes where it switched, or starts anew and returns",
		"resumes|starts", RESUMES, STARTS),
	{ 0 },
};

static bool check(const int64_t *values, struct rsb_error *error)
{
	const struct rsb_user_rule rules[] = {
		{ values[OTHER] == STARTS && values[BY] != RSB_SWITCH_SWAPCONTEXT,
		  "other starts without by swapcontext: only makecontext() gives a context whose "
		  "function returns to another" },
		{ 0 },
	};

	return rsb_user_check(rules, error);
}

void rsb_switch_names(struct rsb_code *code, const char *from, const char *to)
{
	rsb_x86_mov_label(code, RSB_RDI, rsb_code_named(code, from));
	rsb_x86_mov_label(code, RSB_RSI, rsb_code_named(code, to));
}

/* Makes the other context the first time: where it starts, and on which stack. */
static void emit_make(struct rsb_code *code, const struct rsb_switch *by)
{
	rsb_label made = rsb_code_label(code);

	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "other_context"));
	rsb_x86_compare_imm(code, RSB_RAX, by->stack_pointer, 0);
	rsb_x86_jcc(code, RSB_NOT_EQUAL, made);
	by->make(code);
	rsb_code_place(code, made);
}

static void emit_resumed(struct rsb_code *code, const struct rsb_switch *by)
{
	rsb_label again = rsb_code_label(code);

	rsb_code_function(code, "target");
	emit_make(code, by);
	by->leave(code, "own_context", "other_context");

	rsb_code_function(code, "other");
	rsb_code_place(code, again);
	by->call(code, "other_context", "own_context");
	rsb_x86_jmp(code, again);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	const struct rsb_switch *by = rsb_switches[values[BY]];

	rsb_code_data(code, "own_context", RSB_SWITCH_CONTEXT);
	rsb_code_data(code, "other_context", RSB_SWITCH_CONTEXT);
	rsb_code_data(code, "other_stack", RSB_SWITCH_STACK);
	if (values[OTHER] == STARTS)
		rsb_switch_started_emit(code);
	else
		emit_resumed(code, by);
	if (by->emit)
		by->emit(code);
}

const struct rsb_family rsb_family_context_switch = {
	.name = "context-switch",
	.summary = "a switch to another stack and back",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
