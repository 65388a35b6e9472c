/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Livepatching. The listing of ftrace_caller was written by hand after arch/x86/kernel/ftrace_64.S
 * of Linux 6.12, which saves what a function's arguments are in and returns where the handler says.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

static struct rsb_image *image;

/* The handler writes where to go over the saved address, and ftrace_caller returns to it. */
START_TEST(through_ftrace)
{
	image = listing_make("livepatch", "through=ftrace");
	listing_expect(image, "target", "call ftrace_caller\n" LISTING_BODY);
	listing_expect(image, "new_function", "nop dword ptr [rax + rax]\n" LISTING_BODY);
	listing_expect(image, "ftrace_caller",
		       "sub rsp, 0xa8\n"
		       "mov qword ptr [rsp + 0x50], rax\n"
		       "mov qword ptr [rsp + 0x58], rcx\n"
		       "mov qword ptr [rsp + 0x60], rdx\n"
		       "mov qword ptr [rsp + 0x68], rsi\n"
		       "mov qword ptr [rsp + 0x70], rdi\n"
		       "mov qword ptr [rsp + 0x48], r8\n"
		       "mov qword ptr [rsp + 0x40], r9\n"
		       "mov qword ptr [rsp + 0x78], 0\n"
		       "mov qword ptr [rsp + 0x20], rbp\n"
		       "mov rsi, qword ptr [rsp + 0xb0]\n"
		       "mov rdi, qword ptr [rsp + 0xa8]\n"
		       "mov qword ptr [rsp + 0x80], rdi\n"
		       "sub rdi, 5\n"
		       "lea rcx, [rsp + 0xb0]\n"
		       "mov qword ptr [rsp + 0x98], rcx\n"
		       "xor edx, edx\n"
		       "lea rcx, [rsp]\n"
		       "mov qword ptr [rsp + 0x88], 0\n"
		       "call klp_ftrace_handler\n"
		       "mov rax, qword ptr [rsp + 0x80]\n"
		       "mov qword ptr [rsp + 0xa8], rax\n"
		       "mov rbp, qword ptr [rsp + 0x20]\n"
		       "mov r9, qword ptr [rsp + 0x40]\n"
		       "mov r8, qword ptr [rsp + 0x48]\n"
		       "mov rdi, qword ptr [rsp + 0x70]\n"
		       "mov rsi, qword ptr [rsp + 0x68]\n"
		       "mov rdx, qword ptr [rsp + 0x60]\n"
		       "mov rcx, qword ptr [rsp + 0x58]\n"
		       "mov rax, qword ptr [rsp + 0x50]\n"
		       "add rsp, 0xa8\n"
		       "ret\n");
	listing_expect(image, "klp_ftrace_handler",
		       "movabs rax, new_function\n"
		       "mov qword ptr [rcx + 0x80], rax\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The trampoline of a fexit program without one, which calls the new function for the body. */
START_TEST(through_a_bpf_trampoline)
{
	image = listing_make("livepatch", "through=bpf-jmp");
	listing_expect(image, "target", "jmp trampoline\n" LISTING_BODY);
	listing_expect(image, "trampoline",
		       "push rbp\n"
		       "mov rbp, rsp\n"
		       "sub rsp, 0x38\n"
		       "mov qword ptr [rbp - 0x28], rbx\n"
		       "mov eax, 2\n"
		       "mov qword ptr [rbp - 0x20], rax\n"
		       "mov qword ptr [rbp - 0x18], rdi\n"
		       "mov qword ptr [rbp - 0x10], rsi\n"
		       "movabs rdi, trampoline\n"
		       "call __bpf_tramp_enter\n"
		       "mov rdi, qword ptr [rbp - 0x18]\n"
		       "mov rsi, qword ptr [rbp - 0x10]\n"
		       "call new_function\n"
		       "mov qword ptr [rbp - 8], rax\n"
		       "nop dword ptr [rax + rax]\n"
		       "movabs rdi, trampoline\n"
		       "call __bpf_tramp_exit\n"
		       "mov rax, qword ptr [rbp - 8]\n"
		       "mov rbx, qword ptr [rbp - 0x28]\n"
		       "leave\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The site moves behind endbr64. */
START_TEST(endbr)
{
	image = listing_make("livepatch", "through=ftrace endbr=true");
	listing_expect(image, "target", "endbr64\ncall ftrace_caller\n" LISTING_BODY);
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("livepatch", through_ftrace, through_a_bpf_trampoline, endbr)
