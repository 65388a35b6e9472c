/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The importers of the championships' traces. The forms: lib/trace_reader.h of CBP 2025, and
 * cvp_trace_reader.h of CVP-1.
 */
#include "tests/unit/importing.h"
#include "tests/unit/unit.h"

#include <string.h>

#define PC(low) low, 0x80, 0, 0, 0, 0, 0, 0

/* A call to 0x8020 that writes x30, a store with a base update, and the return. */
START_TEST(reads_typed_records)
{
	static const uint8_t records[] = {
		PC(0x10), 9,  1,     PC(0x20), 0,  1,  30,    PC(0x14),                     /**/
		PC(0x20), 2,  PC(0), 8,        1,  0,  1,     1,        1,        2, PC(0), /**/
		PC(0x24), 3,  0,     1,        64, 0,                                       /**/
		PC(0x28), 6,  0,     2,        32, 64, PC(1), PC(2),    PC(3),              /**/
		PC(0x2c), 11, 1,     PC(0x14), 1,  30, 0,                                   /**/
		PC(0x14), 10, 1,     PC(0x30), 1,  9,  1,     30,       PC(0x18),           /**/
		PC(0x30), 3,  1,     PC(0x40), 0,  0,                                       /**/
		PC(0x40), 5,  1,     PC(0x50), 1,  9,  0,                                   /**/
		PC(0x50), 4,  1,     PC(0x10), 0,  0,
	};

	import_expect("cbp", records, sizeof(records),
		      "call 0x8010+4 -> 0x8020\n"
		      "not-taken-branch 0x8024+4 -> 0x8028\n"
		      "return 0x802c+4 -> 0x8014\n"
		      "call 0x8014+4 -> 0x8030 indirect\n"
		      "taken-branch 0x8030+4 -> 0x8040\n"
		      "indirect-jump 0x8040+4 -> 0x8050\n"
		      "jump 0x8050+4 -> 0x8010\n"
		      "instructions 9\n");
}
END_TEST

/* CVP-1 has no types for these: bl and blr write x30, also blr x30, and ret only reads it. */
START_TEST(tells_calls_by_the_link_register)
{
	static const uint8_t records[] = {
		PC(0x10), 4, 1,     PC(0x20), 0, 1,  30, PC(0x14),           /**/
		PC(0x20), 1, PC(0), 8,        1, 30, 1,  2,        PC(0),    /**/
		PC(0x24), 5, 1,     PC(0x30), 1, 30, 1,  30,       PC(0x28), /**/
		PC(0x30), 5, 1,     PC(0x28), 1, 30, 0,                      /**/
		PC(0x28), 5, 1,     PC(0x40), 1, 9,  0,
	};

	import_expect("cvp", records, sizeof(records),
		      "call 0x8010+4 -> 0x8020\n"
		      "call 0x8024+4 -> 0x8030 indirect\n"
		      "return 0x8030+4 -> 0x8028\n"
		      "indirect-jump 0x8028+4 -> 0x8040\n"
		      "instructions 5\n");
}
END_TEST

/* An instruction in several records is no gap, one elsewhere is. */
START_TEST(marks_gaps)
{
	static const uint8_t records[] = {
		PC(0x10), 0, 0, 0, PC(0x10), 0, 0, 0, PC(0x90), 0, 0, 0
	};

	import_expect("cbp", records, sizeof(records),
		      "about note 1 times the program went on elsewhere without a branch: gaps\n"
		      "mark:gap 0x0 -> 0x0\n"
		      "instructions 3\n");
}
END_TEST

/* What is no trace, or cut short. */
START_TEST(refuses_what_is_no_trace)
{
	static const uint8_t type[] = { PC(0), 0, 0, 0, PC(4), 12, 0, 0 };
	static const uint8_t taken[] = { PC(0), 9, 2, 0, 0 };
	static const uint8_t name[] = { PC(0), 0, 1, 66, 0 };

	import_expect("cbp", type, sizeof(type),
		      "error: in: byte 11: record 2: expected a type of 0 to 11, found 12");
	import_expect("cvp", type, sizeof(type),
		      "error: in: byte 11: record 2: expected a type of 0 to 8, found 12");
	import_expect("cbp", taken, sizeof(taken),
		      "error: in: byte 0: record 1: expected 0 or 1 for taken, found 2");
	import_expect("cbp", name, sizeof(name),
		      "error: in: byte 0: record 1: expected registers up to 65, found 66");
	import_expect("cbp", name, 10,
		      "error: in: byte 0: record 1: the file ends in it: expected 1 bytes more");
	import_expect("cbp", "", 0, "error: in: it is empty: expected records of instructions");
}
END_TEST

UNIT_MAIN("import from the championships", reads_typed_records, tells_calls_by_the_link_register,
	  marks_gaps, refuses_what_is_no_trace)
