/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The x86-64 emitter: each instruction as Capstone reads it back. */
#include "sim/generate/x86.h"

#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
				     "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15" };

/* Compares what has been emitted, which is freed. */
static void compare(struct rsb_code *code, const char *want)
{
	uint64_t end = rsb_code_here(code);
	struct rsb_image *image = listing_image(code);
	char got[1024], line[256];

	listing_write(image, RSB_CODE_BASE, end, got, sizeof(got));
	snprintf(line, sizeof(line), "%s\n", want);
	ck_assert_str_eq(got, line);
	rsb_image_free(image);
}

/* A row: what a call of the emitter, with "code" in it, has to read back as. */
#define EMITS(text, call)                                            \
	do {                                                         \
		struct rsb_code *code = rsb_code_new(RSB_CODE_BASE); \
                                                                     \
		call;                                                \
		compare(code, text);                                 \
	} while (0)

/* Between registers, and to and from the stack. */
START_TEST(moves)
{
	EMITS("push rbp", rsb_x86_push(code, RSB_RBP));
	EMITS("push r12", rsb_x86_push(code, RSB_R12));
	EMITS("push 0x64", rsb_x86_push_imm(code, 100));
	EMITS("push 0x186a0", rsb_x86_push_imm(code, 100000));
	EMITS("pop rbp", rsb_x86_pop(code, RSB_RBP));
	EMITS("pop r15", rsb_x86_pop(code, RSB_R15));
	EMITS("mov rbp, rsp", rsb_x86_mov(code, RSB_RBP, RSB_RSP));
	EMITS("mov r9, rax", rsb_x86_mov(code, RSB_R9, RSB_RAX));
	EMITS("mov rax, r9", rsb_x86_mov(code, RSB_RAX, RSB_R9));
}
END_TEST

/* The shortest encoding that gives all 64 bits: zero-extended, sign-extended, whole. */
START_TEST(immediates)
{
	EMITS("mov eax, 2", rsb_x86_mov_imm(code, RSB_RAX, 2));
	EMITS("mov r11d, 0xffffffff", rsb_x86_mov_imm(code, RSB_R11, UINT32_MAX));
	EMITS("mov rdi, -1", rsb_x86_mov_imm(code, RSB_RDI, UINT64_MAX));
	EMITS("mov r8, -0x80000000", rsb_x86_mov_imm(code, RSB_R8, UINT64_C(0xffffffff80000000)));
	EMITS("movabs rsi, 0x100000000", rsb_x86_mov_imm(code, RSB_RSI, UINT64_C(0x100000000)));
	EMITS("movabs r10, 0xffffffff7fffffff",
	      rsb_x86_mov_imm(code, RSB_R10, UINT64_C(0xffffffff7fffffff)));
	EMITS("movabs rax, 0x123456789abcdef0",
	      rsb_x86_mov_label(code, RSB_RAX,
				rsb_code_external(code, UINT64_C(0x123456789abcdef0))));
}
END_TEST

/* Loads and stores by a base and a displacement. */
START_TEST(memory)
{
	EMITS("mov rdi, qword ptr [rbp - 0x18]", rsb_x86_load(code, RSB_RDI, RSB_RBP, -0x18));
	EMITS("mov qword ptr [rbp + 8], rax", rsb_x86_store(code, RSB_RBP, 8, RSB_RAX));
	EMITS("mov qword ptr [rsp + 0x78], 0", rsb_x86_store_imm(code, RSB_RSP, 0x78, 0));
	EMITS("lea rsp, [rsp + 8]", rsb_x86_lea(code, RSB_RSP, RSB_RSP, 8));
	EMITS("lea rcx, [rsp]", rsb_x86_lea(code, RSB_RCX, RSB_RSP, 0));
}
END_TEST

/* rsp and r12 as a base need a SIB byte; rbp and r13 need a displacement, if only 0. */
START_TEST(every_base)
{
	static const int32_t displacements[] = { 0, 1, 0x7f, 0x80, -0x80, -0x81, 0x12345678 };
	static const char *const texts[] = { "",        " + 1",    " + 0x7f",      " + 0x80",
					     " - 0x80", " - 0x81", " + 0x12345678" };

	for (unsigned base = 0; base < RSB_X86_REGISTERS; base++) {
		for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
			char text[128];

			snprintf(text, sizeof(text), "mov r14, qword ptr [%s%s]", names[base],
				 texts[i]);
			EMITS(text, rsb_x86_load(code, RSB_R14, base, displacements[i]));
		}
	}
}
END_TEST

/* The upper eight need a bit of the REX prefix. */
START_TEST(every_register)
{
	for (unsigned i = 0; i < RSB_X86_REGISTERS; i++) {
		char text[64];

		snprintf(text, sizeof(text), "push %s", names[i]);
		EMITS(text, rsb_x86_push(code, i));
		snprintf(text, sizeof(text), "pop %s", names[i]);
		EMITS(text, rsb_x86_pop(code, i));
		snprintf(text, sizeof(text), "mov %s, %s", names[i], names[15 - i]);
		EMITS(text, rsb_x86_mov(code, i, 15 - i));
		snprintf(text, sizeof(text), "call %s", names[i]);
		EMITS(text, rsb_x86_call_register(code, i));
		snprintf(text, sizeof(text), "jmp %s", names[i]);
		EMITS(text, rsb_x86_jmp_register(code, i));
	}
}
END_TEST

/* On registers and on memory, gs included. */
START_TEST(arithmetic)
{
	EMITS("add rsp, 8", rsb_x86_add_imm(code, RSB_RSP, 8));
	EMITS("add rsp, 0x80", rsb_x86_add_imm(code, RSB_RSP, 0x80));
	EMITS("sub rsp, 0x38", rsb_x86_sub_imm(code, RSB_RSP, 0x38));
	EMITS("sub r13, 0xa8", rsb_x86_sub_imm(code, RSB_R13, 0xa8));
	EMITS("add rax, rsi", rsb_x86_add(code, RSB_RAX, RSB_RSI));
	EMITS("xor edi, edi", rsb_x86_zero(code, RSB_RDI));
	EMITS("xor r9d, r9d", rsb_x86_zero(code, RSB_R9));
	EMITS("test rax, rax", rsb_x86_test(code, RSB_RAX, RSB_RAX));
	EMITS("cmp qword ptr [rbp - 8], 0", rsb_x86_compare_imm(code, RSB_RBP, -8, 0));
	EMITS("dec qword ptr [rsp]", rsb_x86_decrement(code, RSB_RSP, 0));
	EMITS("dec r9", rsb_x86_decrement_register(code, RSB_R9));
	EMITS("and rax, 0xfffffffffffffffe", rsb_x86_and_imm(code, RSB_RAX, ~1));
	EMITS("test al, 1", rsb_x86_test_al_imm(code, 1));
	EMITS("sar qword ptr gs:[0x10], 5", rsb_x86_gs_sar(code, 0x10, 5));
	EMITS("shl qword ptr gs:[0x10], 5", rsb_x86_gs_shl(code, 0x10, 5));
	EMITS("mov qword ptr gs:[0x10], -1", rsb_x86_gs_store_imm(code, 0x10, -1));
}
END_TEST

/* Intel SDM 2, ADD: an immediate of one byte is sign-extended, so that it is -128 to 127. */
START_TEST(short_immediates)
{
	static const struct {
		int32_t value;
		uint64_t length; /* of the instruction */
	} rows[] = { { -129, 7 }, { -128, 4 }, { 127, 4 }, { 128, 7 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);

		rsb_x86_add_imm(code, RSB_RSP, rows[i].value);
		ck_assert_uint_eq(rsb_code_here(code), RSB_CODE_BASE + rows[i].length);
		rsb_code_free(code);
	}
}
END_TEST

/* Those without operands. */
START_TEST(instructions_that_do_little)
{
	EMITS("endbr64", rsb_x86_endbr64(code));
	EMITS("int3", rsb_x86_int3(code));
	EMITS("leave", rsb_x86_leave(code));
	EMITS("lfence", rsb_x86_lfence(code));
	EMITS("pause", rsb_x86_pause(code));
	EMITS("popfq", rsb_x86_popfq(code));
	EMITS("pushfq", rsb_x86_pushfq(code));
	EMITS("ud2", rsb_x86_ud2(code));
}
END_TEST

/* One nop of each size up to 8 bytes, then more of them; never a wrong number of bytes. */
START_TEST(nops)
{
	for (unsigned size = 0; size <= 40; size++) {
		struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);
		unsigned lines = 0;
		char text[1024];
		struct rsb_image *image;

		rsb_x86_nop(code, size);
		rsb_x86_leave(code); /* code of no bytes would have no image */
		ck_assert_uint_eq(rsb_code_here(code), RSB_CODE_BASE + size + 1);
		image = listing_image(code);
		listing_write(image, RSB_CODE_BASE, RSB_CODE_BASE + size + 1, text, sizeof(text));
		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
			ck_assert(!strncmp(line, "nop", 3) || !strcmp(line, "leave"));
			lines++;
		}
		ck_assert_uint_eq(lines, (size + 7) / 8 + 1);
		rsb_image_free(image);
	}
}
END_TEST

static rsb_label far_away(struct rsb_code *code)
{
	return rsb_code_external(code, 0x401000);
}

/* Direct ones, and a ret with what stops behind it. */
START_TEST(transfers)
{
	EMITS("jmp 0x401000", rsb_x86_jmp(code, far_away(code)));
	EMITS("je 0x401000", rsb_x86_jcc(code, RSB_EQUAL, far_away(code)));
	EMITS("jne 0x401000", rsb_x86_jcc(code, RSB_NOT_EQUAL, far_away(code)));
	EMITS("call 0x401000", rsb_x86_call_bare(code, far_away(code)));
	EMITS("call 0x401000", rsb_x86_call(code, far_away(code)));
	EMITS("ret\nint3", rsb_x86_ret(code));
	EMITS("ret\nint3", rsb_x86_return(code));
}
END_TEST

/* A short branch over one instruction, forward. */
START_TEST(short_branch)
{
	struct rsb_code *code = rsb_code_new(RSB_CODE_BASE);
	rsb_label skip = rsb_code_label(code);

	rsb_x86_jcc_short(code, RSB_EQUAL, skip);
	rsb_x86_leave(code);
	rsb_code_place(code, skip);
	rsb_x86_leave(code);
	ck_assert_uint_eq(rsb_code_here(code), RSB_CODE_BASE + 4);
	compare(code, "je 0x10000003\nleave\nleave");
}
END_TEST

UNIT_MAIN("x86-64 emitter", moves, immediates, memory, every_base, every_register, arithmetic,
	  short_immediates, instructions_that_do_little, nops, transfers, short_branch)
