/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Landings: where a traced call ends. What is expected follows from the instructions beside the
 * bytes.
 */
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

/* Two traced calls in a round: both land, and their instructions add up. */
START_TEST(counts_each_traced_call)
{
	struct guest guest = GUEST_WHOLE(GUEST_CODE, 5,
		0xbb, 0x02, 0x00, 0x00, 0x00, /* 401000 mov ebx, 2 */
		0xe8, 0x05, 0x00, 0x00, 0x00, /* 401005 call 40100f; the traced call */
		0xff, 0xcb,		      /* 40100a dec ebx; the landing */
		0x75, 0xf7,		      /* 40100c jne 401005 */
		0xc3,			      /* 40100e ret */
		0x90,			      /* 40100f nop */
		0xc3);			      /* 401010 ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_all_events(&guest),
			 "round 401000\n"
			 "traced call 401005\n"
			 "call 401005>40100f\n"
			 "return 401010>40100a\n"
			 "landing 40100a\n"
			 "taken branch 40100c>401005\n"
			 "traced call 401005\n"
			 "call 401005>40100f\n"
			 "return 401010>40100a\n"
			 "landing 40100a\n"
			 "not-taken branch 40100c>40100e\n");
	/* nop and ret, twice; beside them mov, twice call, dec and jne, and ret. */
	ck_assert_uint_eq(guest.round.traced_instructions, 4);
	ck_assert_uint_eq(guest.round.instructions, 4 + 8);
	ck_assert_uint_eq(guest.round.traced_calls, 2);
	guest_free(&guest);
}
END_TEST

/* DESIGN.md: the landing is the first transfer of any kind that reaches the return address. */
START_TEST(lands_by_a_jump)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x59,	     /* 401100 pop rcx */
		0xff, 0xe1); /* 401101 jmp rcx */

	guest_run(&guest);
	ck_assert_str_eq(guest_all_events(&guest),
			 "round 401000\n"
			 "traced call 401000\n"
			 "call 401000>401100\n"
			 "indirect jump 401101>401005\n"
			 "landing 401005\n");
	guest_free(&guest);
}
END_TEST

/* ... with the caller's stack pointer: the first time here it is another. */
START_TEST(lands_only_with_the_callers_stack_pointer)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x48, 0x8d, 0x05, 0x06, 0x00, 0x00, 0x00, /* 401100 lea rax, [40110d] */
		0x50,					  /* 401107 push rax */
		0xe9, 0xf8, 0xfe, 0xff, 0xff,		  /* 401108 jmp 401005, whose ret pops rax */
		0xc3);					  /* 40110d ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "jump 401108>401005\n"
			 "return 401005>40110d\n"
			 "return 40110d>401005\n");
	ck_assert_uint_eq(guest.round.traced_calls, 1);
	/* lea, push, jmp, the ret at the landing, ret. */
	ck_assert_uint_eq(guest.round.traced_instructions, 5);
	guest_free(&guest);
}
END_TEST

/* A skipped frame lands where the caller's call returns to, from deeper down. */
START_TEST(lands_from_a_skipped_frame)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x01, 0x00, 0x00, 0x00, /* 401100 call 401106 */
		0xcc,			      /* 401105 never reached */
		0x48, 0x83, 0xc4, 0x08,	      /* 401106 add rsp, 8 */
		0xc3);			      /* 40110a ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401100>401106\n"
			 "return 40110a>401005\n");
	ck_assert_uint_eq(guest.round.traced_calls, 1);
	guest_free(&guest);
}
END_TEST

/* clang-format on */

UNIT_MAIN("landings", counts_each_traced_call, lands_by_a_jump,
	  lands_only_with_the_callers_stack_pointer, lands_from_a_skipped_frame)
