/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BPF trampolines, instruction by instruction. The listings were written by hand after what
 * __arch_prepare_bpf_trampoline() of Linux 6.12 (for jmp: 6.19) emits for a function of two
 * arguments, not copied from the emitter's output; for a fexit program, the images in memory of
 * running kernels are the same but for the second argument.
 */
#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static struct rsb_image *image;
static char got[16384];

static void generate(const char *set)
{
	struct rsb_error error;

	image = listing_family("bpf-trampoline", set, &RSB_SCENARIO_UNWIND, &error);
	ck_assert_msg(image, "%s: %s", set, error.text);
}

static void expect(const char *symbol, const char *want)
{
	listing_write_symbol(image, symbol, got, sizeof(got));
	ck_assert_str_eq(got, want);
}

/* How often does the symbol's code have this line? */
static unsigned count_lines(const char *symbol, const char *line)
{
	unsigned count = 0;

	listing_write_symbol(image, symbol, got, sizeof(got));
	for (const char *at = strstr(got, line); at; at = strstr(at + 1, line))
		count++;
	return count;
}

/* One instruction a line. */
/* clang-format off */

#define BODY             \
	"push rbp\n"     \
	"mov rbp, rsp\n" \
	"mov rax, rdi\n" \
	"add rax, rsi\n" \
	"pop rbp\n"      \
	"ret\n"

/* The frame of a trampoline that calls the body: its first slot is for the result. */
#define ENTRY                               \
	"push rbp\n"                        \
	"mov rbp, rsp\n"                    \
	"sub rsp, 0x38\n"                   \
	"mov qword ptr [rbp - 0x28], rbx\n" \
	"mov eax, 2\n"                      \
	"mov qword ptr [rbp - 0x20], rax\n" \
	"mov qword ptr [rbp - 0x18], rdi\n" \
	"mov qword ptr [rbp - 0x10], rsi\n"

#define ENTER                      \
	"movabs rdi, trampoline\n" \
	"call __bpf_tramp_enter\n"

#define ORIGIN                              \
	"mov rdi, qword ptr [rbp - 0x18]\n" \
	"mov rsi, qword ptr [rbp - 0x10]\n" \
	"call target+0x5\n"                 \
	"mov qword ptr [rbp - 8], rax\n"    \
	"nop dword ptr [rax + rax]\n"

/* Around a program; skip is where one that must not run continues. */
#define BEFORE(program)                     \
	"xor edi, edi\n"                    \
	"mov qword ptr [rbp - 0x38], rdi\n" \
	"movabs rdi, " program "\n"         \
	"lea rsi, [rbp - 0x38]\n"           \
	"call __bpf_prog_enter_recur\n"     \
	"mov rbx, rax\n"                    \
	"test rax, rax\n"

#define CALL(program, skip)        \
	"je trampoline+" skip "\n" \
	"lea rdi, [rbp - 0x18]\n"  \
	"call " program "\n"

#define AFTER(program)              \
	"movabs rdi, " program "\n" \
	"mov rsi, rbx\n"            \
	"lea rdx, [rbp - 0x38]\n"   \
	"call __bpf_prog_exit_recur\n"

#define EXIT                       \
	"movabs rdi, trampoline\n" \
	"call __bpf_tramp_exit\n"

#define EPILOGUE                            \
	"mov rax, qword ptr [rbp - 8]\n"    \
	"mov rbx, qword ptr [rbp - 0x28]\n" \
	"leave\n"

/*
 * 0x6c by the lengths of the instructions: 29 bytes of entry, 15 to enter, 22 to call the body, 33
 * up to the branch and with it, 9 to call the program.
 */
#define FEXIT                            \
	BEFORE("bpf_prog_fexit_1")       \
	CALL("bpf_prog_fexit_1", "0x6c") \
	AFTER("bpf_prog_fexit_1")

/* What a result that is not zero jumps to is a multiple of 16, the next after 0x97. */
#define FMOD_RET \
	"xor eax, eax\n" \
	"mov qword ptr [rbp - 8], rax\n" \
	BEFORE("bpf_prog_fmod_ret_1") \
	CALL("bpf_prog_fmod_ret_1", "0x60") \
	"mov qword ptr [rbp - 8], rax\n" \
	AFTER("bpf_prog_fmod_ret_1") \
	"cmp qword ptr [rbp - 8], 0\n" \
	"jne trampoline+0xa0\n"

/* 9 bytes. */
#define ALIGNMENT \
	"nop dword ptr [rax + rax]\n" \
	"nop\n"

/* The last instructions. */
#define SKIPPING \
	"add rsp, 8\n" \
	"ret\n"

#define TWICE \
	"ret\n" \
	"int3\n" \
	"ret\n"

#define REWRITING \
	"movabs rax, trampoline+0xaa\n" \
	"mov qword ptr [rbp + 8], rax\n"

/* clang-format on */

/* A program before the body, which the trampoline then returns to. */
START_TEST(fentry)
{
	generate("fentry=1");
	expect("target", "call trampoline\n" BODY);
	expect("trampoline", "push rbp\n"
			     "mov rbp, rsp\n"
			     "sub rsp, 0x30\n"
			     "mov qword ptr [rbp - 0x20], rbx\n"
			     "mov eax, 2\n"
			     "mov qword ptr [rbp - 0x18], rax\n"
			     "mov qword ptr [rbp - 0x10], rdi\n"
			     "mov qword ptr [rbp - 8], rsi\n"
			     "xor edi, edi\n"
			     "mov qword ptr [rbp - 0x30], rdi\n"
			     "movabs rdi, bpf_prog_fentry_1\n"
			     "lea rsi, [rbp - 0x30]\n"
			     "call __bpf_prog_enter_recur\n"
			     "mov rbx, rax\n"
			     "test rax, rax\n"
			     "je trampoline+0x47\n"
			     "lea rdi, [rbp - 0x10]\n"
			     "call bpf_prog_fentry_1\n"
			     "movabs rdi, bpf_prog_fentry_1\n"
			     "mov rsi, rbx\n"
			     "lea rdx, [rbp - 0x30]\n"
			     "call __bpf_prog_exit_recur\n"
			     "mov rdi, qword ptr [rbp - 0x10]\n"
			     "mov rsi, qword ptr [rbp - 8]\n"
			     "mov rbx, qword ptr [rbp - 0x20]\n"
			     "leave\n"
			     "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The trampoline drops its own return address and returns to the caller. */
START_TEST(fexit_skip_frame)
{
	generate("fexit=1 exit=skip-frame");
	expect("target", "call trampoline\n" BODY);
	expect("trampoline", ENTRY ENTER ORIGIN FEXIT EXIT EPILOGUE SKIPPING);
	rsb_image_free(image);
}
END_TEST

/* The second return stands right behind the first. */
START_TEST(fexit_double_ret)
{
	generate("fexit=1 exit=double-ret");
	expect("target", "call trampoline\n" BODY);
	expect("trampoline", ENTRY ENTER ORIGIN FEXIT EXIT REWRITING EPILOGUE TWICE);
	rsb_image_free(image);
}
END_TEST

/* Entered by jmp, it has no return address of its own to drop. */
START_TEST(fexit_jmp)
{
	generate("fexit=1 attach=jmp");
	expect("target", "jmp trampoline\n" BODY);
	expect("trampoline", ENTRY ENTER ORIGIN FEXIT EXIT EPILOGUE "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The program decides whether the body is called. */
START_TEST(fmod_ret)
{
	generate("fmod_ret=1 fmod_ret_returns=nonzero exit=skip-frame");
	expect("trampoline", ENTRY ENTER FMOD_RET ORIGIN ALIGNMENT EXIT EPILOGUE SKIPPING);
	rsb_image_free(image);
	generate("fmod_ret=1 fmod_ret_returns=nonzero attach=jmp");
	expect("trampoline", ENTRY ENTER FMOD_RET ORIGIN ALIGNMENT EXIT EPILOGUE "ret\n");
	rsb_image_free(image);
}
END_TEST

/* As the JIT compiles a program that does nothing. */
START_TEST(programs)
{
	generate("fentry=1 fmod_ret=1 fmod_ret_returns=nonzero exit=skip-frame");
	expect("bpf_prog_fentry_1", "nop dword ptr [rax + rax]\n"
				    "nop dword ptr [rax]\n"
				    "push rbp\n"
				    "mov rbp, rsp\n"
				    "xor eax, eax\n"
				    "leave\n"
				    "ret\n");
	expect("bpf_prog_fmod_ret_1", "nop dword ptr [rax + rax]\n"
				      "nop dword ptr [rax]\n"
				      "push rbp\n"
				      "mov rbp, rsp\n"
				      "mov eax, 1\n"
				      "leave\n"
				      "ret\n");
	rsb_image_free(image);
}
END_TEST

/* The site, and with it the body, moves behind endbr64; the trampoline itself has none. */
START_TEST(endbr)
{
	generate("fexit=1 attach=jmp endbr=true");
	expect("target", "endbr64\njmp trampoline\n" BODY);
	ck_assert_uint_eq(count_lines("trampoline", "call target+0x9\n"), 1);
	ck_assert_uint_eq(count_lines("trampoline", "endbr64\n"), 0);
	ck_assert_uint_eq(count_lines("bpf_prog_fexit_1", "endbr64\n"), 2);
	rsb_image_free(image);
}
END_TEST

/* Each kind at its place, each program between its two helpers. */
START_TEST(many_programs)
{
	const char *fentry, *fmod_ret, *origin, *fexit;

	generate("fentry=10 fmod_ret=12 fexit=16 exit=skip-frame");
	ck_assert_uint_eq(count_lines("trampoline", "call __bpf_prog_enter_recur\n"), 38);
	ck_assert_uint_eq(count_lines("trampoline", "call __bpf_prog_exit_recur\n"), 38);
	ck_assert_uint_eq(count_lines("trampoline", "cmp qword ptr [rbp - 8], 0\n"), 12);
	fentry = strstr(got, "call bpf_prog_fentry_10\n");
	fmod_ret = strstr(got, "call bpf_prog_fmod_ret_12\n");
	origin = strstr(got, "call target+0x5\n");
	fexit = strstr(got, "call bpf_prog_fexit_1\n");
	ck_assert(fentry && fmod_ret && origin && fexit);
	ck_assert(fentry < fmod_ret && fmod_ret < origin && origin < fexit);
	rsb_image_free(image);
}
END_TEST

/* The helpers' own calls, as measured on 6.12; one that ends in a jmp returns by another's ret. */
START_TEST(helpers)
{
	generate("fexit=1 attach=jmp");
	expect("__bpf_prog_enter_recur", "push rbx\n"
					 "call __rcu_read_lock\n"
					 "call migrate_disable\n"
					 "pop rbx\n"
					 "mov eax, 1\n"
					 "ret\n");
	expect("__bpf_prog_exit_recur", "push rbx\n"
					"call update_prog_stats\n"
					"call migrate_enable\n"
					"pop rbx\n"
					"jmp __rcu_read_unlock\n");
	expect("__bpf_tramp_enter", "push rbx\n"
				    "call __rcu_read_lock\n"
				    "pop rbx\n"
				    "jmp __rcu_read_unlock\n");
	expect("__bpf_tramp_exit", "push rbx\n"
				   "call __rcu_read_lock\n"
				   "pop rbx\n"
				   "jmp __rcu_read_unlock\n");
	rsb_image_free(image);
	generate("fexit=1 attach=jmp helpers=leaf");
	expect("__bpf_prog_enter_recur", "mov eax, 1\nret\n");
	expect("__bpf_prog_exit_recur", "ret\n");
	rsb_image_free(image);
}
END_TEST

/*
 * Call depth tracking: every call is accounted for, that at the site by the trampoline's first
 * instruction, which stays when the site is a jmp.
 */
START_TEST(accounting)
{
	static const char *const attach[] = { "exit=skip-frame", "attach=jmp" };

	for (int i = 0; i < 2; i++) {
		char set[128];

		snprintf(set, sizeof(set), "fexit=1 %s return_thunk=call-depth", attach[i]);
		generate(set);
		ck_assert_uint_eq(count_lines("trampoline", "call "), 6);
		ck_assert_uint_eq(count_lines("trampoline", "sar qword ptr gs:[0x10], 5\n"), 7);
		ck_assert(!strncmp(got, "sar qword ptr gs:[0x10], 5\npush rbp\n", 36));
		ck_assert_uint_eq(count_lines("trampoline", "jmp call_depth_return_thunk\n"), 1);
		ck_assert_uint_eq(count_lines("target", "sar "), 0);
		rsb_image_free(image);
	}
}
END_TEST

UNIT_MAIN("BPF trampolines", fentry, fexit_skip_frame, fexit_double_ret, fexit_jmp, fmod_ret,
	  programs, endbr, many_programs, helpers, accounting)
