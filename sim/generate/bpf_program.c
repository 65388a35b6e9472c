/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BPF programs. */
#include "sim/generate/bpf_program.h"

#include "sim/generate/families.h"
#include "sim/generate/x86_encode.h"

#define NEXT     "bpf_prog_next"
#define ARRAY    "bpf_array"
#define PROG     "bpf_prog"
#define CALLS    33   /* MAX_TAIL_CALL_CNT */
#define LANDING  12   /* X86_TAIL_CALL_OFFSET without endbr64: past the site and the frame */
#define ENDBR    4    /* its bytes */
#define ENTRIES  0x10 /* struct bpf_map: max_entries */
#define POINTERS 0x20 /* struct bpf_array: ptrs; the kernel's is further on */
#define BPF_FUNC 0x30 /* struct bpf_prog */

/* The slot below the frame's top where the counter's address is, where a program needs no stack of
 * its own. */
#define COUNTER -0x10

/* Up to where tail calls land. */
static void emit_frame(struct rsb_code *code, bool endbr)
{
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	if (endbr)
		rsb_x86_endbr64(code);
}

static void emit_end(struct rsb_code *code, uint32_t result)
{
	if (result)
		rsb_x86_mov_imm(code, RSB_RAX, result);
	else
		rsb_x86_zero(code, RSB_RAX);
	rsb_x86_leave(code);
	rsb_x86_return(code);
}

/* A program can be traced itself. */
void rsb_bpf_program_emit(struct rsb_code *code, const char *name,
			  const struct rsb_bpf_program *program)
{
	rsb_bpf_preamble_emit(code, program->cfi, program->endbr, 1, name);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_x86_nop(code, 3);
	emit_frame(code, program->endbr);
	emit_end(code, program->result);
}

/* The counter is in the frame of the first program; those behind get its address in rax. */
static void emit_counter(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x48, 0x83, 0xf8, CALLS); /* cmp rax, CALLS */
	RSB_X86_BYTES(code, 0x77, 0x06);              /* ja: it is an address */
	rsb_x86_push(code, RSB_RAX);
	rsb_x86_mov(code, RSB_RAX, RSB_RSP);
	RSB_X86_BYTES(code, 0xeb, 0x01); /* jmp over the push */
	rsb_x86_push(code, RSB_RAX);
	rsb_x86_push(code, RSB_RAX);
}

static void emit_limit(struct rsb_code *code, rsb_label out)
{
	RSB_X86_BYTES(code, 0x48, 0x8b, 0x85); /* mov rax, [rbp + COUNTER] */
	rsb_x86_imm32(code, (uint32_t)COUNTER);
	rsb_x86_compare_imm(code, RSB_RAX, 0, CALLS);
	rsb_x86_jcc_short(code, RSB_ABOVE_EQUAL, out);
}

/* Counts, and takes down what is below the frame's top. */
static void emit_count(struct rsb_code *code)
{
	RSB_X86_BYTES(code, 0x48, 0x83, 0x00, 0x01); /* add qword [rax], 1 */
	rsb_x86_pop(code, RSB_RAX);
	rsb_x86_pop(code, RSB_RAX);
}

static void emit_direct(struct rsb_code *code, rsb_label out)
{
	emit_limit(code, out);
	rsb_x86_nop(code, 5); /* a jmp to out while the array's entry is empty */
	emit_count(code);
	rsb_x86_jmp(code, rsb_code_named(code, NEXT "_landing"));
}

static void emit_indirect(struct rsb_code *code, rsb_label out, bool endbr)
{
	RSB_X86_BYTES(code, 0x89, 0xd2);          /* mov edx, edx */
	RSB_X86_BYTES(code, 0x39, 0x56, ENTRIES); /* cmp [rsi + ENTRIES], edx */
	rsb_x86_jcc_short(code, RSB_BELOW_EQUAL, out);
	emit_limit(code, out);
	RSB_X86_BYTES(code, 0x48, 0x8b, 0x8c, 0xd6); /* mov rcx, [rsi + rdx * 8 + POINTERS] */
	rsb_x86_imm32(code, POINTERS);
	rsb_x86_test(code, RSB_RCX, RSB_RCX);
	rsb_x86_jcc_short(code, RSB_EQUAL, out);
	emit_count(code);
	rsb_x86_load(code, RSB_RCX, RSB_RCX, BPF_FUNC);
	rsb_x86_add_imm(code, RSB_RCX, LANDING + (endbr ? ENDBR : 0));
	rsb_x86_jmp_register(code, RSB_RCX);
}

void rsb_bpf_tail_caller_emit(struct rsb_code *code, enum rsb_bpf_tail_call how, bool endbr)
{
	rsb_label out = rsb_code_label(code);

	RSB_X86_BYTES(code, 0x48, 0x31, 0xc0); /* xor rax, rax: no tail call yet */
	emit_frame(code, endbr);
	emit_counter(code);
	rsb_x86_mov_label(code, RSB_RSI, rsb_code_named(code, ARRAY));
	rsb_x86_zero(code, RSB_RDX);
	if (how == RSB_BPF_TAIL_DIRECT)
		emit_direct(code, out);
	else
		emit_indirect(code, out, endbr);
	rsb_code_place(code, out);
	emit_end(code, 0);
}

/* The array of programs with one entry, and what the kernel knows of that program. */
static void emit_array(struct rsb_code *code)
{
	rsb_code_align(code, 16, 0xcc);
	rsb_code_place(code, rsb_code_named(code, ARRAY));
	rsb_code_fill(code, ENTRIES, 0);
	rsb_x86_imm32(code, 1);
	rsb_code_fill(code, POINTERS - ENTRIES - 4, 0);
	rsb_code_absolute64(code, rsb_code_named(code, PROG));
	rsb_code_align(code, 16, 0);
	rsb_code_place(code, rsb_code_named(code, PROG));
	rsb_code_fill(code, BPF_FUNC, 0);
	rsb_code_absolute64(code, rsb_code_named(code, NEXT));
}

void rsb_bpf_tail_callee_emit(struct rsb_code *code, const struct rsb_bpf_program *program)
{
	rsb_bpf_preamble_emit(code, program->cfi, program->endbr, 1, NEXT);
	rsb_x86_nop(code, RSB_TRACED_SITE);
	rsb_x86_nop(code, 3);
	rsb_x86_push(code, RSB_RBP);
	rsb_x86_mov(code, RSB_RBP, RSB_RSP);
	rsb_code_place(code, rsb_code_named(code, NEXT "_landing"));
	if (program->endbr)
		rsb_x86_endbr64(code);
	emit_end(code, program->result);
	emit_array(code);
}
