/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is easy to get wrong about Unicorn's block hook and Capstone 4: one test for each pitfall
 * that was measured, named by its number or its words. What is expected follows from the
 * instructions beside the bytes; counts have two instructions more, the call and the return of
 * rsb_round.
 */
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <string.h>

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

#define SELF_CHANGING	   (RSB_READ | RSB_WRITE | RSB_EXECUTE)

/* 1: rip is stale in the hook when blocks are chained; each turn of a loop is told all the same. */
START_TEST(pitfall_1_chained_blocks)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xb9, 0xe8, 0x03, 0x00, 0x00, /* 401100 mov ecx, 1000 */
		0xff, 0xc9,		      /* 401105 dec ecx */
		0x75, 0xfc,		      /* 401107 jne 401105 */
		0xc3);			      /* 401109 ret */

	guest_run(&guest);
	ck_assert_uint_eq(guest_count(&guest, RSB_BRANCH_TAKEN, 0x401107), 999);
	ck_assert_uint_eq(guest_count(&guest, RSB_BRANCH_NOT_TAKEN, 0x401107), 1);
	/* Beside those: three marks, the call, the return. */
	ck_assert_uint_eq(guest.trace.count, 1000 + 5);
	ck_assert_uint_eq(guest.round.instructions, 1 + 2 * 1000 + 1 + GUEST_ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/*
 * 2: the block at the exit is never told, so the engine's own state must say whether the round came
 * there. 3: the exit is the same in each round, or code translated before runs through it. 4: hooks
 * come before the code, or what was translated has none.
 */
START_TEST(pitfalls_2_to_4_rounds_end_alike)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x01, 0x00, 0x00, 0x00, /* 401100 call 401106 */
		0xc3,			      /* 401105 ret */
		0xc3);			      /* 401106 ret */
	char first[GUEST_LISTING];

	guest_run(&guest);
	strcpy(first, guest_all_events(&guest));
	ck_assert_str_eq(first,
			 "round 401000\n"
			 "traced call 401000\n"
			 "call 401000>401100\n"
			 "call 401100>401106\n"
			 "return 401106>401105\n"
			 "return 401105>401005\n"
			 "landing 401005\n");
	for (int i = 0; i < 100; i++) {
		guest_run(&guest);
		ck_assert_str_eq(guest_all_events(&guest), first);
		ck_assert_uint_eq(guest.round.instructions, 3 + GUEST_ROUND_INSTRUCTIONS);
	}
	guest_free(&guest);
}
END_TEST

/* 5: a fault leaves rip at the start of the block; the instruction is found all the same. */
START_TEST(pitfall_5_faults_in_the_middle)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x48, 0xff, 0xc0,	      /* 401100 inc rax */
		0x48, 0x8b, 0x0c, 0x25, 0x10, 0x00, 0x00, 0x00, /* 401103 mov rcx, [0x10] */
		0xc3);			      /* 40110b ret */

	ck_assert_str_eq(guest_fail(&guest),
			 "read of unmapped memory at target+0x3 (0x401103): "
			 "mov rcx, qword ptr [0x10], address 0x10");
	guest_free(&guest);
}
END_TEST

/* The same in a later round: the way to it is run again. */
START_TEST(pitfall_5_faults_in_a_later_round)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x48, 0x83, 0xc0, 0x01,	      /* 401100 add rax, 1 */
		0x48, 0x89, 0xc1,	      /* 401104 mov rcx, rax */
		0x48, 0xc1, 0xe1, 0x0b,	      /* 401107 shl rcx, 11 */
		0x48, 0x89, 0x81, 0x00, 0x00, 0x50, 0x00, /* 40110b mov [rcx + data], rax */
		0xc3);			      /* 401112 ret */

	guest_run(&guest);
	/* data + 4096 is past its page. */
	ck_assert_str_eq(guest_fail(&guest),
			 "write to unmapped memory at target+0xb (0x40110b): "
			 "mov qword ptr [rcx + 0x500000], rax, address data+0x1000 (0x501000)");
	/* Such a machine stays as it is. */
	ck_assert_ptr_nonnull(strstr(guest_fail(&guest), "target+0xb"));
	guest_free(&guest);
}
END_TEST

/* 6: a page brought in by the hook is no second block, even where the access crosses two pages. */
START_TEST(pitfall_6_a_page_brought_in)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xb9, 0x01, 0x00, 0x00, 0x00, /* 401100 mov ecx, 1 */
		0xff, 0xc0,		      /* 401105 inc eax */
		0x48, 0x89, 0x04, 0x25, 0xfc, 0x0f, 0x60, 0x00, /* 401107 mov [0x600ffc], rax */
		0x48, 0x03, 0x04, 0x25, 0xfc, 0x1f, 0x60, 0x00, /* 40110f add rax, [0x601ffc] */
		0xff, 0xc9,		      /* 401117 dec ecx */
		0x74, 0x01,		      /* 401119 je 40111c */
		0xcc,			      /* 40111b int3 */
		0xc3);			      /* 40111c ret */

	guest_map(&guest, "more", 0x600000, 3 * RSB_PAGE, RSB_READ | RSB_WRITE, NULL, 0);
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "taken branch 401119>40111c\n"
			 "return 40111c>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 7 + GUEST_ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/*
 * 6: a store into the block that runs ends it there. Its call was not made by then: it is once,
 * when it runs in a block of its own; and no instruction is counted twice.
 */
START_TEST(pitfall_6_a_store_into_the_own_block)
{
	struct guest guest = GUEST(SELF_CHANGING,
		0x90,				    /* 401100 nop */
		0xc6, 0x05, 0x01, 0x00, 0x00, 0x00, 0x90, /* 401101 mov byte [401109], 0x90 */
		0x90,				    /* 401108 nop */
		0xcc,				    /* 401109 int3, by then a nop */
		0xe8, 0x01, 0x00, 0x00, 0x00,	    /* 40110a call 401110 */
		0xc3,				    /* 40110f ret */
		0xc3);				    /* 401110 ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 40110a>401110\n"
			 "return 401110>40110f\n"
			 "return 40110f>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 7 + GUEST_ROUND_INSTRUCTIONS);
	/* In the next round the store changes nothing, but is one into the own block still. */
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 40110a>401110\n"
			 "return 401110>40110f\n"
			 "return 40110f>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 7 + GUEST_ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* The same where the whole block ends with a call, and the store is its first instruction. */
START_TEST(pitfall_6_a_store_at_the_start_of_the_block)
{
	struct guest guest = GUEST(SELF_CHANGING,
		0xc6, 0x05, 0x01, 0x00, 0x00, 0x00, 0x01, /* 401100 mov byte [401108], 1 */
		0xe8, 0x01, 0x00, 0x00, 0x00, /* 401107 call 40110d: the 1 is there already */
		0xc3,			      /* 40110c ret */
		0xc3);			      /* 40110d ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401107>40110d\n"
			 "return 40110d>40110c\n"
			 "return 40110c>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 4 + GUEST_ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* 6: a call that pushes into its own block runs twice as a block, and once as a call. */
START_TEST(pitfall_6_a_call_that_pushes_into_its_block)
{
	struct guest guest = GUEST(SELF_CHANGING,
		0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, /* 401100 nop, 8 times */
		0x48, 0x89, 0xe0,			  /* 401108 mov rax, rsp */
		0x48, 0x8d, 0x25, 0xf6, 0xff, 0xff, 0xff, /* 40110b lea rsp, [401108] */
		0xe8, 0x00, 0x00, 0x00, 0x00,		  /* 401112 call 401117 */
		0x48, 0x89, 0xc4,			  /* 401117 mov rsp, rax */
		0xc3);					  /* 40111a ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401112>401117\n"
			 "return 40111a>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 13 + GUEST_ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* ... while a call to itself is a call each time: until the stack, less two words, is full. */
START_TEST(pitfall_6_a_call_to_itself)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0xfb, 0xff, 0xff, 0xff); /* 401100 call 401100 */

	ck_assert_ptr_nonnull(strstr(guest_fail(&guest), "stack overflow at target (0x401100)"));
	ck_assert_uint_eq(guest_count(&guest, RSB_CALL, 0x401100), ((1 << 20) - 16) / 8);
	guest_free(&guest);
}
END_TEST

/* A jump back into the block is one, even to its first instruction or to one byte into it. */
START_TEST(pitfall_6_jumps_into_the_own_block)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xb9, 0x02, 0x00, 0x00, 0x00, /* 401100 mov ecx, 2 */
		0x90,			      /* 401105 nop */
		0xff, 0xc9,		      /* 401106 dec ecx */
		0x75, 0xfb,		      /* 401108 jne 401105 */
		0xeb, 0x01,		      /* 40110a jmp 40110d */
		0xcc,			      /* 40110c */
		/* mov eax, 0x01eb90c3: at 40110e it is ret, at 40110f nop; jmp 401113 */
		0xb8, 0xc3, 0x90, 0xeb, 0x01, /* 40110d */
		0xeb, 0xfb,		      /* 401112 jmp 40110f */
		0xc3);			      /* 401114 ret; 401113 is the fb of the jump, sti */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "taken branch 401108>401105\n"
			 "not-taken branch 401108>40110a\n"
			 "jump 40110a>40110d\n"
			 "jump 401112>40110f\n"
			 "jump 401110>401113\n"
			 "return 401114>401005\n");
	guest_free(&guest);
}
END_TEST

/* Code that was run and is then written: the block has the same start and size, another end. */
START_TEST(pitfall_6_a_store_into_another_block)
{
	struct guest guest = GUEST(SELF_CHANGING,
		0x48, 0x8d, 0x0d, 0x05, 0x00, 0x00, 0x00, /* 401100 lea rcx, [40110c] */
		0xeb, 0x00,				  /* 401107 jmp 401109 */
		0xff, 0xe1,				  /* 401109 jmp rcx, then call rcx */
		0xc3,					  /* 40110b ret */
		0xc6, 0x05, 0xf7, 0xff, 0xff, 0xff, 0xd1, /* 40110c mov byte [40110a], 0xd1 */
		0xc3);					  /* 401113 ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "jump 401107>401109\n"
			 "indirect jump 401109>40110c\n"
			 "return 401113>401005\n");
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "jump 401107>401109\n"
			 "call 401109>40110c\n"
			 "return 401113>40110b\n"
			 "return 40110b>401005\n");
	guest_free(&guest);
}
END_TEST

/* ... or the same start, and another size. */
START_TEST(pitfall_6_a_store_that_ends_another_block_earlier)
{
	struct guest guest = GUEST(SELF_CHANGING,
		0xe8, 0x08, 0x00, 0x00, 0x00, /* 401100 call 40110d */
		0xc6, 0x05, 0x01, 0x00, 0x00, 0x00, 0xc3, /* 401105 mov byte [40110d], 0xc3 */
		0xc3,			      /* 40110c ret */
		0x90,			      /* 40110d nop, then ret */
		0x90,			      /* 40110e nop */
		0xc3);			      /* 40110f ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401100>40110d\n"
			 "return 40110f>401105\n"
			 "return 40110c>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 6 + GUEST_ROUND_INSTRUCTIONS);
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401100>40110d\n"
			 "return 40110d>401105\n"
			 "return 40110c>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 4 + GUEST_ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* The same for the first block of a round, which nothing leads to. */
START_TEST(pitfall_6_a_store_into_the_first_block)
{
	struct guest guest = GUEST_WHOLE(SELF_CHANGING, 4,
		0xeb, 0x00,		      /* 401000 jmp 401002, then je 401002 */
		0x90,			      /* 401002 nop */
		0x90,			      /* 401003 nop */
		0xe8, 0x01, 0x00, 0x00, 0x00, /* 401004 call 40100a; the traced call */
		0xc3,			      /* 401009 ret; the landing */
		0xc6, 0x05, 0xef, 0xff, 0xff, 0xff, 0x74, /* 40100a mov byte [401000], 0x74 */
		0xc3);			      /* 401011 ret */

	guest_run(&guest);
	ck_assert_uint_eq(guest_count(&guest, RSB_JUMP, 0x401000), 1);
	guest_run(&guest);
	ck_assert_uint_eq(guest_count(&guest, RSB_JUMP, 0x401000), 0);
	ck_assert_uint_eq(guest_count(&guest, RSB_BRANCH_NOT_TAKEN, 0x401000), 1);
	guest_free(&guest);
}
END_TEST

/* 7: the hook comes before the block, so a call that faults was not made yet. */
START_TEST(pitfall_7_a_call_that_faults)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xbc, 0x00, 0x10, 0x00, 0x00, /* 401100 mov esp, 0x1000 */
		0xe8, 0x00, 0x00, 0x00, 0x00, /* 401105 call 40110a */
		0xc3);			      /* 40110a ret */

	ck_assert_str_eq(guest_fail(&guest),
			 "write to unmapped memory at target+0x5 (0x401105): "
			 "call 0x40110a, address 0xff8");
	ck_assert_uint_eq(guest_count(&guest, RSB_CALL, 0x401105), 0);
	guest_free(&guest);
}
END_TEST

/* 8: int3 ends its block, and what follows is no branch: nothing serves it, so it ends the run. */
START_TEST(pitfall_8_int3)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x90,  /* 401100 nop */
		0xcc,  /* 401101 int3 */
		0xc3); /* 401102 ret */

	ck_assert_ptr_nonnull(strstr(guest_fail(&guest), "target+0x1 (0x401101): int3"));
	ck_assert_uint_eq(guest_count(&guest, RSB_INTERRUPT, 0x401101), 0);
	guest_free(&guest);
}
END_TEST

/* clang-format on */

UNIT_MAIN("pitfalls", pitfall_1_chained_blocks, pitfalls_2_to_4_rounds_end_alike,
	  pitfall_5_faults_in_the_middle, pitfall_5_faults_in_a_later_round,
	  pitfall_6_a_page_brought_in, pitfall_6_a_store_into_the_own_block,
	  pitfall_6_a_store_at_the_start_of_the_block, pitfall_6_a_call_that_pushes_into_its_block,
	  pitfall_6_a_call_to_itself, pitfall_6_jumps_into_the_own_block,
	  pitfall_6_a_store_into_another_block, pitfall_6_a_store_that_ends_another_block_earlier,
	  pitfall_6_a_store_into_the_first_block, pitfall_7_a_call_that_faults, pitfall_8_int3)
