/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations that are BPF programs, and the preambles of a kernel that checks its indirect calls,
 * instruction by instruction: listings written by hand after emit_cfi() and the INDIRECT form of
 * __arch_prepare_bpf_trampoline() (Linux 6.12, and since 85a2d4a890dc) and after what
 * arch/x86/kernel/alternative.c makes of the calls.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <string.h>

/* One instruction a line. */
/* clang-format off */

/* The function that calls the operation; check is what is done for its preamble. */
#define CALLER(check, call)                \
	"nop dword ptr [rax + rax]\n"      \
	"push rbp\n"                       \
	"movabs r11, trampoline\n"         \
	check                              \
	call "\n"                          \
	"pop rbp\n"                        \
	"ret\n"

/* The branch goes over 9 bytes: a lea and a call, and the store of the result. */
#define OPERATION(skip)                             \
	"push rbp\n"                                \
	"mov rbp, rsp\n"                            \
	"sub rsp, 0x38\n"                           \
	"mov qword ptr [rbp - 0x28], rbx\n"         \
	"mov eax, 2\n"                              \
	"mov qword ptr [rbp - 0x20], rax\n"         \
	"mov qword ptr [rbp - 0x18], rdi\n"         \
	"mov qword ptr [rbp - 0x10], rsi\n"         \
	"xor edi, edi\n"                            \
	"mov qword ptr [rbp - 0x38], rdi\n"         \
	"movabs rdi, bpf_prog_struct_ops_1\n"       \
	"lea rsi, [rbp - 0x38]\n"                   \
	"call __bpf_prog_enter\n"                   \
	"mov rbx, rax\n"                            \
	"test rax, rax\n"                           \
	"je trampoline+" skip "\n"                  \
	"lea rdi, [rbp - 0x18]\n"                   \
	"call bpf_prog_struct_ops_1\n"              \
	"mov qword ptr [rbp - 8], rax\n"            \
	"movabs rdi, bpf_prog_struct_ops_1\n"       \
	"mov rsi, rbx\n"                            \
	"lea rdx, [rbp - 0x38]\n"                   \
	"call __bpf_prog_exit\n"                    \
	"mov rax, qword ptr [rbp - 8]\n"            \
	"mov rbx, qword ptr [rbp - 0x28]\n"         \
	"leave\n"                                   \
	"ret\n"

#define NOPS "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\n"
#define POISON "nop dword ptr [rax - 0x2a]\n"

/* clang-format on */

/* 75 bytes: 29 of entry, 33 up to the branch and with it, 9 for the call, 4 to keep the result. */
START_TEST(plain)
{
	struct rsb_image *image = listing_make("struct-ops", "");

	listing_expect(image, "target", CALLER("", "call r11"));
	listing_expect(image, "trampoline", OPERATION("0x4b"));
	rsb_image_free(image);
	image = listing_make("struct-ops", "endbr=true indirect=retpoline");
	listing_expect(image, "target", "endbr64\n" CALLER("", "call __x86_indirect_thunk_r11"));
	listing_expect(image, "trampoline", "endbr64\n" OPERATION("0x4f"));
	rsb_image_free(image);
}
END_TEST

/* The caller adds what it expects, negated, to the hash 15 bytes before the function. */
START_TEST(kcfi)
{
	struct rsb_image *image = listing_make("struct-ops", "cfi=kcfi endbr=true");

	listing_expect(image, "target",
		       "endbr64\n" CALLER("mov r10d, 0xedcba988\n"
					  "add r10d, dword ptr [r11 - 0xf]\n"
					  "je target+0x22\n"
					  "ud2\n",
					  "call r11"));
	listing_expect(image, "__cfi_trampoline", "mov eax, 0x12345678\n" NOPS);
	listing_expect(image, "trampoline", "endbr64\n" OPERATION("0x4f"));
	rsb_image_free(image);
}
END_TEST

/* Of 6.12: r10, and a jz over a trap and what was endbr64. The call goes 16 bytes further up. */
START_TEST(fineibt_r10)
{
	struct rsb_image *image = listing_make("struct-ops", "cfi=fineibt-r10 endbr=true");

	listing_expect(image, "target",
		       "nop word ptr [rax]\n" CALLER("mov r10d, 0x12345678\n"
						     "sub r11, 0x10\n"
						     "nop dword ptr [rax]\n",
						     "call r11"));
	listing_expect(image, "__cfi_trampoline",
		       "endbr64\nsub r10d, 0x12345678\nje trampoline+0x4\nud2\nnop\n");
	listing_expect(image, "trampoline", "nop word ptr [rax]\n" OPERATION("0x4f"));
	rsb_image_free(image);
}
END_TEST

/* Later: eax, and a jne to a byte that is no instruction; or a call. */
START_TEST(fineibt)
{
	static const char caller[] = POISON CALLER("mov eax, 0x12345678\n"
						   "lea r11, [r11 - 0x10]\n",
						   "call r11");
	struct rsb_image *image = listing_make("struct-ops", "cfi=fineibt endbr=true");

	listing_expect(image, "target", caller);
	listing_expect(image, "__cfi_trampoline",
		       "endbr64\nsub eax, 0x12345678\njne trampoline+0x3\n");
	listing_expect(image, "trampoline", POISON OPERATION("0x4f"));
	rsb_image_free(image);

	image = listing_make("struct-ops", "cfi=fineibt-bhi endbr=true");
	listing_expect(image, "target", caller);
	listing_expect(image, "__cfi_trampoline",
		       "endbr64\nsub eax, 0x12345678\ncall __bhi_args_2\n");
	listing_expect(image, "__bhi_args_2",
		       "jne __bhi_args_2+0xc\ncmovne rdi, rax\n"
		       "cmovne rsi, rax\nret\nint3\nud2\n");
	listing_expect(image, "__cfi_bpf_prog_struct_ops_1",
		       "endbr64\nsub eax, 0x12345678\ncall __bhi_args_1\n");
	rsb_image_free(image);
}
END_TEST

/* The call through the pointer is accounted for by the caller; the trampoline begins with none. */
START_TEST(accounting)
{
	struct rsb_image *image = listing_make("struct-ops", "return_thunk=call-depth");
	char got[4096];

	listing_write_symbol(image, "trampoline", got, sizeof(got));
	ck_assert(!strncmp(got, "push rbp\n", 9));
	listing_write_symbol(image, "target", got, sizeof(got));
	ck_assert(strstr(got, "sar qword ptr gs:[0x10], 5\ncall r11\n"));
	rsb_image_free(image);
}
END_TEST

/* At a traced function, direct calls and jumps skip preambles: programs and trampolines alike. */
START_TEST(direct)
{
	struct rsb_image *image =
		listing_make("bpf-trampoline", "fexit=1 attach=jmp cfi=fineibt-bhi endbr=true");
	char got[4096];

	listing_expect(image, "target", POISON "jmp trampoline\n" LISTING_BODY);
	listing_write_symbol(image, "trampoline", got, sizeof(got));
	ck_assert(!strncmp(got, "push rbp\n", 9));
	ck_assert(strstr(got, "call target+0x9\n"));
	ck_assert(strstr(got, "call bpf_prog_fexit_1\n"));
	listing_expect(image, "bpf_prog_fexit_1",
		       POISON "nop dword ptr [rax + rax]\n"
			      "nop dword ptr [rax]\n"
			      "push rbp\n"
			      "mov rbp, rsp\n"
			      "endbr64\n"
			      "xor eax, eax\n"
			      "leave\n"
			      "ret\n");
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("operations and preambles", plain, kcfi, fineibt_r10, fineibt, accounting, direct)
