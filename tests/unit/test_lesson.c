/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The built-in lessons: what they compute is what can be told by hand, from how a return stack
 * works (DESIGN.md, "Scenario and score") and from the list of layouts and their events that was
 * made apart from this program.
 */
#include "sim/lesson/given.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static struct rsb_error error;

struct row {
	const char *lesson, *let, *value;
};

static const struct row rows[] = {
	/* 8 callers and the traced function are open; a plain call is one call and one return. */
	{ "call", "callers", "8" },
	{ "call", "open", "9" },
	{ "call", "plain_balance", "0" },
	/* The caller's call and 4 of the function itself; each returns. */
	{ "call", "deep_calls", "5" },
	{ "call", "deep_returns", "5" },
	{ "call", "deep_balance", "0" },

	/* One miss costs what Fog's manual says of Haswell: models/cpus/intel-haswell.json. */
	{ "return-stack", "cost", "15-20" },
	{ "return-stack", "entries", "16" },
	/*
	 * Into itself after having left, and leaving after itself: the other three are as before.
	 */
	{ "return-stack", "table", "2" },
	{ "return-stack", "stack", "0" },
	{ "return-stack", "open", "9" },
	/* Only the newest of 9 addresses is kept. */
	{ "return-stack", "one", "8" },
	{ "return-stack", "all", "0" },

	/* A ring of 16 has the newest 16 of 16, 17 and 33 addresses; one of 32 has 32 of 33. */
	{ "overflow", "m15", "0" },
	{ "overflow", "m16", "1" },
	{ "overflow", "m32", "17" },
	{ "overflow", "zen", "32" },
	{ "overflow", "zen32", "1" },
	{ "overflow", "n12", "13" },
	/* 24 of itself, the traced call, 8 callers. */
	{ "overflow", "whole", "33" },
	/* All but the last return inside find the one address, whether it is stale or not. */
	{ "overflow", "self_inside", "1" },
	{ "overflow", "self_callers", "8" },
	{ "overflow", "self", "9" },
	/* 3 does not divide 16, so that no stale address is the one that is needed. */
	{ "overflow", "mutual", "17" },

	{ "underflow", "unpredicted", "17" },
	{ "underflow", "none", "17" },
	{ "underflow", "stale", "9" },
	/* The path to each return is one that was seen before, but where the recursion ends. */
	{ "underflow", "fallback", "1" },
	{ "underflow", "stale_mutual", "17" },
	{ "underflow", "fallback_mutual", "1" },
	{ "underflow", "best", "recursion-24" },

	/*
	 * "+1, in 1 (final ret), out ALL"; 14 pushes and 13 pops; "balance 0, in 1, out no"; none.
	 */
	{ "fexit", "balance", "1" },
	{ "fexit", "calls", "14" },
	{ "fexit", "returns", "13" },
	{ "fexit", "inside", "1" },
	{ "fexit", "callers_miss", "8" },
	{ "fexit", "cycles", "135-180" }, /* 9 times 15 to 20 */
	{ "fexit", "culprit", "add rsp, 8" },
	{ "fexit", "bench_batch", "0.08" }, /* 8 in 100 calls */
	{ "fexit", "double_inside", "1" },
	{ "fexit", "double_callers", "0" },
	{ "fexit", "double_balance", "0" },
	{ "fexit", "jmp_all", "0" },
	{ "fexit", "best", "bpf-fexit-jmp" },

	/* "+L -T missed": 0 and 1, by design; the callers do not notice. */
	{ "retpoline", "balance", "0" },
	{ "retpoline", "inside", "1" },
	{ "retpoline", "wanted", "1" },
	{ "retpoline", "callers", "0" },
	{ "retpoline", "plain", "0" },
	{ "retpoline", "calls", "2" },

	/*
	 * Retbleed's thunk is neutral; each return of a safe RET misses, and nets 0 in place of -1.
	 */
	{ "return-thunks", "returns", "9" },
	{ "return-thunks", "untrained", "0" },
	{ "return-thunks", "safe", "9" },
	{ "return-thunks", "safe_balance", "1" },
	{ "return-thunks", "own_balance", "0" },
	/* 13, 14 and 13 returns, and 8 of the callers. */
	{ "return-thunks", "skip", "21" },
	{ "return-thunks", "double", "22" },
	{ "return-thunks", "jmp", "21" },
	{ "return-thunks", "worst", "bpf-fexit-double-ret" },
	/* 12 tracked calls of 31: the rest return by what was filled in. */
	{ "return-thunks", "deep", "31" },
	{ "return-thunks", "deep_counted", "19" },
	{ "return-thunks", "counted", "12" },
	/* Each return is another instruction, which the predictor knows from the round before. */
	{ "return-thunks", "deep_plain", "0" },

	/* Each switch pops its own entry and goes elsewhere; or leaves it. */
	{ "switch", "ret_inside", "2" },
	{ "switch", "ret_callers", "0" },
	{ "switch", "ret_balance", "0" },
	{ "switch", "jmp_balance", "2" },
	{ "switch", "jmp_inside", "0" },
	{ "switch", "jmp_callers", "8" },
	{ "switch", "best_unwind", "fiber-push-ret" }, /* 2 against 8 */
	{ "switch", "best_bench", "fiber-jmp" },       /* 2 against 8 in 100 */
	{ "switch", "jmp_bench", "0.08" },
	{ "switch", "ret_bench", "2" },
	{ "switch", "inline_all", "0" },

	/* Two frames and longjmp() do not return; two frames, __cxa_throw() and the unwinder. */
	{ "longjmp", "balance", "3" },
	{ "longjmp", "calls", "5" },
	{ "longjmp", "returns", "2" },
	{ "longjmp", "inside", "1" },
	{ "longjmp", "callers", "8" },
	{ "longjmp", "throw_balance", "4" },
	{ "longjmp", "throw_callers", "8" },
	{ "longjmp", "back_all", "0" },
	{ "longjmp", "best", "return-2" },

	/* A return to another address than the newest open call's violates; none does in these. */
	{ "shadow-stack", "plain", "clean" },
	{ "shadow-stack", "deep", "clean" },
	{ "shadow-stack", "jmp", "clean" },
	{ "shadow-stack", "skip", "violates" },
	{ "shadow-stack", "double", "violates" },
	{ "shadow-stack", "retpoline", "violates" },
	{ "shadow-stack", "switch_ret", "violates" },
	{ "shadow-stack", "switch_jmp", "leaves entries" },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static struct rsb_lesson *load(const char *name)
{
	struct rsb_lesson *lesson = rsb_lesson_load(name, &error);

	ck_assert_msg(lesson, "%s: %s", name, error.text);
	return lesson;
}

static struct rsb_given *give(const struct rsb_lesson *lesson)
{
	struct rsb_given *given = rsb_given_new(lesson, NULL, NULL, &error);

	ck_assert_msg(given, "%s", error.text);
	return given;
}

static bool has_row(const char *lesson, const char *let)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].lesson, lesson) && !strcmp(rows[i].let, let))
			return true;
	return false;
}

static void check_lesson(const char *name)
{
	struct rsb_lesson *lesson = load(name);
	struct rsb_given *given = give(lesson);

	for (size_t i = 0; i < ROWS; i++) {
		const struct rsb_value *value;

		if (strcmp(rows[i].lesson, lesson->name))
			continue;
		value = rsb_given_value(given, rows[i].let);
		ck_assert_msg(value && !strcmp(value->text, rows[i].value), "%s: %s is %s, not %s",
			      lesson->name, rows[i].let, value ? value->text : "not there",
			      rows[i].value);
	}
	/* What is asked is among them. */
	ck_assert_uint_ge(given->questions, 3);
	for (size_t i = 0; i < given->count; i++)
		if (given->blocks[i].block->kind == RSB_LESSON_QUESTION)
			ck_assert_msg(has_row(lesson->name, given->blocks[i].block->answer->name),
				      "%s: %s", lesson->name, given->blocks[i].block->answer->name);
	rsb_given_free(given);
	rsb_lesson_free(lesson);
}

/* Each question's answer, and the other numbers in the text. */
START_TEST(computes_what_can_be_told_by_hand)
{
	size_t count = 0;

	for (const char *const *name = rsb_lesson_names(); *name; name++, count++)
		check_lesson(*name);
	ck_assert_uint_ge(count, 10);
}
END_TEST

/* The numbers of the files are those of the lessons, from 1 on. */
START_TEST(are_numbered)
{
	unsigned number = 0;

	for (const char *const *name = rsb_lesson_names(); *name; name++) {
		struct rsb_lesson *lesson = load(*name), *same;
		char word[16];

		ck_assert_uint_eq(lesson->number, ++number);
		snprintf(word, sizeof(word), "%u", number);
		same = load(word);
		ck_assert_str_eq(same->name, lesson->name);
		rsb_lesson_free(same);
		rsb_lesson_free(lesson);
	}
}
END_TEST

/* Lines that are not broken are indented by 4 columns of 80. */
START_TEST(no_line_is_too_long_for_a_terminal)
{
	for (const char *const *name = rsb_lesson_names(); *name; name++) {
		struct rsb_lesson *lesson = load(*name);

		for (size_t i = 0; i < lesson->block_count; i++) {
			const struct rsb_lesson_block *block = &lesson->blocks[i];
			const char *line = block->text;

			while (block->kind == RSB_LESSON_LITERAL && *line) {
				size_t length = strcspn(line, "\n");

				ck_assert_msg(length <= 76, "%s:%u: %zu columns", lesson->path,
					      block->line, length);
				line += length + (line[length] == '\n');
			}
		}
		rsb_lesson_free(lesson);
	}
}
END_TEST

#define HEAD "# T\nversion: 1\nsummary: S.\n"

static const struct {
	const char *text, *message;
} bad[] = {
	{ "", "t:1: expected a title" },
	{ "# T\nsummary: S.\n", "expected \"version: NUMBER\"" },
	{ "# T\nversion: 0\n", "t:2: expected a version from 1 on, found '0'" },
	{ "# T\nversion: 1\n", "expected \"summary: A SENTENCE\"" },
	{ HEAD "\n{x}\n", "t:5: nothing is called 'x'" },
	{ HEAD "\n{x\n", "t:5: expected {NAME}" },
	{ HEAD "let x\n", "t:4: expected \"let NAME = QUERY\"" },
	{ HEAD "let a b = misses of plain-call on intel-haswell\n", "t:4: expected a name of" },
	{ HEAD "let x = misses\n", "t:4: expected FIGURE of LAYOUT" },
	{ HEAD "let x = mises of plain-call on intel-haswell\n",
	  "t:4: unknown figure 'mises': expected misses" },
	{ HEAD "let x = misses of plain-call\n", "t:4: expected \"on\" and a CPU" },
	{ HEAD "let x = misses of on intel-haswell\n", "t:4: expected" },
	{ HEAD "let x = misses of plain-call, bpf-fentry on intel-haswell\n",
	  "t:4: expected one name after \"of\", found 'bpf-fentry' too" },
	{ HEAD "let x = shadow of plain-call on intel-haswell\n",
	  "t:4: \"shadow\" does not depend on a CPU" },
	{ HEAD "let x = misses of plain-call on intel-haswell below\n",
	  "t:4: expected a word after \"below\"" },
	{ HEAD "let x = misses of plain-call on intel-haswell below 4097\n",
	  "t:4: expected a number up to 4096" },
	{ HEAD "let x = misses of plain-call on intel-haswell times 0\n", "t:4: batch is 0" },
	{ HEAD "let x = misses of plain-call on intel-haswell in haste\n",
	  "t:4: expected bench or unwind" },
	{ HEAD "let x = misses of plain-call on intel-haswell with depth\n",
	  "t:4: expected name=value" },
	{ HEAD "let x = a + b\n", "t:4: nothing is called 'a' yet" },
	{ HEAD "let x = entries of amd-zen4\nlet x = x + x\n", "t:5: 'x' has a meaning already" },
	{ HEAD "? q = x\nWhy?\n", "t:4: nothing is called 'x'" },
	{ HEAD "let x = entries of amd-zen4\n? q = x\n", "t:5: expected text" },
	{ HEAD "let x = entries of amd-zen4\n? q = x\nA?\n= {y}\n", "t:5: nothing is called 'y'" },
	{ HEAD "play plain-call\n", "t:4: expected \"on\" and a CPU" },
	{ HEAD "let x = entries of amd-zen4\n? q = x\nA?\n\n? q = x\nB?\n",
	  "t:8: a question is called 'q' already" },
};

/* Each is refused as it is read. */
START_TEST(bad_files_are_refused_with_their_line)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct rsb_lesson *lesson =
			rsb_lesson_parse("t", bad[i].text, strlen(bad[i].text), &error);

		ck_assert_msg(!lesson, "%s", bad[i].text);
		ck_assert_msg(strstr(error.text, bad[i].message), "%s: %s", bad[i].text,
			      error.text);
	}
}
END_TEST

static const struct {
	const char *text, *message;
} wrong[] = {
	{ HEAD "let x = misses of plan-call on intel-haswell\n", "t:4: there is no layout" },
	{ HEAD "let x = misses of ./a.json on intel-haswell\n",
	  "t:4: './a.json': expected a built" },
	{ HEAD "let x = misses of plain-call on ./a.json\n",
	  "t:4: './a.json': expected a built-in" },
	{ HEAD "let x = misses of plain-call on intel-haswell with dept=1\n", "t:4: unknown" },
	{ HEAD "let x = shadow of plain-call\nlet y = x + x\n", "t:5: expected numbers" },
	{ HEAD "let x = entries of amd-zen4\n? q = x\nA?\n* 31\n* 33\n",
	  "t:5: no choice is what is right, \"32\"" },
	{ HEAD "let x = entries of amd-zen4\n? q = x\nA?\n* 32\n* 32: so\n", "two choices are" },
	{ HEAD "let x = shadow of plain-call\n? q = x\nA?\n", "t:5: no choice is what is right" },
};

/* What can be read may still ask for what is not there. */
START_TEST(what_cannot_be_worked_out_is_told_with_its_line)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct rsb_lesson *lesson =
			rsb_lesson_parse("t", wrong[i].text, strlen(wrong[i].text), &error);

		ck_assert_msg(lesson, "%s: %s", wrong[i].text, error.text);
		ck_assert(!rsb_given_new(lesson, NULL, NULL, &error));
		ck_assert_msg(strstr(error.text, wrong[i].message), "%s: %s", wrong[i].text,
			      error.text);
		rsb_lesson_free(lesson);
	}
}
END_TEST

/*
 * A line goes on with its paragraph, whatever it begins with; what is said after a question is why.
 */
START_TEST(paragraphs_go_on)
{
	static const char text[] = HEAD "Now\nlet us\n- see\nplay.\n\n- one\n- two\nlines\n\n"
					"let x = entries of amd-zen4\n? n = x\nHow\n$ many?\n"
					"= It is {x},\n= so.\n";
	struct rsb_lesson *lesson = rsb_lesson_parse("t", text, sizeof(text) - 1, &error);
	struct rsb_given *given;

	ck_assert_msg(lesson, "%s", error.text);
	given = give(lesson);
	ck_assert_uint_eq(given->count, 4);
	ck_assert_str_eq(given->blocks[0].text, "Now let us - see play.");
	ck_assert_str_eq(given->blocks[2].text, "two lines");
	ck_assert_str_eq(given->blocks[3].text, "How $ many?");
	ck_assert_str_eq(given->blocks[3].why, "It is 32, = so.");
	rsb_given_free(given);
	rsb_lesson_free(lesson);
}
END_TEST

/* A number however it is written; a choice by its letter or its words, whatever the case. */
START_TEST(predictions_are_understood)
{
	static const char text[] = HEAD
		"let x = entries of amd-zen4\nlet s = shadow of plain-call\n"
		"? n = x\nHow\nmany?\n\n? c = s\nWhat?\n* violates: it ends\n"
		"* clean: nothing\n";
	struct rsb_lesson *lesson = rsb_lesson_parse("7-t.lesson", text, sizeof(text) - 1, &error);
	struct rsb_given *given;
	struct rsb_given_block *number, *choice;

	ck_assert_msg(lesson, "%s", error.text);
	ck_assert_str_eq(lesson->name, "t");
	ck_assert_uint_eq(lesson->number, 7);
	given = give(lesson);
	number = rsb_given_question(given, "n");
	choice = rsb_given_question(given, "c");
	ck_assert_str_eq(number->text, "How many?");

	ck_assert(rsb_given_predict(given, number, " 32.0 ", &error) && number->is_right);
	ck_assert(rsb_given_predict(given, number, "16", &error) && !number->is_right);
	ck_assert(!rsb_given_predict(given, number, "many", &error) && !number->is_right);
	ck_assert(!rsb_given_predict(given, number, "-1", &error) && !number->is_right);
	ck_assert_msg(strstr(error.text, "from 0"), "%s", error.text);
	ck_assert(rsb_given_predict(given, number, "", &error) && !number->is_right);
	ck_assert_uint_eq(given->predicted, 0);

	ck_assert(rsb_given_predict(given, choice, "b", &error) && choice->is_right);
	ck_assert_str_eq(choice->prediction, "clean");
	ck_assert(rsb_given_predict(given, choice, "Clean", &error) && choice->is_right);
	ck_assert(rsb_given_predict(given, choice, "A", &error) && !choice->is_right);
	ck_assert(!rsb_given_predict(given, choice, "c", &error) && !choice->is_right);
	ck_assert_msg(strstr(error.text, "from a to b"), "%s", error.text);
	rsb_given_free(given);
	rsb_lesson_free(lesson);
}
END_TEST

UNIT_MAIN("lessons", computes_what_can_be_told_by_hand, are_numbered,
	  no_line_is_too_long_for_a_terminal, bad_files_are_refused_with_their_line,
	  what_cannot_be_worked_out_is_told_with_its_line, paragraphs_go_on,
	  predictions_are_understood)
