/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The importer of perf script. The forms of the lines are those that tools/perf/builtin-script.c of
 * Linux prints; what they come to is worked out by hand.
 */
#include "tests/unit/importing.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define GAP "mark:gap 0x0 -> 0x0\n"
#define UNTYPED                                                                                  \
	" branches could not be classified; --image FILE would, and so does perf record -j any," \
	"save_type\n"
#define NAMES_ONLY \
	" branches could not be classified: perf record -j any,save_type stores what they are\n"
#define MADE_UP   "about note the input has symbols only: the addresses are made up\n"
#define NO_LENGTH "about note the input does not say how long calls are, and "
#define ASSUMED   " places that call were not returned to: their length is assumed\n"
#define NO_CALLS  " returns but no calls: were they filtered out?\n"

static void expect(const char *text, const char *expected)
{
	import_expect("perf", text, strlen(text), expected);
}

/* The newest entry is printed first; the return goes to 0x401005, so the call has 5 bytes. */
START_TEST(turns_a_branch_stack_round)
{
	expect(" 0x402004/0x401005/M/-/-/9/RET/-  0x401000/0x402000/P/-/-/3/CALL/- \n",
	       GAP "call 0x401000+5 -> 0x402000 hit\n"
		   "return 0x402004 -> 0x401005 miss\n");
}
END_TEST

/* Every word that tools/perf/util/branch.c has for a type, and for the processor's verdict. */
START_TEST(knows_every_type)
{
	expect(" 0x40/0x50/-/-/-/0/IRQ 0x3f/0x40/P/X/A/0/ERET/- 0x3e/0x3f/M/-/-/-/COND_RET\n"
	       " 0x20/0x22/PN/-/-/1/COND/SPEC_CORRECT_PATH 0x1e/0x20/MN/-/-/1/COND/- \n"
	       " 0x13/0x14/-/-/-/0/SYSRET 0x12/0x13/-/-/-/0/SYSCALL 0x11/0x12/-/-/-/0/IND "
	       "0x10/0x11/-/-/-/0/UNCOND 0xf/0x10/-/-/-/0/COND\n"
	       " 0x42/0x32/-/-/-/0/RET 0x30/0x40/-/-/-/0/COND_CALL 0x5/0x30/-/-/-/0/IND_CALL\n",
	       NO_LENGTH "1 of 2" ASSUMED GAP "return 0x3e -> 0x3f miss\n"
			 "iret 0x3f -> 0x40 hit\n"
			 "interrupt 0x40 -> 0x50\n" GAP "not-taken-branch 0x1e -> 0x20 miss\n"
			 "not-taken-branch 0x20 -> 0x22 hit\n" GAP "taken-branch 0xf -> 0x10\n"
			 "jump 0x10 -> 0x11\n"
			 "indirect-jump 0x11 -> 0x12\n"
			 "syscall 0x12 -> 0x13\n"
			 "sysret 0x13 -> 0x14\n" GAP "call 0x5+2 -> 0x30 indirect\n"
			 "call 0x30+2 -> 0x40\n"
			 "return 0x42 -> 0x32\n");
}
END_TEST

/* A branch on a path that was taken back was never retired. */
START_TEST(leaves_out_wrong_paths)
{
	expect(" 0x20/0x30/P/-/-/1/RET/SPEC_WRONG_PATH 0x10/0x20/P/-/-/1/UNCOND/- \n",
	       "about note 1 of 2 branches on wrong paths are left out\n" GAP
	       "jump 0x10 -> 0x20 hit\n");
}
END_TEST

/* Six fields, as perf before 6.1 prints: what nothing proves is counted, and no more. */
START_TEST(classifies_nothing_without_proof)
{
	expect(" 0x402004/0x401005/P/-/-/9  0x401000/0x402000/P/-/-/3 \n",
	       "about note 2 of 2" UNTYPED GAP);
}
END_TEST

/* A type that is printed as nothing, as perf 6.1 does. */
START_TEST(reads_empty_types)
{
	expect(" 0x402004/0x401005/P/-/-/9//- \n", "about note 1 of 1" UNTYPED GAP);
}
END_TEST

/* 0x401005 is in a callchain, so a call ends there. The first address is where the sample was. */
START_TEST(classifies_by_callchains)
{
	expect("\t          403000\n\t          401005\n"
	       " 0x402004/0x401005/P/-/-/9  0x403010/0x402004/P/-/-/1 0x401000/0x402000/P/-/-/3 \n\n"
	       "\t          401005\n"
	       " 0x402004/0x403000/P/-/-/9  0x402ffb/0x402004/P/-/-/1\n",
	       "about note 3 of 5" UNTYPED GAP "call 0x401000+5 -> 0x402000 hit\n"
	       "return 0x402004 -> 0x401005 hit\n" GAP);
}
END_TEST

/* From one function to the start of another, and from that one back: a call and its return. */
START_TEST(classifies_by_symbols)
{
	expect(" callee+0x4/main+0x15/P/-/-/9  main+0x10/callee+0x0/M/-/-/3 \n",
	       MADE_UP GAP "call 0x100000100000010+5 -> 0x100000000000000 miss ; main+0x10\n"
			   "return 0x100000000000004 -> 0x100000100000015 hit ; callee+0x4\n");
}
END_TEST

/* GCC moves cold parts of a function out of it: these are jumps there and back. */
START_TEST(does_not_take_parts_for_functions)
{
	expect(" f.cold+0x4/f+0x15/P/-/-/9  f+0x10/f.cold+0x0/M/-/-/3 \n",
	       "about note 2 of 2" NAMES_ONLY GAP);
}
END_TEST

/* call +0xb; ...; ret: the code tells both what they are and how long. */
START_TEST(classifies_by_code)
{
	const char text[] = " 0x401010/0x401005/P/-/-/9  0x401000/0x401010/P/-/-/3 \n";
	const char code[] = "\xe8\x0b\0\0\0\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\xc3";
	char *found = import_text_with_code("perf", text, strlen(text), 0x401000, code, 17);

	ck_assert_str_eq(found, GAP "call 0x401000+5 -> 0x401010 hit\n"
				    "return 0x401010+1 -> 0x401005 hit\n");
	free(found);
}
END_TEST

/*
 * The same code, where the call in it leads elsewhere than the branch went: it is of another
 * build.
 */
START_TEST(does_not_believe_other_code)
{
	const char text[] = " 0x401000/0x401020/P/-/-/3 \n";
	const char code[] = "\xe8\x0b\0\0\0";
	char *found = import_text_with_code("perf", text, strlen(text), 0x401000, code, 5);

	ck_assert_str_eq(found, "about note 1 of 1 branches could not be classified: in no --image "
				"is their instruction at their address\n" GAP);
	free(found);
}
END_TEST

/* brstacksym with names that have slashes, blanks and files in parentheses. */
START_TEST(reads_names_with_slashes)
{
	expect(" ns::operator/<int, a b>+0x4(/lib/x y.so)/main+0x5(/bin/m)/P/-/-/9/RET/- \n",
	       "about note there are 1" NO_CALLS MADE_UP GAP
	       "return 0x100000000000004 -> 0x100000100000005 hit ; "
	       "ns::operator/<int, a b>+0x4\n");
}
END_TEST

/* A static function of the same name in another file is another function. */
START_TEST(keeps_files_apart)
{
	expect(" f+0x4(/a)/g+0x5(/a)/P/-/-/9/RET/- \n f+0x4(/b)/g+0x5(/a)/P/-/-/9/RET/- \n",
	       "about note there are 2" NO_CALLS MADE_UP GAP
	       "return 0x100000000000004 -> 0x100000100000005 hit ; f+0x4\n" GAP
	       "return 0x100000200000004 -> 0x100000100000005 hit ; f+0x4\n");
}
END_TEST

/* What is pushed at a place that perf does not know is not known. */
START_TEST(puts_gaps_at_unknown_places)
{
	expect(" [unknown]/f+0x5/P/-/-/1/RET [unknown]/f+0x0/P/-/-/1/CALL f+0x9/[unknown]/P/-/-/1/RET\n",
	       "about note 2 of 3 branches are at an address that perf does not know: gaps\n" MADE_UP
		       GAP GAP GAP "return 0x0 -> 0x100000000000005 hit\n");
}
END_TEST

/* Each thread has its own samples, however the line before them is printed. */
START_TEST(finds_threads)
{
	expect("     a b 12/13 [001] 7.5:  1 cycles:u:  0x10/0x20/P/-/-/1/UNCOND/- \n"
	       "x    14 cycles:  0x10/0x20/P/-/-/1/UNCOND/- \n"
	       "15   401000 0x10/0x20/P/-/-/1/UNCOND/- \n"
	       "16/17 7.5:   0x10/0x20/P/-/-/1/UNCOND/- \n",
	       "thread 13\n" GAP "jump 0x10 -> 0x20 hit\n"
	       "thread 14\n" GAP "jump 0x10 -> 0x20 hit\n"
	       "thread 15\n" GAP "jump 0x10 -> 0x20 hit\n"
	       "thread 17\n" GAP "jump 0x10 -> 0x20 hit\n");
}
END_TEST

/* Four branches with their cycles are the same in both samples, and in one way only. */
START_TEST(counts_no_branch_twice)
{
	expect(" 0x5/0x6/P/-/-/5/IND 0x4/0x5/P/-/-/4/IND 0x3/0x4/P/-/-/3/IND 0x2/0x3/P/-/-/2/IND "
	       "0x1/0x2/P/-/-/1/IND\n"
	       " 0x6/0x7/P/-/-/6/IND 0x5/0x6/P/-/-/5/IND 0x4/0x5/P/-/-/4/IND 0x3/0x4/P/-/-/3/IND "
	       "0x2/0x3/P/-/-/2/IND\n",
	       "about note 4 of 10 branches are in two samples, and count once\n" GAP
	       "indirect-jump 0x1 -> 0x2 hit\n"
	       "indirect-jump 0x2 -> 0x3 hit\n"
	       "indirect-jump 0x3 -> 0x4 hit\n"
	       "indirect-jump 0x4 -> 0x5 hit\n"
	       "indirect-jump 0x5 -> 0x6 hit\n"
	       "indirect-jump 0x6 -> 0x7 hit\n");
}
END_TEST

/* A loop looks the same in each sample, and a processor without cycles too: nothing is certain. */
START_TEST(keeps_what_may_be_another)
{
	const char loop[] = " 0x2/0x1/P/-/-/1/IND 0x2/0x1/P/-/-/1/IND 0x2/0x1/P/-/-/1/IND "
			    "0x2/0x1/P/-/-/1/IND 0x2/0x1/P/-/-/1/IND\n";
	const char timeless[] = " 0x5/0x6/P/-/-/0/IND 0x4/0x5/P/-/-/0/IND 0x3/0x4/P/-/-/0/IND "
				"0x2/0x3/P/-/-/0/IND\n";
	char text[1024];
	char *found;

	snprintf(text, sizeof(text), "%s%s%s%s", loop, loop, timeless, timeless);
	found = import_text("perf", text, strlen(text));
	ck_assert_ptr_null(strstr(found, "in two samples"));
	free(found);
}
END_TEST

/* perf script --itrace=cre -F +flags; the call's length is printed, or its bytes are. */
START_TEST(reads_flags)
{
	expect("ls 3/4 [001] 7.000000001: 1 branches:uH:   call           401000 f+0x10 (/bin/ls) =>"
	       "           402000 g+0x0 (/bin/ls) ilen: 7\n"
	       "ls 3/4 [001] 7.000000002: 1 branches:uH:   jcc/miss,not_taken/  402002 g+0x2 (/bin/ls)"
	       " => 402004 g+0x4 (/bin/ls)\n"
	       "ls 3/4 [001] 7.000000003: 1 branches:uH:   return/miss/  (x)  402009 g+0x9 (/bin/ls) =>"
	       " 401007 f+0x17 (/bin/ls) insn: c3\n",
	       "thread 4\n" GAP "call 0x401000+7 -> 0x402000 ; f+0x10\n"
	       "not-taken-branch 0x402002 -> 0x402004 miss ; g+0x2\n"
	       "return 0x402009+1 -> 0x401007 miss ; g+0x9\n");
}
END_TEST

/* A system call is no gap, nor is an interrupt that comes back where it came from; the rest is. */
START_TEST(knows_where_tracing_stops)
{
	const char text[] =
		"ls 3/4 7.1: branches: tr strt   0 [unknown] ([unknown]) => 401000 f+0x0 (/bin/ls)\n"
		"ls 3/4 7.1: branches: tr end  syscall  401010 f+0x10 (/bin/ls) => 0 [unknown] ([unknown])\n"
		"ls 3/4 7.1: branches: tr strt   0 [unknown] ([unknown]) => 401012 f+0x12 (/bin/ls)\n"
		"ls 3/4 7.1: branches: tr end   401020 f+0x20 (/bin/ls) => 0 [unknown] ([unknown])\n"
		"ls 3/4 7.1: branches: tr strt   0 [unknown] ([unknown]) => 401020 f+0x20 (/bin/ls)\n"
		"ls 3/4 7.1: branches: tr end   401030 f+0x30 (/bin/ls) => 0 [unknown] ([unknown])\n"
		"ls 3/4 7.1: branches: tr strt   0 [unknown] ([unknown]) => 409999 g+0x20 (/bin/ls)\n"
		" instruction trace error type 1 time 7.2 cpu 1 pid 3 tid 4 ip 0x401000 code 7: Lost\n";

	expect(text, "thread 4\n" GAP "syscall 0x401010 -> 0x0 ; f+0x10\n"
		     "sysret 0x0 -> 0x401012\n" GAP GAP);
}
END_TEST

/* Calls of one place have one length, and a call that never returns has the commonest. */
START_TEST(learns_lengths_from_returns)
{
	expect(" 0x500/0x600/P/-/-/1/CALL 0x200/0x103/P/-/-/1/RET 0x100/0x200/P/-/-/1/CALL "
	       "0x100/0x200/P/-/-/1/CALL\n",
	       NO_LENGTH
	       "1 of 2 places that call were not returned to: their length is assumed\n" GAP
	       "call 0x100+3 -> 0x200 hit\n"
	       "call 0x100+3 -> 0x200 hit\n"
	       "return 0x200 -> 0x103 hit\n"
	       "call 0x500+3 -> 0x600 hit\n");
}
END_TEST

/* Files that are none, or cut short: the message says where, and what was expected. */
START_TEST(refuses_other_files)
{
	const char none[] =
		"error: in: no branches in it: expected perf script with -F ip,brstack or "
		"--itrace=cre -F +flags";

	expect("", none);
	expect("hello\n\n world/x/y\n", none);
	expect(" 0x10/0x20/P/-/-/1/UNCOND/-  0x30/0x4",
	       "error: in:1: expected FROM/TO/EVENT/INTX/ABORT/CYCLES, found '0x30/0x4'");
	expect("\n 0x10/0x20/P/-", "error: in:2: expected FROM/TO/EVENT/INTX/ABORT/CYCLES, found "
				   "'0x10/0x20/P/-'");
	expect(" 0x10/0x20/P/-/-/", "error: in:1: expected FROM/TO/EVENT/INTX/ABORT/CYCLES, found "
				    "'0x10/0x20/P/-/-/'");
	expect(" x/y/P/-/-/1/RET\n", "error: in:1: expected FROM/TO before EVENT, found ' x/y'");
	expect("ls 3/4 7.1: call   f\n", "error: in: its branches have no addresses: expected perf "
					 "script with -F +ip,+addr,+flags");
}
END_TEST

/* No processor has so long a stack, and no input may take all memory. */
START_TEST(refuses_endless_stacks)
{
	static char text[2000 * 32];
	size_t size = 0;

	for (int i = 0; i < 2000; i++)
		size += (size_t)sprintf(text + size, " 0x10/0x20/P/-/-/1");
	import_expect("perf", text, size, "error: in:1: more than 1024 branches in a sample");
}
END_TEST

UNIT_MAIN("import from perf", turns_a_branch_stack_round, knows_every_type, leaves_out_wrong_paths,
	  classifies_nothing_without_proof, reads_empty_types, classifies_by_callchains,
	  classifies_by_symbols, does_not_take_parts_for_functions, classifies_by_code,
	  does_not_believe_other_code, reads_names_with_slashes, keeps_files_apart,
	  puts_gaps_at_unknown_places, finds_threads, counts_no_branch_twice,
	  keeps_what_may_be_another, reads_flags, knows_where_tracing_stops,
	  learns_lengths_from_returns, refuses_other_files, refuses_endless_stacks)
