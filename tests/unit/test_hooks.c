/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions whose return is traced, and optimised kprobes. The listings were written by hand after
 * Linux 6.12: arch/x86/kernel/ftrace_64.S, rethook.c, kprobes/opt.c and kprobes/common.h.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct rsb_image *image;

#define ASK                                 \
	"mov rdi, rsp\n"                    \
	"sub rsp, 8\n"                      \
	"sub rsp, 0xa8\n"                   \
	"mov qword ptr [rsp + 0x50], rax\n" \
	"mov qword ptr [rsp + 0x60], rdx\n" \
	"mov qword ptr [rsp + 0x20], rbp\n" \
	"mov qword ptr [rsp + 0x98], rdi\n" \
	"mov rdi, rsp\n"                    \
	"call ftrace_return_to_handler\n"   \
	"mov rdi, rax\n"                    \
	"mov rdx, qword ptr [rsp + 0x60]\n" \
	"mov rax, qword ptr [rsp + 0x50]\n" \
	"add rsp, 0xb0\n"

#define SAVE              \
	"sub rsp, 0x18\n" \
	"push rdi\n"      \
	"push rsi\n"      \
	"push rdx\n"      \
	"push rcx\n"      \
	"push rax\n"      \
	"push r8\n"       \
	"push r9\n"       \
	"push r10\n"      \
	"push r11\n"      \
	"push rbx\n"      \
	"push rbp\n"      \
	"push r12\n"      \
	"push r13\n"      \
	"push r14\n"      \
	"push r15\n"

#define RESTORE           \
	"pop r15\n"       \
	"pop r14\n"       \
	"pop r13\n"       \
	"pop r12\n"       \
	"pop rbp\n"       \
	"pop rbx\n"       \
	"pop r11\n"       \
	"pop r10\n"       \
	"pop r9\n"        \
	"pop r8\n"        \
	"pop rax\n"       \
	"pop rcx\n"       \
	"pop rdx\n"       \
	"pop rsi\n"       \
	"pop rdi\n"       \
	"add rsp, 0x18\n" \
	"add rsp, 0x10\n" \
	"popfq\n"

/* The caller's address is replaced where it is, and put back behind a call over an int3. */
START_TEST(function_graph)
{
	image = listing_make("function-graph", "");
	listing_expect(image, "target", "call ftrace_caller\n" LISTING_BODY);
	listing_expect(image, "ftrace_graph_func",
		       "mov rax, qword ptr [rcx + 0x98]\n"
		       "movabs rdx, return_to_handler\n"
		       "mov qword ptr [rax], rdx\n"
		       "ret\n");
	listing_expect(image, "return_to_handler",
		       ASK "call return_to_handler+0x47\n"
			   "int3\n"
			   "mov qword ptr [rsp], rdi\n"
			   "ret\n");
	listing_expect(image, "ftrace_return_to_handler", "movabs rax, rsb_landing\nret\n");
	rsb_image_free(image);
}
END_TEST

/* Without that call; and by a jump, which takes the form that the code has. */
START_TEST(function_graph_leaves_otherwise)
{
	image = listing_make("function-graph", "leave=ret");
	listing_expect(image, "return_to_handler", ASK "push rdi\nret\n");
	rsb_image_free(image);
	image = listing_make("function-graph", "leave=jmp");
	listing_expect(image, "return_to_handler", ASK "jmp rdi\n");
	rsb_image_free(image);
	image = listing_make("function-graph", "leave=jmp indirect=retpoline");
	listing_expect(image, "return_to_handler", ASK "jmp __x86_indirect_thunk_rdi\n");
	rsb_image_free(image);
}
END_TEST

/* The last return is bare where calls are accounted, as the call before it is. */
START_TEST(function_graph_accounts)
{
	char got[8192];

	image = listing_make("function-graph", "return_thunk=call-depth");
	listing_write_symbol(image, "return_to_handler", got, sizeof(got));
	ck_assert_ptr_nonnull(
		strstr(got, "sar qword ptr gs:[0x10], 5\ncall ftrace_return_to_handler\n"));
	ck_assert_ptr_nonnull(strstr(got, "int3\nmov qword ptr [rsp], rdi\nret\n"));
	rsb_image_free(image);
}
END_TEST

/* The address that is pushed first is the one that the callback replaces. */
START_TEST(rethook)
{
	image = listing_make("rethook", "");
	listing_expect(image, "target", "call ftrace_regs_caller\n" LISTING_BODY);
	listing_expect(image, "kprobe_ftrace_handler",
		       "mov rax, qword ptr [rcx + 0x98]\n"
		       "movabs rdx, arch_rethook_trampoline\n"
		       "mov qword ptr [rax], rdx\n"
		       "ret\n");
	listing_expect(image, "arch_rethook_trampoline",
		       "push arch_rethook_trampoline\n"
		       "push 0x18\n"
		       "push rsp\n"
		       "pushfq\n" SAVE "mov rdi, rsp\n"
		       "call arch_rethook_trampoline_callback\n" RESTORE "ret\n");
	listing_expect(image, "arch_rethook_trampoline_callback",
		       "movabs rax, rsb_landing\n"
		       "mov qword ptr [rdi + 0xa8], rax\n"
		       "mov rax, qword ptr [rdi + 0x90]\n"
		       "mov qword ptr [rdi + 0xa0], rax\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* A call of its own stands before the return. */
START_TEST(rethook_balanced)
{
	image = listing_make("rethook", "leave=dummy-call");
	listing_expect(image, "arch_rethook_trampoline",
		       "push arch_rethook_trampoline\n"
		       "push 0x18\n"
		       "push rsp\n"
		       "pushfq\n" SAVE "mov rdi, rsp\n"
		       "call arch_rethook_trampoline_callback\n" RESTORE
		       "call arch_rethook_trampoline+0x52\n"
		       "int3\n"
		       "add rsp, 8\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The detour, and the callback that replaces the caller's address, a push above the saved rsp. */
START_TEST(rethook_by_a_kprobe)
{
	image = listing_make("rethook", "entry=optimised");
	listing_expect(image, "target",
		       "jmp detour\n"
		       "mov eax, edi\n"
		       "add rax, rsi\n"
		       "pop rbp\n"
		       "ret\n");
	listing_expect(image, "optimized_callback",
		       "mov rax, qword ptr [rsi + 0x98]\n"
		       "movabs rdx, arch_rethook_trampoline\n"
		       "mov qword ptr [rax + 8], rdx\n"
		       "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The jmp overwrites three instructions, seven bytes, of which two are left over. */
START_TEST(kprobe)
{
	image = listing_make("kprobe", "endbr=true");
	listing_expect(image, "target",
		       "endbr64\n"
		       "nop dword ptr [rax + rax]\n"
		       "jmp detour\n"
		       "mov eax, edi\n"
		       "add rax, rsi\n"
		       "pop rbp\n"
		       "ret\n");
	listing_expect(image, "detour",
		       "push 0x18\n"
		       "push rsp\n"
		       "pushfq\n"
		       "nop dword ptr [rax]\n" SAVE "mov rsi, rsp\n"
		       "movabs rdi, detour\n"
		       "call optimized_callback\n"
		       "mov rdx, qword ptr [rsp + 0x90]\n"
		       "mov qword ptr [rsp + 0xa0], rdx\n" RESTORE "push rbp\n"
		       "mov rbp, rsp\n"
		       "mov rax, rdi\n"
		       "jmp target+0x10\n");
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("hooks", function_graph, function_graph_leaves_otherwise, function_graph_accounts,
	  rethook, rethook_balanced, rethook_by_a_kprobe, kprobe)
