/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens from outside the code: what each word of "environment" does to a return stack,
 * where and how often. What is expected was counted by hand.
 */
#include "sim/image/layout.h"
#include "sim/score/score.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

/* mov eax, 39; syscall; ret */
#define SYSCALL \
	"\"bytes\":{\"hex\":\"b8 27 00 00 00 0f 05 c3\",\"base\":\"0x401000\"},\"call\":\"0x401000\""

/* nop; nop; ret: places to be interrupted at. */
#define NOPS "\"bytes\":{\"hex\":\"90 90 c3\",\"base\":\"0x401000\"},\"call\":\"0x401000\""

static struct rsb_error error;

/* Scores the layout below 8 callers. NULL: error. */
static struct rsb_score *try_on(const char *cpu, const char *code, const char *environment,
				uint64_t rounds)
{
	const struct rsb_run_options run_options = { .kinds = RSB_KIND_ALL, .rounds = rounds };
	const struct rsb_score_options options = { .rounds = rounds };
	struct rsb_profile *profile = rsb_profile_load(cpu, &error);
	struct rsb_layout *layout;
	struct rsb_image *image = NULL;
	struct rsb_run *run = NULL;
	struct rsb_score *score = NULL;
	char text[1024];

	snprintf(text, sizeof(text), "{%s%s%s}", code, *environment ? "," : "", environment);
	layout = rsb_layout_parse("t", text, strlen(text), ".", &error);
	if (layout)
		image = rsb_layout_image(layout, &RSB_SCENARIO_UNWIND, &error);
	if (image)
		run = rsb_run_new(image, &run_options, &error);
	if (run)
		score = rsb_score_new(run, "t", profile, &RSB_SCENARIO_UNWIND, &options, &error);
	rsb_run_free(run);
	rsb_image_free(image);
	rsb_layout_free(layout);
	rsb_profile_free(profile);
	return score;
}

/* The same on a ring of 16. */
static struct rsb_score *try_score(const char *code, const char *environment, uint64_t rounds)
{
	return try_on("intel-haswell", code, environment, rounds);
}

static void expect(const char *code, const char *environment, double inside, double callers)
{
	struct rsb_score *score = try_score(code, environment, 0);

	ck_assert_msg(score, "%s: %s", environment, error.text);
	ck_assert_int_eq(score->steady, RSB_STEADY_PROVED);
	ck_assert_msg(score->per_call.misses_inside == inside &&
			      score->per_call.misses_callers == callers,
		      "%s: %g inside, %g in callers", environment, score->per_call.misses_inside,
		      score->per_call.misses_callers);
	rsb_score_free(score);
}

static void refuse(const char *code, const char *environment, const char *why)
{
	ck_assert_msg(!try_score(code, environment, 0), "%s: it is scored", environment);
	ck_assert_msg(strstr(error.text, why), "%s: %s", environment, error.text);
}

/* Linux empties or fills the stack on the way in: then every user return after a syscall misses. */
START_TEST(syscalls)
{
	expect(SYSCALL, "\"environment\":{\"syscall\":\"clear\"}", 1, 8);
	expect(SYSCALL, "\"environment\":{\"syscall\":\"fill 32\"}", 1, 8);
	expect(SYSCALL, "\"environment\":{\"syscall\":\"nothing\"}", 0, 0);
}
END_TEST

/*
 * Nine frames are open: a fill of so many entries leaves 16 less so many, of which it covers its
 * own.
 */
START_TEST(fills)
{
	/* Each return meets an entry of the fill, or one of a caller that is not its own. */
	expect(SYSCALL, "\"environment\":{\"syscall\":\"fill 1\"}", 1, 8);
	/* A fill of the whole ring brings the pointer back to where it was. */
	expect(SYSCALL, "\"environment\":{\"syscall\":\"fill 16\"}", 1, 8);
}
END_TEST

/* Nothing serves a system call unless the layout says what it does. */
START_TEST(without_the_key_syscalls_stop_the_run)
{
	refuse(SYSCALL, "", "system calls are not served");
	refuse(SYSCALL, "\"environment\":{\"interrupt\":[{\"at\":\"0x401000\"}]}",
	       "system calls are not served");
}
END_TEST

/*
 * mov ecx, NUMBER; mov eax, 1; xor edx, edx; wrmsr; ret: of 49, IA32_PRED_CMD, it is a barrier
 * (Intel SDM volume 4), which clears the stack on Intel and not on Zen 3 (Linux rsb.rst).
 */
START_TEST(barriers_in_the_code)
{
	static const char barrier[] = "\"bytes\":{\"hex\":\"b9 49 00 00 00 b8 01 00 00 00 31 d2 "
				      "0f 30 c3\",\"base\":\"0x401000\"},"
				      "\"call\":\"0x401000\"";
	static const char other[] = "\"bytes\":{\"hex\":\"b9 48 00 00 00 b8 01 00 00 00 31 d2 "
				    "0f 30 c3\",\"base\":\"0x401000\"},"
				    "\"call\":\"0x401000\"";
	struct rsb_score *score;

	expect(barrier, "", 1, 8);
	expect(other, "", 0, 0);
	/* Beside an incident of the same block, before it or behind it. */
	expect(barrier, "\"environment\":{\"interrupt\":[{\"at\":\"0x401000\"}]}", 1, 8);
	expect(barrier, "\"environment\":{\"interrupt\":[{\"at\":\"0x40100e\"}]}", 1, 8);
	score = try_on("amd-zen3", barrier, "", 0);
	ck_assert_msg(score, "%s", error.text);
	ck_assert(score->per_call.misses_inside == 0 && score->per_call.misses_callers == 0);
	rsb_score_free(score);
}
END_TEST

/* Each sort of incident at a place: before the instruction there, the return among them. */
START_TEST(places)
{
	expect(NOPS, "\"environment\":{\"interrupt\":[{\"at\":\"0x401000\",\"does\":\"clear\"}]}",
	       1, 8);
	expect(NOPS, "\"environment\":{\"switch\":[{\"at\":\"0x401001\",\"does\":\"fill 32\"}]}", 1,
	       8);
	expect(NOPS, "\"environment\":{\"interrupt\":[{\"at\":\"0x401002\",\"does\":\"clear\"}]}",
	       1, 8);
	/* After the landing the callers alone are left. */
	expect(NOPS,
	       "\"environment\":{\"interrupt\":[{\"at\":\"rsb_landing\",\"does\":\"clear\"}]}", 0,
	       8);
	expect(NOPS, "\"environment\":{\"interrupt\":[{\"at\":\"0x401000\"}]}", 0, 0);
}
END_TEST

/* Linux, rsb.rst: a barrier clears the return stack on Intel, and on AMD from Zen 4 on. */
START_TEST(barriers)
{
	static const struct {
		const char *cpu;
		double inside, callers;
	} rows[] = { { "intel-haswell", 1, 8 }, { "amd-zen3", 0, 0 }, { "amd-zen4", 1, 8 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rsb_score *score = try_on(
			rows[i].cpu, NOPS, "\"environment\":{\"ibpb\":[{\"at\":\"0x401000\"}]}", 0);

		ck_assert_msg(score, "%s", error.text);
		ck_assert(score->per_call.misses_inside == rows[i].inside);
		ck_assert(score->per_call.misses_callers == rows[i].callers);
		rsb_score_free(score);
	}
}
END_TEST

/* A return address that a fill pushes is none of the code's, though it is at the landing. */
START_TEST(fill_at_a_return_address)
{
	expect(NOPS, "\"environment\":{\"switch\":[{\"at\":\"rsb_landing\",\"does\":\"fill 32\"}]}",
	       0, 8);
}
END_TEST

/*
 * Each seventh round misses all nine: the count goes on from round to round, and is part of the
 * state.
 */
START_TEST(every_seventh)
{
	struct rsb_score *score = try_score(NOPS,
					    "\"environment\":{\"interrupt\":[{\"at\":\"0x401001\","
					    "\"does\":\"clear\",\"every\":7}]}",
					    1000000000);

	ck_assert_msg(score, "%s", error.text);
	ck_assert_int_eq(score->steady, RSB_STEADY_PROVED);
	ck_assert_uint_eq(score->period, 7);
	ck_assert_uint_eq(score->totals.misses_inside, 1000000000 / 7);
	ck_assert_uint_eq(score->totals.misses_callers, 1000000000 / 7 * 8);
	rsb_score_free(score);
}
END_TEST

/* Each message names what was expected. */
START_TEST(bad_environments)
{
	static const struct {
		const char *environment, *why;
	} rows[] = {
		{ "\"environment\":7", "\"environment\": expected an object" },
		{ "\"environment\":{\"sycall\":\"clear\"}", "unknown key \"sycall\"" },
		{ "\"environment\":{\"syscall\":\"fill\"}", "\"syscall\": expected \"nothing\"" },
		{ "\"environment\":{\"syscall\":\"fill 0\"}", "N from 1 to 4096" },
		{ "\"environment\":{\"syscall\":\"fill 4097\"}", "N from 1 to 4096" },
		{ "\"environment\":{\"syscall\":\"fill 99999999999999999999\"}", "N from 1 to" },
		{ "\"environment\":{\"syscall\":\"fill 3x\"}", "N from 1 to 4096" },
		{ "\"environment\":{\"interrupt\":{}}", "\"interrupt\": expected an array" },
		{ "\"environment\":{\"interrupt\":[7]}", "\"interrupt\": expected objects" },
		{ "\"environment\":{\"interrupt\":[{\"does\":\"clear\"}]}", "expected \"at\"" },
		{ "\"environment\":{\"interrupt\":[{\"at\":\"0x401000\",\"every\":0}]}",
		  "\"every\"" },
		{ "\"environment\":{\"ibpb\":[{\"at\":\"0x401000\",\"does\":\"clear\"}]}",
		  "unknown key \"does\"" },
		{ "\"environment\":{\"ibpb\":[{\"at\":\"nowhere\"}]}", "no symbol 'nowhere'" },
		{ "\"environment\":{\"shadow\":[{\"at\":\"0x401000\"}]}",
		  "\"push\" or \"replace\"" },
		{ "\"environment\":{\"shadow\":[{\"at\":\"0x401000\",\"does\":\"clear\"}]}",
		  "\"push\" or \"replace\"" },
		{ "\"environment\":{\"shadow\":[{\"at\":\"0x401000\",\"every\":2}]}",
		  "unknown key \"every\"" },
		{ "\"environment\":{\"ibpb\":[{\"at\":\"rsb_landing+x\"}]}", "rsb_landing+x" },
		{ "\"environment\":{\"ibpb\":[{\"at\":\"0x401003\"}]}",
		  "no instruction that begins at" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		refuse(NOPS, rows[i].environment, rows[i].why);
}
END_TEST

UNIT_MAIN("incidents", syscalls, fills, without_the_key_syscalls_stop_the_run, places,
	  barriers_in_the_code, barriers, fill_at_a_return_address, every_seventh, bad_environments)
