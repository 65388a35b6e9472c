/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a comparison found: worst first, then in the order of the layouts. */
#include "sim/check/compared.h"

#include "sim/report/markup.h"
#include "sim/report/number.h"
#include "sim/report/table.h"

#include <string.h>

/* "+1 -> 0", or the one that there is. */
static void write_pair(char *out, size_t size, const struct rsb_check_case *one, double base,
		       double head, bool with_sign)
{
	char was[RSB_NUMBER_SIZE], is[RSB_NUMBER_SIZE];
	void (*const write)(char *, size_t, double, int) = with_sign ? rsb_number_signed
								     : rsb_number_brief;

	write(was, sizeof(was), base, 2);
	write(is, sizeof(is), head, 2);
	if (one->change == RSB_CHANGE_ADDED)
		snprintf(out, size, "%s", is);
	else if (one->change == RSB_CHANGE_GONE || !strcmp(was, is))
		snprintf(out, size, "%s", was);
	else
		snprintf(out, size, "%s -> %s", was, is);
}

/* The cells of a row. */
struct row {
	char balance[2 * RSB_NUMBER_SIZE + 8], inside[2 * RSB_NUMBER_SIZE + 8],
		callers[2 * RSB_NUMBER_SIZE + 8];
};

static struct row make_row(const struct rsb_check_case *one)
{
	const struct rsb_check_figures *base = &one->base, *head = &one->figures;
	struct row row;

	write_pair(row.balance, sizeof(row.balance), one, base->balance, head->balance, true);
	write_pair(row.inside, sizeof(row.inside), one, base->inside, head->inside, false);
	write_pair(row.callers, sizeof(row.callers), one, base->callers, head->callers, false);
	return row;
}

/* The order in which changes are told. */
static const enum rsb_change order[] = { RSB_CHANGE_WORSE, RSB_CHANGE_ADDED, RSB_CHANGE_BETTER,
					 RSB_CHANGE_SAME, RSB_CHANGE_GONE };

#define ORDERED (sizeof(order) / sizeof(order[0]))

static void add_rows(struct rsb_table *table, const struct rsb_check *check, enum rsb_change change)
{
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];
		struct row row = make_row(one);
		enum rsb_style style = change == RSB_CHANGE_WORSE ? RSB_STYLE_BAD : RSB_STYLE_PLAIN;

		if (one->change != change || one->trouble)
			continue;
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", one->layout);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", one->cpu);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row.balance);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row.inside);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row.callers);
		rsb_table_cell(table, style, "%s", rsb_change_name(change));
	}
}

bool rsb_compared_text(const struct rsb_check *check, FILE *out,
		       const struct rsb_check_style *style)
{
	struct rsb_table *table = rsb_table_new();
	bool good;

	if (!table)
		return false;
	rsb_table_column(table, "layout", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "CPU", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "balance", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "inside", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "callers", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "", RSB_TABLE_WORDS, 2);
	for (size_t i = 0; i < ORDERED; i++)
		add_rows(table, check, order[i]);
	good = rsb_table_write(table, out, style->columns, style->colour);
	rsb_table_free(table);
	return good;
}

static void write_rows(FILE *out, const struct rsb_check *check, enum rsb_change change)
{
	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];
		struct row row = make_row(one);
		const char *mark = change == RSB_CHANGE_WORSE ? "**" : "";

		if (one->change != change || one->trouble)
			continue;
		fputs("| ", out);
		rsb_markdown_text(out, one->layout);
		fputs(" | ", out);
		rsb_markdown_text(out, one->cpu);
		fprintf(out, " | %s | %s | %s | %s%s%s |\n", row.balance, row.inside, row.callers,
			mark, rsb_change_name(change), mark);
	}
}

void rsb_compared_markdown(const struct rsb_check *check, FILE *out)
{
	fputs("| layout | CPU | balance | misses inside | in callers | |\n"
	      "|:--|:--|--:|--:|--:|:--|\n",
	      out);
	for (size_t i = 0; i < ORDERED; i++)
		write_rows(out, check, order[i]);
	fputc('\n', out);
}
