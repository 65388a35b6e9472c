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
	CALL_ORIGIN,
	ENDBR,
	HELPERS,
};

enum { CALL, JMP };
enum { ZERO, NONZERO };
enum { NESTED, LEAF };

static const struct rsb_parameter rows[] = {
	[ATTACH] = { "attach", "what the function's site does to reach the trampoline", "call|jmp",
		     CALL, CALL, JMP },
	[EXIT] = { "exit", "how the trampoline leaves", "plain|skip-frame|double-ret",
		   RSB_BPF_PLAIN, RSB_BPF_PLAIN, RSB_BPF_DOUBLE_RET },
	[FENTRY] = { "fentry", "programs that run before the body", NULL, 0, 0, PROGRAMS_MAX },
	[FEXIT] = { "fexit", "programs that run after the body", NULL, 0, 0, PROGRAMS_MAX },
	[FMOD_RET] = { "fmod_ret", "programs that decide if the body runs", NULL, 0, 0,
		       PROGRAMS_MAX },
	[FMOD_RET_RETURNS] = { "fmod_ret_returns",
			       "what they return; the first that is not zero skips the body",
			       "zero|nonzero", ZERO, ZERO, NONZERO },
	[CALL_ORIGIN] = { "call_origin",
			  "does the trampoline call the body itself? (fexit and fmod_ret need it)",
			  "false|true", 0, 0, 1 },
	[ENDBR] = { "endbr", "do the function and the programs begin with endbr64?", "false|true",
		    0, 0, 1 },
	[HELPERS] = { "helpers", "do the helpers around the programs make calls of their own?",
		      "nested|leaf", NESTED, NESTED, LEAF },
	{ 0 },
};

static bool calls_origin(const int64_t *values)
{
	return values[CALL_ORIGIN] || values[FEXIT] || values[FMOD_RET];
}

static bool check(const int64_t *values, struct rsb_error *error)
{
	int64_t programs = values[FENTRY] + values[FEXIT] + values[FMOD_RET];
	bool jmp = values[ATTACH] == JMP, origin = calls_origin(values);
	bool plain = values[EXIT] == RSB_BPF_PLAIN;
	const struct {
		bool refused;
		const char *why;
	} rules[] = {
		{ !programs, "no programs (fentry, fexit, fmod_ret): without any, Linux removes "
			     "the trampoline and the function's site is a nop; see plain-call" },
		{ programs > PROGRAMS_MAX,
		  "too many programs: fentry, fexit and fmod_ret are at most 38 together "
		  "(BPF_MAX_TRAMP_LINKS)" },
		{ jmp && !origin,
		  "attach jmp without an origin call: nothing would lead into the body; Linux "
		  "jumps only to trampolines that call it (call_origin, fexit or fmod_ret)" },
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
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].refused)
			return rsb_error_set(error, "%s", rules[i].why);
	return true;
}

static void emit_target(struct rsb_code *code, const int64_t *values, rsb_label body)
{
	rsb_label trampoline = rsb_code_named(code, "trampoline");

	rsb_traced_start(code, "target", values[ENDBR]);
	if (values[ATTACH] == JMP)
		rsb_x86_jmp(code, trampoline);
	else
		rsb_x86_call_bare(code, trampoline); /* the trampoline accounts for it */
	rsb_code_place(code, body);
	rsb_traced_body(code);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	const struct rsb_bpf_trampoline trampoline = {
		.calls_origin = calls_origin(values),
		.origin = rsb_code_label(code),
		.leave = values[EXIT],
		.programs = { [RSB_BPF_FENTRY] = values[FENTRY],
			      [RSB_BPF_FMOD_RET] = values[FMOD_RET],
			      [RSB_BPF_FEXIT] = values[FEXIT] },
	};

	emit_target(code, values, trampoline.origin);
	rsb_bpf_trampoline_emit(code, &trampoline);
	for (enum rsb_bpf_kind kind = 0; kind < RSB_BPF_KINDS; kind++) {
		bool nonzero = kind == RSB_BPF_FMOD_RET && values[FMOD_RET_RETURNS] == NONZERO;

		for (unsigned i = 0; i < trampoline.programs[kind]; i++)
			rsb_bpf_program_emit(code, kind, i, values[ENDBR], nonzero);
	}
	rsb_bpf_helpers_emit(code, values[HELPERS] == NESTED);
}

const struct rsb_family rsb_family_bpf_trampoline = {
	.name = "bpf-trampoline",
	.summary = "a function with BPF programs at its entry and exit",
	.parameters = rows,
	.check = check,
	.emit = emit,
};
