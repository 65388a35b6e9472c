/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way into an image and the clocks around it.
 *
 * A chain adds registers: of constants Golden Cove adds several a cycle, even if they wait for each
 * other. lfence keeps what comes before a reading of the counter from moving behind it, and what
 * comes after from moving before it (Intel SDM, RDTSC).
 */
#include "sim/native/child.h"

#if RSB_NATIVE_HERE

_Static_assert(offsetof(struct rsb_native_frame, stack) == 8 &&
		       offsetof(struct rsb_native_frame, warmup) == 16 &&
		       offsetof(struct rsb_native_frame, rounds) == 24 &&
		       offsetof(struct rsb_native_frame, fs_base) == 32 &&
		       offsetof(struct rsb_native_frame, gs_base) == 40 &&
		       offsetof(struct rsb_native_frame, bases) == 48 &&
		       offsetof(struct rsb_native_frame, ticks) == 56 &&
		       offsetof(struct rsb_native_frame, left) == 64 &&
		       offsetof(struct rsb_native_frame, fs_kept) == 72 &&
		       offsetof(struct rsb_native_frame, gs_kept) == 80,
	       "the assembly has these numbers");

/*
 * rsb_round keeps the registers that the ABI has it keep, rbx and rsp too, or what comes after goes
 * wrong in a child that nobody misses. The stack pointer is a multiple of 16 before each call.
 */
__asm__(".text\n"
	".p2align 6\n"
	".globl rsb_native_enter\n"
	".hidden rsb_native_enter\n"
	".type rsb_native_enter, @function\n"
	"rsb_native_enter:\n"
	"	push %rbx\n"
	"	push %rbp\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rdi, %rbx\n"
	"	mov %rsp, %r13\n"
	"	mov 8(%rbx), %rsp\n"
	"	push %r13\n"
	"	push %rbx\n"
	"	cmpq $0, 48(%rbx)\n"
	"	je 1f\n"
	"	rdfsbase %rax\n"
	"	mov %rax, 72(%rbx)\n"
	"	rdgsbase %rax\n"
	"	mov %rax, 80(%rbx)\n"
	"	mov 32(%rbx), %rax\n"
	"	wrfsbase %rax\n"
	"	mov 40(%rbx), %rax\n"
	"	wrgsbase %rax\n"
	"1:	mov 16(%rbx), %rax\n"
	"	mov %rax, 64(%rbx)\n"
	"	test %rax, %rax\n"
	"	je 3f\n"
	".p2align 5\n"
	"2:	call *(%rbx)\n"
	"	decq 64(%rbx)\n"
	"	jne 2b\n"
	"3:	mov 24(%rbx), %rax\n"
	"	mov %rax, 64(%rbx)\n"
	"	lfence\n"
	"	rdtsc\n"
	"	lfence\n"
	"	shl $32, %rdx\n"
	"	or %rdx, %rax\n"
	"	mov %rax, 56(%rbx)\n"
	".p2align 5\n"
	"4:	call *(%rbx)\n"
	"	decq 64(%rbx)\n"
	"	jne 4b\n"
	"	lfence\n"
	"	rdtsc\n"
	"	lfence\n"
	"	shl $32, %rdx\n"
	"	or %rdx, %rax\n"
	"	sub 56(%rbx), %rax\n"
	"	mov %rax, 56(%rbx)\n"
	"	cmpq $0, 48(%rbx)\n"
	"	je 5f\n"
	"	mov 72(%rbx), %rax\n"
	"	wrfsbase %rax\n"
	"	mov 80(%rbx), %rax\n"
	"	wrgsbase %rax\n"
	"5:	cld\n"
	"	pop %rbx\n"
	"	pop %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbp\n"
	"	pop %rbx\n"
	"	ret\n"
	".size rsb_native_enter, .-rsb_native_enter\n");

uint64_t rsb_native_chain(void)
{
	uint64_t start_low, start_high, end_low, end_high;

	_Static_assert(RSB_NATIVE_CHAIN == 4096, "the assembly has this number");
	__asm__ volatile("xor %%ecx, %%ecx\n"
			 "mov $1, %%esi\n"
			 "lfence\n"
			 "rdtsc\n"
			 "lfence\n"
			 "mov %%rax, %0\n"
			 "mov %%rdx, %1\n"
			 "mov $128, %%edi\n"
			 "1: .rept 32\n"
			 "add %%rsi, %%rcx\n"
			 ".endr\n"
			 "dec %%edi\n"
			 "jne 1b\n"
			 "lfence\n"
			 "rdtsc\n"
			 "lfence\n"
			 "mov %%rax, %2\n"
			 "mov %%rdx, %3\n"
			 : "=&r"(start_low), "=&r"(start_high), "=&r"(end_low), "=&r"(end_high)
			 :
			 : "rax", "rdx", "rcx", "rsi", "rdi", "cc", "memory");
	return (end_high << 32 | end_low) - (start_high << 32 | start_low);
}

#endif
