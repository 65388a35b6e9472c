/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens to the return stack from outside, as the cause of misses: each explanation is
 * compared with the score of the same run (tests/unit/explained.h), and the examples are counted
 * by hand.
 */
#include "tests/unit/explained.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static const struct rsb_finding *find(const struct rsb_explanation *explanation,
				      enum rsb_cause cause)
{
	for (size_t i = 0; i < explanation->count; i++)
		if (explanation->findings[i].cause == cause)
			return &explanation->findings[i];
	return NULL;
}

/*
 * An interrupt between the call and the return of a safe RET, each third time: of nine returns,
 * three meet an entry of the fill, and only the six others miss as the mitigation wants.
 */
START_TEST(an_event_takes_a_miss_from_a_mitigation)
{
	struct rsb_explanation *explanation = explained_text(
		"{\"generate\":{\"family\":\"plain-call\",\"return_thunk\":\"srso\"},"
		"\"environment\":{\"interrupt\":[{\"at\":\"srso_safe_ret\",\"does\":\"fill 32\","
		"\"every\":3}]}}",
		".", "amd-zen3", &RSB_SCENARIO_UNWIND);
	const struct rsb_finding *clobbered = find(explanation, RSB_CAUSE_CLOBBERED);
	const struct rsb_finding *intended = find(explanation, RSB_CAUSE_INTENDED);

	ck_assert(clobbered && intended && explanation->count == 2);
	ck_assert_double_eq(clobbered->misses_inside, 0);
	ck_assert_double_eq(clobbered->misses_callers, 3);
	ck_assert_double_eq(intended->misses_inside, 1);
	ck_assert_double_eq(intended->misses_callers, 5);
	ck_assert_str_eq(clobbered->event, "fill 32");
	ck_assert_str_eq(clobbered->culprit.symbol, "srso_safe_ret");
	ck_assert(strstr(clobbered->story, "fill 32"));
	for (size_t i = 0; i < clobbered->miss_count; i++)
		ck_assert_int_eq(clobbered->misses[i].cause, RSB_CAUSE_CLOBBERED);
	rsb_explanation_free(explanation);
}
END_TEST

/* Two events at one place are told apart: the second one's fill is what all returns meet. */
START_TEST(the_event_that_acts_is_named)
{
	struct rsb_explanation *explanation = explained_text(
		"{\"generate\":{\"family\":\"plain-call\"},\"environment\":{\"switch\":"
		"[{\"at\":\"target\",\"does\":\"clear\"},{\"at\":\"target\",\"does\":\"fill 32\"}]}}",
		".", "intel-haswell", &RSB_SCENARIO_UNWIND);

	ck_assert_uint_eq(explanation->count, 1);
	ck_assert_int_eq(explanation->findings[0].cause, RSB_CAUSE_CLOBBERED);
	ck_assert_str_eq(explanation->findings[0].event, "fill 32");
	rsb_explanation_free(explanation);
}
END_TEST

/*
 * A barrier that leaves the return stack alone is not to blame for an overflow: 20 callers on 16
 * entries, below a CPU profile whose barrier clears no return stack.
 */
START_TEST(an_event_that_does_nothing_is_not_blamed)
{
	const struct rsb_scenario deep = { .name = "own", .depth = 20, .batch = 1, .spacing = 128 };
	struct rsb_explanation *explanation = explained_text(
		"{\"generate\":{\"family\":\"plain-call\"},\"environment\":{\"ibpb\":"
		"[{\"at\":\"target\"}]}}",
		".", "amd-jaguar", &deep);

	ck_assert_msg(find(explanation, RSB_CAUSE_OVERFLOW), "no overflow");
	ck_assert_msg(!find(explanation, RSB_CAUSE_CLOBBERED), "clobbered");
	rsb_explanation_free(explanation);
}
END_TEST

static const char *const cpus[] = { "amd-zen1", "amd-zen3", "intel-haswell", "intel-skylake",
				    "intel-crestmont" };

/* Whatever happens wherever, the findings account for all that a score says: no more, no less. */
static void agrees(const char *code, const char *environment)
{
	const struct rsb_scenario burst = {
		.name = "own", .depth = 20, .batch = 3, .spacing = 128
	};
	char text[1024];

	snprintf(text, sizeof(text), "{%s,\"environment\":{%s}}", code, environment);
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		rsb_explanation_free(explained_text(text, ".", cpus[i], &RSB_SCENARIO_UNWIND));
		rsb_explanation_free(explained_text(text, ".", cpus[i], &burst));
	}
}

static const char *const events[] = {
	"\"interrupt\":[{\"at\":\"%s\",\"does\":\"clear\",\"every\":%d}]",
	"\"interrupt\":[{\"at\":\"%s\",\"does\":\"fill 1\",\"every\":%d}]",
	"\"interrupt\":[{\"at\":\"%s\",\"does\":\"fill 9\",\"every\":%d}]",
	"\"interrupt\":[{\"at\":\"%s\",\"does\":\"fill 32\",\"every\":%d}]",
	"\"ibpb\":[{\"at\":\"%s\",\"every\":%d}]",
	"\"switch\":[{\"at\":\"%s\",\"does\":\"fill 32\",\"every\":%d}]",
	"\"switch\":[{\"at\":\"%s\",\"does\":\"ibpb\",\"every\":%d}]",
};

/* Each event at each of the places, in and out of step with the rounds. */
static void try_events(const char *code, const char *const *places)
{
	char environment[256];

	for (; *places; places++)
		for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
			for (int every = 1; every <= 3; every += 2) {
				snprintf(environment, sizeof(environment), events[i], *places,
					 every);
				agrees(code, environment);
			}
}

/* What happens anywhere in code without mitigations is counted alike by both. */
START_TEST(plain_code_agrees)
{
	static const char *const places[] = { "target", NULL };

	try_events("\"generate\":{\"family\":\"plain-call\"}", places);
}
END_TEST

/* And in the thunks of safe RET. */
START_TEST(safe_returns_agree)
{
	static const char *const places[] = { "target", "srso_return_thunk", "srso_safe_ret",
					      NULL };

	try_events("\"generate\":{\"family\":\"plain-call\",\"return_thunk\":\"srso\"}", places);
}
END_TEST

/* 0x401000: call the next but one; the return address is dropped; a return to the caller. */
START_TEST(imbalances_agree)
{
	static const char *const places[] = { "0x401000", "0x401006", "0x40100a", NULL };

	try_events("\"bytes\":{\"hex\":\"e8 01 00 00 00 cc 48 83 c4 08 c3\",\"base\":\"0x401000\"},"
		   "\"call\":\"0x401000\"",
		   places);
}
END_TEST

/* mov eax, 39; syscall; ret */
START_TEST(system_calls_agree)
{
	static const char *const does[] = { "clear",   "fill 1", "fill 9",
					    "fill 32", "ibpb",   "nothing" };
	char environment[64];

	for (size_t i = 0; i < sizeof(does) / sizeof(*does); i++) {
		snprintf(environment, sizeof(environment), "\"syscall\":\"%s\"", does[i]);
		agrees("\"bytes\":{\"hex\":\"b8 27 00 00 00 0f 05 c3\",\"base\":\"0x401000\"},"
		       "\"call\":\"0x401000\"",
		       environment);
	}
}
END_TEST

UNIT_MAIN("events from outside", an_event_takes_a_miss_from_a_mitigation,
	  the_event_that_acts_is_named, an_event_that_does_nothing_is_not_blamed, plain_code_agrees,
	  safe_returns_agree, imbalances_agree, system_calls_agree)
