/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entering a kernel and leaving it. What is expected of syscall and sysret follows from the Intel
 * SDM, volume 2, and of what is cleared from Linux's syscall_init(); the rest from the instructions
 * beside the bytes.
 *
 *	401000	rsb_round: the caller of the test
 *	402000	the kernel of the test
 *	500000	data: the kernel's GS base, and its stack
 */
#include "sim/machine/shadow.h"
#include "sim/machine/watch.h"
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

#define KERNEL (GUEST_ROUND + RSB_PAGE)

static void name(struct guest *guest, const char *symbol, uint64_t address)
{
	ck_assert_msg(rsb_image_symbol(guest->image, symbol, address, 0, &guest->error), "%s",
		      guest->error.text);
}

/* stc; syscall; pushfq; pop [500018]; ret, and that kernel. */
static struct guest system_new(const uint8_t *kernel, size_t size)
{
	static const uint8_t caller[] = {
		0xf9,					/* 401000 stc */
		0x0f, 0x05,				/* 401001 syscall */
		0x9c,					/* 401003 pushfq */
		0x8f, 0x04, 0x25, 0x18, 0, 0x50, 0,	/* 401004 pop [500018] */
		0xc3,					/* 40100b ret */
	};
	const struct rsb_system system = { .entry = KERNEL, .gs_base = GUEST_DATA,
					   .page_tables = 0x3000 };
	struct guest guest = { .image = rsb_image_new(), .sites = rsb_sites_new() };

	guest_map(&guest, "caller", GUEST_ROUND, RSB_PAGE, GUEST_CODE, caller, sizeof(caller));
	guest_map(&guest, "kernel", KERNEL, RSB_PAGE, GUEST_CODE, kernel, size);
	guest_map(&guest, "data", GUEST_DATA, RSB_PAGE, RSB_READ | RSB_WRITE, NULL, 0);
	name(&guest, "rsb_round", GUEST_ROUND);
	name(&guest, "rsb_traced_call", 0x401001);
	name(&guest, "rsb_landing", 0x401003);
	name(&guest, "kernel", KERNEL);
	rsb_image_set_system(guest.image, &system);
	return guest;
}

#define SYSTEM(...)                              \
	system_new((const uint8_t[]){ __VA_ARGS__ }, \
		   sizeof((const uint8_t[]){ __VA_ARGS__ }))

static uint64_t read_data(const struct guest *guest, unsigned offset)
{
	uint64_t value = 0;

	ck_assert_uint_eq(rsb_machine_read(guest->machine, GUEST_DATA + offset, &value, 8), 8);
	return value;
}

/* syscall keeps the way back in rcx and the flags in r11, and clears those Linux wants cleared;
 * sysretq gives both back. The events and the landing are those of a call. */
START_TEST(enters_by_syscall_and_leaves_by_sysret)
{
	struct guest guest = SYSTEM(
		0x0f, 0x01, 0xf8,				/* 402000 swapgs */
		0x65, 0x48, 0x89, 0x0c, 0x25, 0, 0, 0, 0,	/* 402003 mov gs:[0], rcx */
		0x65, 0x4c, 0x89, 0x1c, 0x25, 8, 0, 0, 0,	/* 40200c mov gs:[8], r11 */
		0x9c,						/* 402015 pushfq */
		0x65, 0x8f, 0x04, 0x25, 16, 0, 0, 0,		/* 402016 pop gs:[16] */
		0xe8, 0x06, 0, 0, 0,				/* 40201e call 402029 */
		0x0f, 0x01, 0xf8,				/* 402023 swapgs */
		0x48, 0x0f, 0x07,				/* 402026 sysretq */
		0xc3);						/* 402029 ret */

	for (int i = 0; i < 2; i++) {
		guest_run(&guest);
		ck_assert_str_eq(guest_all_events(&guest),
				 "round 401000\n"
				 "traced call 401001\n"
				 "syscall 401001>402000\n"
				 "call 40201e>402029\n"
				 "return 402029>402023\n"
				 "sysret 402026>401003\n"
				 "landing 401003\n");
		ck_assert_uint_eq(guest.round.traced_calls, 1);
		ck_assert_uint_eq(guest.round.traced_instructions, 9);
		ck_assert_uint_eq(guest.round.instructions, 9 + 5);
		ck_assert_uint_eq(read_data(&guest, 0), 0x401003);
		ck_assert_uint_eq(read_data(&guest, 8), 0x203);
		ck_assert_uint_eq(read_data(&guest, 16), 0x2);
		ck_assert_uint_eq(read_data(&guest, 24), 0x203);
	}
	guest_free(&guest);
}
END_TEST

/* iretq gives up the kernel's privileges; the next system call has them again. */
START_TEST(leaves_by_iret_and_enters_again)
{
	struct guest guest = SYSTEM(
		0x0f, 0x01, 0xf8,				/* 402000 swapgs */
		0x65, 0x48, 0x89, 0x24, 0x25, 0, 0, 0, 0,	/* 402003 mov gs:[0], rsp */
		0x48, 0xc7, 0xc4, 0, 0x08, 0x50, 0,		/* 40200c mov rsp, 500800 */
		0x6a, 0x2b,					/* 402013 push 2b */
		0x65, 0xff, 0x34, 0x25, 0, 0, 0, 0,		/* 402015 push gs:[0] */
		0x41, 0x53,					/* 40201d push r11 */
		0x6a, 0x33,					/* 40201f push 33 */
		0x51,						/* 402021 push rcx */
		0x0f, 0x20, 0xd8,				/* 402022 mov rax, cr3 */
		0x0f, 0x22, 0xd8,				/* 402025 mov cr3, rax */
		0x0f, 0x01, 0xf8,				/* 402028 swapgs */
		0x48, 0xcf);					/* 40202b iretq */

	for (int i = 0; i < 3; i++) {
		guest_run(&guest);
		ck_assert_str_eq(guest_all_events(&guest),
				 "round 401000\n"
				 "traced call 401001\n"
				 "syscall 401001>402000\n"
				 "environment 402025>402025\n"
				 "iret 40202b>401003\n"
				 "landing 401003\n");
		ck_assert_uint_eq(guest.round.traced_instructions, 12);
		ck_assert_uint_eq(read_data(&guest, 24), 0x203);
	}
	guest_free(&guest);
}
END_TEST

static unsigned find_cr3(const struct guest *guest)
{
	size_t size;
	const struct rsb_site *sites = rsb_sites_array(guest->sites, &size);

	for (size_t i = 0; i < size; i++)
		if (sites[i].kind == RSB_ENVIRONMENT)
			return sites[i].detail;
	return UINT32_MAX;
}

/* Bit 63 of what is written to CR3 keeps the TLB, and is not kept itself. */
START_TEST(keeps_the_tlb)
{
	struct guest guest = SYSTEM(
		0x0f, 0x20, 0xd8,				/* mov rax, cr3 */
		0x48, 0x0f, 0xba, 0xe8, 0x3f,			/* bts rax, 63 */
		0x0f, 0x22, 0xd8,				/* mov cr3, rax */
		0x0f, 0x20, 0xda,				/* mov rdx, cr3 */
		0x48, 0x89, 0x14, 0x25, 0, 0, 0x50, 0,		/* mov [500000], rdx */
		0x48, 0x0f, 0x07);				/* sysretq */

	guest_run(&guest);
	ck_assert_uint_eq(find_cr3(&guest), RSB_ENVIRONMENT_CR3);
	ck_assert_uint_eq(read_data(&guest, 0), 0x3000);
	ck_assert_uint_eq(guest.round.pages, 0);
	guest_free(&guest);
}
END_TEST

/*
 * Without that bit the TLB is flushed. Then four pages are touched: the kernel's and the caller's
 * code, data, and the caller's stack; twice each and counted once.
 */
START_TEST(counts_the_pages_after_a_flush)
{
	struct guest guest = SYSTEM(
		0x0f, 0x20, 0xd8,				/* mov rax, cr3 */
		0x0f, 0x22, 0xd8,				/* mov cr3, rax */
		0x48, 0x89, 0x14, 0x25, 0, 0, 0x50, 0,		/* mov [500000], rdx */
		0x48, 0x89, 0x14, 0x25, 8, 0, 0x50, 0,		/* mov [500008], rdx */
		0x48, 0x0f, 0x07);				/* sysretq */

	for (int i = 0; i < 2; i++) {
		guest_run(&guest);
		ck_assert_uint_eq(find_cr3(&guest), RSB_ENVIRONMENT_CR3_FLUSH);
		ck_assert_uint_eq(guest.round.pages, 4);
	}
	guest_free(&guest);
}
END_TEST

/* sysretq to an address that none can be is a fault (Intel SDM volume 2, SYSRET). */
START_TEST(refuses_to_leave_to_nowhere)
{
	struct guest guest = SYSTEM(
		0x48, 0xb9, 0, 0, 0, 0, 0, 0, 0x00, 0x80,	/* mov rcx, 8000000000000000 */
		0x48, 0x0f, 0x07);				/* 40200a sysretq */

	ck_assert_str_eq(guest_fail(&guest), "exception at kernel+0xa (0x40200a): sysret, vector "
					     "13 (#GP)");
	guest_free(&guest);
}
END_TEST

/* To 32-bit code is no way out of this machine. */
START_TEST(does_not_leave_to_32_bit_code)
{
	struct guest guest = SYSTEM(0x0f, 0x07); /* 402000 sysretl */

	ck_assert_msg(strstr(guest_fail(&guest), "refuses the instruction at kernel (0x402000)"),
		      "%s", guest.error.text);
	guest_free(&guest);
}
END_TEST

/* The user's shadow stack is left alone by a kernel that drops a return address of its own. */
START_TEST(leaves_the_shadow_stack_alone)
{
	struct guest guest = SYSTEM(
		0xe8, 0x01, 0, 0, 0,	/* 402000 call 402006 */
		0xcc,			/* 402005 int3 */
		0x48, 0x83, 0xc4, 0x08,	/* 402006 add rsp, 8 */
		0x48, 0x0f, 0x07);	/* 40200a sysretq */

	rsb_image_set_cet(guest.image, RSB_CET_SHADOW_STACK);
	for (int i = 0; i < 2; i++)
		guest_run(&guest);
	ck_assert_uint_eq(rsb_machine_shadow(guest.machine).faults, 0);
	ck_assert_int_eq(rsb_machine_shadow(guest.machine).left, 0);
	guest_free(&guest);
}
END_TEST

/* A round of system calls comes back to the state in which it began. */
START_TEST(rounds_can_be_proved_alike)
{
	struct guest guest = SYSTEM(0x48, 0x0f, 0x07); /* sysretq */
	struct rsb_snapshot *snapshot;

	guest_run(&guest);
	snapshot = rsb_machine_snapshot(guest.machine, NULL);
	guest_run(&guest);
	ck_assert(rsb_machine_same(guest.machine, snapshot));
	rsb_snapshot_free(snapshot);
	guest_free(&guest);
}
END_TEST

UNIT_MAIN("entering a kernel", enters_by_syscall_and_leaves_by_sysret,
	  leaves_by_iret_and_enters_again, keeps_the_tlb, counts_the_pages_after_a_flush,
	  refuses_to_leave_to_nowhere, does_not_leave_to_32_bit_code,
	  leaves_the_shadow_stack_alone, rounds_can_be_proved_alike)
