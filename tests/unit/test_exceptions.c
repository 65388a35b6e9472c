/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exceptions: how the machine delivers one (Intel SDM volume 3, 6.14: the stack is aligned, and ss,
 * rsp, the flags, cs and rip are pushed), and the generated layouts of them. What those call and
 * return, and which of them writes CR3, was counted by hand from the listings of entry_64.S and
 * calling.h that the family names.
 */
#include "sim/machine/watch.h"
#include "tests/unit/guest.h"
#include "tests/unit/listing.h"
#include "tests/unit/scored.h"
#include "tests/unit/unit.h"

#include <stdio.h>

#define KERNEL (GUEST_ROUND + RSB_PAGE)
#define STACK  (GUEST_DATA + 0x808)
#define FRAME  (GUEST_DATA + 0x800 - 40)

static void name(struct guest *guest, const char *symbol, uint64_t address)
{
	ck_assert_msg(rsb_image_symbol(guest->image, symbol, address, 0, &guest->error), "%s",
		      guest->error.text);
}

/* clang-format off */

/* stc; that instruction; pushfq; pop [500018]; ret. The kernel keeps rsp and its flags. */
static struct guest exception_new(uint8_t instruction, const struct rsb_system *system)
{
	const uint8_t caller[] = {
		0xf9,					/* 401000 stc */
		instruction,				/* 401001 */
		0x9c,					/* 401002 pushfq */
		0x8f, 0x04, 0x25, 0x18, 0, 0x50, 0,	/* 401003 pop [500018] */
		0xc3,					/* 40100a ret */
	};
	static const uint8_t kernel[] = {
		0x48, 0x89, 0x24, 0x25, 0, 0, 0x50, 0,	/* 402000 mov [500000], rsp */
		0x9c,					/* 402008 pushfq */
		0x8f, 0x04, 0x25, 0x08, 0, 0x50, 0,	/* 402009 pop [500008] */
		0x48, 0xcf,				/* 402010 iretq */
	};
	struct guest guest = { .image = rsb_image_new(), .sites = rsb_sites_new() };

	guest_map(&guest, "caller", GUEST_ROUND, RSB_PAGE, GUEST_CODE, caller, sizeof(caller));
	guest_map(&guest, "kernel", KERNEL, RSB_PAGE, GUEST_CODE, kernel, sizeof(kernel));
	guest_map(&guest, "data", GUEST_DATA, RSB_PAGE, RSB_READ | RSB_WRITE, NULL, 0);
	name(&guest, "rsb_round", GUEST_ROUND);
	name(&guest, "rsb_traced_call", 0x401001);
	name(&guest, "rsb_landing", 0x401002);
	name(&guest, "kernel", KERNEL);
	rsb_image_set_system(guest.image, system);
	return guest;
}

/* clang-format on */

static uint64_t read_at(const struct guest *guest, uint64_t address)
{
	uint64_t value = 0;

	ck_assert_uint_eq(rsb_machine_read(guest->machine, address, &value, 8), 8);
	return value;
}

static void expect_frame(const struct guest *guest, uint64_t at, uint64_t cs, uint64_t ss)
{
	ck_assert_uint_eq(read_at(guest, at), 0x401002);
	ck_assert_uint_eq(read_at(guest, at + 8), cs);
	ck_assert_uint_eq(read_at(guest, at + 16), 0x203);
	ck_assert_uint_eq(read_at(guest, at + 32), ss);
	ck_assert_uint_eq(read_at(guest, GUEST_DATA + 8), 0x3); /* no interrupts meanwhile */
	ck_assert_uint_eq(read_at(guest, GUEST_DATA + 24), 0x203);
}

/* From user mode, again and again: on the kernel's stack, with the user's selectors. */
START_TEST(int3_of_the_user)
{
	const struct rsb_system system = { .exception = KERNEL, .stack = STACK };
	struct guest guest = exception_new(0xcc, &system);

	for (int i = 0; i < 3; i++) {
		guest_run(&guest);
		ck_assert_str_eq(guest_all_events(&guest), "round 401000\n"
							   "traced call 401001\n"
							   "interrupt 401001>402000\n"
							   "iret 402010>401002\n"
							   "landing 401002\n");
		ck_assert_uint_eq(guest.round.traced_instructions, 4);
		ck_assert_uint_eq(read_at(&guest, GUEST_DATA), FRAME);
		expect_frame(&guest, FRAME, 0x33, 0x2b);
	}
	guest_free(&guest);
}
END_TEST

/* In the kernel: on the stack in use, aligned; what goes back is its own stack pointer. */
START_TEST(int1_of_the_kernel)
{
	const struct rsb_system system = { .exception = KERNEL, .kernel = true };
	struct guest guest = exception_new(0xf1, &system);

	for (int i = 0; i < 3; i++) {
		uint64_t frame, rsp;

		guest_run(&guest);
		frame = read_at(&guest, GUEST_DATA);
		rsp = read_at(&guest, frame + 24);
		ck_assert_uint_eq(frame, (rsp & ~UINT64_C(15)) - 40);
		expect_frame(&guest, frame, 0x10, 0x18);
	}
	guest_free(&guest);
}
END_TEST

/* A kernel that only exceptions enter has no system calls, and the other way round. */
START_TEST(not_served)
{
	const struct rsb_system calls = { .entry = KERNEL };
	struct guest guest = exception_new(0xcc, &calls);

	ck_assert_str_eq(guest_fail(&guest), "interrupt that nothing serves at rsb_traced_call "
					     "(0x401001): int3, vector 3 (#BP)");
	guest_free(&guest);
	guest = exception_new(0xf1, &calls);
	ck_assert_str_eq(guest_fail(&guest), "the engine refuses the instruction at "
					     "rsb_traced_call (0x401001): int1, bytes f1");
	guest_free(&guest);
}
END_TEST

struct row {
	const char *layout;
	int calls, returns, writes, flushes;
};

/*
 * error_entry and the handler; with 5.18, sync_regs too, which is called there. In the kernel, the
 * function that is interrupted, besides. CR3 is written both ways, for a user; in the kernel only
 * by the exit that asks nothing.
 */
static const struct row rows[] = {
	{ "error-entry", 2, 2, 0, 0 },
	{ "error-entry-5.18", 3, 3, 0, 0 },
	{ "error-entry-kernel", 3, 3, 0, 0 },
	{ "error-entry-pti-pcid", 2, 2, 2, 0 },
	{ "error-entry-pti-no-pcid", 2, 2, 2, 2 },
	{ "paranoid-entry", 3, 3, 0, 0 },
	{ "paranoid-entry-pti", 3, 3, 0, 0 },
	{ "paranoid-entry-pti-6.8", 3, 3, 1, 1 },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static void expect(const char *what, const char *figure, double got, double want)
{
	ck_assert_msg(got > want - 1e-9 && got < want + 1e-9, "%s: %s is %g, not %g", what, figure,
		      got, want);
}

/* Every return is paired, though its address was moved, and on whichever stack it is. */
START_TEST(returns_are_paired)
{
	const struct rsb_scenario scenarios[] = { RSB_SCENARIO_UNWIND, RSB_SCENARIO_BENCH };
	struct rsb_profile *profile = scored_profile("intel-haswell");

	for (size_t i = 0; i < 2 * ROWS; i++) {
		const struct row *row = rows + i / 2;
		struct rsb_per_call got = scored_layout(row->layout, profile, &scenarios[i % 2]);

		expect(row->layout, "calls", got.calls, row->calls);
		expect(row->layout, "returns", got.returns, row->returns);
		expect(row->layout, "misses inside", got.misses_inside, 0);
		expect(row->layout, "misses in callers", got.misses_callers, 0);
		expect(row->layout, "writes", got.cr3_writes, row->writes);
		expect(row->layout, "flushes", got.tlb_flushes, row->flushes);
	}
	rsb_profile_free(profile);
}
END_TEST

/*
 * What stands before the first return of each entry, by the return thunk: nothing, a call that
 * returns, or one that returns by a safe RET, which makes a call of its own, as each return does.
 * Of the layout without mitigations nothing is left.
 */
START_TEST(entries_untrain)
{
	static const struct {
		const char *family, *set;
		int calls, returns;
	} untrained[] = {
		{ "syscall", "return_thunk=rethunk", 2, 2 },
		{ "syscall", "return_thunk=its", 2, 2 },
		{ "syscall", "return_thunk=call-depth", 2, 2 },
		{ "syscall", "return_thunk=retbleed", 2 + 1, 2 + 1 },
		{ "syscall", "return_thunk=srso", 3 + 3, 3 },
		{ "syscall", "return_thunk=srso-alias", 3 + 3, 3 },
		/* clear_bhb_loop, and in it one call and five in each other. */
		{ "syscall", "clear_history=true", 2 + 7, 2 + 7 },
		/* entry_ibpb, and in it 32 calls over an int3; in place of what untrains. */
		{ "syscall", "ibpb=alone", 2 + 1, 2 + 1 },
		{ "syscall", "ibpb=fill", 2 + 1 + 32, 2 + 1 },
		{ "syscall", "ibpb=alone return_thunk=retbleed", 2 + 1, 2 + 1 },
		{ "exception", "return_thunk=retbleed", 2 + 1, 2 + 1 },
		{ "exception", "return_thunk=srso", 3 + 3, 3 },
		{ "exception", "return_thunk=srso-alias", 3 + 3, 3 },
		/* The kernel's own code has been through an entry. */
		{ "exception", "return_thunk=retbleed from=kernel", 3, 3 },
		{ "exception", "return_thunk=srso-alias from=kernel", 3 + 3, 3 },
		/* This one does not look whose it interrupts. */
		{ "exception", "return_thunk=retbleed from=kernel entry=paranoid", 3 + 1, 3 + 1 },
		{ "exception", "return_thunk=srso-alias from=kernel entry=paranoid", 4 + 4, 4 },
		/* Nor what is on the stack: the function's own return finds the count reset. */
		{ "exception", "return_thunk=call-depth from=kernel", 3, 3 },
		{ "exception", "return_thunk=call-depth from=kernel entry=paranoid", 3 + 16, 3 },
	};
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = scored_profile("amd-zen4");

	for (size_t i = 0; i < sizeof(untrained) / sizeof(*untrained); i++) {
		char what[128];
		struct rsb_per_call got =
			scored_family(untrained[i].family, untrained[i].set, profile, &scenario);

		snprintf(what, sizeof(what), "%s %s", untrained[i].family, untrained[i].set);
		expect(what, "calls", got.calls, untrained[i].calls);
		expect(what, "returns", got.returns, untrained[i].returns);
		expect(what, "balance of the layout", got.balance_layout, 0);
	}
	rsb_profile_free(profile);
}
END_TEST

/*
 * A safe RET that is interrupted: its call pushes, and nothing pops, for the kernel makes the
 * return. Besides, error_entry, handle_interrupted_saferet and exc_int3 are called and return. So
 * two entries are left, and no return of the layout misses.
 */
START_TEST(interrupted_safe_ret)
{
	static const struct {
		const char *set;
		unsigned int3; /* where it is in the safe RET, whose lea has 5 bytes */
	} rows[] = { { "from=kernel at=lea", 0 }, { "from=kernel at=ret", 5 } };
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = scored_profile("amd-zen4");

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rsb_image *image = listing_make("exception", rows[i].set);
		struct rsb_per_call got =
			scored_family("exception", rows[i].set, profile, &scenario);
		struct rsb_error error;
		uint64_t start;
		uint8_t byte;

		listing_expect(image, "interrupted_return_thunk",
			       "call interrupted_safe_ret\nud2\n");
		listing_expect(image, "interrupted_lea", "lea rsp, [rsp + 8]\n");
		listing_expect(image, "interrupted_ret", "ret\n");
		ck_assert(rsb_image_find(image, "interrupted_safe_ret", &start, &error) &&
			  rsb_image_read(image, start + rows[i].int3, &byte, 1, &error));
		ck_assert_uint_eq(byte, 0xcc);
		expect(rows[i].set, "calls", got.calls, 5);
		expect(rows[i].set, "returns", got.returns, 3);
		expect(rows[i].set, "balance", got.balance, 2);
		expect(rows[i].set, "balance of the layout", got.balance_layout, 1);
		expect(rows[i].set, "misses inside", got.misses_inside, 0);
		expect(rows[i].set, "misses in callers", got.misses_callers, 8);
		rsb_image_free(image);
	}
	rsb_profile_free(profile);
}
END_TEST

UNIT_MAIN("exceptions", int3_of_the_user, int1_of_the_kernel, not_served, returns_are_paired,
	  entries_untrain, interrupted_safe_ret)
