/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The importer of ChampSim records. Their form, and what the registers say of a branch: ChampSim's
 * inc/trace_instruction.h and inc/instruction.h.
 */
#include "tests/unit/importing.h"
#include "tests/unit/unit.h"

#include <string.h>

#define STACK     6
#define FLAGS     25
#define POINTER   26
#define NO_LENGTH "about note the input does not say how long calls are, and "
#define ASSUMED   " places that call were not returned to: their length is assumed\n"

struct record {
	uint64_t pc;
	uint8_t branch, taken;
	uint8_t writes[2], reads[4];
	uint64_t memory[6];
};

/* In memory as on disk, where the least significant byte comes first. */
#define OTHER(at)                       \
	{                               \
		at, 0, 0, { 1 }, { 2 }, \
		{                       \
			0               \
		}                       \
	}
#define CALL(at)                                                  \
	{                                                         \
		at, 1, 1, { POINTER, STACK }, { POINTER, STACK }, \
		{                                                 \
			0x7ff8                                    \
		}                                                 \
	}
#define CALL_INDIRECT(at)                                            \
	{                                                            \
		at, 1, 1, { POINTER, STACK }, { POINTER, STACK, 3 }, \
		{                                                    \
			0x7ff8                                       \
		}                                                    \
	}
#define RETURN(at)                                       \
	{                                                \
		at, 1, 1, { POINTER, STACK }, { STACK }, \
		{                                        \
			0                                \
		}                                        \
	}
#define JUMP(at)                              \
	{                                     \
		at, 1, 1, { POINTER }, { 0 }, \
		{                             \
			0                     \
		}                             \
	}
#define JUMP_INDIRECT(at)                     \
	{                                     \
		at, 1, 1, { POINTER }, { 3 }, \
		{                             \
			0                     \
		}                             \
	}
#define BRANCH(at, is_taken)                                      \
	{                                                         \
		at, 1, is_taken, { POINTER }, { POINTER, FLAGS }, \
		{                                                 \
			0                                         \
		}                                                 \
	}
#define UNNAMED(at)                                      \
	{                                                \
		at, 1, 1, { POINTER }, { STACK, FLAGS }, \
		{                                        \
			0                                \
		}                                        \
	}

#define CALL_BY_FLAGS(at)                                                \
	{                                                                \
		at, 1, 1, { POINTER, STACK }, { POINTER, STACK, FLAGS }, \
		{                                                        \
			0                                                \
		}                                                        \
	}

/* A return goes to the record after it; the call has the bytes that lie between. */
START_TEST(tells_kinds_by_registers)
{
	static const struct record records[] = {
		OTHER(0x400),     CALL(0x410),      RETURN(0x500), CALL_INDIRECT(0x415),
		OTHER(0x600),     RETURN(0x604),    JUMP(0x418),   JUMP_INDIRECT(0x700),
		BRANCH(0x800, 1), BRANCH(0x900, 0), OTHER(0x902),
	};

	import_expect("champsim", records, sizeof(records),
		      "call 0x410+5 -> 0x500\n"
		      "return 0x500 -> 0x415\n"
		      "call 0x415+3 -> 0x600 indirect\n"
		      "return 0x604 -> 0x418\n"
		      "jump 0x418 -> 0x700\n"
		      "indirect-jump 0x700 -> 0x800\n"
		      "taken-branch 0x800 -> 0x900\n"
		      "not-taken-branch 0x900 -> 0x902\n"
		      "instructions 11\n");
}
END_TEST

/* What fits no kind is counted. The last branch went nowhere that is told. */
START_TEST(counts_what_fits_no_kind)
{
	static const struct record records[] = { UNNAMED(0x400), CALL_BY_FLAGS(0x402), OTHER(0x404),
						 JUMP(0x406) };

	import_expect("champsim", records, sizeof(records),
		      "about note 2 of 3 branches could not be classified: their registers fit no "
		      "kind\n"
		      "instructions 4\n");
}
END_TEST

/* A call that never returns: 5 bytes, as the commonest call of x86 has. */
START_TEST(assumes_a_length)
{
	static const struct record records[] = { CALL(0x400), OTHER(0x500) };

	import_expect("champsim", records, sizeof(records),
		      NO_LENGTH "1 of 1" ASSUMED "call 0x400+5 -> 0x500\n"
				"instructions 2\n");
}
END_TEST

/*
 * Another frame is returned to than the innermost: that call of 7 bytes is the one it belongs to.
 */
START_TEST(finds_the_call_of_a_skipped_frame)
{
	static const struct record records[] = { CALL(0x400), CALL(0x500), RETURN(0x600),
						 OTHER(0x407) };

	import_expect("champsim", records, sizeof(records),
		      NO_LENGTH "1 of 2" ASSUMED "call 0x400+7 -> 0x500\n"
				"call 0x500+7 -> 0x600\n"
				"return 0x600 -> 0x407\n"
				"instructions 4\n");
}
END_TEST

/* CloudSuite: 96 bytes, the registers elsewhere, and address spaces with stacks of their own. */
START_TEST(reads_cloudsuite)
{
	uint8_t records[4][96] = { { 0 } };
	const uint8_t call[] = { 1, 1, POINTER, STACK, 0, 0, POINTER, STACK };
	const uint8_t back[] = { 1, 1, POINTER, STACK, 0, 0, STACK };

	records[0][1] = 4; /* 0x400 */
	memcpy(records[0] + 8, call, sizeof(call));
	records[1][1] = 8; /* 0x800, of another */
	records[1][88] = 2;
	records[2][1] = 5;
	memcpy(records[2] + 8, back, sizeof(back));
	records[3][0] = 5;
	records[3][1] = 4;
	import_expect("champsim-cloudsuite", records, sizeof(records),
		      "instructions 1\n"
		      "thread 2\n"
		      "instructions 1\n"
		      "thread 0\n"
		      "call 0x400+5 -> 0x500\n"
		      "return 0x500 -> 0x405\n"
		      "instructions 2\n");
}
END_TEST

/* Cut short, of the other form, and empty. */
START_TEST(refuses_what_is_no_trace)
{
	struct record records[] = { OTHER(0x400), CALL(0x410) };

	import_expect("champsim", records, 100,
		      "error: in: byte 64: record 2: the file ends in it: expected 28 bytes more");
	records[1].taken = 7;
	import_expect("champsim", records, sizeof(records),
		      "error: in: byte 64: record 2: expected an address and two flags that are 0 "
		      "or 1, found 0x410, 1 and 7; is this a trace of another form "
		      "(champsim-cloudsuite)?");
	import_expect("champsim", "", 0, "error: in: it is empty: expected records of 64 bytes");
}
END_TEST

UNIT_MAIN("import from ChampSim", tells_kinds_by_registers, counts_what_fits_no_kind,
	  assumes_a_length, finds_the_call_of_a_skipped_frame, reads_cloudsuite,
	  refuses_what_is_no_trace)
