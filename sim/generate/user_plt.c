/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family plt: a function of a shared object, called through the procedure linkage table. That a
 * lazy one is resolved at each call is what LD_BIND_NOT does (ld.so(8)); otherwise it is at the
 * first.
 */
#include "sim/generate/families.h"

#include "sim/generate/user.h"
#include "sim/generate/x86_encode.h"

enum { BINDING };
enum { LAZY, NOW };

static const struct rsb_parameter rows[] = {
	[BINDING] = RSB_PARAMETER_CHOICE(
		"binding", "when is the function looked up: at each call, or before any?",
		"lazy|now", LAZY, NOW),
	{ 0 },
};

/* _dl_runtime_resolve_fxsave() of glibc 2.36: the space for registers, and where they are in it. */
enum { AREA = 0x240, FX = 0x40 };

static const enum rsb_x86_register saved[] = { RSB_RAX, RSB_RCX, RSB_RDX, RSB_RSI,
					       RSB_RDI, RSB_R8,  RSB_R9 };
#define SAVED ((int32_t)(sizeof(saved) / sizeof(*saved)))

/* jmp and push through memory, whose ModRM byte says "relative to rip". */
static void jmp_memory(struct rsb_code *code, rsb_label slot)
{
	RSB_X86_BYTES(code, 0xff, 0x25);
	rsb_code_relative32(code, slot, 0);
}

static void push_memory(struct rsb_code *code, rsb_label slot)
{
	RSB_X86_BYTES(code, 0xff, 0x35);
	rsb_code_relative32(code, slot, 0);
}

static void emit_got(struct rsb_code *code, rsb_label value, const char *name)
{
	rsb_code_align(code, 8, 0);
	rsb_code_place(code, rsb_code_named(code, name));
	rsb_code_absolute64(code, value);
}

static void save(struct rsb_code *code)
{
	for (int32_t i = 0; i < SAVED; i++)
		rsb_x86_store(code, RSB_RSP, 8 * i, saved[i]);
	RSB_X86_BYTES(code, 0x0f, 0xae, 0x44, 0x24, FX); /* fxsave [rsp + 0x40] */
}

static void restore(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x0f, 0xae, 0x4c, 0x24, FX); /* fxrstor [rsp + 0x40] */
	for (int32_t i = SAVED; i-- > 0;)
		rsb_x86_load(code, saved[i], RSB_RSP, 8 * i);
}

/* The entry pushed what to look up and where; the function is entered as if it had been called. */
static void emit_resolver(struct rsb_code *code)
{
	rsb_code_function(code, "_dl_runtime_resolve");
	rsb_x86_push(code, RSB_RBX);
	rsb_x86_mov(code, RSB_RBX, RSB_RSP);
	rsb_x86_and_imm(code, RSB_RSP, -16);
	rsb_x86_sub_imm(code, RSB_RSP, AREA);
	save(code);
	rsb_x86_load(code, RSB_RSI, RSB_RBX, 16);
	rsb_x86_load(code, RSB_RDI, RSB_RBX, 8);
	rsb_x86_call(code, rsb_code_named(code, "_dl_fixup"));
	rsb_x86_mov(code, RSB_R11, RSB_RAX);
	restore(code);
	rsb_x86_mov(code, RSB_RSP, RSB_RBX);
	rsb_x86_load(code, RSB_RBX, RSB_RSP, 0);
	rsb_x86_add_imm(code, RSB_RSP, 24);
	rsb_x86_jmp_register(code, RSB_R11);
}

static void emit_lookup(struct rsb_code *code, rsb_label function)
{
	rsb_code_function(code, "_dl_fixup");
	rsb_x86_mov_label(code, RSB_RAX, function);
	rsb_x86_return(code);
}

/* The first entry of the table, which all others use. */
static void emit_first_entry(struct rsb_code *code)
{
	rsb_code_function(code, "plt0");
	push_memory(code, rsb_code_named(code, "got_link_map"));
	jmp_memory(code, rsb_code_named(code, "got_resolver"));
}

static void emit(struct rsb_code *code, const int64_t *values)
{
	rsb_label function = rsb_code_named(code, "function"), push = rsb_code_label(code);

	rsb_code_function(code, "target");
	jmp_memory(code, rsb_code_named(code, "got_function"));
	rsb_code_place(code, push);
	rsb_x86_push_imm(code, 0);
	rsb_x86_jmp(code, rsb_code_named(code, "plt0"));
	emit_first_entry(code);

	rsb_traced_start(code, "function", false);
	rsb_traced_body(code);
	emit_resolver(code);
	emit_lookup(code, function);

	emit_got(code, function, "got_link_map"); /* any address will do */
	emit_got(code, rsb_code_named(code, "_dl_runtime_resolve"), "got_resolver");
	emit_got(code, values[BINDING] == LAZY ? push : function, "got_function");
}

const struct rsb_family rsb_family_plt = {
	.name = "plt",
	.summary = "a function of a shared object, through the procedure linkage table",
	.parameters = rows,
	.emit = emit,
};
