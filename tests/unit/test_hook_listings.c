/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The families of hooks and probes of user space, by their listings: each was read beside the
 * source that its test names. Numbers from 0x18000000 on are addresses of data.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

static struct rsb_image *image;

/* What comes before the ways to leave. */
#define ON_LEAVE                                \
	"push 0\n"                              \
	"push rax\n"                            \
	"push rcx\n"                            \
	"push rdx\n"                            \
	"push rsi\n"                            \
	"push rdi\n"                            \
	"push r8\n"                             \
	"push r9\n"                             \
	"push r10\n"                            \
	"push r11\n"                            \
	"lea rdi, [rsp + 0x48]\n"               \
	"call _gum_function_context_on_leave\n" \
	"pop r11\n"                             \
	"pop r10\n"                             \
	"pop r9\n"                              \
	"pop r8\n"                              \
	"pop rdi\n"                             \
	"pop rsi\n"                             \
	"pop rdx\n"                             \
	"pop rcx\n"                             \
	"pop rax\n"

/* The registers are saved around each call; on_leave has a placeholder above them. */
START_TEST(frida)
{
	image = listing_make("hook", "by=frida on_leave=true");
	listing_expect(image, "target", "jmp on_enter\n");
	listing_expect(image, "on_enter",
		       "push rax\n"
		       "push rcx\n"
		       "push rdx\n"
		       "push rsi\n"
		       "push rdi\n"
		       "push r8\n"
		       "push r9\n"
		       "push r10\n"
		       "push r11\n"
		       "lea rdi, [rsp + 0x48]\n"
		       "call _gum_function_context_on_enter\n"
		       "pop r11\n"
		       "pop r10\n"
		       "pop r9\n"
		       "pop r8\n"
		       "pop rdi\n"
		       "pop rsi\n"
		       "pop rdx\n"
		       "pop rcx\n"
		       "pop rax\n"
		       "push rbp\n"
		       "mov rbp, rsp\n"
		       "jmp target_rest\n");
	listing_expect(image, "on_leave", ON_LEAVE "ret\n");
	rsb_image_free(image);
	image = listing_make("hook", "by=frida on_leave=true leave=dummy-call");
	listing_expect(image, "on_leave",
		       ON_LEAVE "call on_leave+0x2c\n"
				"int3\n"
				"lea rsp, [rsp + 8]\n"
				"ret\n");
	rsb_image_free(image);
}
END_TEST

/* A jmp at the site, the moved instructions, and a jmp back. */
START_TEST(detours)
{
	image = listing_make("hook", "by=detours");
	listing_expect(image, "target", "jmp hook\n");
	listing_expect(image, "hook",
		       "sub rsp, 8\n"
		       "call trampoline\n"
		       "add rsp, 8\n"
		       "ret\n");
	listing_expect(image, "trampoline",
		       "push rbp\n"
		       "mov rbp, rsp\n"
		       "jmp target_rest\n");
	listing_expect(image, "target_rest",
		       "mov rax, rdi\n"
		       "add rax, rsi\n"
		       "pop rbp\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The trampolines of arch/x86/kernel/uprobes.c, Linux 6.12, and what the kernel does. */
START_TEST(probes_of_the_kernel)
{
	image = listing_make("uprobe", "at=return by=syscall");
	listing_expect(image, "target", "jmp kernel_int3\n");
	listing_expect(image, "kernel_int3",
		       "movabs r10, 0x18000000\n"
		       "mov r11, qword ptr [rsp]\n"
		       "mov qword ptr [r10], r11\n"
		       "movabs r11, uretprobe_trampoline\n"
		       "mov qword ptr [rsp], r11\n"
		       "jmp resume\n");
	listing_expect(image, "uretprobe_trampoline",
		       "push rax\n"
		       "push rcx\n"
		       "push r11\n"
		       "mov eax, 0x14f\n"
		       "syscall\n"
		       "jmp kernel_uretprobe\n");
	listing_expect(image, "after_syscall",
		       "pop r11\n"
		       "pop rcx\n"
		       "ret\n");
	listing_expect(image, "kernel_uretprobe",
		       "movabs r10, 0x18000000\n"
		       "mov r11, qword ptr [r10]\n"
		       "mov rax, qword ptr [rsp + 0x10]\n"
		       "mov qword ptr [rsp + 0x10], r11\n"
		       "jmp after_syscall\n");
	rsb_image_free(image);
	image = listing_make("uprobe", "at=entry by=syscall");
	listing_expect(image, "target",
		       "call uprobe_trampoline\n"
		       "push rbp\n"
		       "mov rbp, rsp\n"
		       "mov rax, rdi\n"
		       "add rax, rsi\n"
		       "pop rbp\n"
		       "ret\n");
	listing_expect(image, "uprobe_trampoline",
		       "push rcx\n"
		       "push r11\n"
		       "push rax\n"
		       "mov eax, 0x150\n"
		       "syscall\n"
		       "pop rax\n"
		       "pop r11\n"
		       "pop rcx\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("listings of hooks", frida, detours, probes_of_the_kernel)
