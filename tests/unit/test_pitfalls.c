/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is easy to get wrong about Unicorn's block hook and Capstone 4: one test for each pitfall
 * that was measured, named by its number or its words. What is expected follows from the
 * instructions beside the bytes; counts have two instructions more, the call and the return of
 * rsb_round.
 */
#include "sim/machine/watch.h"
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <string.h>

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

#define ROUND_INSTRUCTIONS 2
#define SELF_CHANGING	   (RSB_READ | RSB_WRITE | RSB_EXECUTE)

static unsigned count_events(const struct guest *guest, enum rsb_kind kind, uint64_t pc)
{
	size_t size;
	const struct rsb_site *sites = rsb_sites_array(guest->sites, &size);
	unsigned count = 0;

	for (size_t i = 0; i < guest->trace.count; i++) {
		const struct rsb_site *site = &sites[guest->trace.events[i].site];

		count += site->kind == kind && site->pc == pc;
	}
	return count;
}

/* 1: rip is stale in the hook when blocks are chained; each turn of a loop is told all the same. */
START_TEST(pitfall_1_chained_blocks)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xb9, 0xe8, 0x03, 0x00, 0x00, /* 401100 mov ecx, 1000 */
		0xff, 0xc9,		      /* 401105 dec ecx */
		0x75, 0xfc,		      /* 401107 jne 401105 */
		0xc3);			      /* 401109 ret */

	guest_run(&guest);
	ck_assert_uint_eq(count_events(&guest, RSB_BRANCH_TAKEN, 0x401107), 999);
	ck_assert_uint_eq(count_events(&guest, RSB_BRANCH_NOT_TAKEN, 0x401107), 1);
	/* Beside those: three marks, the call, the return. */
	ck_assert_uint_eq(guest.trace.count, 1000 + 5);
	ck_assert_uint_eq(guest.round.instructions, 1 + 2 * 1000 + 1 + ROUND_INSTRUCTIONS);
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
		ck_assert_uint_eq(guest.round.instructions, 3 + ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest.round.instructions, 7 + ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest.round.instructions, 7 + ROUND_INSTRUCTIONS);
	/* In the next round the store changes nothing, but is one into the own block still. */
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 40110a>401110\n"
			 "return 401110>40110f\n"
			 "return 40110f>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 7 + ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest.round.instructions, 4 + ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest.round.instructions, 13 + ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* ... while a call to itself is a call each time: until the stack, less two words, is full. */
START_TEST(pitfall_6_a_call_to_itself)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0xfb, 0xff, 0xff, 0xff); /* 401100 call 401100 */

	ck_assert_ptr_nonnull(strstr(guest_fail(&guest), "stack overflow at target (0x401100)"));
	ck_assert_uint_eq(count_events(&guest, RSB_CALL, 0x401100), ((1 << 20) - 16) / 8);
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
	ck_assert_uint_eq(guest.round.instructions, 6 + ROUND_INSTRUCTIONS);
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401100>40110d\n"
			 "return 40110d>401105\n"
			 "return 40110c>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 4 + ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(count_events(&guest, RSB_JUMP, 0x401000), 1);
	guest_run(&guest);
	ck_assert_uint_eq(count_events(&guest, RSB_JUMP, 0x401000), 0);
	ck_assert_uint_eq(count_events(&guest, RSB_BRANCH_NOT_TAKEN, 0x401000), 1);
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
	ck_assert_uint_eq(count_events(&guest, RSB_CALL, 0x401105), 0);
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
	ck_assert_uint_eq(count_events(&guest, RSB_INTERRUPT, 0x401101), 0);
	guest_free(&guest);
}
END_TEST

/* Blocks overlap: a loop that is entered above its head has one for each way in. */
START_TEST(overlapping_blocks)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xb9, 0x03, 0x00, 0x00, 0x00, /* 401100 mov ecx, 3 */
		0x90,			      /* 401105 nop */
		0xff, 0xc0,		      /* 401106 inc eax */
		0xff, 0xc9,		      /* 401108 dec ecx */
		0x75, 0xfa,		      /* 40110a jne 401106 */
		0xc3);			      /* 40110c ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "taken branch 40110a>401106\n"
			 "taken branch 40110a>401106\n"
			 "not-taken branch 40110a>40110c\n"
			 "return 40110c>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 2 + 3 * 3 + 1 + ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* Each further turn of a repeated string instruction is a block; it is one instruction. */
START_TEST(repeated_string_instructions)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xbf, 0x00, 0x00, 0x50, 0x00, /* 401100 mov edi, data */
		0xbe, 0x00, 0x08, 0x50, 0x00, /* 401105 mov esi, data + 0x800 */
		0xb9, 0x64, 0x00, 0x00, 0x00, /* 40110a mov ecx, 100 */
		0xf3, 0xa4,		      /* 40110f rep movsb */
		0xf3, 0x48, 0xab,	      /* 401111 rep stosq: rcx is 0 */
		0xb1, 0x05,		      /* 401114 mov cl, 5 */
		0xeb, 0x00,		      /* 401116 jmp 401118 */
		0xf3, 0xaa,		      /* 401118 rep stosb: starts its block */
		0xc3);			      /* 40111a ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "jump 401116>401118\n"
			 "return 40111a>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 9 + ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* ... yet its turns spend budget, which would be endless otherwise: 100 are more than 50. */
START_TEST(repeated_string_instructions_spend_budget)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xbf, 0x00, 0x00, 0x50, 0x00, /* 401100 mov edi, data */
		0xb9, 0x64, 0x00, 0x00, 0x00, /* 401105 mov ecx, 100 */
		0xf3, 0xaa,		      /* 40110a rep stosb */
		0xc3);			      /* 40110c ret */

	guest_open(&guest, RSB_KIND_ALL, 50);
	ck_assert_ptr_nonnull(strstr(guest_fail(&guest), "target+0xa (0x40110a): rep stosb"));
	guest_free(&guest);
}
END_TEST

/* A jump to itself is a block for each turn, and ends by the budget. */
START_TEST(jump_to_itself)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xeb, 0xfe); /* 401100 jmp 401100 */

	guest_open(&guest, RSB_KIND_ALL, 100);
	guest_fail(&guest);
	/*
	 * The caller's call is the first of the 100, and the 100th jump is not followed any more.
	 */
	ck_assert_uint_eq(count_events(&guest, RSB_JUMP, 0x401100), 99);
	guest_free(&guest);
}
END_TEST

/* The engine ends a block at 512 instructions or some 4064 bytes, where nothing transfers. */
START_TEST(long_blocks)
{
	uint8_t code[600 + 500 * 10 + 1];
	static const uint8_t long_nop[10] = { 0x66, 0x2e, 0x0f, 0x1f, 0x84 };
	struct guest guest;

	memset(code, 0x90, 600);
	for (unsigned i = 0; i < 500; i++)
		memcpy(code + 600 + 10 * i, long_nop, sizeof(long_nop));
	code[sizeof(code) - 1] = 0xc3;
	guest = guest_new(GUEST_CODE, code, sizeof(code));
	guest_run(&guest);
	ck_assert_uint_eq(guest.trace.count, 5);
	ck_assert_uint_eq(guest.round.instructions, 600 + 500 + 1 + ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* A block is not split where a page ends: here in the middle of its call. */
START_TEST(block_across_a_page)
{
	uint8_t code[0xf10];
	struct guest guest;

	memset(code, 0x90, sizeof(code));
	memcpy(code, (const uint8_t[]){ 0xe9, 0xf3, 0x0e, 0x00, 0x00 }, 5); /* jmp 401ff8 */
	/* 401ffe: call 402004; 402003: ret; 402004: ret */
	memcpy(code + 0xefe, (const uint8_t[]){ 0xe8, 0x01, 0x00, 0x00, 0x00, 0xc3, 0xc3 }, 7);
	guest = guest_new(GUEST_CODE, code, sizeof(code));
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "jump 401100>401ff8\n"
			 "call 401ffe>402004\n"
			 "return 402004>402003\n"
			 "return 402003>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 1 + 6 + 1 + 1 + 1 + ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* Instructions that end a block and do not transfer make no events. */
START_TEST(blocks_that_end_without_a_transfer)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xf3, 0x90,	  /* 401100 pause */
		0xfb,		  /* 401102 sti */
		0x0f, 0x20, 0xe0, /* 401103 mov rax, cr4 */
		0x0f, 0x22, 0xe0, /* 401106 mov cr4, rax */
		0x0f, 0x01, 0x3f, /* 401109 invlpg [rdi] */
		0x0f, 0x01, 0xca, /* 40110c clac */
		0x0f, 0x01, 0xcb, /* 40110f stac */
		0x0f, 0xa2,	  /* 401112 cpuid */
		0xc3);		  /* 401114 ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest), "return 401114>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 9 + ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/*
 * The engine reads the host's time-stamp counter. Here it is the instructions of the round, from
 * 2^32 on, those before and itself: the same in each run. rdtscp says the processor's number, 0.
 */
START_TEST(counts_time_in_instructions)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x31, 0xc9,				  /* 401100 xor ecx, ecx */
		0x0f, 0x31,				  /* 401102 rdtsc */
		0x48, 0x89, 0x04, 0x25, 0x00, 0, 0x50, 0, /* 401104 mov [500000], rax */
		0x48, 0x89, 0x14, 0x25, 0x08, 0, 0x50, 0, /* 40110c mov [500008], rdx */
		0xff, 0xc9,				  /* 401114 dec ecx */
		0x0f, 0x01, 0xf9,			  /* 401116 rdtscp */
		0x48, 0x89, 0x04, 0x25, 0x10, 0, 0x50, 0, /* 401119 mov [500010], rax */
		0x48, 0x89, 0x0c, 0x25, 0x18, 0, 0x50, 0, /* 401121 mov [500018], rcx */
		0xc3);					  /* 401129 ret */
	uint8_t shown[2];

	for (int i = 0; i < 2; i++) {
		uint64_t got[4];

		guest_run(&guest);
		ck_assert_uint_eq(rsb_machine_read(guest.machine, GUEST_DATA, got, sizeof(got)),
				  sizeof(got));
		ck_assert_uint_eq(got[0], 3); /* call, xor, rdtsc */
		ck_assert_uint_eq(got[1], 1);
		ck_assert_uint_eq(got[2], 7);
		ck_assert_uint_eq(got[3], 0);
		ck_assert_uint_eq(guest.round.instructions, 9 + ROUND_INSTRUCTIONS);
		ck_assert_str_eq(guest_events(&guest), "return 401129>401005\n");
	}
	/* Who reads the code sees what it was. */
	ck_assert_uint_eq(rsb_machine_read(guest.machine, 0x401102, shown, 2), 2);
	ck_assert_uint_eq(shown[1], 0x31);
	guest_free(&guest);
}
END_TEST

/*
 * Capstone 4.0.2 does not decode rdsspq, takes incsspq for lfence, and knows no 0f 1e but endbr:
 * the engine runs them all as nops, and the call after them must be found.
 */
START_TEST(instructions_that_capstone_does_not_know)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xf3, 0x0f, 0x1e, 0xfa,	      /* 401100 endbr64 */
		0x31, 0xc0,		      /* 401104 xor eax, eax */
		0xf3, 0x48, 0x0f, 0x1e, 0xc8, /* 401106 rdsspq rax */
		0xf3, 0x48, 0x0f, 0xae, 0xe8, /* 40110b incsspq rax */
		0x0f, 0x1e, 0x44, 0x24, 0x08, /* 401110 nop [rsp + 8] */
		0xe8, 0x01, 0x00, 0x00, 0x00, /* 401115 call 40111b */
		0xc3,			      /* 40111a ret */
		0xc3);			      /* 40111b ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401115>40111b\n"
			 "return 40111b>40111a\n"
			 "return 40111a>401005\n");
	ck_assert_uint_eq(guest.round.instructions, 8 + ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* 66 cuts the target of a call or return to 16 bits, as on AMD's processors. */
START_TEST(calls_and_returns_of_16_bits)
{
	struct guest call = GUEST(GUEST_CODE,
		0x66, 0xe8, 0x00, 0x00); /* 401100 call 1104 */
	struct guest ret = GUEST(GUEST_CODE,
		0x66, 0xc3); /* 401100 ret */

	ck_assert_str_eq(guest_fail(&call),
			 "jump to unmapped memory at target (0x401100): call 0x1104, "
			 "address 0x1104");
	ck_assert_str_eq(guest_fail(&ret),
			 "jump to unmapped memory at target (0x401100): ret, address 0x1005");
	guest_free(&call);
	guest_free(&ret);
}
END_TEST

/* clang-format on */

UNIT_MAIN("pitfalls", pitfall_1_chained_blocks, pitfalls_2_to_4_rounds_end_alike,
	  pitfall_5_faults_in_the_middle, pitfall_5_faults_in_a_later_round,
	  pitfall_6_a_page_brought_in, pitfall_6_a_store_into_the_own_block,
	  pitfall_6_a_store_at_the_start_of_the_block, pitfall_6_a_call_that_pushes_into_its_block,
	  pitfall_6_a_call_to_itself, pitfall_6_jumps_into_the_own_block,
	  pitfall_6_a_store_into_another_block, pitfall_6_a_store_that_ends_another_block_earlier,
	  pitfall_6_a_store_into_the_first_block, pitfall_7_a_call_that_faults, pitfall_8_int3,
	  overlapping_blocks, repeated_string_instructions,
	  repeated_string_instructions_spend_budget, jump_to_itself, long_blocks,
	  block_across_a_page, blocks_that_end_without_a_transfer, counts_time_in_instructions,
	  instructions_that_capstone_does_not_know, calls_and_returns_of_16_bits)
