/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ftrace's entries do with a traced function. The listings were written by hand after
 * arch/x86/kernel/ftrace_64.S of Linux 6.1, 6.12 and 6.19.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct rsb_image *image;

/* The last instructions of a symbol's code. */
static void expect_end(const char *symbol, const char *want)
{
	char got[8192];
	size_t length = strlen(want);

	listing_write_symbol(image, symbol, got, sizeof(got));
	ck_assert_uint_ge(strlen(got), length);
	ck_assert_str_eq(got + strlen(got) - length, want);
}

#define RESTORE                             \
	"mov rbp, qword ptr [rsp + 0x20]\n" \
	"mov r9, qword ptr [rsp + 0x40]\n"  \
	"mov r8, qword ptr [rsp + 0x48]\n"  \
	"mov rdi, qword ptr [rsp + 0x70]\n" \
	"mov rsi, qword ptr [rsp + 0x68]\n" \
	"mov rdx, qword ptr [rsp + 0x60]\n" \
	"mov rcx, qword ptr [rsp + 0x58]\n" \
	"mov rax, qword ptr [rsp + 0x50]\n"

/* The saved flags go where ss is, the address to go on to where they were. */
#define SWAP                                                          \
	"mov rdi, qword ptr [rsp + 0xa8]\n"                           \
	"mov qword ptr [rsp + 0xa0], rdi\n"                           \
	"mov qword ptr [rsp + 0xa8], rax\n" RESTORE "add rsp, 0xa0\n" \
	"popfq\n"

/* ftrace_caller saves the registers of arguments, and calls the tracer. */
START_TEST(saves_arguments)
{
	image = listing_make("ftrace", "");
	listing_expect(image, "target", "call ftrace_caller\n" LISTING_BODY);
	listing_expect(image, "function_trace_call", "ret\n");
	expect_end("ftrace_caller", "call function_trace_call\n"
				    "mov rax, qword ptr [rsp + 0x80]\n"
				    "mov qword ptr [rsp + 0xa8], rax\n" RESTORE "add rsp, 0xa8\n"
				    "ret\n");
	rsb_image_free(image);
}
END_TEST

/* Linux 6.1: the address is pushed and returned to. */
START_TEST(saves_all_and_pushes)
{
	image = listing_make("ftrace-direct", "direct=push");
	listing_expect(image, "target", "call ftrace_regs_caller\n" LISTING_BODY);
	listing_expect(image, "arch_ftrace_ops_list_func",
		       "movabs rax, trampoline\n"
		       "mov qword ptr [rcx + 0x78], rax\n"
		       "ret\n");
	listing_expect(image, "ftrace_regs_caller",
		       "pushfq\n"
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
		       "mov rsi, qword ptr [rsp + 0xb8]\n"
		       "mov rdi, qword ptr [rsp + 0xb0]\n"
		       "mov qword ptr [rsp + 0x80], rdi\n"
		       "sub rdi, 5\n"
		       "xor edx, edx\n"
		       "mov qword ptr [rsp], r15\n"
		       "mov qword ptr [rsp + 8], r14\n"
		       "mov qword ptr [rsp + 0x10], r13\n"
		       "mov qword ptr [rsp + 0x18], r12\n"
		       "mov qword ptr [rsp + 0x30], r11\n"
		       "mov qword ptr [rsp + 0x38], r10\n"
		       "mov qword ptr [rsp + 0x28], rbx\n"
		       "mov rcx, qword ptr [rsp + 0xa8]\n"
		       "mov qword ptr [rsp + 0x90], rcx\n"
		       "mov ecx, 0x18\n"
		       "mov qword ptr [rsp + 0xa0], rcx\n"
		       "mov ecx, 0x10\n"
		       "mov qword ptr [rsp + 0x88], rcx\n"
		       "lea rcx, [rsp + 0xb8]\n"
		       "mov qword ptr [rsp + 0x98], rcx\n"
		       "lea rcx, [rsp]\n"
		       "call arch_ftrace_ops_list_func\n"
		       "mov rax, qword ptr [rsp + 0x90]\n"
		       "mov qword ptr [rsp + 0xa8], rax\n"
		       "mov rax, qword ptr [rsp + 0x80]\n"
		       "mov qword ptr [rsp + 0xb0], rax\n"
		       "mov r15, qword ptr [rsp]\n"
		       "mov r14, qword ptr [rsp + 8]\n"
		       "mov r13, qword ptr [rsp + 0x10]\n"
		       "mov r12, qword ptr [rsp + 0x18]\n"
		       "mov r10, qword ptr [rsp + 0x38]\n"
		       "mov rbx, qword ptr [rsp + 0x28]\n"
		       "mov rax, qword ptr [rsp + 0x78]\n"
		       "mov qword ptr [rsp + 0xa0], rax\n"
		       "test rax, rax\n"
		       "jne ftrace_regs_caller+0x141\n" RESTORE "add rsp, 0xa8\n"
		       "popfq\n"
		       "ret\n"
		       "int3\n" SWAP "ret\n");
	rsb_image_free(image);
}
END_TEST

/* Linux 6.2: a call over an int3, whose return address is dropped. */
START_TEST(rebalances)
{
	image = listing_make("ftrace-direct", "direct=rebalance");
	expect_end("ftrace_regs_caller", "int3\n" SWAP "call ftrace_regs_caller+0x18f\n"
					 "int3\n"
					 "add rsp, 8\n"
					 "ret\n");
	rsb_image_free(image);
}
END_TEST

/* Linux 6.19: an odd address takes the place of the site's return address. */
START_TEST(replaces_the_return_address)
{
	image = listing_make("ftrace-direct", "direct=jmp program=fexit");
	listing_expect(image, "arch_ftrace_ops_list_func",
		       "movabs rax, trampoline\n"
		       "add rax, 1\n"
		       "mov qword ptr [rcx + 0x78], rax\n"
		       "ret\n");
	expect_end("ftrace_regs_caller",
		   "test al, 1\n"
		   "je ftrace_regs_caller+0x183\n"
		   "and rax, 0xfffffffffffffffe\n"
		   "mov qword ptr [rsp + 0xb0], rax\n" RESTORE "add rsp, 0xa8\n"
		   "popfq\n"
		   "ret\n"
		   "int3\n" SWAP "call ftrace_regs_caller+0x1d1\n"
		   "int3\n"
		   "add rsp, 8\n"
		   "ret\n");
	rsb_image_free(image);
}
END_TEST

/*
 * Where calls are accounted, the calls at the site and of the handler are, and the bare one for the
 * balance is not, so that it ends in a bare ret.
 */
START_TEST(accounts)
{
	char got[8192], *first;

	image = listing_make("ftrace-direct", "direct=rebalance return_thunk=call-depth");
	expect_end("ftrace_regs_caller", "add rsp, 8\nret\n");
	listing_write_symbol(image, "ftrace_regs_caller", got, sizeof(got));
	first = strstr(got, "sub rdi, 5\nsar qword ptr gs:[0x10], 5\n");
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_nonnull(
		strstr(first, "sar qword ptr gs:[0x10], 5\ncall arch_ftrace_ops_list_func\n"));
	rsb_image_free(image);
}
END_TEST

/* BPF_TRAMP_F_ORIG_STACK: ff d3, whatever the forms, to where the handler said. */
START_TEST(livepatched_too)
{
	char got[8192];

	image = listing_make("ftrace-direct", "program=fexit livepatch=true indirect=retpoline");
	listing_expect(image, "new_function", "nop dword ptr [rax + rax]\n" LISTING_BODY);
	listing_expect(image, "arch_ftrace_ops_list_func",
		       "movabs rax, new_function\n"
		       "mov qword ptr [rcx + 0x80], rax\n"
		       "movabs rax, trampoline\n"
		       "mov qword ptr [rcx + 0x78], rax\n"
		       "ret\n");
	listing_write_symbol(image, "trampoline", got, sizeof(got));
	ck_assert_ptr_nonnull(strstr(got, "mov rbx, qword ptr [rbp + 8]\n"
					  "call rbx\n"
					  "mov qword ptr [rbp - 8], rax\n"));
	expect_end("trampoline", "leave\nadd rsp, 8\nret\n");
	rsb_image_free(image);
}
END_TEST

/* bpf_trampoline_use_jmp() wants a call of the body whose address is not on the stack. */
START_TEST(what_jmp_cannot_lead_to)
{
	static const struct {
		const char *set, *why;
	} rows[] = {
		{ "direct=jmp", "nothing would lead into the body" },
		{ "direct=jmp program=fexit livepatch=true", "which a jmp does not leave" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rsb_error error;

		ck_assert_ptr_null(
			listing_family("ftrace-direct", rows[i].set, &RSB_SCENARIO_UNWIND, &error));
		ck_assert_msg(strstr(error.text, rows[i].why), "%s", error.text);
	}
}
END_TEST

UNIT_MAIN("ftrace", saves_arguments, saves_all_and_pushes, rebalances, replaces_the_return_address,
	  accounts, livepatched_too, what_jmp_cannot_lead_to)
