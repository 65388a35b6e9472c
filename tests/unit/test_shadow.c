/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shadow stacks in the machine: what each of their instructions does to registers, to memory and to
 * the stack itself. What is expected is from the Intel SDM, volume 2, at the instruction.
 */
#include "sim/image/layout.h"
#include "sim/machine/shadow.h"
#include "sim/machine/watch.h"
#include "sim/score/run.h"
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#define TOKEN_AT UINT64_C(0x5003f8) /* in the guest's data */
#define TOKEN    UINT64_C(0x500401) /* the address behind it, and bit 0: 64-bit mode */

/* The same guest, with shadow stacks on. */
static void turn_on(struct guest *guest)
{
	rsb_image_set_cet(guest->image, RSB_CET_SHADOW_STACK);
}

static void put_token(struct guest *guest)
{
	const uint64_t token = TOKEN;

	ck_assert(rsb_image_patch(guest->image, TOKEN_AT, &token, sizeof(token), &guest->error));
}

static uint64_t read_word(const struct guest *guest, uint64_t address)
{
	uint64_t word;

	ck_assert_uint_eq(rsb_machine_read(guest->machine, address, &word, sizeof(word)),
			  sizeof(word));
	return word;
}

static struct rsb_shadow_tally tally(const struct guest *guest)
{
	return rsb_machine_shadow(guest->machine);
}

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

/* Code that asks for a shadow stack, as glibc's longjmp does, takes the way with the call. */
static const uint8_t asks[] = {
	0x31, 0xc0,			/* 0 xor eax, eax */
	0xf3, 0x48, 0x0f, 0x1e, 0xc8,	/* 2 rdsspq rax */
	0x48, 0x85, 0xc0,		/* 7 test rax, rax */
	0x74, 0x05,			/* a je 11 */
	0xe8, 0x01, 0x00, 0x00, 0x00,	/* c call 12 */
	0xc3,				/* 11 ret */
	0xc3,				/* 12 ret */
};

#define ASKS guest_new(GUEST_CODE, asks, sizeof(asks))

/* Off, rdssp is a nop: rax stays 0 and no call is made. */
START_TEST(code_finds_no_shadow_stack_where_it_is_off)
{
	struct guest guest = ASKS;

	guest_run(&guest);
	ck_assert_ptr_null(strstr(guest_events(&guest), "call"));
	ck_assert_uint_eq(tally(&guest).faults, 0);
	guest_free(&guest);
}
END_TEST

/* On, it gives the pointer. */
START_TEST(code_finds_a_shadow_stack_where_it_is_on)
{
	struct guest guest = ASKS;

	turn_on(&guest);
	guest_run(&guest);
	ck_assert_ptr_nonnull(strstr(guest_events(&guest), "call 40110c>401112"));
	ck_assert_uint_eq(tally(&guest).faults, 0);
	ck_assert_int_eq(tally(&guest).left, 0);
	guest_free(&guest);
}
END_TEST

/* The machine's own option does the same whatever the image says. */
START_TEST(an_option_turns_it_on)
{
	const struct rsb_machine_options options = { .kinds = RSB_KIND_ALL, .shadow_stack = true };
	struct guest guest = ASKS;

	guest.machine = rsb_machine_new(guest.image, guest.sites, &options, &guest.error);
	ck_assert_msg(guest.machine, "%s", guest.error.text);
	guest_run(&guest);
	ck_assert_ptr_nonnull(strstr(guest_events(&guest), "call 40110c>401112"));
	guest_free(&guest);
}
END_TEST

/* rdsspq reads all of it, into any register; rdsspd its lower half, with zeros above. */
START_TEST(rdssp_reads_the_pointer)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x31, 0xc0,					/* 0 xor eax, eax */
		0xf3, 0x0f, 0x1e, 0xc8,				/* 2 rdsspd eax */
		0x48, 0x89, 0x04, 0x25, 0x00, 0x00, 0x50, 0x00,	/* 6 mov [0x500000], rax */
		0xf3, 0x48, 0x0f, 0x1e, 0xc9,			/* e rdsspq rcx */
		0x48, 0x89, 0x0c, 0x25, 0x08, 0x00, 0x50, 0x00,	/* 13 mov [0x500008], rcx */
		0xf3, 0x49, 0x0f, 0x1e, 0xc9,			/* 1b rdsspq r9 */
		0x4c, 0x89, 0x0c, 0x25, 0x10, 0x00, 0x50, 0x00,	/* 20 mov [0x500010], r9 */
		0xc3);						/* 28 ret */
	uint64_t ssp;

	turn_on(&guest);
	guest_run(&guest);
	ssp = read_word(&guest, GUEST_DATA + 8);
	ck_assert_uint_eq(read_word(&guest, GUEST_DATA), (uint32_t)ssp);
	ck_assert_uint_eq(read_word(&guest, GUEST_DATA + 16), ssp);
	/* What it points to is what the traced call pushed. */
	ck_assert_uint_eq(read_word(&guest, ssp), GUEST_LANDING);
	guest_free(&guest);
}
END_TEST

/* incsspd pops 4 bytes a time: two are one entry. */
START_TEST(incsspd_pops_halves)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 0 call 6 */
		0xcc,				/* 5 int3 */
		0x59,				/* 6 pop rcx */
		0xb8, 0x02, 0x00, 0x00, 0x00,	/* 7 mov eax, 0x2 */
		0xf3, 0x0f, 0xae, 0xe8,		/* c incsspd eax */
		0xc3);				/* 10 ret */

	turn_on(&guest);
	guest_run(&guest);
	ck_assert_uint_eq(tally(&guest).faults, 0);
	guest_free(&guest);
}
END_TEST

/* Only the low 8 bits of its operand count: 0x101 is one entry. */
START_TEST(incssp_takes_eight_bits)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 0 call 6 */
		0xcc,				/* 5 int3 */
		0x59,				/* 6 pop rcx */
		0xb8, 0x01, 0x01, 0x00, 0x00,	/* 7 mov eax, 0x101 */
		0xf3, 0x48, 0x0f, 0xae, 0xe8,	/* c incsspq rax */
		0xc3);				/* 11 ret */

	turn_on(&guest);
	guest_run(&guest);
	ck_assert_uint_eq(tally(&guest).faults, 0);
	guest_free(&guest);
}
END_TEST

/*
 * rstorssp takes the stack that a token is on, and leaves the way back in the token's place;
 * saveprevssp makes a token of it on the stack that was left.
 */
START_TEST(rstorssp_and_saveprevssp_switch)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xf3, 0x49, 0x0f, 0x1e, 0xc9,			/* 0 rdsspq r9 */
		0x4c, 0x89, 0x0c, 0x25, 0x00, 0x00, 0x50, 0x00,	/* 5 mov [0x500000], r9 */
		0xb8, 0xe0, 0x03, 0x50, 0x00,			/* d mov eax, 0x5003e0 */
		0x41, 0xb8, 0x10, 0x00, 0x00, 0x00,		/* 12 mov r8d, 0x10 */
		0xf9,						/* 18 stc */
		0xf3, 0x42, 0x0f, 0x01, 0x6c, 0x40, 0xf8,	/* 19 rstorssp [rax+r8*2-0x8] */
		0x0f, 0x92, 0x04, 0x25, 0x10, 0x00, 0x50, 0x00,	/* 20 setb [0x500010] */
		0xf3, 0x49, 0x0f, 0x1e, 0xc9,			/* 28 rdsspq r9 */
		0x4c, 0x89, 0x0c, 0x25, 0x08, 0x00, 0x50, 0x00,	/* 2d mov [0x500008], r9 */
		0x48, 0x8b, 0x0c, 0x25, 0xf8, 0x03, 0x50, 0x00,	/* 35 mov rcx, [0x5003f8] */
		0x48, 0x89, 0x0c, 0x25, 0x18, 0x00, 0x50, 0x00,	/* 3d mov [0x500018], rcx */
		0xf3, 0x0f, 0x01, 0xea,				/* 45 saveprevssp */
		0xc3);						/* 49 ret */
	uint64_t old;

	turn_on(&guest);
	put_token(&guest);
	guest_run(&guest);
	old = read_word(&guest, GUEST_DATA);
	/* The carry was set before; there is no alignment hole, so that it is clear now. */
	ck_assert_uint_eq(read_word(&guest, GUEST_DATA + 16) & 0xff, 0);
	ck_assert_uint_eq(read_word(&guest, GUEST_DATA + 8), TOKEN_AT);
	ck_assert_uint_eq(read_word(&guest, GUEST_DATA + 24), old | 3);
	ck_assert_uint_eq(read_word(&guest, old - 8), old | 1);
	/* Never switched back: the last return finds the other stack. */
	ck_assert_uint_eq(tally(&guest).first.kind, RSB_SHADOW_FAULT_RETURN);
	guest_free(&guest);
}
END_TEST

/* A return whose stack nothing has touched before is compared like any other. */
START_TEST(a_return_brings_in_its_stack)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x48, 0x89, 0xe3,		/* 0 mov rbx, rsp */
		0xbc, 0x00, 0x00, 0x50, 0x00,	/* 3 mov esp, 0x500000 */
		0xc3,				/* 8 ret */
		0xcc,				/* 9 int3 */
		0x48, 0x89, 0xdc,		/* a mov rsp, rbx */
		0xc3);				/* d ret */
	const uint64_t target = GUEST_TARGET + 10;

	turn_on(&guest);
	ck_assert(rsb_image_patch(guest.image, GUEST_DATA, &target, sizeof(target), &guest.error));
	guest_run(&guest);
	ck_assert_uint_eq(tally(&guest).first.pc, GUEST_TARGET + 8);
	ck_assert_uint_eq(tally(&guest).first.expected, GUEST_LANDING);
	ck_assert_uint_eq(tally(&guest).first.actual, target);
	guest_free(&guest);
}
END_TEST

/* There and back in each round: the state repeats, and is proved to. */
START_TEST(a_run_that_switches_is_proved)
{
	const struct rsb_run_options options = { .kinds = RSB_KIND_BIT(RSB_CALL) };
	struct guest guest = GUEST(GUEST_CODE,
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
		0xc3);							/* 2e ret */
	struct rsb_run *run;

	turn_on(&guest);
	put_token(&guest);
	run = rsb_run_new(guest.image, &options, &guest.error);
	ck_assert_msg(run, "%s", guest.error.text);
	ck_assert_int_eq(rsb_run_steady(run), RSB_STEADY_PROVED);
	rsb_run_free(run);
	guest_free(&guest);
}
END_TEST

/* A store to the shadow stack faults: only calls and the like write it. */
START_TEST(code_cannot_write_it)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xf3, 0x48, 0x0f, 0x1e, 0xc8,	/* 0 rdsspq rax */
		0x48, 0x89, 0x08,		/* 5 mov [rax], rcx */
		0xc3);				/* 8 ret */

	turn_on(&guest);
	ck_assert_ptr_nonnull(
		strstr(guest_fail(&guest), "write to read-only memory at target+0x5"));
	guest_free(&guest);
}
END_TEST

/* What only the kernel or a special mode uses is refused by its name, on or off. */
START_TEST(refuses_what_it_does_not_emulate)
{
	for (int on = 0; on < 2; on++) {
		struct guest busy = GUEST(GUEST_CODE,
		0xf3, 0x0f, 0x01, 0xe8,	/* 0 setssbsy */
		0xc3);			/* 4 ret */
		struct guest write = GUEST(GUEST_CODE,
		0x48, 0x0f, 0x38, 0xf6, 0x08,	/* 0 wrssq [rax], rcx */
		0xc3);				/* 5 ret */

		if (on) {
			turn_on(&busy);
			turn_on(&write);
		}
		ck_assert_ptr_nonnull(strstr(guest_fail(&busy), "target (0x401100): setssbsy"));
		ck_assert_ptr_nonnull(strstr(guest_fail(&write), "target (0x401100): wrssq"));
		guest_free(&busy);
		guest_free(&write);
	}
}
END_TEST

/* Calls without end run out of its 131072 entries, long after those of the stack would. */
START_TEST(says_when_it_overflows)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x48, 0x89, 0xe3,		/* 0 mov rbx, rsp */
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 3 call 9 */
		0xcc,				/* 8 int3 */
		0x48, 0x89, 0xdc,		/* 9 mov rsp, rbx */
		0xeb, 0xf5);			/* c jmp 3 */

	turn_on(&guest);
	ck_assert_ptr_nonnull(
		strstr(guest_fail(&guest), "the shadow stack runs into unmapped memory at target"));
	guest_free(&guest);
}
END_TEST

/* clang-format on */

static struct rsb_layout *parse(const char *keys, struct rsb_error *error)
{
	char text[256];

	snprintf(text, sizeof(text), "{ %s \"generate\": { \"family\": \"plain-call\" } }", keys);
	return rsb_layout_parse("test", text, strlen(text), ".", error);
}

/* The keys of a layout file reach the image; what is not said is off. */
START_TEST(a_layout_turns_it_on)
{
	static const struct {
		const char *keys;
		unsigned cet;
	} rows[] = {
		{ "", 0 },
		{ "\"shadow_stack\": false,", 0 },
		{ "\"shadow_stack\": true,", RSB_CET_SHADOW_STACK },
		{ "\"ibt\": true,", RSB_CET_IBT },
		{ "\"ibt\": true, \"notrack\": true,", RSB_CET_IBT | RSB_CET_NOTRACK },
	};
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsb_error error;
		struct rsb_layout *layout = parse(rows[i].keys, &error);
		struct rsb_image *image;

		ck_assert_msg(layout, "%s", error.text);
		image = rsb_layout_image(layout, &scenario, &error);
		ck_assert_msg(image, "%s", error.text);
		ck_assert_uint_eq(rsb_image_cet(image), rows[i].cet);
		rsb_image_free(image);
		rsb_layout_free(layout);
	}
}
END_TEST

/* Each wrong value is an error that names its key. */
START_TEST(a_layout_is_checked)
{
	static const struct {
		const char *keys, *message;
	} rows[] = {
		{ "\"shadow_stack\": 1,", "shadow_stack" },
		{ "\"ibt\": \"on\",", "ibt" },
		{ "\"notrack\": true,", "\"notrack\" does not go without \"ibt\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsb_error error;

		ck_assert_ptr_null(parse(rows[i].keys, &error));
		ck_assert_msg(strstr(error.text, rows[i].message), "%s", error.text);
	}
}
END_TEST

UNIT_MAIN("shadow stack", code_finds_no_shadow_stack_where_it_is_off,
	  code_finds_a_shadow_stack_where_it_is_on, an_option_turns_it_on, rdssp_reads_the_pointer,
	  incsspd_pops_halves, incssp_takes_eight_bits, rstorssp_and_saveprevssp_switch,
	  a_return_brings_in_its_stack, a_run_that_switches_is_proved, code_cannot_write_it,
	  refuses_what_it_does_not_emulate, says_when_it_overflows, a_layout_turns_it_on,
	  a_layout_is_checked)
