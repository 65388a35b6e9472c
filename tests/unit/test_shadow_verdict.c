/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shadow stack's verdict, on hand-assembled code and on layouts. What is expected follows from
 * the rule that a near call (unless it is to the next instruction) pushes to both stacks and a near
 * return compares (Linux 6.12, Documentation/arch/x86/shstk.rst; Intel SDM volume 2, CALL and RET).
 */
#include "sim/explain/shadow.h"
#include "sim/image/layout.h"
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
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

static struct rsb_run *run_image(const struct rsb_image *image)
{
	const struct rsb_run_options options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN),
	};
	struct rsb_error error;
	struct rsb_run *run = rsb_run_new(image, &options, &error);

	ck_assert_msg(run, "%s", error.text);
	return run;
}

static struct rsb_shadow_verdict judge(const struct rsb_image *image, const struct rsb_run *run)
{
	struct rsb_shadow_verdict verdict;
	struct rsb_error error;

	ck_assert_msg(rsb_shadow_judge(image, run, &verdict, &error), "%s", error.text);
	return verdict;
}

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
	run = run_image(guest.image);
	verdict = judge(guest.image, run);
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

static struct rsb_image *build(const char *generate, const char *thunk)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_layout *layout;
	struct rsb_image *image;
	struct rsb_error error;
	char text[512];

	snprintf(text, sizeof(text), "{ \"generate\": { %s, \"return_thunk\": \"%s\" } }", generate,
		 thunk);
	layout = rsb_layout_parse("test", text, strlen(text), ".", &error);
	ck_assert_msg(layout, "%s", error.text);
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image, "%s", error.text);
	rsb_layout_free(layout);
	return image;
}

/*
 * Layouts as they are generated. With shadow stacks in the kernel, a trampoline must return where
 * it was called from: one that drops or rewrites a return address faults there, and one that is
 * jumped to does not. A safe RET faults wherever it is used.
 */
static const struct generated {
	const char *generate, *thunk;
	enum rsb_shadow_answer answer;
	const char *place, *text; /* of the first fault: how its symbol begins, the instruction */
	const char *expected;     /* how that symbol begins */
	double left;
	enum rsb_mitigation mitigation;
} generateds[] = {
	{ "\"family\": \"plain-call\"", "none", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"plain-call\"", "its", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"plain-call\"", "retbleed", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"plain-call\"", "srso", RSB_SHADOW_VIOLATES, "srso_safe_ret", "ret",
	  "srso_return_thunk", 1, RSB_MITIGATION_RETURN },
	{ "\"family\": \"plain-call\"", "srso-alias", RSB_SHADOW_VIOLATES, "srso_alias_safe_ret",
	  "ret", "srso_alias_return_thunk", 1, RSB_MITIGATION_RETURN },
	{ "\"family\": \"bpf-trampoline\", \"fentry\": 1", "none", RSB_SHADOW_CLEAN, NULL, NULL,
	  NULL, 0, 0 },
	{ "\"family\": \"bpf-trampoline\", \"fexit\": 1, \"exit\": \"skip-frame\"", "none",
	  RSB_SHADOW_VIOLATES, "trampoline", "ret", "target+0x5", 1, 0 },
	{ "\"family\": \"bpf-trampoline\", \"fexit\": 1, \"exit\": \"double-ret\"", "none",
	  RSB_SHADOW_VIOLATES, "trampoline", "ret", "target+0x5", 0, 0 },
	{ "\"family\": \"bpf-trampoline\", \"fexit\": 1, \"attach\": \"jmp\"", "none",
	  RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"livepatch\", \"through\": \"ftrace\"", "none", RSB_SHADOW_VIOLATES,
	  "ftrace_caller", "ret", "target+0x5", 0, 0 },
	{ "\"family\": \"ftrace\"", "none", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"ftrace-direct\", \"direct\": \"push\"", "none", RSB_SHADOW_VIOLATES,
	  "ftrace_regs_caller", "ret", "target+0x5", -1, 0 },
	{ "\"family\": \"ftrace-direct\", \"direct\": \"jmp\", \"program\": \"fexit\"", "none",
	  RSB_SHADOW_VIOLATES, "ftrace_regs_caller", "ret", "target+0x5", 0, 0 },
	{ "\"family\": \"function-graph\"", "none", RSB_SHADOW_VIOLATES, "target", "ret",
	  "rsb_landing", 0, 0 },
	{ "\"family\": \"rethook\"", "none", RSB_SHADOW_VIOLATES, "target", "ret", "rsb_landing",
	  -1, 0 },
	{ "\"family\": \"kprobe\"", "none", RSB_SHADOW_CLEAN, NULL, NULL, NULL, 0, 0 },
	{ "\"family\": \"rsb-fill\"", "none", RSB_SHADOW_VIOLATES, "target", "ret", "target+0x15",
	  32, 0 },
};

static void judge_generated(const struct generated *row)
{
	struct rsb_image *image = build(row->generate, row->thunk);
	struct rsb_run *run = run_image(image);
	struct rsb_shadow_verdict verdict = judge(image, run);

	ck_assert_msg(verdict.answer == row->answer, "%s, %s: %s", row->generate, row->thunk,
		      verdict.story);
	ck_assert_msg(verdict.left == row->left, "%s, %s: %g left", row->generate, row->thunk,
		      verdict.left);
	ck_assert_int_eq(verdict.mitigation, row->mitigation);
	if (row->place) {
		ck_assert_msg(strncmp(verdict.instruction.symbol, row->place, strlen(row->place)) ==
				      0,
			      "%s, %s: %s", row->generate, row->thunk, verdict.story);
		ck_assert_str_eq(verdict.instruction.text, row->text);
		ck_assert_msg(
			strncmp(verdict.expected.symbol, row->expected, strlen(row->expected)) == 0,
			"%s, %s: %s", row->generate, row->thunk, verdict.story);
	}
	rsb_shadow_verdict_clear(&verdict);
	rsb_run_free(run);
	rsb_image_free(image);
}

START_TEST(judges_generated_layouts)
{
	for (size_t i = 0; i < sizeof(generateds) / sizeof(generateds[0]); i++)
		judge_generated(&generateds[i]);
}
END_TEST

/*
 * How many returns of a round an ideal stack of return addresses does not predict, that of
 * rsb_round itself included, which is no event: it misses where entries are left or lacking.
 */
static uint64_t count_misses(const struct rsb_sequence *sequence, const struct rsb_sites *table)
{
	uint64_t *stack = calloc(sequence->count + 1, sizeof(*stack)), misses = 0;
	const struct rsb_site *sites;
	const uint64_t *addresses;
	size_t depth = 0, count;
	bool lacking = false;

	ck_assert_ptr_nonnull(stack);
	sites = rsb_sites_array(table, &count);
	addresses = rsb_sites_addresses(table, &count);
	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_site *site = &sites[sequence->events[i].site];

		if (site->kind == RSB_CALL && !(site->flags & RSB_SITE_ZERO_CALL))
			stack[depth++] = site->fall_through;
		if (site->kind != RSB_RETURN)
			continue;
		lacking |= !depth;
		misses += !depth || stack[--depth] != addresses[sequence->events[i].target];
	}
	free(stack);
	return misses + (depth || lacking);
}

static void compare_with_ideal(const char *generate, const char *thunk)
{
	struct rsb_image *image = build(generate, thunk);
	struct rsb_run *run = run_image(image);
	struct rsb_shadow_verdict verdict = judge(image, run);
	uint64_t misses = 0;

	for (uint64_t i = 0; i < verdict.rounds; i++)
		misses += count_misses(rsb_run_sequence(run, rsb_run_round(run, i)),
				       rsb_run_sites(run));
	ck_assert_msg(verdict.violations == misses, "%s, %s: %llu violations, %llu misses",
		      generate, thunk, (unsigned long long)verdict.violations,
		      (unsigned long long)misses);
	ck_assert((verdict.answer == RSB_SHADOW_CLEAN) == (misses == 0));
	rsb_shadow_verdict_clear(&verdict);
	rsb_run_free(run);
	rsb_image_free(image);
}

/* A shadow stack is such an ideal stack: it violates exactly where that one misses. */
START_TEST(violates_where_an_ideal_stack_misses)
{
	static const char *const thunks[] = { "none", "srso", "call-depth" };

	for (size_t i = 0; i < sizeof(generateds) / sizeof(generateds[0]); i++)
		for (size_t j = 0; j < sizeof(thunks) / sizeof(thunks[0]); j++)
			if (strcmp(generateds[i].thunk, "none") == 0)
				compare_with_ideal(generateds[i].generate, thunks[j]);
}
END_TEST

/*
 * The same code in running kernels: 6.12 drops the return address, 7.2 jumps to the trampoline, and
 * with safe RET nothing returns where it was called from.
 */
static const struct captured {
	const char *capture;
	enum rsb_shadow_answer answer;
	const char *place; /* of the first fault: how its symbol begins */
	enum rsb_mitigation mitigation;
} captureds[] = {
	{ "linux-6.12-off", RSB_SHADOW_VIOLATES, "bpf_trampoline_", RSB_MITIGATION_NONE },
	{ "linux-6.12-srso", RSB_SHADOW_VIOLATES, "srso_alias_safe_ret", RSB_MITIGATION_RETURN },
	{ "linux-7.2-off", RSB_SHADOW_CLEAN, NULL, RSB_MITIGATION_NONE },
};

static struct rsb_image *load_capture(const char *capture, const char *folder)
{
	static const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_layout *layout;
	struct rsb_image *image;
	struct rsb_error error;
	char text[512];

	snprintf(text, sizeof(text),
		 "{ \"core\": { \"file\": \"%s.core\", \"symbols\": \"%s.kallsyms\" }, "
		 "\"call\": \"__x64_sys_getsid\", \"registers\": { \"rdi\": \"scratch\" } }",
		 capture, capture);
	layout = rsb_layout_parse(capture, text, strlen(text), folder, &error);
	ck_assert_msg(layout, "%s", error.text);
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image, "%s", error.text);
	rsb_layout_free(layout);
	return image;
}

static void judge_captured(const struct captured *row, const char *folder)
{
	struct rsb_image *image = load_capture(row->capture, folder);
	struct rsb_run *run = run_image(image);
	struct rsb_shadow_verdict verdict = judge(image, run);

	ck_assert_msg(verdict.answer == row->answer, "%s: %s", row->capture, verdict.story);
	ck_assert_msg(!row->place || strncmp(verdict.instruction.symbol, row->place,
					     strlen(row->place)) == 0,
		      "%s: %s", row->capture, verdict.story);
	ck_assert_int_eq(verdict.mitigation, row->mitigation);
	/* Linux 6.12, Documentation/arch/x86/shstk.rst: only for user space. */
	ck_assert_ptr_nonnull(strstr(verdict.note, "none in the kernel"));
	rsb_shadow_verdict_clear(&verdict);
	rsb_run_free(run);
	rsb_image_free(image);
}

START_TEST(judges_captures)
{
	char folder[512];

	if (!unit_shared_path(folder, sizeof(folder), "captures"))
		return;
	for (size_t i = 0; i < sizeof(captureds) / sizeof(captureds[0]); i++)
		judge_captured(&captureds[i], folder);
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
	struct rsb_run *run = run_image(guest.image);
	struct rsb_shadow_verdict verdict = judge(guest.image, run);

	ck_assert_int_eq(verdict.answer, RSB_SHADOW_UNJUDGED);
	ck_assert_ptr_nonnull(strstr(verdict.story, "the shadow stack runs into unmapped memory"));
	rsb_shadow_verdict_clear(&verdict);
	rsb_image_set_cet(guest.image, RSB_CET_SHADOW_STACK);
	ck_assert(!rsb_shadow_judge(guest.image, run, &verdict, &guest.error));
	rsb_run_free(run);
	guest_free(&guest);
}
END_TEST

UNIT_MAIN("shadow stack verdict", judges_code_by_hand, judges_generated_layouts,
	  violates_where_an_ideal_stack_misses, judges_captures, leaves_what_cannot_run_unjudged)
