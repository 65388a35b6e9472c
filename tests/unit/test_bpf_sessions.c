/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sessions of BPF trampolines, instruction by instruction: listings written by hand after what
 * Linux 7.0 emits for a function of two arguments (98770bd4e6df "bpf,x86: add fsession support for
 * x86_64", with the bits of 8fe4dc4f6456). A program runs at both ends; what is new are stores.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

/* One instruction a line. */
/* clang-format off */

/* count is where the number of arguments is stored, frame the lowest slot: below the result, the
 * arguments, the count, the cookies and rbx. */
#define ENTRY(frame, rbx)                             \
	"push rbp\n"                                  \
	"mov rbp, rsp\n"                              \
	"sub rsp, " frame "\n"                        \
	"mov qword ptr [rbp - " rbx "], rbx\n"        \
	"mov eax, 2\n"                                \
	"mov qword ptr [rbp - 0x20], rax\n"           \
	"mov qword ptr [rbp - 0x18], rdi\n"           \
	"mov qword ptr [rbp - 0x10], rsi\n"           \
	"movabs rdi, trampoline\n"                    \
	"call __bpf_tramp_enter\n"

#define RUN(program, frame, skip)                     \
	"xor edi, edi\n"                              \
	"mov qword ptr [rbp - " frame "], rdi\n"      \
	"movabs rdi, " program "\n"                   \
	"lea rsi, [rbp - " frame "]\n"                \
	"call __bpf_prog_enter_recur\n"               \
	"mov rbx, rax\n"                              \
	"test rax, rax\n"                             \
	"je trampoline+" skip "\n"                    \
	"lea rdi, [rbp - 0x18]\n"                     \
	"call " program "\n"                          \
	"movabs rdi, " program "\n"                   \
	"mov rsi, rbx\n"                              \
	"lea rdx, [rbp - " frame "]\n"                \
	"call __bpf_prog_exit_recur\n"

#define ORIGIN                                        \
	"mov rdi, qword ptr [rbp - 0x18]\n"           \
	"mov rsi, qword ptr [rbp - 0x10]\n"           \
	"call target+0x5\n"                           \
	"mov qword ptr [rbp - 8], rax\n"              \
	"nop dword ptr [rax + rax]\n"

/* It is told that the body has run: bit 63. */
#define RETURNED                                      \
	"movabs rax, 0x8000000000000002\n"            \
	"mov qword ptr [rbp - 0x20], rax\n"

#define END(rbx)                                      \
	"movabs rdi, trampoline\n"                    \
	"call __bpf_tramp_exit\n"                     \
	"mov rax, qword ptr [rbp - 8]\n"              \
	"mov rbx, qword ptr [rbp - " rbx "]\n"        \
	"leave\n"

/* The result reads as zero until there is one. */
#define CLEAR(slot)                                   \
	"xor eax, eax\n"                              \
	"mov qword ptr [rbp - " slot "], rax\n"

#define PROGRAM "bpf_prog_fsession_1"

/* clang-format on */

/*
 * The branches go to 0x5c and 0xc0 by the lengths of the instructions: 29 bytes of entry, 15 to
 * enter, 6 to clear, 42 up to where a program that must not run continues, 22 after that, 22 for
 * the body, 14 to tell that it has run.
 */
START_TEST(without_cookies)
{
	struct rsb_image *image = listing_make("bpf-trampoline", "fsession=1 attach=jmp");

	listing_expect(image, "target", "jmp trampoline\n" LISTING_BODY);
	listing_expect(image, "trampoline",
		       ENTRY("0x38", "0x28") CLEAR("8") RUN(PROGRAM, "0x38", "0x5c")
			       ORIGIN RETURNED RUN(PROGRAM, "0x38", "0xc0") END("0x28") "ret\n");
	rsb_image_free(image);
}
END_TEST

/*
 * A cookie lies below the count, two slots below the first argument, and moves the rest down; each
 * half is told where it is (bits 8 on).
 */
START_TEST(with_a_cookie)
{
	struct rsb_image *image =
		listing_make("bpf-trampoline", "fsession=1 session_cookies=true exit=skip-frame");

	listing_expect(image, "target", "call trampoline\n" LISTING_BODY);
	listing_expect(image, "trampoline",
		       ENTRY("0x40", "0x30") CLEAR("0x28")
			       CLEAR("8") "mov eax, 0x202\nmov qword ptr [rbp - 0x20], rax\n" RUN(
				       PROGRAM, "0x40", "0x6b") ORIGIN RETURNED
		       "movabs rax, 0x8000000000000202\nmov qword ptr [rbp - 0x20], rax\n" RUN(
			       PROGRAM, "0x40", "0xdd") END("0x30") "add rsp, 8\nret\n");
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("sessions of BPF trampolines", without_cookies, with_a_cookie)
