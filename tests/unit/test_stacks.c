/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Return addresses followed on their stacks: pushes, stores and moves of the stack pointer by
 * hand.
 */
#include "sim/explain/stacks.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

#define START UINT64_C(0x7f0000000000) /* of the machine's own stack ... */
#define END   (START + 0x100000)       /* ... and its end */
#define TOP   (END - 0x100)            /* the stack pointer before the first call */
#define OTHER UINT64_C(0x500000000000) /* another stack */

#define ADDRESS UINT64_C(0x401005) /* what the first call pushes */

static struct rsb_stacks stacks;
static struct rsb_frame_round frame_round;

static void open_stacks(void)
{
	frame_round = (struct rsb_frame_round){ 0 };
	rsb_stacks_open(&stacks, START, END);
	rsb_stacks_round(&stacks, &frame_round, 0);
	rsb_stacks_move(&stacks, 1, TOP);
}

static void close_stacks(void)
{
	ck_assert(!stacks.failed);
	rsb_stacks_close(&stacks);
	free(frame_round.moves);
}

/* A call whose place is that, as the machine would tell it: the store, the call, the move. */
static void call(uint64_t slot, uint64_t address, uint32_t place)
{
	rsb_stacks_store(&stacks, 0x401000, slot, 8, address);
	rsb_stacks_call(&stacks, slot, address, (struct rsb_frame_name){ 0, place });
	rsb_stacks_move(&stacks, 0x401000, slot);
}

/* A return through slot to target, by the instruction at 0x9999. */
static struct rsb_frame_step take(uint64_t slot, uint64_t target)
{
	struct rsb_frame_step step = rsb_stacks_return(&stacks, 0x9999, slot, target);

	rsb_stacks_move(&stacks, 0x9999, slot + 8);
	return step;
}

/* A return through the slot of a call, to what it pushed. */
START_TEST(a_return_answers_its_call)
{
	struct rsb_frame_step step;

	open_stacks();
	call(TOP - 8, ADDRESS, 7);
	step = take(TOP - 8, ADDRESS);
	ck_assert_uint_eq(step.answers.place, 7);
	ck_assert_uint_eq(step.culprit, 0);
	ck_assert_uint_eq(frame_round.move_count, 0);
	close_stacks();
}
END_TEST

/* Storing what is there already changes nothing; another value does, until it is put back. */
START_TEST(a_store_counts_if_it_differs)
{
	struct rsb_frame_step step;

	open_stacks();
	call(TOP - 8, ADDRESS, 0);
	rsb_stacks_store(&stacks, 0x10, TOP - 8, 8, ADDRESS);
	step = take(TOP - 8, ADDRESS);
	ck_assert_uint_eq(step.culprit, 0);
	call(TOP - 8, ADDRESS, 1);
	rsb_stacks_store(&stacks, 0x20, TOP - 8, 8, 0x402000);
	rsb_stacks_store(&stacks, 0x30, TOP - 16, 8, 0);
	step = take(TOP - 8, 0x402000);
	ck_assert_uint_eq(step.answers.place, 1);
	ck_assert_uint_eq(step.culprit, 0x20);
	close_stacks();
}
END_TEST

/*
 * Storing again what is there is nobody's fault: ftrace_caller does so with whatever address it was
 * entered by (arch/x86/kernel/ftrace_64.S). Once the stack pointer has passed the word, it is.
 */
START_TEST(who_stores_it_again_is_not_at_fault)
{
	struct rsb_frame_step step;

	open_stacks();
	call(TOP - 8, ADDRESS, 0);
	rsb_stacks_store(&stacks, 0x10, TOP - 8, 8, 0x402000);
	rsb_stacks_store(&stacks, 0x20, TOP - 8, 8, 0x402000);
	step = take(TOP - 8, 0x402000);
	ck_assert_uint_eq(step.culprit, 0x10);
	rsb_stacks_store(&stacks, 0x30, TOP - 8, 8, 0x403000);
	rsb_stacks_move(&stacks, 0x30, TOP - 0x10);
	rsb_stacks_store(&stacks, 0x40, TOP - 8, 8, 0x403000);
	step = take(TOP - 8, 0x403000);
	ck_assert_uint_eq(step.answers.place, UINT32_MAX);
	ck_assert_uint_eq(step.culprit, 0x30);
	rsb_stacks_store(&stacks, 0x50, TOP - 8, 8, 0x403000);
	rsb_stacks_move(&stacks, 0x50, TOP - 8);
	step = take(TOP - 8, 0x403000);
	ck_assert_uint_eq(step.culprit, 0x50);
	close_stacks();
}
END_TEST

/* Two of the eight bytes are enough. */
START_TEST(a_part_can_be_rewritten)
{
	struct rsb_frame_step step;

	open_stacks();
	call(TOP - 8, ADDRESS, 0);
	rsb_stacks_store(&stacks, 0x10, TOP - 8, 2, 0x2000);
	rsb_stacks_store(&stacks, 0x20, TOP - 4, 4, 0);
	step = take(TOP - 8, 0x402000);
	ck_assert_uint_eq(step.answers.place, 0);
	ck_assert_uint_eq(step.culprit, 0x10);
	close_stacks();
}
END_TEST

/* What passes a slot left its frame, for good if nothing returns through it. */
START_TEST(a_move_over_a_slot_leaves_it)
{
	open_stacks();
	call(TOP - 8, ADDRESS, 0);
	rsb_stacks_move(&stacks, 0x10, TOP - 0x40);
	ck_assert_uint_eq(frame_round.move_count, 0);
	rsb_stacks_move(&stacks, 0x20, TOP);
	ck_assert_uint_eq(frame_round.move_count, 1);
	ck_assert_uint_eq(frame_round.moves[0].culprit, 0x20);
	ck_assert_uint_eq(frame_round.moves[0].frame.place, 0);
	ck_assert(frame_round.moves[0].for_good);
	close_stacks();
}
END_TEST

/* Popped and pushed again: the frame is the same. */
START_TEST(a_frame_can_be_passed_and_returned_to)
{
	struct rsb_frame_step step;

	open_stacks();
	call(TOP - 8, ADDRESS, 3);
	rsb_stacks_move(&stacks, 0x10, TOP);
	rsb_stacks_store(&stacks, 0x20, TOP - 8, 8, ADDRESS);
	rsb_stacks_move(&stacks, 0x20, TOP - 8);
	step = take(TOP - 8, ADDRESS);
	ck_assert_uint_eq(step.answers.place, 3);
	ck_assert(!frame_round.moves[0].for_good);
	close_stacks();
}
END_TEST

/* Another address in a slot that was passed is no frame's: who stored it is at fault. */
START_TEST(a_pushed_address_is_no_frame)
{
	struct rsb_frame_step step;

	open_stacks();
	call(TOP - 8, ADDRESS, 0);
	rsb_stacks_move(&stacks, 0x10, TOP);
	rsb_stacks_store(&stacks, 0x20, TOP - 8, 8, 0x402000);
	rsb_stacks_move(&stacks, 0x20, TOP - 8);
	step = take(TOP - 8, 0x402000);
	ck_assert_uint_eq(step.answers.place, RSB_PLACE_NONE);
	ck_assert_uint_eq(step.culprit, 0x20);
	ck_assert(frame_round.moves[0].for_good);
	close_stacks();
}
END_TEST

/* Nobody is known to have stored it: then the return itself stands for it. */
START_TEST(an_unknown_store_is_the_returns)
{
	struct rsb_frame_step step;

	open_stacks();
	step = take(TOP - 8, 0x402000);
	ck_assert_uint_eq(step.answers.place, RSB_PLACE_NONE);
	ck_assert_uint_eq(step.culprit, 0x9999);
	close_stacks();
}
END_TEST

/* The frames of a stack that is switched away from are left, and come back with it. */
START_TEST(a_switched_stack_comes_back)
{
	struct rsb_frame_step step;

	open_stacks();
	call(TOP - 8, ADDRESS, 0);
	rsb_stacks_move(&stacks, 0x10, OTHER);
	ck_assert_uint_eq(frame_round.move_count, 1);
	ck_assert_uint_eq(frame_round.moves[0].culprit, 0x10);
	call(OTHER - 8, 0x403005, 1);
	step = take(OTHER - 8, 0x403005);
	ck_assert_uint_eq(step.answers.place, 1);
	rsb_stacks_move(&stacks, 0x20, TOP - 8);
	ck_assert_uint_eq(frame_round.move_count, 2);
	ck_assert_uint_eq(frame_round.moves[1].culprit, 0);
	ck_assert(!frame_round.moves[0].for_good);
	step = take(TOP - 8, ADDRESS);
	ck_assert_uint_eq(step.answers.place, 0);
	ck_assert_uint_eq(step.culprit, 0);
	close_stacks();
}
END_TEST

UNIT_MAIN("stacks", a_return_answers_its_call, a_store_counts_if_it_differs,
	  who_stores_it_again_is_not_at_fault, a_part_can_be_rewritten,
	  a_move_over_a_slot_leaves_it, a_frame_can_be_passed_and_returned_to,
	  a_pushed_address_is_no_frame, an_unknown_store_is_the_returns,
	  a_switched_stack_comes_back)
