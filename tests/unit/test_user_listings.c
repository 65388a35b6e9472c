/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The families of user space, by their listings: each was read beside the source that its test
 * names. Numbers from 0x18000000 on are addresses of data.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct rsb_image *image;

/* The resolver of glibc 2.36 for processors without xsave: after dl-trampoline.h. */
START_TEST(lazy_plt)
{
	image = listing_make("plt", "binding=lazy");
	listing_expect(image, "_dl_runtime_resolve",
		       "push rbx\n"
		       "mov rbx, rsp\n"
		       "and rsp, 0xfffffffffffffff0\n"
		       "sub rsp, 0x240\n"
		       "mov qword ptr [rsp], rax\n"
		       "mov qword ptr [rsp + 8], rcx\n"
		       "mov qword ptr [rsp + 0x10], rdx\n"
		       "mov qword ptr [rsp + 0x18], rsi\n"
		       "mov qword ptr [rsp + 0x20], rdi\n"
		       "mov qword ptr [rsp + 0x28], r8\n"
		       "mov qword ptr [rsp + 0x30], r9\n"
		       "fxsave [rsp + 0x40]\n"
		       "mov rsi, qword ptr [rbx + 0x10]\n"
		       "mov rdi, qword ptr [rbx + 8]\n"
		       "call _dl_fixup\n"
		       "mov r11, rax\n"
		       "fxrstor [rsp + 0x40]\n"
		       "mov r9, qword ptr [rsp + 0x30]\n"
		       "mov r8, qword ptr [rsp + 0x28]\n"
		       "mov rdi, qword ptr [rsp + 0x20]\n"
		       "mov rsi, qword ptr [rsp + 0x18]\n"
		       "mov rdx, qword ptr [rsp + 0x10]\n"
		       "mov rcx, qword ptr [rsp + 8]\n"
		       "mov rax, qword ptr [rsp]\n"
		       "mov rsp, rbx\n"
		       "mov rbx, qword ptr [rsp]\n"
		       "add rsp, 0x18\n"
		       "jmp r11\n");
	rsb_image_free(image);
}
END_TEST

/* The thunk that gcc emits, and a call over one byte. */
START_TEST(own_address)
{
	image = listing_make("own-address", "by=pc-thunk");
	listing_expect(image, "target",
		       "call __x86.get_pc_thunk.cx\n"
		       "push rbp\n"
		       "mov rbp, rsp\n"
		       "mov rax, rdi\n"
		       "add rax, rsi\n"
		       "pop rbp\n"
		       "ret\n");
	listing_expect(image, "__x86.get_pc_thunk.cx",
		       "mov rcx, qword ptr [rsp]\n"
		       "ret\n");
	rsb_image_free(image);
	image = listing_make("own-address", "by=call-pop data=1");
	listing_expect(image, "target",
		       "call target+0x6\n"
		       "int3\n"
		       "pop rcx\n"
		       "push rbp\n"
		       "mov rbp, rsp\n"
		       "mov rax, rdi\n"
		       "add rax, rsi\n"
		       "pop rbp\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* After setjmp.S and __longjmp.S of glibc 2.36, without the mangling of pointers. */
START_TEST(setjmp_and_longjmp)
{
	image = listing_make("unwind", "by=longjmp");
	listing_expect(image, "target",
		       "sub rsp, 8\n"
		       "movabs rdi, 0x18000000\n"
		       "call __sigsetjmp\n"
		       "test rax, rax\n"
		       "jne target+0x21\n"
		       "call frame_1\n"
		       "add rsp, 8\n"
		       "ret\n");
	listing_expect(image, "frame_2",
		       "sub rsp, 8\n"
		       "call __longjmp\n"
		       "add rsp, 8\n"
		       "ret\n");
	listing_expect(image, "__sigsetjmp",
		       "mov qword ptr [rdi], rbx\n"
		       "mov qword ptr [rdi + 8], rbp\n"
		       "mov qword ptr [rdi + 0x10], r12\n"
		       "mov qword ptr [rdi + 0x18], r13\n"
		       "mov qword ptr [rdi + 0x20], r14\n"
		       "mov qword ptr [rdi + 0x28], r15\n"
		       "lea rdx, [rsp + 8]\n"
		       "mov qword ptr [rdi + 0x30], rdx\n"
		       "mov rax, qword ptr [rsp]\n"
		       "mov qword ptr [rdi + 0x38], rax\n"
		       "jmp __sigjmp_save\n");
	listing_expect(image, "__longjmp",
		       "movabs rdi, 0x18000000\n"
		       "mov r8, qword ptr [rdi + 0x30]\n"
		       "mov rbx, qword ptr [rdi]\n"
		       "mov rbp, qword ptr [rdi + 8]\n"
		       "mov r12, qword ptr [rdi + 0x10]\n"
		       "mov r13, qword ptr [rdi + 0x18]\n"
		       "mov r14, qword ptr [rdi + 0x20]\n"
		       "mov r15, qword ptr [rdi + 0x28]\n"
		       "mov rdx, qword ptr [rdi + 0x38]\n"
		       "mov eax, 1\n"
		       "mov rsp, r8\n"
		       "jmp rdx\n");
	rsb_image_free(image);
}
END_TEST

/* The end of _Unwind_RaiseException() as libgcc 12 has it when disassembled: mov, pop, jmp. */
START_TEST(exceptions)
{
	image = listing_make("unwind", "by=throw");
	listing_expect(image, "landing_pad",
		       "call __cxa_begin_catch\n"
		       "call __cxa_end_catch\n"
		       "add rsp, 8\n"
		       "ret\n");
	listing_expect(image, "_Unwind_RaiseException",
		       "sub rsp, 8\n"
		       "call unwind_phase1\n"
		       "call unwind_phase2\n"
		       "movabs rax, 0x18000000\n"
		       "mov rcx, qword ptr [rax]\n"
		       "movabs rdx, landing_pad\n"
		       "mov qword ptr [rcx - 8], rdx\n"
		       "lea rcx, [rcx - 8]\n"
		       "mov rsp, rcx\n"
		       "pop rcx\n"
		       "jmp rcx\n");
	rsb_image_free(image);
}
END_TEST

/* After swapcontext.S, setcontext.S and __start_context.S of glibc 2.36: push rcx and ret. */
START_TEST(contexts_of_glibc)
{
	image = listing_make("context-switch", "by=swapcontext");
	listing_expect(image, "swapcontext",
		       "mov qword ptr [rdi + 0x10], rbx\n"
		       "mov qword ptr [rdi + 0x18], rbp\n"
		       "mov qword ptr [rdi + 0x20], r12\n"
		       "mov qword ptr [rdi + 0x28], r13\n"
		       "mov qword ptr [rdi + 0x30], r14\n"
		       "mov qword ptr [rdi + 0x38], r15\n"
		       "mov qword ptr [rdi + 0x40], rdi\n"
		       "mov qword ptr [rdi + 0x48], rsi\n"
		       "mov qword ptr [rdi + 0x50], rdx\n"
		       "mov qword ptr [rdi + 0x58], rcx\n"
		       "mov qword ptr [rdi + 0x60], r8\n"
		       "mov qword ptr [rdi + 0x68], r9\n"
		       "mov rcx, qword ptr [rsp]\n"
		       "mov qword ptr [rdi], rcx\n"
		       "lea rcx, [rsp + 8]\n"
		       "mov qword ptr [rdi + 8], rcx\n"
		       "fnstenv [rdi + 0x80]\n"
		       "stmxcsr dword ptr [rdi + 0xa0]\n"
		       "mov r12, rsi\n"
		       "mov eax, 0xe\n"
		       "syscall\n"
		       "mov rdx, r12\n"
		       "fldenv [rdx + 0x80]\n"
		       "ldmxcsr dword ptr [rdx + 0xa0]\n"
		       "mov rsp, qword ptr [rdx + 8]\n"
		       "mov rbx, qword ptr [rdx + 0x10]\n"
		       "mov rbp, qword ptr [rdx + 0x18]\n"
		       "mov r12, qword ptr [rdx + 0x20]\n"
		       "mov r13, qword ptr [rdx + 0x28]\n"
		       "mov r14, qword ptr [rdx + 0x30]\n"
		       "mov r15, qword ptr [rdx + 0x38]\n"
		       "mov rcx, qword ptr [rdx]\n"
		       "push rcx\n"
		       "mov rdi, qword ptr [rdx + 0x40]\n"
		       "mov rsi, qword ptr [rdx + 0x48]\n"
		       "mov rcx, qword ptr [rdx + 0x58]\n"
		       "mov r8, qword ptr [rdx + 0x60]\n"
		       "mov r9, qword ptr [rdx + 0x68]\n"
		       "mov rdx, qword ptr [rdx + 0x50]\n"
		       "xor eax, eax\n"
		       "ret\n");
	rsb_image_free(image);
	image = listing_make("context-switch", "by=swapcontext other=starts");
	listing_expect(image, "setcontext",
		       "push rdi\n"
		       "mov eax, 0xe\n"
		       "syscall\n"
		       "pop rdx\n"
		       "fldenv [rdx + 0x80]\n"
		       "ldmxcsr dword ptr [rdx + 0xa0]\n"
		       "mov rsp, qword ptr [rdx + 8]\n"
		       "mov rbx, qword ptr [rdx + 0x10]\n"
		       "mov rbp, qword ptr [rdx + 0x18]\n"
		       "mov r12, qword ptr [rdx + 0x20]\n"
		       "mov r13, qword ptr [rdx + 0x28]\n"
		       "mov r14, qword ptr [rdx + 0x30]\n"
		       "mov r15, qword ptr [rdx + 0x38]\n"
		       "mov rcx, qword ptr [rdx]\n"
		       "push rcx\n"
		       "mov rdi, qword ptr [rdx + 0x40]\n"
		       "mov rsi, qword ptr [rdx + 0x48]\n"
		       "mov rcx, qword ptr [rdx + 0x58]\n"
		       "mov r8, qword ptr [rdx + 0x60]\n"
		       "mov r9, qword ptr [rdx + 0x68]\n"
		       "mov rdx, qword ptr [rdx + 0x50]\n"
		       "xor eax, eax\n"
		       "ret\n");
	listing_expect(image, "__start_context",
		       "mov rsp, rbx\n"
		       "mov rdi, qword ptr [rsp]\n"
		       "call setcontext\n");
	rsb_image_free(image);
}
END_TEST

/* After jump_x86_64_sysv_elf_gas.S of Boost 1.74; its registers are in another order there. */
START_TEST(contexts_of_boost)
{
	image = listing_make("context-switch", "by=fcontext");
	listing_expect(image, "jump_fcontext",
		       "lea rsp, [rsp - 0x38]\n"
		       "stmxcsr dword ptr [rsp]\n"
		       "fnstcw word ptr [rsp + 4]\n"
		       "mov qword ptr [rsp + 8], rbx\n"
		       "mov qword ptr [rsp + 0x10], rbp\n"
		       "mov qword ptr [rsp + 0x18], r12\n"
		       "mov qword ptr [rsp + 0x20], r13\n"
		       "mov qword ptr [rsp + 0x28], r14\n"
		       "mov qword ptr [rsp + 0x30], r15\n"
		       "mov rax, rsp\n"
		       "mov rsp, rdi\n"
		       "mov r8, qword ptr [rsp + 0x38]\n"
		       "ldmxcsr dword ptr [rsp]\n"
		       "fldcw word ptr [rsp + 4]\n"
		       "mov rbx, qword ptr [rsp + 8]\n"
		       "mov rbp, qword ptr [rsp + 0x10]\n"
		       "mov r12, qword ptr [rsp + 0x18]\n"
		       "mov r13, qword ptr [rsp + 0x20]\n"
		       "mov r14, qword ptr [rsp + 0x28]\n"
		       "mov r15, qword ptr [rsp + 0x30]\n"
		       "lea rsp, [rsp + 0x40]\n"
		       "mov rdx, rsi\n"
		       "mov rdi, rax\n"
		       "jmp r8\n");
	listing_expect(image, "other",
		       "mov rdi, rax\n"
		       "call jump_fcontext\n"
		       "jmp other\n");
	rsb_image_free(image);
}
END_TEST

/* By push and ret; the jmp has the same but for its last three instructions. */
START_TEST(fibers)
{
	image = listing_make("context-switch", "by=push-ret");
	listing_expect(image, "swap_context",
		       "mov r8, qword ptr [rsp]\n"
		       "mov qword ptr [rdi], r8\n"
		       "lea r8, [rsp + 8]\n"
		       "mov qword ptr [rdi + 8], r8\n"
		       "mov qword ptr [rdi + 0x10], rbx\n"
		       "mov qword ptr [rdi + 0x18], rbp\n"
		       "mov qword ptr [rdi + 0x20], r12\n"
		       "mov qword ptr [rdi + 0x28], r13\n"
		       "mov qword ptr [rdi + 0x30], r14\n"
		       "mov qword ptr [rdi + 0x38], r15\n"
		       "mov r8, qword ptr [rsi]\n"
		       "mov rsp, qword ptr [rsi + 8]\n"
		       "mov rbx, qword ptr [rsi + 0x10]\n"
		       "mov rbp, qword ptr [rsi + 0x18]\n"
		       "mov r12, qword ptr [rsi + 0x20]\n"
		       "mov r13, qword ptr [rsi + 0x28]\n"
		       "mov r14, qword ptr [rsi + 0x30]\n"
		       "mov r15, qword ptr [rsi + 0x38]\n"
		       "push r8\n"
		       "xor eax, eax\n"
		       "ret\n");
	listing_expect(image, "other",
		       "movabs rdi, 0x18000200\n"
		       "movabs rsi, 0x18000000\n"
		       "call swap_context\n"
		       "jmp other\n");
	rsb_image_free(image);
	image = listing_make("context-switch", "by=jmp");
	listing_expect(image, "swap_context",
		       "mov r8, qword ptr [rsp]\n"
		       "mov qword ptr [rdi], r8\n"
		       "lea r8, [rsp + 8]\n"
		       "mov qword ptr [rdi + 8], r8\n"
		       "mov qword ptr [rdi + 0x10], rbx\n"
		       "mov qword ptr [rdi + 0x18], rbp\n"
		       "mov qword ptr [rdi + 0x20], r12\n"
		       "mov qword ptr [rdi + 0x28], r13\n"
		       "mov qword ptr [rdi + 0x30], r14\n"
		       "mov qword ptr [rdi + 0x38], r15\n"
		       "mov r8, qword ptr [rsi]\n"
		       "mov rsp, qword ptr [rsi + 8]\n"
		       "mov rbx, qword ptr [rsi + 0x10]\n"
		       "mov rbp, qword ptr [rsi + 0x18]\n"
		       "mov r12, qword ptr [rsi + 0x20]\n"
		       "mov r13, qword ptr [rsi + 0x28]\n"
		       "mov r14, qword ptr [rsi + 0x30]\n"
		       "mov r15, qword ptr [rsi + 0x38]\n"
		       "xor eax, eax\n"
		       "jmp r8\n");
	rsb_image_free(image);
}
END_TEST

/* After runtime/asm_amd64.s of Go 1.19: CALL R12, JMP BX. */
START_TEST(goroutines)
{
	image = listing_make("go", "by=gosched");
	listing_expect(image, "target",
		       "push rbp\n"
		       "movabs rax, gosched_m\n"
		       "call mcall\n"
		       "pop rbp\n"
		       "ret\n");
	listing_expect(image, "mcall",
		       "mov r12, rax\n"
		       "movabs r14, 0x18000000\n"
		       "mov rbx, qword ptr [rsp]\n"
		       "mov qword ptr [r14 + 8], rbx\n"
		       "lea rbx, [rsp + 8]\n"
		       "mov qword ptr [r14], rbx\n"
		       "mov qword ptr [r14 + 0x10], rbp\n"
		       "movabs rsp, 0x18000020\n"
		       "add rsp, 0x1000\n"
		       "push r14\n"
		       "call r12\n"
		       "pop rax\n");
	listing_expect(image, "gogo",
		       "movabs r14, 0x18000000\n"
		       "mov rsp, qword ptr [r14]\n"
		       "mov rbp, qword ptr [r14 + 0x10]\n"
		       "mov rbx, qword ptr [r14 + 8]\n"
		       "mov qword ptr [r14], 0\n"
		       "mov qword ptr [r14 + 0x10], 0\n"
		       "mov qword ptr [r14 + 8], 0\n"
		       "jmp rbx\n");
	rsb_image_free(image);
	image = listing_make("go", "by=morestack");
	listing_expect(image, "morestack",
		       "movabs r14, 0x18000000\n"
		       "mov rbx, qword ptr [rsp]\n"
		       "mov qword ptr [r14 + 8], rbx\n"
		       "lea rbx, [rsp + 8]\n"
		       "mov qword ptr [r14], rbx\n"
		       "mov qword ptr [r14 + 0x10], rbp\n"
		       "movabs rsp, 0x18000020\n"
		       "add rsp, 0x1000\n"
		       "call newstack\n");
	rsb_image_free(image);
}
END_TEST

/* After runtime/preempt_amd64.s of Go 1.19. */
START_TEST(preemption)
{
	image = listing_make("go", "by=async-preempt");
	listing_expect(image, "asyncPreempt",
		       "push rbp\n"
		       "mov rbp, rsp\n"
		       "pushfq\n"
		       "sub rsp, 0x170\n"
		       "mov qword ptr [rsp], rax\n"
		       "mov qword ptr [rsp + 8], rcx\n"
		       "mov qword ptr [rsp + 0x10], rdx\n"
		       "mov qword ptr [rsp + 0x18], rbx\n"
		       "mov qword ptr [rsp + 0x20], rsi\n"
		       "mov qword ptr [rsp + 0x28], rdi\n"
		       "mov qword ptr [rsp + 0x30], r8\n"
		       "mov qword ptr [rsp + 0x38], r9\n"
		       "mov qword ptr [rsp + 0x40], r10\n"
		       "mov qword ptr [rsp + 0x48], r11\n"
		       "mov qword ptr [rsp + 0x50], r12\n"
		       "mov qword ptr [rsp + 0x58], r13\n"
		       "mov qword ptr [rsp + 0x60], r14\n"
		       "mov qword ptr [rsp + 0x68], r15\n"
		       "call asyncPreempt2\n"
		       "mov r15, qword ptr [rsp + 0x68]\n"
		       "mov r14, qword ptr [rsp + 0x60]\n"
		       "mov r13, qword ptr [rsp + 0x58]\n"
		       "mov r12, qword ptr [rsp + 0x50]\n"
		       "mov r11, qword ptr [rsp + 0x48]\n"
		       "mov r10, qword ptr [rsp + 0x40]\n"
		       "mov r9, qword ptr [rsp + 0x38]\n"
		       "mov r8, qword ptr [rsp + 0x30]\n"
		       "mov rdi, qword ptr [rsp + 0x28]\n"
		       "mov rsi, qword ptr [rsp + 0x20]\n"
		       "mov rbx, qword ptr [rsp + 0x18]\n"
		       "mov rdx, qword ptr [rsp + 0x10]\n"
		       "mov rcx, qword ptr [rsp + 8]\n"
		       "mov rax, qword ptr [rsp]\n"
		       "add rsp, 0x170\n"
		       "popfq\n"
		       "pop rbp\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

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
	listing_expect(image, "on_leave",
		       "push 0\n"
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
		       "call _gum_function_context_on_leave\n"
		       "pop r11\n"
		       "pop r10\n"
		       "pop r9\n"
		       "pop r8\n"
		       "pop rdi\n"
		       "pop rsi\n"
		       "pop rdx\n"
		       "pop rcx\n"
		       "pop rax\n"
		       "ret\n");
	rsb_image_free(image);
	image = listing_make("hook", "by=frida on_leave=true leave=dummy-call");
	listing_expect(image, "on_leave",
		       "push 0\n"
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
		       "call _gum_function_context_on_leave\n"
		       "pop r11\n"
		       "pop r10\n"
		       "pop r9\n"
		       "pop r8\n"
		       "pop rdi\n"
		       "pop rsi\n"
		       "pop rdx\n"
		       "pop rcx\n"
		       "pop rax\n"
		       "call on_leave+0x2c\n"
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

/* After libgcc/config/i386/morestack.S: what is called is behind the ret. */
START_TEST(split_stacks)
{
	image = listing_make("split-stack", "");
	listing_expect(image, "target",
		       "call __morestack\n"
		       "ret\n");
	listing_expect(image, "__morestack",
		       "push rbp\n"
		       "mov rbp, rsp\n"
		       "push rdi\n"
		       "push rsi\n"
		       "call __generic_morestack\n"
		       "pop rsi\n"
		       "pop rdi\n"
		       "movabs r10, target_body\n"
		       "movabs rsp, 0x18000000\n"
		       "add rsp, 0x1000\n"
		       "call r10\n"
		       "push rax\n"
		       "push rax\n"
		       "call __generic_releasestack\n"
		       "pop rax\n"
		       "mov rsp, rbp\n"
		       "pop rbp\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The trampoline that gcc 12 writes: the function to r11, the frame to r10. */
START_TEST(nested_functions)
{
	image = listing_make("nested-function", "");
	listing_expect(image, "target",
		       "endbr64\n"
		       "movabs r11, nested\n"
		       "movabs r10, 0x18000000\n"
		       "jmp r11\n");
	rsb_image_free(image);
}
END_TEST

/* The restorer of glibc, and a frame below the red zone. */
START_TEST(signals)
{
	image = listing_make("signal", "");
	listing_expect(image, "target", "jmp kernel_signal\n");
	listing_expect(image, "kernel_signal",
		       "mov r11, rsp\n"
		       "sub rsp, 0xc8\n"
		       "movabs r10, __restore_rt\n"
		       "mov qword ptr [rsp], r10\n"
		       "mov qword ptr [rsp + 8], r11\n"
		       "mov qword ptr [rsp + 0x10], rdi\n"
		       "mov qword ptr [rsp + 0x18], rsi\n"
		       "jmp handler\n");
	listing_expect(image, "handler", "ret\n");
	listing_expect(image, "__restore_rt",
		       "mov eax, 0xf\n"
		       "syscall\n"
		       "jmp kernel_sigreturn\n");
	listing_expect(image, "kernel_sigreturn",
		       "mov rdi, qword ptr [rsp + 8]\n"
		       "mov rsi, qword ptr [rsp + 0x10]\n"
		       "mov rsp, qword ptr [rsp]\n"
		       "jmp resume\n");
	rsb_image_free(image);
}
END_TEST

/* How V8's entry ends, without shadow stacks and with them, and what calls to adapt those do. */
START_TEST(deoptimization)
{
	char text[4096];

	image = listing_make("deopt", "frames=1");
	listing_write_symbol(image, "Deoptimization_Entry", text, sizeof(text));
	ck_assert_msg(strstr(text, "call compute_output_frames\n"
				   "pop rax\n"
				   "movabs rcx, bytecode\n"
				   "push rcx\n"
				   "movabs rcx, NotifyDeoptimized\n"
				   "push rcx\n"
				   "ret\n"),
		      "%s", text);
	rsb_image_free(image);
	image = listing_make("deopt", "adapt=true");
	listing_expect(image, "AdaptShadowStackForDeopt", "pop rax\n");
	listing_expect(image, "adapt_first",
		       "dec r11\n"
		       "pop rax\n"
		       "push r11\n"
		       "call EnsureValidReturnAddress\n"
		       "pop r11\n"
		       "jmp rax\n");
	listing_expect(image, "adapt_bytecode", "call AdaptShadowStackForDeopt\n");
	listing_expect(image, "bytecode", "jmp interpreter_dispatch\n");
	rsb_image_free(image);
}
END_TEST

/* OpenJDK's stubs: enterSpecial drops its frame by what the thread has of it, as yield does. */
START_TEST(continuations)
{
	image = listing_make("continuation", "");
	listing_expect(image, "cont_thaw",
		       "pop rcx\n"
		       "call prepare_thaw\n"
		       "sub rsp, 0x40\n"
		       "call thaw\n"
		       "pop rbp\n"
		       "ret\n");
	listing_expect(image, "continuation_yield",
		       "push rbp\n"
		       "mov rsi, rsp\n"
		       "call freeze\n"
		       "movabs rax, 0x18000000\n"
		       "mov rsp, qword ptr [rax]\n"
		       "add rsp, 0x48\n"
		       "pop rbp\n"
		       "ret\n");
	rsb_image_free(image);
	image = listing_make("continuation", "thaws=one enter=jmp");
	listing_expect(image, "cont_thaw",
		       "call prepare_thaw\n"
		       "sub rsp, 0x20\n"
		       "call thaw\n"
		       "pop rbp\n"
		       "ret\n");
	listing_expect(image, "cont_returnBarrier",
		       "movabs rcx, 0x18000000\n"
		       "mov rsp, qword ptr [rcx]\n"
		       "call prepare_thaw\n"
		       "sub rsp, 0x20\n"
		       "call thaw\n"
		       "pop rbp\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* What cannot be is refused, with the reason. */
START_TEST(refused)
{
	static const struct {
		const char *family, *set, *why;
	} rows[] = {
		{ "own-address", "by=pc-thunk data=4", "calls over" },
		{ "context-switch", "by=fcontext other=starts", "only makecontext()" },
		{ "hook", "by=detours on_leave=true", "calls the function" },
		{ "hook", "by=frida leave=dummy-call", "is paired" },
		{ "uprobe", "at=entry leave=iret", "function's own return" },
		{ "uprobe", "at=return by=int3 leave=dummy-call", "the kernel goes to the caller" },
		{ "uprobe", "at=return by=int3 leave=iret", "always comes back by iret" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rsb_error error = { "" };

		image = listing_family(rows[i].family, rows[i].set, &RSB_SCENARIO_UNWIND, &error);
		ck_assert_msg(!image, "%s %s", rows[i].family, rows[i].set);
		ck_assert_msg(strstr(error.text, rows[i].why), "%s %s: %s", rows[i].family,
			      rows[i].set, error.text);
	}
}
END_TEST

UNIT_MAIN("listings of user space", lazy_plt, own_address, setjmp_and_longjmp, exceptions,
	  contexts_of_glibc, contexts_of_boost, fibers, goroutines, preemption, frida, detours,
	  probes_of_the_kernel, split_stacks, nested_functions, signals, deoptimization,
	  continuations, refused)
