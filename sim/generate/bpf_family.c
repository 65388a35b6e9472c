/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The family bpf-trampoline: a function with BPF programs at its entry and exit. */
#include "sim/generate/families.h"

#include "sim/generate/bpf_trampoline.h"
#include "sim/generate/x86.h"

#define PROGRAMS_MAX 38 /* BPF_MAX_TRAMP_LINKS */

enum {
	ATTACH,
	EXIT,
	FENTRY,
	FEXIT,
	FMOD_RET,
	FMOD_RET_RETURNS,
	FSESSION,
	SESSION_COOKIES,
	CALL_ORIGIN,
	TAIL_CALL,
	CFI,
	ENDBR,
	HELPERS,
};

enum { CALL, JMP };
enum { ZERO, NONZERO };
enum { NESTED, LEAF };

static const struct rsb_parameter rows[] = {
	[ATTACH] = RSB_PARAMETER_CHOICE("attach",
					"what the function's site does to reach the trampoline",
					"call|jmp", CALL, JMP),
	[EXIT] = RSB_PARAMETER_CHOICE("exit", "how the trampoline leaves",
				      "plain|skip-frame|double-ret", RSB_BPF_PLAIN,
				      RSB_BPF_DOUBLE_RET),
	[FENTRY] = RSB_PARAMETER_NUMBER("fentry", "programs that run before the body", 0, 0,
					PROGRAMS_MAX),
	[FEXIT] = RSB_PARAMETER_NUMBER("fexit", "programs that run after the body", 0, 0,
				       PROGRAMS_MAX),
	[FMOD_RET] = RSB_PARAMETER_NUMBER("fmod_ret", "programs that decide if the body runs", 0, 0,
					  PROGRAMS_MAX),
	[FMOD_RET_RETURNS] = RSB_PARAMETER_CHOICE(
		"fmod_ret_returns", "what they return; the first that is not zero skips the body",
		"zero|nonzero", ZERO, NONZERO),
	[FSESSION] = RSB_PARAMETER_NUMBER("fsession",
					  "programs that run both before and after the body", 0, 0,
					  PROGRAMS_MAX / 2),
	[SESSION_COOKIES] = RSB_PARAMETER_SWITCH(
		"session_cookies", "does each of those keep a cookie from one to the other?"),
	[CALL_ORIGIN] = RSB_PARAMETER_SWITCH(
		"call_origin",
		"does the trampoline call the body itself? (fexit, fmod_ret and fsession "
		"need it)"),
	[TAIL_CALL] = RSB_PARAMETER_CHOICE(
		"tail_call",
		"is the traced function a BPF program that ends in a tail call, by a jmp "
		"to a program that is known or through a register? the trampoline hands "
		"its counter on",
		"none|direct|indirect", RSB_BPF_TAIL_NONE, RSB_BPF_TAIL_INDIRECT),
	[CFI] = RSB_BPF_CFI_ROW,
	[ENDBR] = RSB_PARAMETER_SWITCH("endbr",
				       "do the function and the programs begin with endbr64?"),
	[HELPERS] = RSB_PARAMETER_CHOICE(
		"helpers", "do the helpers around the programs make calls of their own?",
		"nested|leaf", NESTED, LEAF),
	{ 0 },
};

static bool calls_origin(const int64_t *values)
{
	return values[CALL_ORIGIN] || values[FEXIT] || values[FMOD_RET] || values[FSESSION];
}

static bool check(const int64_t *values, struct rsb_error *error)
{
	int64_t programs = values[FENTRY] + values[FEXIT] + values[FMOD_RET] + 2 * values[FSESSION];
	bool jmp = values[ATTACH] == JMP, origin = calls_origin(values);
	bool plain = values[EXIT] == RSB_BPF_PLAIN;
	const struct {
		bool refused;
		const char *why;
	} rules[] = {
		{ !programs, "no programs (fentry, fexit, fmod_ret, fsession): without any, Linux "
			     "removes the trampoline and the function's site is a nop; see "
			     "plain-call" },
		{ programs > PROGRAMS_MAX,
		  "too many programs: fentry, fexit, fmod_ret and twice fsession are at most 38 "
		  "together (BPF_MAX_TRAMP_LINKS)" },
		{ jmp && !origin,
		  "attach jmp without an origin call: nothing would lead into the body; Linux "
		  "jumps only to trampolines that call it (call_origin, fexit, fmod_ret or "
		  "fsession)" },
		{ jmp && values[EXIT] == RSB_BPF_SKIP_FRAME,
		  "attach jmp with exit skip-frame: a jmp leaves no return address of the "
		  "trampoline to skip, the caller's would be lost" },
		{ jmp && values[EXIT] == RSB_BPF_DOUBLE_RET,
		  "attach jmp with exit double-ret: a jmp leaves no return address of the "
		  "trampoline to rewrite, the caller's would be lost" },
		{ !jmp && origin && plain,
		  "attach call with an origin call and exit plain: the trampoline would return "
		  "into the body and run it twice; exit must be skip-frame or double-ret" },
		{ !jmp && !origin && !plain,
		  "exit skip-frame or double-ret without an origin call: the body would never "
		  "run; exit must be plain, or call_origin true" },
		{ values[FMOD_RET_RETURNS] == NONZERO && !values[FMOD_RET],
		  "fmod_ret_returns nonzero without an fmod_ret program" },
		{ values[SESSION_COOKIES] && !values[FSESSION],
		  "session_cookies without an fsession program" },
		{ values[TAIL_CALL] && values[FMOD_RET],
		  "tail_call with fmod_ret: the result of a BPF program cannot be replaced" },
		{ rsb_bpf_cfi_needs_endbr(values[CFI]) && !values[ENDBR],
		  "cfi fineibt without endbr: its preamble begins with endbr64" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].refused)
			return rsb_error_set(error, "%s", rules[i].why);
	return true;
}

static void emit_target(struct rsb_code *code, const int64_t *values, rsb_label body)
{
	rsb_label trampoline = rsb_code_named(code, "trampoline");

	rsb_bpf_preamble_emit(code, values[CFI], values[ENDBR], 2, "target");
	if (values[ATTACH] == JMP)
		rsb_x86_jmp(code, trampoline);
	else
		rsb_x86_call_bare(code, trampoline); /* the trampoline accounts for it */
	rsb_code_place(code, body);
	if (values[TAIL_CALL])
		rsb_bpf_tail_caller_emit(code, values[TAIL_CALL], values[ENDBR]);
	else
		rsb_traced_body(code);
}

static void emit_programs(struct rsb_code *code, const int64_t *values,
			  const struct rsb_bpf_trampoline *trampoline)
{
	struct rsb_bpf_program program = { .cfi = values[CFI], .endbr = values[ENDBR] };

	if (values[TAIL_CALL])
		rsb_bpf_tail_callee_emit(code, &program);
	for (enum rsb_bpf_kind kind = 0; kind < RSB_BPF_KINDS; kind++) {
		program.result = kind == RSB_BPF_FMOD_RET && values[FMOD_RET_RETURNS] == NONZERO;
		rsb_bpf_programs_emit(code, trampoline, kind, &program);
	}
	rsb_bpf_preamble_functions_emit(code, values[CFI]);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	const struct rsb_bpf_trampoline trampoline = {
		.calls_origin = calls_origin(values),
		.origin = rsb_code_label(code),
		.hands_counter = values[TAIL_CALL],
		.cookies = values[SESSION_COOKIES],
		.leave = values[EXIT],
		.programs = { [RSB_BPF_FENTRY] = values[FENTRY],
			      [RSB_BPF_FMOD_RET] = values[FMOD_RET],
			      [RSB_BPF_FEXIT] = values[FEXIT],
			      [RSB_BPF_FSESSION] = values[FSESSION] },
	};

	emit_target(code, values, trampoline.origin);
	rsb_bpf_trampoline_emit(code, &trampoline);
	emit_programs(code, values, &trampoline);
	rsb_bpf_helpers_emit(code, &trampoline, values[HELPERS] == NESTED);
}

const struct rsb_family rsb_family_bpf_trampoline = {
	.name = "bpf-trampoline",
	.summary = "a function with BPF programs at its entry and exit",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
