/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Far calls, far returns and iret on the shadow stack. What is expected is from the Intel SDM,
 * volume 2: CALL, "conforming" and "nonconforming code segment"; RET and IRET, "return to same
 * privilege level". 0x10 is the guest's code segment.
 */
#include "sim/machine/shadow.h"
#include "sim/machine/watch.h"
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#define SEGMENT 0x10

static uint64_t read_word(const struct guest *guest, uint64_t address)
{
	uint64_t word;

	ck_assert_uint_eq(rsb_machine_read(guest->machine, address, &word, sizeof(word)),
			  sizeof(word));
	return word;
}

/* Runs the round with shadow stacks on. */
static struct rsb_shadow_tally run(struct guest *guest)
{
	rsb_image_set_cet(guest->image, RSB_CET_SHADOW_STACK);
	guest_run(guest);
	return rsb_machine_shadow(guest->machine);
}

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

/*
 * A far pointer to target+at on the stack, below what the calls push: 23 bytes, the last the call.
 */
#define FAR_CALL(at)								\
	0x48, 0xc7, 0x44, 0x24, 0xc0, (at), 0x11, 0x40, 0x00,	/* mov qword [rsp-0x40], at */ \
	0x66, 0xc7, 0x44, 0x24, 0xc8, SEGMENT, 0x00,		/* mov word [rsp-0x38], 0x10 */ \
	0x48, 0xff, 0x5c, 0x24, 0xc0				/* lcall [rsp-0x40] */

/* 8 bytes: [at] of the guest's data. */
#define STORE_RAX(at) 0x48, 0x89, 0x04, 0x25, (at), 0x00, 0x50, 0x00
#define RDSSPQ_RAX    0xf3, 0x48, 0x0f, 0x1e, 0xc8

/*
 * It pushes the code segment, where it returns to, and the pointer as it was; the return takes all.
 */
START_TEST(a_far_call_pushes_three_entries)
{
	struct guest guest = GUEST(GUEST_CODE,
		RDSSPQ_RAX, STORE_RAX(0),	/* 0 */
		FAR_CALL(0x30),			/* d, returns to 22 */
		RDSSPQ_RAX, STORE_RAX(16),	/* 22 */
		0xc3,				/* 2f ret */
		RDSSPQ_RAX, STORE_RAX(8),	/* 30 */
		0x48, 0xcb);			/* 3d lretq */
	struct rsb_shadow_tally tally = run(&guest);
	uint64_t before = read_word(&guest, GUEST_DATA), in = read_word(&guest, GUEST_DATA + 8);

	ck_assert_uint_eq(tally.faults, 0);
	ck_assert_int_eq(tally.left, 0);
	ck_assert_uint_eq(in, before - 24);
	ck_assert_uint_eq(read_word(&guest, in), before);
	ck_assert_uint_eq(read_word(&guest, in + 8), GUEST_TARGET + 0x22);
	ck_assert_uint_eq(read_word(&guest, in + 16), SEGMENT);
	ck_assert_uint_eq(read_word(&guest, GUEST_DATA + 16), before);
	guest_free(&guest);
}
END_TEST

/* A far return elsewhere faults as a near one does. */
START_TEST(a_far_return_elsewhere_faults)
{
	struct guest guest = GUEST(GUEST_CODE,
		FAR_CALL(0x17),			/* 0, returns to 15 */
		0x90,				/* 15 nop */
		0xc3,				/* 16 ret */
		0x48, 0xff, 0x04, 0x24,		/* 17 inc qword [rsp] */
		0x48, 0xcb);			/* 1b lretq */
	struct rsb_shadow_tally tally = run(&guest);

	ck_assert_uint_eq(tally.faults, 1);
	ck_assert_int_eq(tally.first.kind, RSB_SHADOW_FAULT_RETURN);
	ck_assert_uint_eq(tally.first.pc, GUEST_TARGET + 0x1b);
	ck_assert_uint_eq(tally.first.expected, GUEST_TARGET + 0x15);
	ck_assert_uint_eq(tally.first.actual, GUEST_TARGET + 0x16);
	guest_free(&guest);
}
END_TEST

/* A frame that no far call pushed: what stands where the segment should is a near call's entry. */
START_TEST(a_far_return_of_no_far_call_faults)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 0 call 6 */
		0xc3,				/* 5 ret */
		0x6a, SEGMENT,			/* 6 push 0x10 */
		0x68, 0x0f, 0x11, 0x40, 0x00,	/* 8 push 40110f */
		0x48, 0xcb,			/* d lretq */
		0xc3);				/* f ret */
	struct rsb_shadow_tally tally = run(&guest);

	/* Nothing is popped for it, so that the returns after it are as their calls were. */
	ck_assert_uint_eq(tally.faults, 1);
	ck_assert_int_eq(tally.first.kind, RSB_SHADOW_FAULT_SEGMENT);
	ck_assert_uint_eq(tally.first.pc, GUEST_TARGET + 0xd);
	ck_assert_uint_eq(tally.first.actual, SEGMENT);
	ck_assert_int_eq(tally.left, 0);
	guest_free(&guest);
}
END_TEST

/* With less than three entries there is nothing to compare with. */
START_TEST(a_far_return_with_too_few_entries_faults)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x6a, SEGMENT,			/* 0 push 0x10 */
		0x68, 0x09, 0x11, 0x40, 0x00,	/* 2 push 401109 */
		0x48, 0xcb,			/* 7 lretq */
		0xc3);				/* 9 ret */
	struct rsb_shadow_tally tally = run(&guest);

	ck_assert_uint_eq(tally.faults, 1);
	ck_assert_int_eq(tally.first.kind, RSB_SHADOW_FAULT_EMPTY);
	guest_free(&guest);
}
END_TEST

/* iret compares the same three entries. */
START_TEST(iret_comes_back_from_a_far_call)
{
	struct guest guest = GUEST(GUEST_CODE,
		FAR_CALL(0x16),			/* 0, returns to 15 */
		0xc3,				/* 15 ret */
		0x58, 0x59,			/* 16 pop rax; pop rcx: rip, cs */
		0x48, 0x89, 0xe2,		/* 18 mov rdx, rsp */
		0x6a, 0x18,			/* 1b push 0x18: ss */
		0x52, 0x9c, 0x51, 0x50,		/* 1d push rdx; pushfq; push rcx; push rax */
		0x48, 0xcf);			/* 21 iretq */

	ck_assert_uint_eq(run(&guest).faults, 0);
	guest_free(&guest);
}
END_TEST

/* A frame that code made for it, to go on: a processor with shadow stacks does not. */
START_TEST(iret_of_a_made_frame_faults)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 0 call 6 */
		0xc3,				/* 5 ret */
		0x48, 0x89, 0xe2,		/* 6 mov rdx, rsp */
		0x6a, 0x18,			/* 9 push 0x18: ss */
		0x52, 0x9c,			/* b push rdx; pushfq */
		0x6a, SEGMENT,			/* d push 0x10 */
		0x68, 0x16, 0x11, 0x40, 0x00,	/* f push 401116 */
		0x48, 0xcf,			/* 14 iretq */
		0xc3);				/* 16 ret */
	struct rsb_shadow_tally tally = run(&guest);

	ck_assert_uint_eq(tally.faults, 1);
	ck_assert_int_eq(tally.first.kind, RSB_SHADOW_FAULT_SEGMENT);
	ck_assert_uint_eq(tally.first.pc, GUEST_TARGET + 0x14);
	guest_free(&guest);
}
END_TEST

/* Another privilege level has another shadow stack. */
START_TEST(iret_to_another_level_leaves_it_alone)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x48, 0x89, 0xe2,		/* 0 mov rdx, rsp */
		0x6a, 0x2b,			/* 3 push 0x2b: ss */
		0x52, 0x9c,			/* 5 push rdx; pushfq */
		0x6a, 0x33,			/* 7 push 0x33 */
		0x68, 0x10, 0x11, 0x40, 0x00,	/* 9 push 401110 */
		0x48, 0xcf,			/* e iretq */
		0xc3);				/* 10 ret */

	ck_assert_uint_eq(run(&guest).faults, 0);
	guest_free(&guest);
}
END_TEST

/*
 * incsspd can leave the pointer in the middle of an entry. A far call goes on below, with a hole of
 * zeros, and its return takes the crooked pointer back.
 */
START_TEST(a_far_call_aligns)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 0 call 6 */
		0xcc,				/* 5 int3 */
		0x59,				/* 6 pop rcx */
		0xb8, 0x01, 0x00, 0x00, 0x00,	/* 7 mov eax, 1 */
		0xf3, 0x0f, 0xae, 0xe8,		/* c incsspd eax */
		0x90, 0x90,			/* 10 */
		FAR_CALL(0x30),			/* 12, returns to 27 */
		0x83, 0xc8, 0x01,		/* 27 or eax, 1 */
		0xf3, 0x0f, 0xae, 0xe8,		/* 2a incsspd eax */
		0x90,				/* 2e */
		0xc3,				/* 2f ret */
		RDSSPQ_RAX, STORE_RAX(0),	/* 30 */
		0xb8, 0x01, 0x00, 0x00, 0x00,	/* 3d mov eax, 1 */
		0x48, 0xcb);			/* 42 lretq */
	struct rsb_shadow_tally tally = run(&guest);
	uint64_t in = read_word(&guest, GUEST_DATA);

	ck_assert_uint_eq(tally.faults, 0);
	ck_assert_uint_eq(in % 8, 0);
	ck_assert_uint_eq(read_word(&guest, in), in + 24 + 4);
	/* The lower half of the entry that is left: the hole. */
	ck_assert_uint_eq((uint32_t)read_word(&guest, in + 24), 0);
	guest_free(&guest);
}
END_TEST

/* A far return whose pointer is in the middle of an entry faults before it compares. */
START_TEST(a_far_return_must_be_aligned)
{
	struct guest guest = GUEST(GUEST_CODE,
		FAR_CALL(0x16),			/* 0, returns to 15 */
		0xc3,				/* 15 ret */
		0xb8, 0x01, 0x00, 0x00, 0x00,	/* 16 mov eax, 1 */
		0xf3, 0x0f, 0xae, 0xe8,		/* 1b incsspd eax */
		0x48, 0xcb);			/* 1f lretq */

	ck_assert_int_eq(run(&guest).first.kind, RSB_SHADOW_FAULT_ALIGNED);
	guest_free(&guest);
}
END_TEST

/* clang-format on */

UNIT_MAIN("shadow stack and far transfers", a_far_call_pushes_three_entries,
	  a_far_return_elsewhere_faults, a_far_return_of_no_far_call_faults,
	  a_far_return_with_too_few_entries_faults, iret_comes_back_from_a_far_call,
	  iret_of_a_made_frame_faults, iret_to_another_level_leaves_it_alone, a_far_call_aligns,
	  a_far_return_must_be_aligned)
