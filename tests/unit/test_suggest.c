/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which names are offered for a name that is not known. */
#include "tests/unit/unit.h"
#include "traces/util/suggest.h"

#include <string.h>

static const char *const layouts[] = {
	"bpf-fentry",       "bpf-fexit-double-ret",
	"bpf-fexit-jmp",    "bpf-fexit-skip",
	"bpf-fmod-ret-jmp", "bpf-fmod-ret-skip",
	"plain-call",       "livepatch-bpf-jmp",
	"livepatch-ftrace", NULL,
};
static const char *const formats[] = { "text", "json", "csv", "markdown", NULL };

static const char *suggest(const char *name, const char *const *known)
{
	static char out[256];

	memset(out, 'x', sizeof(out));
	rsb_suggest(name, known, out, sizeof(out));
	return out;
}

/* A letter that is missing, doubled, wrong or exchanged with its neighbour. */
START_TEST(finds_typing_errors)
{
	ck_assert_str_eq(suggest("plan-call", layouts), "plain-call");
	ck_assert_str_eq(suggest("plainn-call", layouts), "plain-call");
	ck_assert_str_eq(suggest("plaim-call", layouts), "plain-call");
	ck_assert_str_eq(suggest("cvs", formats), "csv");
	ck_assert_str_eq(suggest("CSV", formats), "csv");
}
END_TEST

/* The beginning of a name stands for all that begin so, three of them at most. */
START_TEST(finds_a_common_start)
{
	ck_assert_str_eq(suggest("livepatch", layouts), "livepatch-bpf-jmp or livepatch-ftrace");
	ck_assert_str_eq(suggest("bpf-fexit", layouts),
			 "bpf-fexit-double-ret, bpf-fexit-jmp or bpf-fexit-skip");
	ck_assert_str_eq(suggest("mark", formats), "markdown");
}
END_TEST

/* A part of a name is enough, unless it is so short that it may be an accident. */
START_TEST(finds_a_part)
{
	ck_assert_str_eq(suggest("call", layouts), "plain-call");
	ck_assert_str_eq(suggest("Ftrace", layouts), "livepatch-ftrace");
	ck_assert_str_eq(suggest("sk", layouts), "");
}
END_TEST

/* The nearest comes first, however the table is sorted. */
START_TEST(puts_the_nearest_first)
{
	ck_assert_str_eq(suggest("bpf-fexit-skp", layouts),
			 "bpf-fexit-skip, bpf-fexit-jmp or bpf-fexit-double-ret");
}
END_TEST

/* When none is near, a few names are all listed, many are not. */
START_TEST(lists_few_names)
{
	ck_assert_str_eq(suggest("yaml", formats), "text, json, csv or markdown");
	ck_assert_str_eq(suggest("", formats), "text, json, csv or markdown");
	ck_assert_str_eq(suggest("zzzzzz", layouts), "");
}
END_TEST

/* No names at all give an empty text. */
START_TEST(takes_an_empty_table)
{
	const char *const none[] = { NULL };

	ck_assert_str_eq(suggest("text", none), "");
}
END_TEST

/* A name of any length is safe, and a text too long for its place is cut. */
START_TEST(stays_in_bounds)
{
	char name[1000], out[8];

	memset(name, 'b', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_str_eq(suggest(name, layouts), "");
	rsb_suggest("yaml", formats, out, sizeof(out));
	ck_assert_str_eq(out, "text, j");
	rsb_suggest("yaml", formats, out, 0);
	ck_assert_str_eq(out, "text, j");
}
END_TEST

/* A message never ends where the names should begin. */
START_TEST(words_what_is_unknown)
{
	struct rsb_error error;

	ck_assert_ptr_null(rsb_unknown(&error, "format", "jsn", formats));
	ck_assert_str_eq(error.text, "unknown format 'jsn': expected json");
	ck_assert_ptr_null(rsb_unknown(&error, "layout", "zzzzzz", layouts));
	ck_assert_str_eq(error.text, "unknown layout 'zzzzzz', and none is like it");
}
END_TEST

/* Rows are found by their names, the last too. */
START_TEST(finds_rows)
{
	static const struct {
		const char *name;
		int value;
	} rows[] = { { "one", 1 }, { "two", 2 }, { NULL, 0 } };
	struct rsb_error error;

	ck_assert_ptr_eq(rsb_row_find(rows, sizeof(*rows), "number", "one", &error), &rows[0]);
	ck_assert_ptr_eq(rsb_row_find(rows, sizeof(*rows), "number", "two", &error), &rows[1]);
	ck_assert_ptr_null(rsb_row_find(rows, sizeof(*rows), "number", "three", &error));
	ck_assert_str_eq(error.text, "unknown number 'three': expected one or two");
}
END_TEST

UNIT_MAIN("suggestions", finds_typing_errors, finds_a_common_start, finds_a_part,
	  puts_the_nearest_first, lists_few_names, takes_an_empty_table, stays_in_bounds,
	  words_what_is_unknown, finds_rows)
