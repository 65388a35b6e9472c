/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of text on lines of too few columns. What is expected is written as people would set it.
 */
#include "sim/report/table.h"
#include "sim/report/wrap.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* The table as text, to be freed; the table is freed too. */
static char *write(struct rsb_table *table, unsigned columns)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert(rsb_table_write(table, out, columns, false));
	fclose(out);
	rsb_table_free(table);
	return text;
}

static void expect(struct rsb_table *table, unsigned columns, const char *expected)
{
	char *text = write(table, columns);

	ck_assert_str_eq(text, expected);
	free(text);
}

static void add_row(struct rsb_table *table, const char *const *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", cells[i]);
}

/* Words and numbers, 36 columns wide. */
static struct rsb_table *make(void)
{
	static const char *const rows[][4] = { { "plain-call", "none", "12", "3456789" },
					       { "a", "rethunk", "7", "8" } };
	struct rsb_table *table = rsb_table_new();

	ck_assert_ptr_nonnull(table);
	rsb_table_column(table, "layout", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "thunk", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "calls", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "returns", RSB_TABLE_NUMBER, 2);
	for (size_t i = 0; i < 2; i++)
		add_row(table, rows[i], 4);
	return table;
}

/* Columns are as wide as what is in them. */
START_TEST(columns_are_as_wide_as_their_cells)
{
	expect(make(), 36,
	       "layout      thunk    calls  returns\n"
	       "plain-call  none        12  3456789\n"
	       "a           rethunk      7        8\n");
}
END_TEST

/* Where that is too much, they move together. */
START_TEST(columns_move_together)
{
	expect(make(), 34,
	       "layout     thunk   calls returns\n"
	       "plain-call none       12 3456789\n"
	       "a          rethunk     7       8\n");
}
END_TEST

/* Then the first one gives way: what does not fit in it has a line of its own. */
START_TEST(the_first_column_gives_way)
{
	expect(make(), 30,
	       "layout   thunk   calls returns\n"
	       "plain-call\n"
	       "         none       12 3456789\n"
	       "a        rethunk     7       8\n");
}
END_TEST

/* What does not fit all the same is written in parts, each with the columns that are keys. */
START_TEST(a_table_is_written_in_parts)
{
	static const char *const row[] = { "a", "rethunk", "7", "8", "1", "2" };
	struct rsb_table *table = rsb_table_new();

	rsb_table_column(table, "layout", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "thunk", RSB_TABLE_WORDS, 1);
	rsb_table_keys(table);
	rsb_table_column(table, "calls", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "returns", RSB_TABLE_NUMBER, 1);
	rsb_table_group(table, "bench", "depth 8");
	rsb_table_column(table, "inside", RSB_TABLE_NUMBER, 3);
	rsb_table_column(table, "callers", RSB_TABLE_NUMBER, 1);
	add_row(table, row, 6);
	ck_assert(rsb_table_is_whole(table, 45));
	ck_assert(!rsb_table_is_whole(table, 40));
	expect(table, 32,
	       "layout thunk   calls returns\n"
	       "a      rethunk     7       8\n"
	       "\n"
	       "                 bench\n"
	       "                 depth 8\n"
	       "layout thunk     inside callers\n"
	       "a      rethunk        1       2\n");
}
END_TEST

/*
 * Words besides the first are broken before a table is: behind marks, and before a symbol's offset.
 */
START_TEST(words_are_broken)
{
	static const char *const row[] = { "f+0x1", "__x64_sys_getpriority+0x9", "1" };
	struct rsb_table *table = rsb_table_new();

	rsb_table_column(table, "return", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "predicted", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "cold", RSB_TABLE_NUMBER, 2);
	add_row(table, row, 3);
	expect(table, 30,
	       "return predicted          cold\n"
	       "f+0x1  __x64_sys_            1\n"
	       "       getpriority+0x9\n");
}
END_TEST

/* The last column, if it is words, has all that is left, and no line of headings is no line. */
START_TEST(the_last_words_are_wrapped)
{
	static const char *const row[] = { "f+0x1", "a return address that a call pushed" };
	struct rsb_table *table = rsb_table_new();

	rsb_table_column(table, "", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "", RSB_TABLE_WORDS, 2);
	add_row(table, row, 2);
	expect(table, 26,
	       "  f+0x1  a return address\n"
	       "         that a call\n"
	       "         pushed\n");
}
END_TEST

/* As much of a text as goes on a line, counted in characters; never nothing. */
START_TEST(a_line_takes_words)
{
	static const struct {
		const char *text;
		size_t columns, size;
	} cases[] = {
		{ "one two three", 8, 7 },
		{ "one two three", 7, 7 },
		{ "one two three", 6, 3 },
		{ "sim/report/wrap.c", 12, 11 },
		{ "abcdefgh", 3, 3 },
		{ "abcdefgh", 0, 1 },
		{ "\xc3\xa9\xc3\xa9\xc3\xa9", 2, 4 },
		{ "", 5, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_uint_eq(rsb_wrap_take(cases[i].text, cases[i].columns), cases[i].size);
}
END_TEST

UNIT_MAIN("tables of text", columns_are_as_wide_as_their_cells, columns_move_together,
	  the_first_column_gives_way, a_table_is_written_in_parts, words_are_broken,
	  the_last_words_are_wrapped, a_line_takes_words)
