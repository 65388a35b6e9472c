/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ends a round early, each with one message: what, where, which instruction, which address. */
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

static const char *message(struct guest guest)
{
	return guest_message(guest);
}

/* Reads and writes of nothing. */
START_TEST(names_the_address_touched)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x90,				    /* nop */
				 0x48, 0x8b, 0x04, 0x25, 0x10, 0x00, 0x00, 0x00)),
			 "read of unmapped memory at target+0x1 (0x401101): "
			 "mov rax, qword ptr [0x10], address 0x10");
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x90,				    /* nop */
				 0x48, 0x89, 0x04, 0x25, 0x10, 0x00, 0x00, 0x00)),
			 "write to unmapped memory at target+0x1 (0x401101): "
			 "mov qword ptr [0x10], rax, address 0x10");
}
END_TEST

/* The part of an access that is not there: the data's page ends at 501000. */
START_TEST(names_the_missing_part_of_an_access)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x90,				    /* nop */
				 0x48, 0x8b, 0x04, 0x25, 0xfc, 0x0f, 0x50, 0x00)),
			 "read of unmapped memory at target+0x1 (0x401101): "
			 "mov rax, qword ptr [0x500ffc], address data+0x1000 (0x501000)");
}
END_TEST

/*
 * An argument that holds no address since the call is said to be one that was not given; not one
 * that the code changed, nor another register (System V ABI, AMD64 supplement, 3.2.3).
 */
START_TEST(hints_at_an_argument_that_was_not_given)
{
	static const char hint[] = "--set-reg";
	const char *text = guest_message(GUEST(GUEST_CODE,
				       0x48, 0x31, 0xff,		    /* xor rdi, rdi */
				       0x48, 0x8b, 0x46, 0x10));	    /* mov rax, [rsi + 16] */

	ck_assert_msg(strstr(text, "address 0x10; rsi is 0x0 since the call: "), "%s", text);
	ck_assert_msg(strstr(text, "--set-reg rsi=scratch"), "%s", text);
	ck_assert_ptr_null(strstr(guest_message(GUEST(GUEST_CODE,
				       0x48, 0x83, 0xc7, 0x01,		    /* add rdi, 1 */
				       0x48, 0x8b, 0x47, 0x10)), hint));    /* mov rax, [rdi + 16] */
	ck_assert_ptr_null(strstr(guest_message(GUEST(GUEST_CODE,
				       0x48, 0x31, 0xc0,		    /* xor rax, rax */
				       0x48, 0x8b, 0x00)), hint));	    /* mov rax, [rax] */
}
END_TEST

/* What is mapped but may not be read, written or executed is told apart. */
START_TEST(says_what_a_segment_may_be_used_for)
{
	struct guest unreadable = GUEST(GUEST_CODE,
		0x48, 0x8b, 0x04, 0x25, 0x00, 0x00, 0x60, 0x00); /* mov rax, [600000] */

	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x90,				    /* nop */
				 0xc6, 0x05, 0x00, 0x00, 0x00, 0x00, 0x90)), /* mov byte [rip], 0x90 */
			 "write to read-only memory at target+0x1 (0x401101): "
			 "mov byte ptr [rip], 0x90, address target+0x8 (0x401108)");
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0xb8, 0x00, 0x00, 0x50, 0x00,	    /* mov eax, data */
				 0xff, 0xe0)),			    /* jmp rax */
			 "jump to memory that may not be executed at target+0x5 (0x401105): "
			 "jmp rax, address data (0x500000)");
	guest_map(&unreadable, "none", 0x600000, RSB_PAGE, 0, NULL, 0);
	ck_assert_str_eq(message(unreadable),
			 "read of memory that may not be read at target (0x401100): "
			 "mov rax, qword ptr [0x600000], address 0x600000");
}
END_TEST

/* Code that jumps to nowhere: the transfer is named, and where it went. */
START_TEST(names_a_jump_to_nowhere)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x31, 0xc0,	 /* xor eax, eax */
				 0xff, 0xe0)),	 /* jmp rax */
			 "jump to unmapped memory at target+0x2 (0x401102): jmp rax, address 0x0");
	/* A smashed return address that is not canonical. */
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x48, 0xb8, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41,
				 0x48, 0x89, 0x04, 0x24, /* 40110a mov [rsp], rax */
				 0xc3)),	 /* 40110e ret */
			 "jump to unmapped memory at target+0xe (0x40110e): ret, "
			 "address 0x4141414141414141");
}
END_TEST

/* Code that goes on where its segment ends has no instruction to blame but its block. */
START_TEST(names_code_that_runs_off)
{
	uint8_t code[0x3f00];

	memset(code, 0x90, sizeof(code));
	code[0] = 0xe9; /* jmp 404ff0: 16 nops are left */
	code[1] = 0xeb;
	code[2] = 0x3e;
	code[3] = code[4] = 0;
	ck_assert_str_eq(message(guest_new(GUEST_CODE, code, sizeof(code))),
			 "the code runs on into unmapped memory at target+0x3ef0 (0x404ff0): nop, "
			 "address target+0x3f00 (0x405000)");
}
END_TEST

/* Symbols may point at nothing. */
START_TEST(names_a_first_instruction_that_is_not_there)
{
	struct guest guest = GUEST(GUEST_CODE, 0xc3);
	struct rsb_error error;
	struct rsb_machine_options options = { 0 };

	rsb_image_free(guest.image);
	guest.image = rsb_image_new();
	ck_assert(rsb_image_symbol(guest.image, "rsb_round", 0x1000, 0, &error));
	ck_assert(rsb_image_symbol(guest.image, "rsb_traced_call", 0x2000, 0, &error));
	ck_assert_ptr_null(rsb_machine_new(guest.image, guest.sites, &options, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "rsb_landing"));
	ck_assert(rsb_image_symbol(guest.image, "rsb_landing", 0x2005, 0, &error));
	ck_assert_ptr_null(rsb_machine_new(guest.image, guest.sites, &options, &error));
	ck_assert_str_eq(error.text, "rsb_traced_call (0x2000) is not mapped");
	guest_map(&guest, "call", 0x2000, RSB_PAGE, GUEST_CODE, "\xe8\0\0\0", 5);
	ck_assert_str_eq(message(guest),
			 "the code runs on into unmapped memory at rsb_round (0x1000), "
			 "address rsb_round (0x1000)");
}
END_TEST

/* The traced call must be one, and the landing where it returns to. */
START_TEST(refuses_a_traced_call_that_is_none)
{
	struct guest guest = GUEST_WHOLE(GUEST_CODE, 0,
		0x90, 0x90, 0x90, 0x90, 0x90, /* nop, 5 times */
		0xc3);			      /* ret */
	struct guest shorter = GUEST_WHOLE(GUEST_CODE, 0,
		0xff, 0xd0, /* call rax */
		0xc3);	    /* ret; the landing is said to be at 401005 */
	struct rsb_machine_options options = { 0 };
	struct rsb_error error;

	ck_assert_ptr_null(rsb_machine_new(guest.image, guest.sites, &options, &error));
	ck_assert_str_eq(error.text, "rsb_traced_call (0x401000) is not a near call");
	ck_assert_ptr_null(rsb_machine_new(shorter.image, shorter.sites, &options, &error));
	ck_assert_str_eq(error.text,
			 "rsb_landing is 0x401005, but the traced call returns to 0x401002");
	guest_free(&guest);
	guest_free(&shorter);
}
END_TEST

/* The stack has 1 MiB; frames that skip pages of it are caught as well. */
START_TEST(names_a_stack_that_runs_over)
{
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE,
		0x55,				/* push rbp */
		0xe8, 0xfa, 0xff, 0xff, 0xff)), /* call 401100 */
		"stack overflow at target"));
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE,
		0x90,				/* nop */
		0x48, 0x81, 0xec, 0x00, 0x00, 0x18, 0x00, /* sub rsp, 0x180000 */
		0x50)),				/* push rax */
		"stack overflow at target+0x8 (0x401108): push rax"));
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE,
		0x48, 0x83, 0xc4, 0x10,		/* add rsp, 16 */
		0xc3)),				/* ret: above the stack's top */
		"stack underflow at target+0x4 (0x401104): ret"));
}
END_TEST

/* What the engine refuses is said with its bytes, by its own name where Capstone has another. */
START_TEST(names_an_instruction_that_the_engine_refuses)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0x0f, 0x0b)),
			 "the engine refuses the instruction at target+0x1 (0x401101): ud2, "
			 "bytes 0f 0b");
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0x0f, 0xb9, 0xc1)),
			 "the engine refuses the instruction at target+0x1 (0x401101): ud1, "
			 "bytes 0f b9 c1");
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0x0f, 0x01, 0xe8)),
			 "the engine refuses the instruction at target+0x1 (0x401101): serialize, "
			 "bytes 0f 01 e8");
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x48, 0x0f, 0x07)),
			 "the engine refuses the instruction at target (0x401100): sysret, "
			 "bytes 48 0f 07");
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0xc5, 0xfd, 0x6f, 0xc1)),
			 "the engine refuses the instruction at target+0x1 (0x401101): "
			 "vmovdqa ymm0, ymm1, bytes c5 fd 6f c1");
}
END_TEST

/* The engine runs eretu as clac and xbegin as mov, and would go on as if nothing were wrong. */
START_TEST(names_an_instruction_that_the_engine_takes_for_another)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0xf3, 0x0f, 0x01, 0xca, 0xc3)),
			 "the engine cannot run the instruction at target+0x1 (0x401101): "
			 "eretu, bytes f3 0f 01 ca");
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0xc7, 0xf8, 0x01, 0x00, 0x00, 0x00, 0xf4)),
			 "the engine cannot run the instruction at target+0x1 (0x401101): "
			 "xbegin 0x401108, bytes c7 f8 01 00 00 00");
}
END_TEST

/* Unicorn 2.0.1 calls abort() when it translates these, and has no hook before that; it ends by a
 * fault when the last is run with breakpoints on. A processor raises #UD for all but that one. */
START_TEST(survives_what_the_engine_dies_of)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0xff, 0xd8)), /* far call through rax */
			 "the engine cannot run the instruction at target+0x1 (0x401101), "
			 "bytes ff d8 00 00 00 00 00 00 00 00 00 00 00 00 00");
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE, 0xeb, 0x01, 0x90, /* jmp 401103 */
						   0x66, 0x41, 0xff, 0xef)),
				     "cannot run the instruction at target+0x3 (0x401103)"));
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE, 0x31, 0xc0, /* xor eax, eax */
						   0x74, 0x01, 0xc3,       /* jz 401105 */
						   0xf0, 0x39, 0x08)),     /* lock cmp [rax], ecx */
				     "cannot run the instruction at target+0x5 (0x401105)"));
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE, 0xf0, 0x48, 0xa7)), /* lock cmpsq */
				     "cannot run the instruction at target (0x401100)"));
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE, 0xf0, 0x0f, 0xab, 0xc8)),
				     "cannot run the instruction at target (0x401100)"));
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE,
				0x48, 0x8b, 0x04, 0x24,	  /* mov rax, [rsp]: and it goes on */
				0xff, 0xd8)),
				     "cannot run the instruction at target+0x4 (0x401104)"));
	ck_assert_ptr_nonnull(strstr(message(GUEST(GUEST_CODE, 0xb8, 0xff, 0x00, 0x00, 0x00,
						   0x0f, 0x23, 0xf8)), /* mov dr7, rax */
				     "cannot run the instruction at target+0x5 (0x401105)"));
}
END_TEST

/* Those bytes where no instruction begins, or behind a return, are only bytes. */
START_TEST(leaves_data_alone)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x66, 0x83, 0x3d, 0x01, 0x00, 0x00, 0x00, 0xff, /* cmp word [rip + 1], -1 */
		0xc3,						/* ret */
		0xff, 0xd8);

	guest_run(&guest);
	guest_run(&guest);
	guest_free(&guest);
}
END_TEST

/* By its vector, and the name that the manual has for it. */
START_TEST(names_an_exception)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x90,		     /* nop */
				 0x48, 0xf7, 0xf1)), /* div rcx: by 0 */
			 "exception at target+0x1 (0x401101): div rcx, vector 0 (#DE)");
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x90,		     /* nop */
				 0x6a, 0x70,	     /* push 0x70: a selector beyond the table */
				 0x6a, 0x00,	     /* push 0 */
				 0x48, 0xcb)),	     /* lretq */
			 "exception at target+0x5 (0x401105): retfq, vector 13 (#GP)");
}
END_TEST

/* By its vector. */
START_TEST(names_an_interrupt)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0xcc)),
			 "interrupt that nothing serves at target+0x1 (0x401101): int3, "
			 "vector 3 (#BP)");
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0xcd, 0x80)),
			 "interrupt that nothing serves at target (0x401100): int 0x80, vector 128");
}
END_TEST

/* The engine would skip a syscall silently (engine-notes 1.4). */
START_TEST(names_a_system_call)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0xb8, 0x27, 0x00, 0x00, 0x00, /* mov eax, 39 */
				 0x0f, 0x05,		       /* syscall */
				 0xc3)),		       /* ret */
			 "system calls are not served at target+0x5 (0x401105): syscall, number 39 (getpid)");
}
END_TEST

/* The engine takes hlt for success (engine-notes 1.4). */
START_TEST(names_a_halt)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE, 0x90, 0xf4, 0xc3)),
			 "the processor was halted at target+0x1 (0x401101): hlt");
}
END_TEST

/* A loop ends with the budget, at an instruction of it. */
START_TEST(names_code_that_never_returns)
{
	struct guest guest = GUEST(GUEST_CODE, 0xeb, 0xfe); /* jmp 401100 */

	guest_open(&guest, 0, 1000);
	ck_assert_str_eq(message(guest),
			 "did not return within the budget; last at target (0x401100): "
			 "jmp 0x401100 (the budget is 1000 instructions a round)");
}
END_TEST

/* A layout that drops the caller's frame as well: the round ends without a landing. */
START_TEST(names_a_traced_call_that_never_lands)
{
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0x58,	  /* pop rax: the caller's return address */
				 0xc3)),  /* ret: where rsb_round returns to */
			 "traced call that never landed at rsb_round (0x401000): call 0x401100; "
			 "the round ended at target+0x1 (0x401101)");
	/* Or the same call is made again from within. */
	ck_assert_str_eq(message(GUEST(GUEST_CODE,
				 0xe9, 0xfb, 0xfe, 0xff, 0xff)), /* jmp 401000 */
			 "traced call while the one before has not landed at rsb_round (0x401000): "
			 "call 0x401100");
}
END_TEST

/* rsb_round must return with the stack pointer that it was called with. */
START_TEST(names_an_unbalanced_round)
{
	ck_assert_str_eq(message(GUEST_WHOLE(GUEST_CODE, 0,
				 0xe8, 0x08, 0x00, 0x00, 0x00, /* 401000 call 40100d */
				 0x48, 0x8b, 0x04, 0x24,       /* 401005 mov rax, [rsp] */
				 0x50,			       /* 401009 push rax */
				 0x50,			       /* 40100a push rax */
				 0x58,			       /* 40100b pop rax */
				 0xc3,			       /* 40100c ret: one push is left */
				 0xc3)),		       /* 40100d ret */
			 "rsb_round left its stack unbalanced at rsb_landing+0x7 (0x40100c): ret, "
			 "stack pointer off by -8 bytes");
}
END_TEST

/* clang-format on */

UNIT_MAIN("faults", names_the_address_touched, names_the_missing_part_of_an_access,
	  hints_at_an_argument_that_was_not_given, says_what_a_segment_may_be_used_for,
	  names_a_jump_to_nowhere, names_code_that_runs_off,
	  names_a_first_instruction_that_is_not_there, refuses_a_traced_call_that_is_none,
	  names_a_stack_that_runs_over, names_an_instruction_that_the_engine_refuses,
	  names_an_instruction_that_the_engine_takes_for_another, survives_what_the_engine_dies_of,
	  leaves_data_alone, names_an_exception, names_an_interrupt, names_a_system_call,
	  names_a_halt, names_code_that_never_returns, names_a_traced_call_that_never_lands,
	  names_an_unbalanced_round)
