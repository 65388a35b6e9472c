/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classic ways to put a return stack out of step, as a few instructions each below 8 callers,
 * on a plain ring of 16 that does not push a call to the next instruction. What is expected is
 * counted by hand: calls minus returns, and for each return the entry on top.
 */
#include "sim/image/image.h"
#include "tests/unit/explained.h"
#include "tests/unit/unit.h"

#include <string.h>

#define FINDINGS 3
#define BYTES    64

#define FIBER_STACK UINT64_C(0x30000000)

struct row {
	const char *name;
	uint8_t bytes[BYTES];
	size_t size;
	size_t mitigation[2]; /* from, to: part of a retpoline; 0, 0: nothing is */
	struct explained_finding findings[FINDINGS];
	size_t count;
};

/* The bytes of the function target, with the instructions beside them. */
#define CODE(...) { __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

static const struct row rows[] = {
	/* Revizor, tests/x86_tests/asm/spectre_ret.asm: a callee overwrites its return address. */
	{ "spectre_ret",
	  CODE(0xe8, 1, 0, 0, 0,             /* 00 call f1 */
	       0xcc,                         /* 05 int3 */
	       0x48, 0x8d, 0x05, 5, 0, 0, 0, /* 06 f1: lea rax, [rip + 5] */
	       0x48, 0x89, 0x04, 0x24,       /* 0d mov [rsp], rax */
	       0xc3,                         /* 11 ret */
	       0xc3),                        /* 12 f2: ret */
	  { 0, 0 },
	  { { RSB_CAUSE_REWRITTEN_RETURN, "target+0xd: mov qword ptr [rsp], rax", 1, 0, 0, NULL } },
	  1 },
	/*
	 * Revizor, tests/x86_tests/asm/calls.asm: calls to the next instruction make no entry
	 * here.
	 */
	{ "calls",
	  CODE(0xe8, 0, 0, 0, 0,    /* 00 call 05 */
	       0x48, 0x83, 0xc4, 8, /* 05 add rsp, 8 */
	       0xe8, 0, 0, 0, 0,    /* 09 call 0e */
	       0x48, 0x83, 0xc4, 8, /* 0e add rsp, 8 */
	       0xc3),               /* 12 ret */
	  { 0, 0 },
	  { { 0 } },
	  0 },
	/* The same over a byte each: two entries stay; each add is a cause of its own. */
	{ "calls over a byte",
	  CODE(0xe8, 1, 0, 0, 0,    /* 00 call 06 */
	       0xcc,                /* 05 int3 */
	       0x48, 0x83, 0xc4, 8, /* 06 add rsp, 8 */
	       0xe8, 1, 0, 0, 0,    /* 0a call 10 */
	       0xcc,                /* 0f int3 */
	       0x48, 0x83, 0xc4, 8, /* 10 add rsp, 8 */
	       0xc3),               /* 14 ret: the second is on top; */
	  { 0, 0 },                 /* then the first, A, c8 ... for the callers */
	  { { RSB_CAUSE_SKIPPED_FRAME, "target+0x10: add rsp, 8", 1, 4, 1, NULL },
	    { RSB_CAUSE_SKIPPED_FRAME, "target+0x6: add rsp, 8", 0, 4, 1, NULL } },
	  2 },
	/* arch/x86/lib/retpoline.S in Linux 6.12: the miss is wanted. */
	{ "retpoline",
	  CODE(0x48, 0x8d, 0x05, 0x0b, 0, 0, 0, /* 00 lea rax, [rip + 0xb] */
	       0xe8, 1, 0, 0, 0,                /* 07 call 0d */
	       0xcc,                            /* 0c int3 */
	       0x48, 0x89, 0x04, 0x24,          /* 0d mov [rsp], rax */
	       0xc3,                            /* 11 ret */
	       0xc3),                           /* 12 ret */
	  { 0x07, 0x12 },
	  { { RSB_CAUSE_INTENDED, "target+0x7: call", 1, 0, 0, NULL } },
	  1 },
	/* graphitemaster/fibers: a switch that pushes where it goes to, and returns; and back. */
	{ "push and return",
	  CODE(0xe8, 1, 0, 0, 0,                               /* 00 call switch */
	       0xc3,                                           /* 05 ret */
	       0x48, 0x89, 0xe2,                               /* 06 switch: mov rdx, rsp */
	       0x48, 0x8d, 0xa4, 0x24, 0x00, 0xf0, 0xff, 0xff, /* 09 lea rsp, [rsp - 0x1000] */
	       0x48, 0x8d, 0x05, 2, 0, 0, 0,                   /* 11 lea rax, [rip + 2] */
	       0x50,                                           /* 18 push rax */
	       0xc3,             /* 19 ret: takes the switch's entry */
	       0x48, 0x89, 0xd4, /* 1a mov rsp, rdx */
	       0xc3),            /* 1d ret: takes A, and so on */
	  { 0, 0 },
	  { { RSB_CAUSE_PUSHED_RETURN, "target+0x18: push rax", 3, 8, -1, NULL } },
	  1 },
	/* glibc, sysdeps/x86_64/__longjmp.S: three frames are left at once. */
	{ "longjmp over three frames",
	  CODE(0x48, 0x89, 0xe2, /* 00 mov rdx, rsp */
	       0xe8, 1, 0, 0, 0, /* 03 call 09 */
	       0xcc,             /* 08 int3 */
	       0xe8, 1, 0, 0, 0, /* 09 call 0f */
	       0xcc,             /* 0e int3 */
	       0xe8, 1, 0, 0, 0, /* 0f call 15 */
	       0xcc,             /* 14 int3 */
	       0x48, 0x89, 0xd4, /* 15 mov rsp, rdx */
	       0xc3),            /* 18 ret */
	  { 0, 0 },
	  { { RSB_CAUSE_SKIPPED_FRAME, "target+0x15: mov rsp, rdx", 1, 8, 3, NULL } },
	  1 },
	{ "call over a byte and pop",
	  CODE(0xe8, 1, 0, 0, 0, /* 00 call 06 */
	       0xcc,             /* 05 int3 */
	       0x58,             /* 06 pop rax */
	       0xc3),            /* 07 ret */
	  { 0, 0 },
	  { { RSB_CAUSE_SKIPPED_FRAME, "target+0x6: pop rax", 1, 8, 1, NULL } },
	  1 },
	{ "call to the next and pop",
	  CODE(0xe8, 0, 0, 0, 0, /* 00 call 05 */
	       0x58,             /* 05 pop rax */
	       0xc3),            /* 06 ret */
	  { 0, 0 },
	  { { 0 } },
	  0 },
	/* A return address that is popped and pushed again was not dropped. */
	{ "pop and push",
	  CODE(0x58,  /* 00 pop rax */
	       0x50,  /* 01 push rax */
	       0xc3), /* 02 ret */
	  { 0, 0 },
	  { { 0 } },
	  0 },
	/*
	 * As kretprobes do: the return address gives way to a handler, which pushes it and
	 * returns.
	 */
	{ "a hook on the return address",
	  CODE(0x48, 0x8b, 0x14, 0x24,       /* 00 mov rdx, [rsp] */
	       0x48, 0x8d, 0x05, 5, 0, 0, 0, /* 04 lea rax, [rip + 5] */
	       0x48, 0x89, 0x04, 0x24,       /* 0b mov [rsp], rax */
	       0xc3,                         /* 0f ret: takes A */
	       0x52,                         /* 10 handler: push rdx */
	       0xc3),                        /* 11 ret: takes a caller's */
	  { 0, 0 },
	  { { RSB_CAUSE_PUSHED_RETURN, "target+0x10: push rdx", 1, 8, -1, NULL },
	    { RSB_CAUSE_REWRITTEN_RETURN, "target+0xb: mov qword ptr [rsp], rax", 1, 0, 0, NULL } },
	  2 },
	/* The same with a dummy call, as Linux's return_to_handler has it: balanced. */
	{ "a hook with a dummy call",
	  CODE(0x48, 0x8b, 0x14, 0x24,       /* 00 mov rdx, [rsp] */
	       0x48, 0x8d, 0x05, 5, 0, 0, 0, /* 04 lea rax, [rip + 5] */
	       0x48, 0x89, 0x04, 0x24,       /* 0b mov [rsp], rax */
	       0xc3,                         /* 0f ret */
	       0xe8, 1, 0, 0, 0,             /* 10 handler: call 16 */
	       0xcc,                         /* 15 int3 */
	       0x48, 0x89, 0x14, 0x24,       /* 16 mov [rsp], rdx */
	       0xc3),                        /* 1a ret */
	  { 0, 0 },
	  { { RSB_CAUSE_REWRITTEN_RETURN, "target+0xb: mov qword ptr [rsp], rax", 1, 0, 0, NULL },
	    { RSB_CAUSE_REWRITTEN_RETURN, "target+0x16: mov qword ptr [rsp], rdx", 1, 0, 0,
	      NULL } },
	  2 },
	/*
	 * 19 calls deep below the 9 that are open: 28 on a ring of 16. The recursion's own returns
	 * all go where the stale entries say; the landing and the 8 callers do not. The 17th call,
	 * the recursion's 8th, is the first that overwrites.
	 */
	{ "recursion",
	  CODE(0xb9, 20, 0, 0, 0,            /* 00 mov ecx, 20 */
	       0xff, 0xc9,                   /* 05 dec ecx */
	       0x74, 5,                      /* 07 je 0e */
	       0xe8, 0xf7, 0xff, 0xff, 0xff, /* 09 call 05 */
	       0xc3),                        /* 0e ret */
	  { 0, 0 },
	  { { RSB_CAUSE_OVERFLOW, "target+0x9: call", 1, 8, 0, NULL } },
	  1 },
	/*
	 * A signal: the kernel stores the restorer's address and enters the handler without a
	 * call.
	 */
	{ "signal",
	  CODE(0x48, 0x83, 0xec, 8,          /* 00 sub rsp, 8 */
	       0x48, 0x8d, 0x05, 6, 0, 0, 0, /* 04 lea rax, [rip + 6] */
	       0x48, 0x89, 0x04, 0x24,       /* 0b mov [rsp], rax */
	       0xeb, 1,                      /* 0f jmp 12 */
	       0xc3,                         /* 11 restorer: ret */
	       0xc3),                        /* 12 handler: ret */
	  { 0, 0 },
	  { { RSB_CAUSE_PUSHED_RETURN, "target+0xb: mov qword ptr [rsp], rax", 2, 8, -1, NULL } },
	  1 },
	/* What a CPU does not push, it cannot predict. */
	{ "a return to the next instruction",
	  CODE(0xe8, 0, 0, 0, 0, /* 00 call 05 */
	       0xc3),            /* 05 ret: to 05, then to A */
	  { 0, 0 },
	  { { RSB_CAUSE_PREDICTOR, "target: call", 2, 8, -1, NULL } },
	  1 },
	/* Go's systemstack: frames on another stack come and go; those of this one stay. */
	{ "another stack",
	  CODE(0x48, 0x89, 0xe2, /* 00 mov rdx, rsp */
	       0x48, 0x89, 0xfc, /* 03 mov rsp, rdi */
	       0xe8, 4, 0, 0, 0, /* 06 call 0f */
	       0x48, 0x89, 0xd4, /* 0b mov rsp, rdx */
	       0xc3,             /* 0e ret */
	       0xc3),            /* 0f ret */
	  { 0, 0 },
	  { { 0 } },
	  0 },
	/*
	 * A fiber that stays where it is from round to round: each switch returns to a frame that
	 * an earlier round's call made, and leaves one; each costs one miss, and all is balanced.
	 */
	{ "a fiber",
	  CODE(0x48, 0x8b, 0x47, 0xf8,          /* 00 mov rax, [rdi - 8] */
	       0x48, 0x85, 0xc0,                /* 04 test rax, rax */
	       0x75, 0x0e,                      /* 07 jne 17 */
	       0x48, 0x8d, 0x47, 0x80,          /* 09 lea rax, [rdi - 0x80] */
	       0x48, 0x8d, 0x0d, 0x10, 0, 0, 0, /* 0d lea rcx, [rip + 0x10] */
	       0x48, 0x89, 0x08,                /* 14 mov [rax], rcx */
	       0xe8, 1, 0, 0, 0,                /* 17 call switch */
	       0xc3,                            /* 1c ret */
	       0x48, 0x89, 0xe2,                /* 1d switch: mov rdx, rsp */
	       0x48, 0x89, 0xc4,                /* 20 mov rsp, rax */
	       0xc3,                            /* 23 ret */
	       0xe8, 2, 0, 0, 0,                /* 24 fiber: call yield */
	       0xeb, 0xf9,                      /* 29 jmp fiber */
	       0x48, 0x89, 0x67, 0xf8,          /* 2b yield: mov [rdi - 8], rsp */
	       0x48, 0x89, 0xd4,                /* 2f mov rsp, rdx */
	       0xc3),                           /* 32 ret */
	  { 0, 0 },
	  { { RSB_CAUSE_SKIPPED_FRAME, "target+0x20: mov rsp, rax", 1, 0, 0, NULL },
	    { RSB_CAUSE_SKIPPED_FRAME, "target+0x2f: mov rsp, rdx", 1, 0, 0, NULL },
	    /* Only the first time. */
	    { RSB_CAUSE_PUSHED_RETURN, "target+0x14: mov qword ptr [rax], rcx", 0, 0, 0, NULL } },
	  3 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static const struct rsb_scenario unwind = { "unwind", 8, 1, 128 };
static struct rsb_error error;

static struct rsb_image *make_image(const struct row *row)
{
	struct rsb_code *code = explained_callers(&unwind, FIBER_STACK + RSB_PAGE);
	struct rsb_image *image = rsb_image_new();
	size_t from = row->mitigation[0], to = row->mitigation[1];

	rsb_code_bytes(code, row->bytes, from);
	rsb_code_mitigation(code, to ? RSB_MITIGATION_JUMP : RSB_MITIGATION_NONE);
	rsb_code_bytes(code, row->bytes + from, to - from);
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
	rsb_code_bytes(code, row->bytes + to, row->size - to);
	ck_assert_msg(rsb_code_finish(code, image, &error), "%s", error.text);
	ck_assert_msg(rsb_image_map(image, "fiber", FIBER_STACK, RSB_PAGE, RSB_READ | RSB_WRITE,
				    NULL, 0, &error),
		      "%s", error.text);
	rsb_code_free(code);
	return image;
}

static struct rsb_explanation *explain_row(const struct row *row, const char *set)
{
	struct rsb_profile *profile = rsb_profile_load("intel-haswell", &error);
	struct rsb_explanation *explanation;

	ck_assert_msg(profile, "%s", error.text);
	if (set)
		ck_assert(rsb_profile_set(profile, set, "true", &error));
	explanation = explained_image(make_image(row), profile, &unwind);
	rsb_profile_free(profile);
	return explanation;
}

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	ck_abort_msg("no row is called %s", name);
}

/* Each of the rows has the cause that is known of its like. */
START_TEST(classic_cases_have_their_cause)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct rsb_explanation *explanation = explain_row(&rows[i], NULL);

		explained_check(explanation, rows[i].name, rows[i].findings, rows[i].count);
		rsb_explanation_free(explanation);
	}
}
END_TEST

/* Where a CPU pushes calls to the next instruction too, each that is dropped stays. */
START_TEST(calls_to_the_next_stay_where_they_are_pushed)
{
	static const struct explained_finding expected[] = {
		{ RSB_CAUSE_SKIPPED_FRAME, "target+0xe: add rsp, 8", 1, 4, 1, NULL },
		{ RSB_CAUSE_SKIPPED_FRAME, "target+0x5: add rsp, 8", 0, 4, 1, NULL },
	};
	struct rsb_explanation *explanation = explain_row(find_row("calls"), "zero_call_pushes");

	explained_check(explanation, "calls", expected, 2);
	rsb_explanation_free(explanation);
}
END_TEST

/* The chain of one miss: what was predicted, who pushed it, where it went. */
START_TEST(a_miss_names_its_places)
{
	struct rsb_explanation *explanation = explain_row(find_row("spectre_ret"), NULL);
	const struct rsb_finding *finding = explanation->findings;
	const struct rsb_explained_miss *miss = finding->misses;

	ck_assert_uint_eq(finding->miss_count, 1);
	ck_assert_str_eq(finding->call.symbol, "target");
	ck_assert_str_eq(finding->entry.symbol, "target+0x5");
	ck_assert_int_eq(miss->cause, RSB_CAUSE_REWRITTEN_RETURN);
	ck_assert(miss->inside);
	ck_assert_str_eq(miss->returned_by.symbol, "target+0x11");
	ck_assert_str_eq(miss->returned_by.text, "ret");
	ck_assert_uint_eq(miss->returned_by.length, 1);
	ck_assert_uint_eq(miss->returned_by.bytes[0], 0xc3);
	ck_assert_str_eq(miss->predicted.symbol, "target+0x5");
	ck_assert_str_eq(miss->pushed_by.symbol, "target");
	ck_assert_str_eq(miss->actual.symbol, "target+0x12");
	ck_assert_uint_eq(miss->cold, 1);
	ck_assert_uint_eq(miss->steady, 1);
	rsb_explanation_free(explanation);
}
END_TEST

/* Knock-ons are under the finding, and are not called by its own cause. */
START_TEST(knock_ons_are_shifted)
{
	struct rsb_explanation *explanation =
		explain_row(find_row("call over a byte and pop"), NULL);
	const struct rsb_finding *finding = explanation->findings;

	ck_assert_uint_eq(finding->miss_count, 9);
	ck_assert_int_eq(finding->misses[0].cause, RSB_CAUSE_SKIPPED_FRAME);
	for (size_t i = 1; i < finding->miss_count; i++)
		ck_assert_int_eq(finding->misses[i].cause, RSB_CAUSE_SHIFTED);
	rsb_explanation_free(explanation);
}
END_TEST

/* The code around the culprit is in order, and holds it. */
START_TEST(the_culprit_is_shown_in_its_code)
{
	struct rsb_explanation *explanation =
		explain_row(find_row("longjmp over three frames"), NULL);
	const struct rsb_finding *finding = explanation->findings;
	size_t at = 0;

	while (at < finding->around_count && finding->around[at].pc != finding->culprit.pc)
		at++;
	ck_assert_uint_eq(at, 4);
	ck_assert_str_eq(finding->around[at - 1].text, "int3");
	ck_assert_str_eq(finding->around[at + 1].text, "ret");
	rsb_explanation_free(explanation);
}
END_TEST

UNIT_MAIN("classic cases", classic_cases_have_their_cause,
	  calls_to_the_next_stay_where_they_are_pushed, a_miss_names_its_places,
	  knock_ons_are_shifted, the_culprit_is_shown_in_its_code)
