/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The families of user space that go from one stack to another, by their listings: each was read
 * beside the source that its test names. Numbers from 0x18000000 on are addresses of data.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

static struct rsb_image *image;

/* How both of glibc's functions go on in a context, rdx. */
#define SET_CONTEXT                         \
	"fldenv [rdx + 0x80]\n"             \
	"ldmxcsr dword ptr [rdx + 0xa0]\n"  \
	"mov rsp, qword ptr [rdx + 8]\n"    \
	"mov rbx, qword ptr [rdx + 0x10]\n" \
	"mov rbp, qword ptr [rdx + 0x18]\n" \
	"mov r12, qword ptr [rdx + 0x20]\n" \
	"mov r13, qword ptr [rdx + 0x28]\n" \
	"mov r14, qword ptr [rdx + 0x30]\n" \
	"mov r15, qword ptr [rdx + 0x38]\n" \
	"mov rcx, qword ptr [rdx]\n"        \
	"push rcx\n"                        \
	"mov rdi, qword ptr [rdx + 0x40]\n" \
	"mov rsi, qword ptr [rdx + 0x48]\n" \
	"mov rcx, qword ptr [rdx + 0x58]\n" \
	"mov r8, qword ptr [rdx + 0x60]\n"  \
	"mov r9, qword ptr [rdx + 0x68]\n"  \
	"mov rdx, qword ptr [rdx + 0x50]\n" \
	"xor eax, eax\n"

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
		       "mov rdx, r12\n" SET_CONTEXT "ret\n");
	rsb_image_free(image);
	image = listing_make("context-switch", "by=swapcontext other=starts");
	listing_expect(image, "setcontext",
		       "push rdi\n"
		       "mov eax, 0xe\n"
		       "syscall\n"
		       "pop rdx\n" SET_CONTEXT "ret\n");
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

UNIT_MAIN("listings of context switches", contexts_of_glibc, contexts_of_boost, fibers, goroutines,
	  preemption, continuations)
