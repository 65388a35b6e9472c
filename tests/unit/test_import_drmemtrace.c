/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The importer of drmemtrace. Its records: DynamoRIO's clients/drcachesim/common/trace_entry.h. */
#include "tests/unit/importing.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define SOURCE "about source drmemtrace in\n"
#define X86_64 SOURCE "about arch x86_64\n"

/* As on disk: 12 bytes, the least significant first. */
struct record {
	uint16_t type, size;
	uint32_t low, high;
};

#define RECORD(type, size, address)                              \
	{                                                        \
		type, size, (uint32_t)(address), (address) >> 32 \
	}
#define HEADER(version)           RECORD(25, 0, version)
#define MARKER(kind, value)       RECORD(28, kind, UINT64_C(value))
#define THREAD(number)            RECORD(22, 4, UINT64_C(number))
#define OTHER(at, length)         RECORD(10, length, UINT64_C(at))
#define JUMP(at)                  RECORD(11, 2, UINT64_C(at))
#define CONDITIONAL(at)           RECORD(13, 2, UINT64_C(at))
#define CALL(at, length)          RECORD(14, length, UINT64_C(at))
#define CALL_INDIRECT(at, length) RECORD(15, length, UINT64_C(at))
#define RETURN(at)                RECORD(16, 1, UINT64_C(at))
#define TAKEN(at)                 RECORD(48, 2, UINT64_C(at))
#define UNTAKEN(at)               RECORD(49, 2, UINT64_C(at))
#define TARGET(at)                MARKER(29, at)
#define FILE_TYPE(bits)           MARKER(9, bits)
#define FOOTER                    RECORD(26, 0, UINT64_C(0))

static void expect(const struct record *records, size_t size, const char *expected)
{
	import_expect("drmemtrace", records, size, expected);
}

/* Version 2: where a branch went, the next instruction tells, and of a conditional one whether. */
START_TEST(reads_old_traces)
{
	static const struct record records[] = {
		HEADER(UINT64_C(2)),      THREAD(7),
		CALL(0x7f0000001000, 5),  RECORD(1, 8, UINT64_C(0x7ff8)),
		CONDITIONAL(0x2000),      CONDITIONAL(0x2002),
		RETURN(0x2100),           RECORD(0, 8, UINT64_C(0x7ff8)),
		OTHER(0x7f0000001005, 3), FOOTER,
	};

	expect(records, sizeof(records),
	       SOURCE "thread 7\n"
		      "call 0x7f0000001000+5 -> 0x2000\n"
		      "not-taken-branch 0x2000+2 -> 0x2002\n"
		      "taken-branch 0x2002+2 -> 0x2100\n"
		      "return 0x2100+1 -> 0x7f0000001005\n"
		      "instructions 5\n");
}
END_TEST

/* From version 5 on a marker before an indirect branch tells where it goes, also the last one. */
START_TEST(reads_branch_targets)
{
	static const struct record records[] = {
		HEADER(UINT64_C(7)),      FILE_TYPE(0x40), THREAD(7),       TARGET(0x2000),
		CALL_INDIRECT(0x1000, 3), TAKEN(0x2000),   UNTAKEN(0x2010), JUMP(0x2012),
		TARGET(0x1003),           RETURN(0x2020),
	};

	expect(records, sizeof(records),
	       X86_64 "thread 7\n"
		      "call 0x1000+3 -> 0x2000 indirect\n"
		      "taken-branch 0x2000+2 -> 0x2010\n"
		      "not-taken-branch 0x2010+2 -> 0x2012\n"
		      "jump 0x2012+2 -> 0x2020\n"
		      "return 0x2020+1 -> 0x1003\n"
		      "instructions 5\n");
}
END_TEST

/* Threads that take turns: each branch waits for its own thread's next instruction. */
START_TEST(keeps_threads_apart)
{
	static const struct record records[] = {
		HEADER(UINT64_C(3)), THREAD(1),      CALL(0x1000, 5),
		THREAD(2),           RETURN(0x3000), THREAD(1),
		OTHER(0x2000, 1),    THREAD(2),      OTHER(0x4000, 1),
	};

	expect(records, sizeof(records),
	       SOURCE "thread 1\n"
		      "instructions 1\n"
		      "thread 2\n"
		      "instructions 1\n"
		      "thread 1\n"
		      "call 0x1000+5 -> 0x2000\n"
		      "instructions 1\n"
		      "thread 2\n"
		      "return 0x3000+1 -> 0x4000\n"
		      "instructions 1\n");
}
END_TEST

/*
 * A signal comes just behind a return: the marker has the return's target. Then the handler ends.
 */
START_TEST(follows_signals)
{
	static const struct record records[] = {
		HEADER(UINT64_C(4)), FILE_TYPE(0x40), RETURN(0x1000),    MARKER(0, 0x2000),
		OTHER(0x9000, 3),    MARKER(25, 15),  MARKER(1, 0x9003), OTHER(0x2000, 1),
	};

	expect(records, sizeof(records),
	       X86_64 "return 0x1000+1 -> 0x2000\n"
		      "interrupt 0x2000 -> 0x9000\n"
		      "syscall 0x9000+3 -> 0x0\n"
		      "iret 0x9000 -> 0x2000\n"
		      "instructions 3\n");
}
END_TEST

/* Before version 3 the marker has an offset in a module: what the return did is not known. */
START_TEST(does_not_guess_at_old_signals)
{
	static const struct record records[] = { HEADER(UINT64_C(2)), RETURN(0x1000),
						 MARKER(0, 0x20), OTHER(0x9000, 3) };

	expect(records, sizeof(records),
	       SOURCE "about note where 1 branches went is not told\n"
		      "mark:gap 0x0 -> 0x0\n"
		      "interrupt 0x1001 -> 0x9000\n"
		      "instructions 2\n");
}
END_TEST

/* A system call comes back behind itself; the kernel's own code may be in between. */
START_TEST(follows_system_calls)
{
	static const struct record records[] = {
		HEADER(UINT64_C(6)), FILE_TYPE(0x40),
		OTHER(0x1000, 2),    MARKER(25, 39),
		OTHER(0x1002, 2),    MARKER(25, 39),
		MARKER(27, 39),      OTHER(0xffffffff81000000, 3),
		MARKER(28, 39),      OTHER(0x1004, 1),
	};

	expect(records, sizeof(records),
	       X86_64 "syscall 0x1000+2 -> 0x0\n"
		      "sysret 0x0 -> 0x1002\n"
		      "syscall 0x1002+2 -> 0x0\n"
		      "sysret 0xffffffff81000000 -> 0x1004\n"
		      "instructions 4\n");
}
END_TEST

/* A jump that nothing explains, another window, and a thread's number used again: gaps. */
START_TEST(marks_gaps)
{
	static const struct record records[] = {
		HEADER(UINT64_C(3)), MARKER(14, 0),    OTHER(0x1000, 1),           OTHER(0x2000, 1),
		MARKER(14, 1),       OTHER(0x3000, 1), RECORD(23, 4, UINT64_C(0)), OTHER(0x4000, 1),
	};

	expect(records, sizeof(records),
	       SOURCE "about note 1 times a thread went on elsewhere without a branch: gaps\n"
		      "mark:gap 0x0 -> 0x0\n"
		      "mark:gap 0x0 -> 0x0\n"
		      "mark:gap 0x0 -> 0x0\n"
		      "instructions 4\n");
}
END_TEST

/* Rounds of a string instruction are one instruction; a bundle is several. */
START_TEST(counts_instructions)
{
	static const struct record records[] = {
		HEADER(UINT64_C(3)),
		RECORD(30, 2, UINT64_C(0x1000)),
		RECORD(30, 2, UINT64_C(0x1000)),
		RECORD(29, 2, UINT64_C(0x1000)),
		RECORD(17, 3, UINT64_C(0x030201)),
		JUMP(0x1008),
		OTHER(0x2000, 0),
		OTHER(0x2000, 1),
	};

	expect(records, sizeof(records),
	       SOURCE "jump 0x1008+2 -> 0x2000\n"
		      "instructions 6\n");
}
END_TEST

/* Addresses of 4 bytes, as i386 has: the records have 8. */
START_TEST(reads_short_addresses)
{
	static const uint16_t records[] = { 25,     0, 3,  0, 28,     9, 0x20, 0, 14,     5,
					    0x1000, 0, 16, 1, 0x2000, 0, 10,   1, 0x1005, 0 };

	import_expect("drmemtrace", records, sizeof(records),
		      SOURCE "about arch i386\n"
			     "call 0x1000+5 -> 0x2000\n"
			     "return 0x2000+1 -> 0x1005\n"
			     "instructions 3\n");
}
END_TEST

/* Where only the first part is filtered, it is left out. */
START_TEST(leaves_out_a_filtered_head)
{
	static const struct record records[] = { HEADER(UINT64_C(7)), FILE_TYPE(0x20c0),
						 CALL(0x1000, 5), MARKER(23, 0), OTHER(0x2000, 1) };

	expect(records, sizeof(records),
	       X86_64 "about note the trace holds only instructions that missed a cache at first: "
		      "those 1 are left out\n"
		      "mark:gap 0x0 -> 0x0\n"
		      "instructions 1\n");
}
END_TEST

/* What is no trace, or one that calls are missing from: what is wrong, and where. */
START_TEST(refuses_what_it_cannot_read)
{
	static const struct record filtered[] = { HEADER(UINT64_C(7)), FILE_TYPE(0xc0) };
	static const struct record newer[] = { HEADER(UINT64_C(8)) };
	static const struct record type[] = { HEADER(UINT64_C(7)), RECORD(50, 0, UINT64_C(0)) };
	static const struct record bundle[] = { HEADER(UINT64_C(7)), RECORD(17, 3, UINT64_C(0)) };
	static const struct record length[] = { HEADER(UINT64_C(7)), OTHER(0x1000, 256) };
	static const uint8_t turned[12] = { 0, 25 };

	expect(filtered, sizeof(filtered),
	       "error: in: byte 12: record 2: the trace holds only instructions that missed a cache, "
	       "so calls and returns are missing: expected one recorded without a filter");
	expect(newer, sizeof(newer),
	       "error: in: byte 0: record 1: the trace has version 8: expected 1 to 7");
	expect(type, sizeof(type),
	       "error: in: byte 12: record 2: expected a type of 0 to 49, found 50");
	expect(type, 20,
	       "error: in: byte 12: record 2: the file ends in it: expected 4 bytes more");
	expect(bundle, sizeof(bundle),
	       "error: in: byte 12: record 2: expected 1 to 8 instructions after one that does not "
	       "branch, found 3");
	expect(length, sizeof(length),
	       "error: in: byte 12: record 2: an instruction has 256 bytes: expected at most 255");
	import_expect("drmemtrace", turned, sizeof(turned),
		      "error: in: its numbers have the most significant byte first: expected the "
		      "least significant one first");
	import_expect("drmemtrace", "nothing at all", 14,
		      "error: in: expected a header, which begins with 19 00, found 6e 6f; is it a "
		      "raw trace, which drraw2trace turns into one?");
	import_expect("drmemtrace", "", 0,
		      "error: in: expected a header of 12 bytes: it is shorter");
}
END_TEST

/* A damaged file that names a thread in each record must not take all memory. */
START_TEST(refuses_endless_threads)
{
	const size_t count = 70000;
	struct record *records = calloc(count, sizeof(*records));

	ck_assert_ptr_nonnull(records);
	records[0] = (struct record)HEADER(UINT64_C(7));
	for (size_t i = 1; i < count; i++)
		records[i] = (struct record)RECORD(22, 4, i);
	expect(records, count * sizeof(*records), "error: more than 65536 threads");
	free(records);
}
END_TEST

UNIT_MAIN("import from drmemtrace", reads_old_traces, reads_branch_targets, keeps_threads_apart,
	  follows_signals, does_not_guess_at_old_signals, follows_system_calls, marks_gaps,
	  counts_instructions, reads_short_addresses, leaves_out_a_filtered_head,
	  refuses_what_it_cannot_read, refuses_endless_threads)
