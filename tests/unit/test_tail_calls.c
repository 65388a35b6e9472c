/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF program that ends in a tail call, traced: listings written by hand after emit_prologue()
 * and emit_bpf_tail_call_direct() and _indirect() of arch/x86/net/bpf_jit_comp.c (Linux 6.12).
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <string.h>

/* One instruction a line. */
/* clang-format off */

/* Where a program begins, behind its site; the counter is pushed, then its address. */
#define START(landing, yes, over)             \
	"xor rax, rax\n"                      \
	"push rbp\n"                          \
	"mov rbp, rsp\n"                      \
	landing                               \
	"cmp rax, 0x21\n"                     \
	"ja target+" yes "\n"                 \
	"push rax\n"                          \
	"mov rax, rsp\n"                      \
	"jmp target+" over "\n"               \
	"push rax\n"                          \
	"push rax\n"                          \
	"movabs rsi, bpf_array\n"             \
	"xor edx, edx\n"

#define LIMIT(out)                            \
	"mov rax, qword ptr [rbp - 0x10]\n"   \
	"cmp qword ptr [rax], 0x21\n"         \
	"jae target+" out "\n"

#define COUNT                                 \
	"add qword ptr [rax], 1\n"            \
	"pop rax\n"                           \
	"pop rax\n"

#define OUT                                   \
	"xor eax, eax\n"                      \
	"leave\n"                             \
	"ret\n"

/* clang-format on */

/* To a program that is known: by a jmp past its site and its frame, 12 bytes. */
START_TEST(direct)
{
	struct rsb_image *image =
		listing_make("bpf-trampoline", "fexit=1 attach=jmp tail_call=direct");

	listing_expect(image, "target",
		       "jmp trampoline\n" START("", "0x18", "0x19")
			       LIMIT("0x43") "nop dword ptr [rax + rax]\n" COUNT
					     "jmp bpf_prog_next_landing\n" OUT);
	listing_expect(image, "bpf_prog_next",
		       "nop dword ptr [rax + rax]\n"
		       "nop dword ptr [rax]\n"
		       "push rbp\n"
		       "mov rbp, rsp\n");
	listing_expect(image, "bpf_prog_next_landing", OUT);
	rsb_image_free(image);
}
END_TEST

/* To what is found in an array, past endbr64 too, to a second one. */
START_TEST(indirect)
{
	struct rsb_image *image =
		listing_make("bpf-trampoline", "fexit=1 attach=jmp tail_call=indirect endbr=true");

	listing_expect(image, "target",
		       "endbr64\njmp trampoline\n" START(
			       "endbr64\n", "0x20",
			       "0x21") "mov edx, edx\n"
				       "cmp dword ptr [rsi + 0x10], edx\n"
				       "jbe target+0x5f\n" LIMIT(
					       "0x5f") "mov rcx, qword ptr [rsi + rdx*8 + 0x20]\n"
						       "test rcx, rcx\n"
						       "je target+0x5f\n" COUNT
						       "mov rcx, qword ptr [rcx + 0x30]\n"
						       "add rcx, 0x10\n"
						       "jmp rcx\n" OUT);
	listing_expect(image, "bpf_prog_next_landing", "endbr64\n" OUT);
	rsb_image_free(image);
}
END_TEST

/* The trampoline pushes rax below its frame, and loads it again before the program. */
START_TEST(counter)
{
	struct rsb_image *image =
		listing_make("bpf-trampoline", "fexit=1 attach=jmp tail_call=direct");
	char got[4096];

	listing_write_symbol(image, "trampoline", got, sizeof(got));
	ck_assert(strstr(got, "sub rsp, 0x38\npush rax\n"));
	ck_assert(strstr(got, "mov rax, qword ptr [rbp - 0x40]\ncall target+0x5\n"));
	rsb_image_free(image);

	image = listing_make("bpf-trampoline", "fentry=1 tail_call=direct");
	listing_write_symbol(image, "trampoline", got, sizeof(got));
	ck_assert(strstr(got, "sub rsp, 0x30\npush rax\n"));
	ck_assert(strstr(got, "mov rax, qword ptr [rbp - 0x38]\n"
			      "mov rbx, qword ptr [rbp - 0x20]\nleave\nret\n"));
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("tail calls of BPF programs", direct, indirect, counter)
