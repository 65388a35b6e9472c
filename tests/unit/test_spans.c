/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting spans, on event sequences written by hand. The sequences and their balances are those
 * of the kernel's forms: a plain call, a retpoline, a safe RET, a refill.
 */
#include "sim/score/spans.h"

#include "tests/unit/unit.h"

/* Sites: a letter each, so that a sequence of events reads as a word. */
enum {
	MARK_ROUND,
	MARK_CALL,
	MARK_LANDING,
	CALL,
	ZERO,
	POLINE,
	THUNK,
	FILL,
	RETURN,
	JUMP,
	CR3,
	FLUSH,
	SITES
};

static const struct rsb_site sites[SITES] = {
	[MARK_ROUND] = { .kind = RSB_MARK, .detail = RSB_MARK_ROUND },
	[MARK_CALL] = { .kind = RSB_MARK, .detail = RSB_MARK_TRACED_CALL },
	[MARK_LANDING] = { .kind = RSB_MARK, .detail = RSB_MARK_LANDING },
	[CALL] = { .kind = RSB_CALL },
	[ZERO] = { .kind = RSB_CALL, .flags = RSB_SITE_ZERO_CALL },
	[POLINE] = { .kind = RSB_CALL, .mitigation = RSB_MITIGATION_JUMP },
	[THUNK] = { .kind = RSB_CALL, .mitigation = RSB_MITIGATION_RETURN },
	[FILL] = { .kind = RSB_CALL, .mitigation = RSB_MITIGATION_FILL },
	[RETURN] = { .kind = RSB_RETURN },
	[JUMP] = { .kind = RSB_JUMP },
	[CR3] = { .kind = RSB_ENVIRONMENT, .detail = RSB_ENVIRONMENT_CR3 },
	[FLUSH] = { .kind = RSB_ENVIRONMENT, .detail = RSB_ENVIRONMENT_CR3_FLUSH },
};

/*
 * o round, ( traced call follows, ) landing, c call, 0 call +0, p retpoline's call, t thunk's, f
 * fill's, r return, j jump, 3 write of CR3, F one that flushes.
 */
static const char letters[] = "o()c0ptfrj3F";

static struct rsb_sequence read_word(const char *word, struct rsb_event *events)
{
	struct rsb_sequence sequence = { .events = events };

	for (; *word; word++) {
		const char *letter = letters;

		while (*letter != *word)
			letter++;
		events[sequence.count++].site = (uint32_t)(letter - letters);
	}
	return sequence;
}

struct row {
	const char *what, *word;
	struct rsb_spans spans;
};

/* traced calls, calls, returns, balance, layout, peak, peak of the layout; CR3, flushes */
static const struct row rows[] = {
	{ "a plain call below one caller", "oc(cr)r", { 1, 1, 1, 0, 0, 1, 1, 0, 0 } },
	{ "three calls, two returns: skip-frame", "oc(cccrr)r", { 1, 3, 2, 1, 1, 3, 3, 0, 0 } },
	{ "one return too many", "oc(crr)r", { 1, 1, 2, -1, -1, 1, 1, 0, 0 } },
	{ "twice in a round: balances add up, the peak does not",
	  "oc(ccr)(ccr)r",
	  { 2, 4, 2, 2, 2, 2, 2, 0, 0 } },
	{ "a retpoline is an indirect jump",
	  "oc(cpr"
	  "r)r",
	  { 1, 2, 2, 0, 0, 2, 1, 0, 0 } },
	{ "a safe RET is a plain return", "oc(ctr)tr", { 1, 2, 1, 1, 0, 2, 1, 0, 0 } },
	{ "a retpoline that ends in a safe RET",
	  "oc(cptr"
	  "tr)tr",
	  { 1, 4, 2, 2, 0, 3, 1, 0, 0 } },
	{ "a refill of sixteen, then its return",
	  "oc(cttttttttttttttttr)r",
	  { 1, 17, 1, 16, 0, 17, 1, 0, 0 } },
	{ "a fill stands for nothing", "oc(cffffr)r", { 1, 5, 1, 4, 0, 5, 1, 0, 0 } },
	{ "jumps count for nothing", "oc(cjjr)r", { 1, 1, 1, 0, 0, 1, 1, 0, 0 } },
	{ "writes of CR3 count, and those of them that flush",
	  "o3c(3cr3F)Fr",
	  { 1, 1, 1, 0, 0, 1, 1, 3, 1 } },
};

/* Each row counts what the sequence says, letter by letter. */
START_TEST(counts_each_row)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct rsb_spans *want = &rows[i].spans;
		struct rsb_event events[64] = { 0 };
		struct rsb_sequence sequence = read_word(rows[i].word, events);
		struct rsb_spans got = rsb_spans_count(&sequence, sites, true);

		ck_assert_msg(
			got.traced_calls == want->traced_calls && got.calls == want->calls &&
				got.returns == want->returns && got.balance == want->balance &&
				got.balance_layout == want->balance_layout &&
				got.peak == want->peak && got.peak_layout == want->peak_layout &&
				got.cr3_writes == want->cr3_writes &&
				got.tlb_flushes == want->tlb_flushes,
			"%s", rows[i].what);
	}
}
END_TEST

/*
 * A call to the next instruction is counted as a call, and pushes only where the profile says so.
 */
START_TEST(a_zero_call_pushes_by_the_profile)
{
	struct rsb_event events[16] = { 0 };
	struct rsb_sequence sequence = read_word("oc(c0r)r", events);
	struct rsb_spans pushed = rsb_spans_count(&sequence, sites, true);
	struct rsb_spans not_pushed = rsb_spans_count(&sequence, sites, false);

	ck_assert_uint_eq(pushed.calls, 2);
	ck_assert_int_eq(pushed.balance, 1);
	ck_assert_uint_eq(not_pushed.calls, 2);
	ck_assert_int_eq(not_pushed.balance, 0);
}
END_TEST

/* The caller's own call is inside, the event after the landing is not. */
START_TEST(marks_what_is_inside)
{
	struct rsb_event events[16] = { 0 };
	struct rsb_sequence sequence = read_word("oc(cr)r", events);
	static const bool want[] = { false, false, true, true, true, false, false };
	bool inside[16];

	rsb_spans_inside(&sequence, sites, inside);
	for (size_t i = 0; i < sequence.count; i++)
		ck_assert_msg(inside[i] == want[i], "event %zu", i);
}
END_TEST

/* The motion is the net and the deepest point below the start, over the whole round. */
START_TEST(follows_the_motion)
{
	struct rsb_event events[16] = { 0 };
	struct rsb_motion motion = { 0 };
	struct rsb_sequence sequence = read_word("rrrcc0", events);

	rsb_motion_add(&motion, &sequence, sites, false);
	ck_assert_int_eq(motion.net, -1);
	ck_assert_int_eq(motion.deepest, 3);
	rsb_motion_add(&motion, &sequence, sites, true);
	ck_assert_int_eq(motion.net, -1);
	ck_assert_int_eq(motion.deepest, 4);
}
END_TEST

UNIT_MAIN("spans", counts_each_row, a_zero_call_pushes_by_the_profile, marks_what_is_inside,
	  follows_the_motion)
