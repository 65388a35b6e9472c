/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording says that control-flow enforcement would refuse. Which transfers that are is
 * from the Intel SDM, volume 1, chapter 17: a return to another address than the shadow stack's, an
 * indirect branch that lands on no endbr64.
 */
#include "sim/explain/ibt.h"
#include "sim/explain/refusals.h"
#include "sim/explain/shadow.h"
#include "sim/machine/shadow.h"
#include "sim/see/recording.h"
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct rsb_recording *record(struct guest *guest, unsigned cet)
{
	const struct rsb_recording_options options = { 0 };
	const struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	struct rsb_profile *profile = rsb_profile_load("intel-haswell", &guest->error);
	struct rsb_recording *recording;

	ck_assert_msg(profile, "%s", guest->error.text);
	rsb_image_set_cet(guest->image, cet);
	recording = rsb_recording_new(guest->image, "guest", profile, &scenario, &options,
				      &guest->error);
	ck_assert_msg(recording, "%s", guest->error.text);
	rsb_profile_free(profile);
	return recording;
}

/* The events of a round that are refused, in their order; returns how many. */
static size_t list(const struct rsb_recording *recording, size_t round,
		   const struct rsb_recorded_event **refused, size_t room)
{
	const struct rsb_recorded_round *row = &recording->rounds[round];
	size_t count = 0;

	for (uint32_t i = row->first; i < row->first + row->count; i++) {
		if (!recording->events[i].refused)
			continue;
		ck_assert_uint_lt(count, room);
		refused[count++] = &recording->events[i];
	}
	return count;
}

static uint64_t place(const struct rsb_recording *recording, const struct rsb_recorded_event *event)
{
	return recording->lines[recording->sites[event->site].line].pc;
}

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

/* Two calls of a function that returns, and one whose return address is dropped. */
static const uint8_t drops[] = {
	0xe8, 0x0c, 0x00, 0x00, 0x00,	/* 0 call 11 */
	0xe8, 0x07, 0x00, 0x00, 0x00,	/* 5 call 11 */
	0xe8, 0x03, 0x00, 0x00, 0x00,	/* a call 12 */
	0xcc,				/* f int3 */
	0x90,				/* 10 nop */
	0xc3,				/* 11 ret */
	0x48, 0x83, 0xc4, 0x08,		/* 12 add rsp, 8 */
	0xc3,				/* 16 ret */
};

/* The return that finds the dropped one's entry is told with it, in every round. */
START_TEST(tells_a_return_with_what_was_expected)
{
	struct guest guest = guest_new(GUEST_CODE, drops, sizeof(drops));
	struct rsb_recording *recording = record(&guest, 0);
	const struct rsb_recorded_event *refused[4];
	char text[200];

	ck_assert_int_eq(recording->shadow->answer, RSB_SHADOW_VIOLATES);
	for (size_t i = 0; i < recording->round_count; i++) {
		ck_assert_uint_eq(list(recording, i, refused, 4), 1);
		ck_assert_int_eq(refused[0]->refused, RSB_REFUSED_SHADOW);
		ck_assert_uint_eq(place(recording, refused[0]), GUEST_TARGET + 0x16);
		ck_assert_uint_eq(recording->addresses[refused[0]->expected].address,
				  GUEST_TARGET + 0xf);
		rsb_refused_tell(recording, refused[0], text, sizeof(text));
		ck_assert_str_eq(text,
				 "A shadow stack would refuse this return: it has target+0xf");
	}
	rsb_recording_free(recording);
	guest_free(&guest);
}
END_TEST

/*
 * One return that is run three times goes wrong the second time: that time is told, not the place.
 */
START_TEST(tells_the_time_not_the_place)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x31, 0xc9,			/* 0 xor ecx, ecx */
		0xe8, 0x09, 0x00, 0x00, 0x00,	/* 2 call 10 */
		0x90,				/* 7 nop */
		0x83, 0xf9, 0x03,		/* 8 cmp ecx, 3 */
		0x75, 0xf5,			/* b jne 2 */
		0xc3,				/* d ret */
		0x90, 0x90,			/* e */
		0xff, 0xc1,			/* 10 inc ecx */
		0x83, 0xf9, 0x02,		/* 12 cmp ecx, 2 */
		0x75, 0x04,			/* 15 jne 1b */
		0x48, 0xff, 0x04, 0x24,		/* 17 inc qword [rsp] */
		0xc3);				/* 1b ret */
	struct rsb_recording *recording = record(&guest, RSB_CET_SHADOW_STACK);
	const struct rsb_recorded_event *refused[4];

	ck_assert_uint_eq(list(recording, 0, refused, 4), 1);
	ck_assert_uint_eq(place(recording, refused[0]), GUEST_TARGET + 0x1b);
	ck_assert_uint_eq(recording->addresses[refused[0]->target].address, GUEST_TARGET + 8);
	ck_assert_uint_eq(recording->addresses[refused[0]->expected].address, GUEST_TARGET + 7);
	rsb_recording_free(recording);
	guest_free(&guest);
}
END_TEST

/* Code that asks for a shadow stack, and pops there what it drops, is refused nothing. */
START_TEST(code_that_asks_is_judged_by_its_other_way)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x01, 0x00, 0x00, 0x00,	/* 0 call 6 */
		0xcc,				/* 5 int3 */
		0x48, 0x83, 0xc4, 0x08,		/* 6 add rsp, 8 */
		0x31, 0xc0,			/* a xor eax, eax */
		0xf3, 0x48, 0x0f, 0x1e, 0xc8,	/* c rdsspq rax */
		0x48, 0x85, 0xc0,		/* 11 test rax, rax */
		0x74, 0x0a,			/* 14 je 20 */
		0xb8, 0x01, 0x00, 0x00, 0x00,	/* 16 mov eax, 1 */
		0xf3, 0x48, 0x0f, 0xae, 0xe8,	/* 1b incsspq rax */
		0xc3);				/* 20 ret */
	struct rsb_recording *recording = record(&guest, 0);
	const struct rsb_recorded_event *refused[1];

	ck_assert_int_eq(recording->shadow->answer, RSB_SHADOW_CLEAN);
	ck_assert_uint_eq(list(recording, 0, refused, 1), 0);
	rsb_recording_free(recording);
	guest_free(&guest);
}
END_TEST

/* A far return is refused for another reason than its address. */
START_TEST(tells_a_far_return)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x6a, 0x10,			/* 0 push 0x10 */
		0x68, 0x09, 0x11, 0x40, 0x00,	/* 2 push 401109 */
		0x48, 0xcb,			/* 7 lretq */
		0xc3);				/* 9 ret */
	struct rsb_recording *recording = record(&guest, 0);
	const struct rsb_recorded_event *refused[2];

	ck_assert_uint_eq(list(recording, 0, refused, 2), 1);
	ck_assert_str_eq(rsb_refused_name(refused[0]->refused), "shadow stack");
	ck_assert_str_eq(rsb_refused_reason(refused[0]), "empty");
	ck_assert_uint_eq(refused[0]->expected, RSB_RECORDING_NONE);
	rsb_recording_free(recording);
	guest_free(&guest);
}
END_TEST

/* An indirect jump that is run twice, to an endbr64 and to none. */
static const uint8_t jumps[] = {
	0x48, 0x8d, 0x05, 0x0b, 0x00, 0x00, 0x00,	/* 0 lea rax, [12] */
	0x48, 0x8d, 0x0d, 0x09, 0x00, 0x00, 0x00,	/* 7 lea rcx, [17] */
	0xff, 0xe0,					/* e jmp rax */
	0x90, 0x90,					/* 10 */
	0xf3, 0x0f, 0x1e, 0xfa,				/* 12 endbr64 */
	0x90,						/* 16 nop */
	0x48, 0x39, 0xc8,				/* 17 cmp rax, rcx */
	0x48, 0x89, 0xc8,				/* 1a mov rax, rcx */
	0x75, 0xef,					/* 1d jne e */
	0xc3,						/* 1f ret */
};

/* The branch to what is no endbr64 is the event that is refused. */
START_TEST(tells_an_indirect_branch_where_tracking_is_on)
{
	struct guest guest = guest_new(GUEST_CODE, jumps, sizeof(jumps));
	struct rsb_recording *recording = record(&guest, RSB_CET_IBT);
	const struct rsb_recorded_event *refused[4];
	char text[200];

	ck_assert_uint_eq(list(recording, 0, refused, 4), 1);
	ck_assert_int_eq(refused[0]->refused, RSB_REFUSED_IBT);
	ck_assert_uint_eq(place(recording, refused[0]), GUEST_TARGET + 0xe);
	ck_assert_uint_eq(recording->addresses[refused[0]->target].address, GUEST_TARGET + 0x17);
	ck_assert_str_eq(rsb_refused_reason(refused[0]), "no endbr64");
	rsb_refused_tell(recording, refused[0], text, sizeof(text));
	ck_assert_str_eq(text, "Indirect branch tracking refuses this: it lands on no endbr64");
	rsb_recording_free(recording);
	guest_free(&guest);
}
END_TEST

/* The same code is refused nothing. */
START_TEST(tells_no_branch_where_tracking_is_off)
{
	struct guest guest = guest_new(GUEST_CODE, jumps, sizeof(jumps));
	struct rsb_recording *recording = record(&guest, 0);
	const struct rsb_recorded_event *refused[4];

	ck_assert_uint_eq(list(recording, 0, refused, 4), 0);
	ck_assert(!recording->ibt->on);
	rsb_recording_free(recording);
	guest_free(&guest);
}
END_TEST

/* clang-format on */

/* Of very many the first are kept, and from which round on some are not is known. */
START_TEST(knows_what_it_does_not_keep)
{
	const struct rsb_refusal refusal = { .why = RSB_SHADOW_FAULT_RETURN };
	struct rsb_refusals refusals = { 0 };

	for (uint32_t i = 0; i < RSB_REFUSALS_MAX; i++)
		rsb_refusals_see(&refusals, i / 1000, GUEST_TARGET, &refusal);
	rsb_refusals_see(&refusals, 1000, GUEST_TARGET, NULL);
	ck_assert_uint_eq(refusals.left_out, 0);
	rsb_refusals_see(&refusals, 1001, GUEST_TARGET, &refusal);
	rsb_refusals_see(&refusals, 1002, GUEST_TARGET, &refusal);
	ck_assert_uint_eq(refusals.count, RSB_REFUSALS_MAX);
	ck_assert_uint_eq(refusals.left_out, 2);
	ck_assert_uint_eq(refusals.left_out_from, 1001);
	ck_assert(!refusals.failed);
	rsb_refusals_clear(&refusals);
}
END_TEST

UNIT_MAIN("refusals in recordings", tells_a_return_with_what_was_expected,
	  tells_the_time_not_the_place, code_that_asks_is_judged_by_its_other_way,
	  tells_a_far_return, tells_an_indirect_branch_where_tracking_is_on,
	  tells_no_branch_where_tracking_is_off, knows_what_it_does_not_keep)
