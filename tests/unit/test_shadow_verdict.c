/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shadow stack's verdict, on hand-assembled code. What is expected follows from the rule that a
 * near call (unless it is to the next instruction) pushes to both stacks and a near return compares
 * (Linux 6.12, Documentation/arch/x86/shstk.rst; Intel SDM volume 2, CALL and RET).
 */
#include "sim/explain/shadow.h"
#include "sim/image/layout.h"
#include "tests/unit/guest.h"
#include "tests/unit/judged.h"
#include "tests/unit/unit.h"

#include <string.h>

/* Where the other shadow stack of swapcontext has its token: the address behind it, and bit 0. */
#define TOKEN_AT 0x5003f8
#define TOKEN    UINT64_C(0x500401)

#define EXIT "where rsb_round returns to"

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

#define CODE(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

struct hand {
	const char *name;
	const uint8_t *code;
	size_t size;
	enum rsb_shadow_answer answer;
	const char *instruction, *expected, *actual; /* of the first fault; NULL: there is none */
	bool inside;
	double left;
	unsigned violations; /* in the first round */
};

static const struct hand hands[] = {
	{ "__x86.get_pc_thunk of 32-bit code: read, and returned from", CODE(
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 0 call 6 */
		0xc3,				/* 5 ret */
		0x48, 0x8b, 0x04, 0x24,		/* 6 mov rax, [rsp] */
		0xc3),				/* a ret */
	  RSB_SHADOW_CLEAN, NULL, NULL, NULL, false, 0, 0 },
	{ "call to the next instruction: not pushed (SDM, CALL: DEST != 0)", CODE(
		0xe8, 0x00, 0x00, 0x00, 0x00,	/* 0 call 5 */
		0x58,				/* 5 pop rax */
		0xc3),				/* 6 ret */
	  RSB_SHADOW_CLEAN, NULL, NULL, NULL, false, 0, 0 },
	{ "a call over data, whose return address is popped", CODE(
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 0 call 6 */
		0xcc,				/* 5 int3 */
		0x58,				/* 6 pop rax */
		0xc3),				/* 7 ret */
	  RSB_SHADOW_VIOLATES, "target+0x7", "target+0x5", "rsb_landing", true, 1, 2 },
	{ "a context switch of old: push and ret", CODE(
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 0 lea rax, [9] */
		0x50,						/* 7 push rax */
		0xc3,						/* 8 ret */
		0xc3),						/* 9 ret */
	  RSB_SHADOW_VIOLATES, "target+0x8", "rsb_landing", "target+0x9", true, -1, 3 },
	{ "a retpoline: it violates by construction", CODE(
		0x48, 0x8d, 0x05, 0x11, 0x00, 0x00, 0x00,	/* 0 lea rax, [18] */
		0xe8, 0x07, 0x00, 0x00, 0x00,			/* 7 call 13 */
		0xf3, 0x90,					/* c pause */
		0x0f, 0xae, 0xe8,				/* e lfence */
		0xeb, 0xf9,					/* 11 jmp c */
		0x48, 0x89, 0x04, 0x24,				/* 13 mov [rsp], rax */
		0xc3,						/* 17 ret */
		0xc3),						/* 18 ret */
	  RSB_SHADOW_VIOLATES, "target+0x17", "target+0xc", "target+0x18", true, 0, 1 },
	{ "srso_safe_ret: so does this, at each return", CODE(
		0xe8, 0x02, 0x00, 0x00, 0x00,	/* 0 call 7 */
		0x0f, 0x0b,			/* 5 ud2 */
		0x48, 0x8d, 0x64, 0x24, 0x08,	/* 7 lea rsp, [rsp+0x8] */
		0xc3),				/* c ret */
	  RSB_SHADOW_VIOLATES, "target+0xc", "target+0x5", "rsb_landing", true, 1, 2 },
	{ "call_depth_return_thunk when it stuffs: 16 calls", CODE(
		0xb9, 0x10, 0x00, 0x00, 0x00,			/* 0 mov ecx, 0x10 */
		0xe8, 0x01, 0x00, 0x00, 0x00,			/* 5 call b */
		0xcc,						/* a int3 */
		0xff, 0xc9,					/* b dec ecx */
		0x75, 0xf6,					/* d jne 5 */
		0x48, 0x81, 0xc4, 0x80, 0x00, 0x00, 0x00,	/* f add rsp, 0x80 */
		0xc3),						/* 16 ret */
	  RSB_SHADOW_VIOLATES, "target+0x16", "target+0xa", "rsb_landing", true, 16, 2 },
	{ "FILL_RETURN_BUFFER: 32 calls, whose entries stay", CODE(
		0xb9, 0x10, 0x00, 0x00, 0x00,	/* 0 mov ecx, 0x10 */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 5 call b */
		0xcc,				/* a int3 */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* b call 11 */
		0xcc,				/* 10 int3 */
		0x48, 0x83, 0xc4, 0x10,		/* 11 add rsp, 0x10 */
		0xff, 0xc9,			/* 15 dec ecx */
		0x75, 0xec,			/* 17 jne 5 */
		0x0f, 0xae, 0xe8,		/* 19 lfence */
		0xc3),				/* 1c ret */
	  RSB_SHADOW_VIOLATES, "target+0x1c", "target+0x10", "rsb_landing", true, 32, 2 },
	{ "the same with the entries dropped from the shadow stack too", CODE(
		0xb9, 0x10, 0x00, 0x00, 0x00,	/* 0 mov ecx, 0x10 */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 5 call b */
		0xcc,				/* a int3 */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* b call 11 */
		0xcc,				/* 10 int3 */
		0x48, 0x83, 0xc4, 0x10,		/* 11 add rsp, 0x10 */
		0xff, 0xc9,			/* 15 dec ecx */
		0x75, 0xec,			/* 17 jne 5 */
		0x0f, 0xae, 0xe8,		/* 19 lfence */
		0xb8, 0x20, 0x00, 0x00, 0x00,	/* 1c mov eax, 0x20 */
		0xf3, 0x48, 0x0f, 0xae, 0xe8,	/* 21 incsspq rax */
		0xc3),				/* 26 ret */
	  RSB_SHADOW_CLEAN, NULL, NULL, NULL, false, 0, 0 },
	{ "longjmp over three frames", CODE(
		0x48, 0x89, 0xe3,		/* 0 mov rbx, rsp */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 3 call 9 */
		0xcc,				/* 8 int3 */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 9 call f */
		0xcc,				/* e int3 */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* f call 15 */
		0xcc,				/* 14 int3 */
		0x48, 0x89, 0xdc,		/* 15 mov rsp, rbx */
		0xc3),				/* 18 ret */
	  RSB_SHADOW_VIOLATES, "target+0x18", "target+0x14", "rsb_landing", true, 3, 2 },
	{ "longjmp over 300 as glibc has it: at most 255 entries an incssp", CODE(
		0x48, 0x89, 0xe3,		/* 0 mov rbx, rsp */
		0x31, 0xd2,			/* 3 xor edx, edx */
		0xf3, 0x48, 0x0f, 0x1e, 0xca,	/* 5 rdsspq rdx */
		0xb9, 0x2c, 0x01, 0x00, 0x00,	/* a mov ecx, 0x12c */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* f call 15 */
		0xcc,				/* 14 int3 */
		0xe2, 0xf8,			/* 15 loop f */
		0x31, 0xc0,			/* 17 xor eax, eax */
		0xf3, 0x48, 0x0f, 0x1e, 0xc8,	/* 19 rdsspq rax */
		0x48, 0x85, 0xc0,		/* 1e test rax, rax */
		0x74, 0x1d,			/* 21 je 40 */
		0x48, 0x29, 0xc2,		/* 23 sub rdx, rax */
		0x48, 0xc1, 0xea, 0x03,		/* 26 shr rdx, 0x3 */
		0xb9, 0xff, 0x00, 0x00, 0x00,	/* 2a mov ecx, 0xff */
		0x48, 0x39, 0xca,		/* 2f cmp rdx, rcx */
		0x48, 0x0f, 0x42, 0xca,		/* 32 cmovb rcx, rdx */
		0xf3, 0x48, 0x0f, 0xae, 0xe9,	/* 36 incsspq rcx */
		0x48, 0x29, 0xca,		/* 3b sub rdx, rcx */
		0x75, 0xef,			/* 3e jne 2f */
		0x48, 0x89, 0xdc,		/* 40 mov rsp, rbx */
		0xc3),				/* 43 ret */
	  RSB_SHADOW_CLEAN, NULL, NULL, NULL, false, 0, 0 },
	{ "jump_fcontext: left by a jump, so that only what returns later faults", CODE(
		0x58,		/* 0 pop rax */
		0xff, 0xe0),	/* 1 jmp rax */
	  RSB_SHADOW_LEAVES, "rsb_landing", "rsb_landing", EXIT, false, 1, 1 },
	{ "swapcontext as glibc has it: there and back, a call in between", CODE(
		0xf3, 0x49, 0x0f, 0x1e, 0xcc,				/* 0 rdsspq r12 */
		0xf3, 0x0f, 0x01, 0x2c, 0x25, 0xf8, 0x03, 0x50, 0x00,	/* 5 rstorssp [0x5003f8] */
		0xf3, 0x0f, 0x01, 0xea,					/* e saveprevssp */
		0x48, 0x89, 0xe3,					/* 12 mov rbx, rsp */
		0xbc, 0x00, 0x08, 0x50, 0x00,				/* 15 mov esp, 0x500800 */
		0xe8, 0x0f, 0x00, 0x00, 0x00,				/* 1a call 2e */
		0xf3, 0x41, 0x0f, 0x01, 0x6c, 0x24, 0xf8,		/* 1f rstorssp [r12-0x8] */
		0xf3, 0x0f, 0x01, 0xea,					/* 26 saveprevssp */
		0x48, 0x89, 0xdc,					/* 2a mov rsp, rbx */
		0xc3,							/* 2d ret */
		0xc3),							/* 2e ret */
	  RSB_SHADOW_CLEAN, NULL, NULL, NULL, false, 0, 0 },
	{ "switched to, and not back: the old stack has no token", CODE(
		0xf3, 0x49, 0x0f, 0x1e, 0xcc,				/* 0 rdsspq r12 */
		0xb8, 0x01, 0x04, 0x50, 0x00,				/* 5 mov eax, 0x500401 */
		0x48, 0x89, 0x04, 0x25, 0xf8, 0x03, 0x50, 0x00,		/* a mov [0x5003f8], rax */
		0xf3, 0x0f, 0x01, 0x2c, 0x25, 0xf8, 0x03, 0x50, 0x00,	/* 12 rstorssp [0x5003f8] */
		0xb8, 0x01, 0x00, 0x00, 0x00,				/* 1b mov eax, 0x1 */
		0xf3, 0x48, 0x0f, 0xae, 0xe8,				/* 20 incsspq rax */
		0xf3, 0x41, 0x0f, 0x01, 0x6c, 0x24, 0xf8,		/* 25 rstorssp [r12-0x8] */
		0xc3),							/* 2c ret */
	  RSB_SHADOW_VIOLATES, "target+0x25", NULL, "0x0", true, 0, 3 },
	{ "saveprevssp without a switch before it", CODE(
		0xf3, 0x0f, 0x01, 0xea,		/* 0 saveprevssp */
		0xc3),				/* 4 ret */
	  RSB_SHADOW_VIOLATES, "target", NULL, "rsb_landing", true, 0, 1 },
	{ "one entry too many dropped", CODE(
		0xb8, 0x01, 0x00, 0x00, 0x00,	/* 0 mov eax, 0x1 */
		0xf3, 0x48, 0x0f, 0xae, 0xe8,	/* 5 incsspq rax */
		0xc3),				/* a ret */
	  RSB_SHADOW_VIOLATES, "target+0xa", EXIT, "rsb_landing", true, -1, 2 },
};

/* clang-format on */

static void expect_symbol(const char *name, const char *found, const char *expected)
{
	if (!expected)
		ck_assert_msg(!found, "%s: %s", name, found);
	else if (strcmp(expected, EXIT) == 0)
		ck_assert_msg(found && strncmp(found, "0x", 2) == 0, "%s: %s", name, found);
	else
		ck_assert_msg(found && strcmp(found, expected) == 0, "%s: %s instead of %s", name,
			      found ? found : "nothing", expected);
}

static void judge_hand(const struct hand *hand)
{
	struct guest guest = guest_new(GUEST_CODE, hand->code, hand->size);
	const uint64_t token = TOKEN;
	struct rsb_shadow_verdict verdict;
	struct rsb_run *run;

	ck_assert(rsb_image_patch(guest.image, TOKEN_AT, &token, sizeof(token), &guest.error));
	rsb_image_set_cet(guest.image, RSB_CET_SHADOW_STACK);
	run = judged_run(guest.image);
	verdict = judged_verdict(guest.image, run);
	ck_assert_msg(verdict.answer == hand->answer, "%s: %s: %s", hand->name,
		      rsb_shadow_answer_name(verdict.answer), verdict.story);
	expect_symbol(hand->name, verdict.instruction.symbol, hand->instruction);
	expect_symbol(hand->name, verdict.expected.symbol, hand->expected);
	expect_symbol(hand->name, verdict.actual.symbol, hand->actual);
	ck_assert_msg(verdict.inside == hand->inside, "%s", hand->name);
	ck_assert_msg(verdict.left == hand->left, "%s: %g left", hand->name, verdict.left);
	ck_assert_msg(verdict.violations == hand->violations * verdict.rounds,
		      "%s: %llu in %llu rounds", hand->name, (unsigned long long)verdict.violations,
		      (unsigned long long)verdict.rounds);
	rsb_shadow_verdict_clear(&verdict);
	rsb_run_free(run);
	guest_free(&guest);
}

/* Each row of the table, without callers but rsb_round. */
START_TEST(judges_code_by_hand)
{
	for (size_t i = 0; i < sizeof(hands) / sizeof(hands[0]); i++)
		judge_hand(&hands[i]);
}
END_TEST

/*
 * The layouts, by a catalogue of trampolines that was written apart from this program: what drops
 * or rewrites a return address violates, what is left by a jmp alone leaves entries. Of probed
 * returns and of signals the kernel writes to the shadow stack, too (Linux 6.12,
 * shstk_update_last_frame() and setup_signal_shadow_stack()); and V8 does what it can.
 */
START_TEST(judges_layouts)
{
	static const struct {
		enum rsb_shadow_answer answer;
		const char *layouts[24];
	} rows[] = {
		{ RSB_SHADOW_CLEAN,
		  { "bpf-fentry", "bpf-fexit-jmp", "struct-ops", "ftrace-caller",
		    "kprobe-optimised", "detours", "split-stack", "plt-lazy", "pc-thunk",
		    "call-pop", "nested-function", "uretprobe-int3", "uretprobe-syscall-iret",
		    "signal-frame", "v8-deopt-cet", "v8-deopt-cet-jmp" } },
		{ RSB_SHADOW_VIOLATES,
		  { "bpf-fexit-skip",
		    "bpf-fexit-double-ret",
		    "livepatch-fexit-6.2",
		    "ftrace-regs-fentry-6.2",
		    "ftrace-regs-fexit-6.19",
		    "livepatch-ftrace",
		    "ftrace-graph",
		    "fprobe-rethook",
		    "kretprobe",
		    "frida-attach",
		    "retpoline-call",
		    "return-thunk-srso",
		    "return-thunk-gcc",
		    "return-thunk-refill",
		    "rsb-fill-32",
		    "v8-deopt",
		    "java-thaw",
		    "go-async-preempt",
		    "fiber-push-ret",
		    "uretprobe-syscall",
		    "signal-frame-jmp" } },
		{ RSB_SHADOW_LEAVES, { "fcontext", "fiber-jmp" } },
	};
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (const char *const *name = rows[i].layouts; *name; name++) {
			struct rsb_error error;
			struct rsb_layout *layout = rsb_layout_load(*name, &error);
			struct rsb_image *image =
				layout ? rsb_layout_image(layout, &scenario, &error) : NULL;
			struct rsb_run *run = image ? judged_run(image) : NULL;
			struct rsb_shadow_verdict verdict;

			ck_assert_msg(run, "%s: %s", *name, error.text);
			verdict = judged_verdict(image, run);
			ck_assert_msg(verdict.answer == rows[i].answer, "%s: %s: %s", *name,
				      rsb_shadow_answer_name(verdict.answer), verdict.story);
			rsb_shadow_verdict_clear(&verdict);
			rsb_run_free(run);
			rsb_image_free(image);
			rsb_layout_free(layout);
		}
	}
}
END_TEST

/* Code that does not run with shadow stacks on is an error only where they are said to be. */
START_TEST(leaves_what_cannot_run_unjudged)
{
	/* Calls without returns are within the budget, and beyond the shadow stack. */
	static const uint8_t code[] = {
		0x48, 0x89, 0xe3,             /* mov rbx, rsp */
		0xb9, 0x00, 0x00, 0x04, 0x00, /* mov ecx, 0x40000 */
		0xe8, 0x01, 0x00, 0x00, 0x00, /* call e */
		0xcc,                         /* int3 */
		0x48, 0x89, 0xdc,             /* e mov rsp, rbx */
		0xe2, 0xf5,                   /* loop 8 */
		0xc3,                         /* ret */
	};
	struct guest guest = guest_new(GUEST_CODE, code, sizeof(code));
	struct rsb_run *run = judged_run(guest.image);
	struct rsb_shadow_verdict verdict = judged_verdict(guest.image, run);

	ck_assert_int_eq(verdict.answer, RSB_SHADOW_UNJUDGED);
	ck_assert_ptr_nonnull(strstr(verdict.story, "the shadow stack runs into unmapped memory"));
	rsb_shadow_verdict_clear(&verdict);
	rsb_image_set_cet(guest.image, RSB_CET_SHADOW_STACK);
	ck_assert(!rsb_shadow_judge(guest.image, run, &verdict, &guest.error));
	rsb_run_free(run);
	guest_free(&guest);
}
END_TEST

UNIT_MAIN("shadow stack verdict", judges_code_by_hand, judges_layouts,
	  leaves_what_cannot_run_unjudged)
