/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family livepatch: a function that is replaced while the kernel runs, through ftrace, as Linux
 * does it, or through a BPF trampoline entered by jmp, as was proposed and not merged.
 */
#include "sim/generate/families.h"

#include "sim/generate/bpf_trampoline.h"
#include "sim/generate/x86.h"

enum { THROUGH, ENDBR };
enum { FTRACE, BPF_JMP };

static const struct rsb_parameter rows[] = {
	[THROUGH] = { "through", "what leads to the new function", "ftrace|bpf-jmp", FTRACE, FTRACE,
		      BPF_JMP },
	[ENDBR] = { "endbr", "does the traced function begin with endbr64?", "false|true", 0, 0,
		    1 },
	{ 0 },
};

/* struct pt_regs: where registers are saved. */
enum {
	REGS_RBP = 0x20,
	REGS_R9 = 0x40,
	REGS_R8 = 0x48,
	REGS_RAX = 0x50,
	REGS_RCX = 0x58,
	REGS_RDX = 0x60,
	REGS_RSI = 0x68,
	REGS_RDI = 0x70,
	REGS_ORIG_RAX = 0x78,
	REGS_RIP = 0x80,
	REGS_CS = 0x88,
	REGS_RSP = 0x98,
	REGS_SIZE = 0xa8,
};

/* In the order in which ftrace_caller saves them. */
static const struct {
	enum rsb_x86_register number;
	int32_t offset;
} saved[] = {
	{ RSB_RAX, REGS_RAX }, { RSB_RCX, REGS_RCX }, { RSB_RDX, REGS_RDX }, { RSB_RSI, REGS_RSI },
	{ RSB_RDI, REGS_RDI }, { RSB_R8, REGS_R8 },   { RSB_R9, REGS_R9 },
};

#define SAVED (sizeof(saved) / sizeof(*saved))

static void save_registers(struct rsb_code *code)
{
	rsb_x86_sub_imm(code, RSB_RSP, REGS_SIZE);
	for (size_t i = 0; i < SAVED; i++)
		rsb_x86_store(code, RSB_RSP, saved[i].offset, saved[i].number);
	rsb_x86_store_imm(code, RSB_RSP, REGS_ORIG_RAX, 0);
	rsb_x86_store(code, RSB_RSP, REGS_RBP, RSB_RBP);
}

/* The handler's arguments: the site, its caller, the ftrace_ops (here none) and the registers. */
static void load_arguments(struct rsb_code *code)
{
	rsb_x86_load(code, RSB_RSI, RSB_RSP, REGS_SIZE + 8);
	rsb_x86_load(code, RSB_RDI, RSB_RSP, REGS_SIZE);
	rsb_x86_store(code, RSB_RSP, REGS_RIP, RSB_RDI);
	rsb_x86_sub_imm(code, RSB_RDI, RSB_TRACED_SITE);
	rsb_x86_account(code); /* for the call at the site */
	rsb_x86_lea(code, RSB_RCX, RSB_RSP, REGS_SIZE + 8);
	rsb_x86_store(code, RSB_RSP, REGS_RSP, RSB_RCX);
	rsb_x86_zero(code, RSB_RDX);
	rsb_x86_lea(code, RSB_RCX, RSB_RSP, 0);
	rsb_x86_store_imm(code, RSB_RSP, REGS_CS, 0);
}

static void restore_registers(struct rsb_code *code)
{
	rsb_x86_load(code, RSB_RBP, RSB_RSP, REGS_RBP);
	for (size_t i = SAVED; i-- > 0;)
		rsb_x86_load(code, saved[i].number, RSB_RSP, saved[i].offset);
	rsb_x86_add_imm(code, RSB_RSP, REGS_SIZE);
}

/* Returns to where the handler says, which for a livepatch is the new function. */
static void emit_ftrace_caller(struct rsb_code *code)
{
	rsb_code_function(code, "ftrace_caller");
	save_registers(code);
	load_arguments(code);
	rsb_x86_call(code, rsb_code_named(code, "klp_ftrace_handler"));
	rsb_x86_load(code, RSB_RAX, RSB_RSP, REGS_RIP);
	rsb_x86_store(code, RSB_RSP, REGS_SIZE, RSB_RAX);
	restore_registers(code);
	rsb_x86_return(code);
}

static void emit_handler(struct rsb_code *code)
{
	rsb_code_function(code, "klp_ftrace_handler");
	rsb_x86_mov_label(code, RSB_RAX, rsb_code_named(code, "new_function"));
	rsb_x86_store(code, RSB_RCX, REGS_RIP, RSB_RAX);
	rsb_x86_return(code);
}

static void emit_through_ftrace(struct rsb_code *code)
{
	emit_ftrace_caller(code);
	emit_handler(code);
}

static void emit_through_bpf(struct rsb_code *code)
{
	const struct rsb_bpf_trampoline trampoline = {
		.calls_origin = true,
		.origin = rsb_code_named(code, "new_function"),
		.leave = RSB_BPF_PLAIN,
	};

	rsb_bpf_trampoline_emit(code, &trampoline);
	rsb_bpf_helpers_emit(code, true);
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_traced_start(code, "target", values[ENDBR]);
	if (values[THROUGH] == FTRACE)
		rsb_x86_call_bare(code, rsb_code_named(code, "ftrace_caller"));
	else
		rsb_x86_jmp(code, rsb_code_named(code, "trampoline"));
	rsb_traced_body(code);

	rsb_traced_start(code, "new_function", values[ENDBR]);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_traced_body(code);

	if (values[THROUGH] == FTRACE)
		emit_through_ftrace(code);
	else
		emit_through_bpf(code);
}

const struct rsb_family rsb_family_livepatch = {
	.name = "livepatch",
	.summary = "a function replaced while the kernel runs",
	.parameters = rows,
	.emit = emit,
};
