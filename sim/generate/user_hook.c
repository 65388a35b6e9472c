/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family hook: a function that a tool hooks at its first instructions while the process runs.
 * Those are moved into a trampoline that goes on behind them: push rbp; mov rbp, rsp; and a nop.
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"

enum { BY, ON_LEAVE, LEAVE };
enum { DETOURS, FRIDA };
enum { RET, DUMMY_CALL };

static const struct rsb_parameter rows[] = {
	[BY] = RSB_PARAMETER_CHOICE("by", "the tool", "detours|frida", DETOURS, FRIDA),
	[ON_LEAVE] = RSB_PARAMETER_SWITCH("on_leave", "is the function's return hooked too?"),
	[LEAVE] = RSB_PARAMETER_CHOICE(
		"leave",
		"how the hooked return goes to the caller: by a return alone, or behind a call "
		"for the balance",
		"ret|dummy-call", RET, DUMMY_CALL),
	{ 0 },
};

static bool check(const int64_t *values, struct rsb_error *error)
{
	const struct rsb_user_rule rules[] = {
		{ values[ON_LEAVE] && values[BY] == DETOURS,
		  "on_leave with by detours: its hook calls the function and is returned to" },
		{ values[LEAVE] == DUMMY_CALL && !values[ON_LEAVE],
		  "leave dummy-call without on_leave: the function's own return is paired" },
		{ 0 },
	};

	return rsb_user_check(rules, error);
}

static void prologue(struct rsb_code *code)
{
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
}

static void body(struct rsb_code *code)
{
	rsb_x86_mov(code, RSB_RAX, RSB_RDI);
	rsb_x86_add(code, RSB_RAX, RSB_RSI);
	rsb_x86_pop(code, RSB_RBP);
	rsb_x86_return(code);
}

static void emit_hooked(struct rsb_code *code, const char *hook)
{
	rsb_code_function(code, "target");
	rsb_x86_jmp(code, rsb_code_named(code, hook));
	rsb_code_place(code, rsb_code_named(code, "target_rest"));
	body(code);
}

/* The hook calls the function through the trampoline. */
static void emit_detours(struct rsb_code *code, const int64_t *values)
{
	(void)values;
	emit_hooked(code, "hook");
	rsb_code_function(code, "hook");
	rsb_user_call_aligned(code, rsb_code_named(code, "trampoline"));
	rsb_x86_return(code);
	rsb_code_function(code, "trampoline");
	prologue(code);
	rsb_x86_jmp(code, rsb_code_named(code, "target_rest"));
}

static const enum rsb_x86_register saved[] = { RSB_RAX, RSB_RCX, RSB_RDX, RSB_RSI, RSB_RDI,
					       RSB_R8,  RSB_R9,  RSB_R10, RSB_R11 };
#define SAVED ((int32_t)(sizeof(saved) / sizeof(*saved)))

/* Saves registers around a call; rdi is the slot above them, which may be a return address. */
static void call_tool(struct rsb_code *code, const char *function)
{
	for (int32_t i = 0; i < SAVED; i++)
		rsb_x86_push(code, saved[i]);
	rsb_x86_lea(code, RSB_RDI, RSB_RSP, 8 * SAVED);
	rsb_x86_call(code, rsb_code_named(code, function));
	for (int32_t i = SAVED; i-- > 0;)
		rsb_x86_pop(code, saved[i]);
}

/* Keeps the return address, and puts that of on_leave in its place. */
static void emit_enter(struct rsb_code *code, bool on_leave)
{
	rsb_code_function(code, "_gum_function_context_on_enter");
	if (on_leave) {
		rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "kept_return"));
		rsb_x86_load(code, RSB_RCX, RSB_RDI, 0);
		rsb_x86_store(code, RSB_RAX, 0, RSB_RCX);
		rsb_x86_mov_label(code, RSB_RCX, rsb_code_named(code, "on_leave"));
		rsb_x86_store(code, RSB_RDI, 0, RSB_RCX);
	}
	rsb_x86_return(code);
}

/* The placeholder is overwritten with the return address that was kept. */
static void emit_leave(struct rsb_code *code, bool called)
{
	rsb_code_function(code, "on_leave");
	rsb_x86_push_imm(code, 0);
	call_tool(code, "_gum_function_context_on_leave");
	if (called)
		rsb_user_return_called(code);
	else
		rsb_x86_return(code);

	rsb_code_function(code, "_gum_function_context_on_leave");
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "kept_return"));
	rsb_x86_load(code, RSB_RCX, RSB_RAX, 0);
	rsb_x86_store(code, RSB_RDI, 0, RSB_RCX);
	rsb_x86_return(code);
}

static void emit_frida(struct rsb_code *code, const int64_t *values)
{
	emit_hooked(code, "on_enter");
	rsb_code_function(code, "on_enter");
	call_tool(code, "_gum_function_context_on_enter");
	prologue(code);
	rsb_x86_jmp(code, rsb_code_named(code, "target_rest"));
	emit_enter(code, values[ON_LEAVE]);
	if (!values[ON_LEAVE])
		return;
	rsb_code_data(code, "kept_return", 8);
	emit_leave(code, values[LEAVE] == DUMMY_CALL);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	if (values[BY] == DETOURS)
		emit_detours(code, values);
	else
		emit_frida(code, values);
}

const struct rsb_family rsb_family_hook = {
	.name = "hook",
	.summary = "a function that a tool hooks in a running process",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
