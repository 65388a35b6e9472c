/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks: what the engine runs at a time is not always what lies between two transfers. What is
 * expected follows from the instructions beside the bytes.
 */
#include "sim/machine/watch.h"
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <string.h>

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

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
	ck_assert_uint_eq(guest.round.instructions, 2 + 3 * 3 + 1 + GUEST_ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest.round.instructions, 9 + GUEST_ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest_count(&guest, RSB_JUMP, 0x401100), 99);
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
	ck_assert_uint_eq(guest.round.instructions, 600 + 500 + 1 + GUEST_ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest.round.instructions, 1 + 6 + 1 + 1 + 1 + GUEST_ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest.round.instructions, 9 + GUEST_ROUND_INSTRUCTIONS);
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
		ck_assert_uint_eq(guest.round.instructions, 9 + GUEST_ROUND_INSTRUCTIONS);
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
	ck_assert_uint_eq(guest.round.instructions, 8 + GUEST_ROUND_INSTRUCTIONS);
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

UNIT_MAIN("blocks", overlapping_blocks, repeated_string_instructions,
	  repeated_string_instructions_spend_budget, jump_to_itself, long_blocks,
	  block_across_a_page, blocks_that_end_without_a_transfer, counts_time_in_instructions,
	  instructions_that_capstone_does_not_know, calls_and_returns_of_16_bits)
