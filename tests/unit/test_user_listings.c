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
	  split_stacks, nested_functions, signals, deoptimization, refused)
