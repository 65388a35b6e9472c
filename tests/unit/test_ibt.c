/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict of indirect branch tracking: where indirect branches may land. What is expected is
 * from the Intel SDM, volume 1, chapter 17.3; what Linux writes over an endbr64, and where FineIBT
 * has its preamble, from arch/x86/include/asm/ibt.h and arch/x86/kernel/alternative.c.
 */
#include "sim/explain/ibt.h"
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <string.h>

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

#define CODE(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

static const struct row {
	const char *name;
	const uint8_t *code;
	size_t size;
	unsigned cet;
	bool clean;
	const char *branch, *landed; /* of the first violation; NULL: there is none */
	enum rsb_pad pad;
	unsigned tracked, untracked; /* branches in a round */
} rows[] = {
	{ "an indirect jump to endbr64", CODE(
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 0 lea rax, [9] */
		0xff, 0xe0,					/* 7 jmp rax */
		0xf3, 0x0f, 0x1e, 0xfa,				/* 9 endbr64 */
		0xc3),						/* d ret */
	  RSB_CET_IBT, true, NULL, NULL, RSB_PAD_ENDBR64, 1, 0 },
	{ "an indirect jump to something else", CODE(
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 0 lea rax, [9] */
		0xff, 0xe0,					/* 7 jmp rax */
		0xc3),						/* 9 ret */
	  RSB_CET_IBT, false, "target+0x7", "target+0x9", RSB_PAD_NONE, 1, 0 },
	{ "an indirect call to endbr64", CODE(
		0x48, 0x8d, 0x05, 0x06, 0x00, 0x00, 0x00,	/* 0 lea rax, [d] */
		0x50,						/* 7 push rax */
		0xff, 0x14, 0x24,				/* 8 call [rsp] */
		0x58,						/* b pop rax */
		0xc3,						/* c ret */
		0xf3, 0x0f, 0x1e, 0xfa,				/* d endbr64 */
		0xc3),						/* 11 ret */
	  RSB_CET_IBT, true, NULL, NULL, RSB_PAD_ENDBR64, 1, 0 },
	{ "endbr32 is not for 64-bit mode", CODE(
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 0 lea rax, [9] */
		0xff, 0xe0,					/* 7 jmp rax */
		0xf3, 0x0f, 0x1e, 0xfb,				/* 9 endbr32 */
		0xc3),						/* d ret */
	  RSB_CET_IBT, false, "target+0x7", "target+0x9", RSB_PAD_ENDBR32, 1, 0 },
	{ "notrack is a plain prefix where it is not enabled", CODE(
		0x48, 0x8d, 0x05, 0x03, 0x00, 0x00, 0x00,	/* 0 lea rax, [a] */
		0x3e, 0xff, 0xe0,				/* 7 notrack jmp rax */
		0xc3),						/* a ret */
	  RSB_CET_IBT, false, "target+0x7", "target+0xa", RSB_PAD_NONE, 1, 0 },
	{ "notrack where it is enabled", CODE(
		0x48, 0x8d, 0x05, 0x03, 0x00, 0x00, 0x00,	/* 0 lea rax, [a] */
		0x3e, 0xff, 0xe0,				/* 7 notrack jmp rax */
		0xc3),						/* a ret */
	  RSB_CET_IBT | RSB_CET_NOTRACK, true, NULL, NULL, RSB_PAD_ENDBR64, 0, 1 },
	{ "a branch without the prefix is tracked there too", CODE(
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 0 lea rax, [9] */
		0xff, 0xe0,					/* 7 jmp rax */
		0xc3),						/* 9 ret */
	  RSB_CET_IBT | RSB_CET_NOTRACK, false, "target+0x7", "target+0x9", RSB_PAD_NONE, 1, 0 },
	{ "a far jump has no notrack: there the prefix is DS's", CODE(
		0x48, 0x8d, 0x05, 0x16, 0x00, 0x00, 0x00,	/* 0 lea rax, [1d] */
		0x48, 0x89, 0x44, 0x24, 0xe0,			/* 7 mov [rsp-0x20], rax */
		0x66, 0xc7, 0x44, 0x24, 0xe8, 0x10, 0x00,	/* c mov word [rsp-0x18], 0x10 */
		0x3e, 0x48, 0xff, 0x6c, 0x24, 0xe0,		/* 13 ljmp [rsp-0x20] */
		0x90, 0x90, 0x90, 0x90,				/* 19 */
		0xc3),						/* 1d ret */
	  RSB_CET_IBT | RSB_CET_NOTRACK, false, "target+0x13", "target+0x1d", RSB_PAD_NONE, 1, 0 },
	{ "a far call is tracked, its return is not", CODE(
		0x48, 0x8d, 0x05, 0x13, 0x00, 0x00, 0x00,	/* 0 lea rax, [1a] */
		0x48, 0x89, 0x44, 0x24, 0xe0,			/* 7 mov [rsp-0x20], rax */
		0x66, 0xc7, 0x44, 0x24, 0xe8, 0x10, 0x00,	/* c mov word [rsp-0x18], 0x10 */
		0x48, 0xff, 0x5c, 0x24, 0xe0,			/* 13 lcall [rsp-0x20] */
		0xc3,						/* 18 ret */
		0x90,						/* 19 */
		0xf3, 0x0f, 0x1e, 0xfa,				/* 1a endbr64 */
		0x48, 0xcb),					/* 1e lretq */
	  RSB_CET_IBT, true, NULL, NULL, RSB_PAD_ENDBR64, 1, 0 },
	{ "returns are not tracked", CODE(
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 0 lea rax, [9] */
		0x50,						/* 7 push rax */
		0xc3,						/* 8 ret */
		0x90,						/* 9 nop */
		0xc3),						/* a ret */
	  RSB_CET_IBT, true, NULL, NULL, RSB_PAD_ENDBR64, 0, 0 },
	{ "sealed, as from Linux 5.18 on", CODE(
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 0 lea rax, [9] */
		0xff, 0xe0,					/* 7 jmp rax */
		0x66, 0x0f, 0x1f, 0x00,				/* 9 nop word [rax] */
		0xc3),						/* d ret */
	  RSB_CET_IBT, false, "target+0x7", "target+0x9", RSB_PAD_SEALED, 1, 0 },
	{ "sealed, as since 2025", CODE(
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 0 lea rax, [9] */
		0xff, 0xe0,					/* 7 jmp rax */
		0x0f, 0x1f, 0x40, 0xd6,				/* 9 nop dword [rax-0x2a] */
		0xc3),						/* d ret */
	  RSB_CET_IBT, false, "target+0x7", "target+0x9", RSB_PAD_SEALED, 1, 0 },
	{ "a FineIBT preamble", CODE(
		0x41, 0xba, 0x78, 0x56, 0x34, 0x12,		/* 0 mov r10d, 0x12345678 */
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00,	/* 6 lea rax, [f] */
		0xff, 0xe0,					/* d jmp rax */
		0xf3, 0x0f, 0x1e, 0xfa,				/* f endbr64 */
		0x41, 0x81, 0xea, 0x78, 0x56, 0x34, 0x12,	/* 13 sub r10d, 0x12345678 */
		0x74, 0x03,					/* 1a je 1f */
		0x0f, 0x0b,					/* 1c ud2 */
		0x90,						/* 1e nop */
		0x66, 0x0f, 0x1f, 0x00,				/* 1f nop word [rax] */
		0xc3),						/* 23 ret */
	  RSB_CET_IBT, true, NULL, NULL, RSB_PAD_ENDBR64, 1, 0 },
	{ "the function behind one", CODE(
		0x41, 0xba, 0x78, 0x56, 0x34, 0x12,		/* 0 mov r10d, 0x12345678 */
		0x48, 0x8d, 0x05, 0x12, 0x00, 0x00, 0x00,	/* 6 lea rax, [1f] */
		0xff, 0xe0,					/* d jmp rax */
		0xf3, 0x0f, 0x1e, 0xfa,				/* f endbr64 */
		0x41, 0x81, 0xea, 0x78, 0x56, 0x34, 0x12,	/* 13 sub r10d, 0x12345678 */
		0x74, 0x03,					/* 1a je 1f */
		0x0f, 0x0b,					/* 1c ud2 */
		0x90,						/* 1e nop */
		0x66, 0x0f, 0x1f, 0x00,				/* 1f nop word [rax] */
		0xc3),						/* 23 ret */
	  RSB_CET_IBT, false, "target+0xd", "target+0x1f", RSB_PAD_FINEIBT, 1, 0 },
};

/* clang-format on */

static struct rsb_run *run_guest(struct guest *guest)
{
	const struct rsb_run_options options = { .kinds = RSB_KIND_BIT(RSB_CALL) };
	struct rsb_run *run = rsb_run_new(guest->image, &options, &guest->error);

	ck_assert_msg(run, "%s", guest->error.text);
	return run;
}

static struct rsb_ibt_verdict judge(struct guest *guest)
{
	struct rsb_run *run = run_guest(guest);
	struct rsb_ibt_verdict verdict;

	ck_assert_msg(rsb_ibt_judge(guest->image, run, &verdict, &guest->error), "%s",
		      guest->error.text);
	rsb_run_free(run);
	return verdict;
}

static void expect_symbol(const char *name, const char *found, const char *expected)
{
	ck_assert_msg(expected ? found && strcmp(found, expected) == 0 : !found,
		      "%s: %s instead of %s", name, found ? found : "nothing",
		      expected ? expected : "nothing");
}

static void judge_row(const struct row *row)
{
	struct guest guest = guest_new(GUEST_CODE, row->code, row->size);
	struct rsb_ibt_verdict verdict;

	rsb_image_set_cet(guest.image, row->cet);
	verdict = judge(&guest);
	ck_assert(verdict.on);
	ck_assert_msg(verdict.clean == row->clean, "%s: %s", row->name, verdict.story);
	expect_symbol(row->name, verdict.branch.symbol, row->branch);
	expect_symbol(row->name, verdict.landed.symbol, row->landed);
	ck_assert_msg(verdict.pad == row->pad, "%s: %s", row->name, rsb_pad_name(verdict.pad));
	ck_assert_msg(verdict.violations == (row->clean ? 0 : verdict.rounds), "%s", row->name);
	ck_assert_msg(verdict.tracked == row->tracked * verdict.rounds, "%s", row->name);
	ck_assert_msg(verdict.untracked == row->untracked * verdict.rounds, "%s", row->name);
	rsb_ibt_verdict_clear(&verdict);
	guest_free(&guest);
}

/* Each of the rows is refused where the manual says so, and nowhere else. */
START_TEST(judges_each_branch)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		judge_row(&rows[i]);
}
END_TEST

/* Where the layout does not say that it is on, there is nothing to judge. */
START_TEST(judges_only_where_it_is_on)
{
	struct guest guest = guest_new(GUEST_CODE, rows[1].code, rows[1].size);
	struct rsb_ibt_verdict verdict = judge(&guest);

	ck_assert(!verdict.on);
	ck_assert(!verdict.clean);
	ck_assert_uint_eq(verdict.violations, 0);
	ck_assert_str_eq(verdict.story, "");
	rsb_ibt_verdict_clear(&verdict);
	guest_free(&guest);
}
END_TEST

/* The sentence names both ends. */
START_TEST(tells_where_and_on_what)
{
	struct guest guest = guest_new(GUEST_CODE, rows[1].code, rows[1].size);
	struct rsb_ibt_verdict verdict;

	rsb_image_set_cet(guest.image, RSB_CET_IBT);
	verdict = judge(&guest);
	ck_assert_str_eq(verdict.story,
			 "`jmp rax` at target+0x7 lands on no endbr64: `ret` at target+0x9");
	rsb_ibt_verdict_clear(&verdict);
	guest_free(&guest);
}
END_TEST

UNIT_MAIN("indirect branch tracking", judges_each_branch, judges_only_where_it_is_on,
	  tells_where_and_on_what)
