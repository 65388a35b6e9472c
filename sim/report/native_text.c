/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was measured on this machine, for people. */
#include "sim/report/native_words.h"

#include "sim/report/table.h"
#include "sim/report/wrap.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where what is written goes, and how wide it may be. */
struct page {
	FILE *out;
	size_t columns;
};

/* A method's figures end here. */
#define HOW 37

static void write_penalty_line(const struct page *page, const char *name, double median, double low,
			       double high, const char *how)
{
	char a[RSB_NATIVE_WORD], range[RSB_NATIVE_WORD];

	fprintf(page->out, "%-10s %6s %17s  ", name, rsb_native_number(a, median, 1),
		rsb_native_range(range, low, high));
	rsb_wrap_write(page->out, how, HOW, HOW, page->columns);
}

static void write_penalty(const struct page *page, const struct rsb_penalty *penalty)
{
	fprintf(page->out, "\na mispredicted return, in cycles, by method\n");
	for (int i = 0; i < RSB_PENALTY_METHODS; i++) {
		const struct rsb_penalty_method *method = &penalty->methods[i];

		write_penalty_line(page, method->name, method->cycles.median, method->cycles.low,
				   method->cycles.high, method->how);
	}
	write_penalty_line(page, "unit", penalty->unit, penalty->low, penalty->high,
			   "what misses are counted in: the middle of them");
}

/* Writes the table and frees it. False: no memory. */
static bool end_table(const struct page *page, struct rsb_table *table)
{
	bool written = rsb_table_write(table, page->out, (unsigned)page->columns, false);

	rsb_table_free(table);
	return written;
}

static void add_columns(struct rsb_table *table, const char *first, const char *const *headings)
{
	rsb_table_column(table, first, RSB_TABLE_WORDS, 0);
	for (; *headings; headings++)
		rsb_table_column(table, *headings, RSB_TABLE_NUMBER, 1);
}

static void add_number(struct rsb_table *table, double value, int decimals)
{
	char word[RSB_NATIVE_WORD];

	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_native_number(word, value, decimals));
}

static void add_range(struct rsb_table *table, double low, double high)
{
	char word[RSB_NATIVE_WORD];

	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_native_range(word, low, high));
}

static void add_row(struct rsb_table *table, const struct rsb_comparison *comparison,
		    const struct rsb_compared *compared, size_t index, bool counted)
{
	const struct rsb_comparison_row *row = &comparison->rows[index];
	char word[RSB_NATIVE_WORD];
	bool tied;
	size_t rank = rsb_agreement_rank(compared, comparison->count, index, &tied);

	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row->layout);
	add_number(table, row->simulated, 2);
	add_number(table, row->misses.median, 2);
	add_range(table, row->misses.low, row->misses.high);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%zu%s", rank, tied ? "=" : " ");
	add_number(table, row->cycles.median, 1);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s%s",
		       rsb_native_number(word, row->baseline.median, 1), row->twin ? "" : "*");
	if (counted)
		add_number(table, row->counted ? row->mispredicted : NAN, 2);
}

static bool write_rows(const struct page *page, const struct rsb_comparison *comparison)
{
	static const char *const headings[] = { "simulated", "measured", "range",   "rank",
						"cycles",    "baseline", "counted", NULL };
	static const char *const timed[] = { "simulated", "measured", "range", "rank",
					     "cycles",    "baseline", NULL };
	struct rsb_compared *compared = rsb_native_compared(comparison);
	struct rsb_table *table = rsb_table_new();
	bool counted = rsb_native_counted(comparison), good = compared && table;

	if (good) {
		add_columns(table, "misses, cycles a call", counted ? headings : timed);
		for (size_t i = 0; i < comparison->count; i++)
			if (!comparison->rows[i].refused)
				add_row(table, comparison, compared, i, counted);
		good = end_table(page, table);
	} else {
		rsb_table_free(table);
	}
	free(compared);
	return good;
}

/* The returns that missed at least half of the times, those of callers by their number. */
static void add_missed(struct rsb_table *table, const struct rsb_comparison_row *row)
{
	char text[1024] = "";
	size_t length = 0, callers = 0;

	for (size_t i = 0; i < row->return_count; i++)
		callers += row->returns[i].caller && row->returns[i].missed >= 0.5;
	if (callers)
		length = (size_t)snprintf(text, sizeof(text), "%zu of callers", callers);
	for (size_t i = 0; i < row->return_count && length < sizeof(text); i++)
		if (!row->returns[i].caller && row->returns[i].missed >= 0.5)
			length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
						   length ? ", " : "", row->returns[i].place);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", text);
}

static bool write_each(const struct page *page, const struct rsb_comparison *comparison)
{
	static const char *const headings[] = { "simulated", "by return", "range", NULL };
	struct rsb_table *table = rsb_table_new();

	if (!table)
		return false;
	fputc('\n', page->out);
	add_columns(table, "misses a call", headings);
	rsb_table_column(table, "returns that missed", RSB_TABLE_WORDS, 2);
	for (size_t i = 0; i < comparison->count; i++) {
		const struct rsb_comparison_row *row = &comparison->rows[i];

		if (row->refused || !row->twin)
			continue;
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row->layout);
		add_number(table, row->simulated, 2);
		add_number(table, row->by_return.median, 2);
		add_range(table, row->by_return.low, row->by_return.high);
		add_missed(table, row);
	}
	return end_table(page, table);
}

/* How far what was measured depends on what no return stack should care for. */
static bool write_spread(const struct page *page, const struct rsb_comparison *comparison)
{
	static const char *const headings[] = { "simulated", "measured", "by alignment",
						"by helpers", NULL };
	static const char *const alignments[] = { "simulated", "measured", "by alignment", NULL };
	struct rsb_table *table = rsb_table_new();
	bool helpers = comparison->variants > RSB_ALIGNMENTS;

	if (!table)
		return false;
	fputc('\n', page->out);
	add_columns(table, "misses a call", helpers ? headings : alignments);
	for (size_t i = 0; i < comparison->count; i++) {
		const struct rsb_comparison_row *row = &comparison->rows[i];
		double low, high;

		if (row->refused)
			continue;
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", row->layout);
		add_number(table, row->simulated, 2);
		add_number(table, row->misses.median, 2);
		rsb_comparison_by_alignment(row, &low, &high);
		add_range(table, low, high);
		rsb_comparison_by_helpers(row, &low, &high);
		if (helpers)
			add_range(table, low, high);
	}
	return end_table(page, table);
}

static void write_agreement(const struct page *page, const struct rsb_comparison *comparison,
			    const struct rsb_agreement *agreement, const char *of)
{
	char line[512], worst[256], a[2][RSB_NATIVE_WORD];

	if (!agreement->count)
		return;
	snprintf(line, sizeof(line), "agreement%s of %zu: correlation %s, mean error %s, worst %s",
		 of, agreement->count, rsb_native_number(a[0], agreement->correlation, 3),
		 rsb_native_number(a[1], agreement->mean_error, 2),
		 rsb_native_worst(worst, sizeof(worst), comparison, agreement));
	rsb_wrap_write(page->out, line, 0, 2, page->columns);
	snprintf(line, sizeof(line),
		 "further off than half a miss and a tenth: %zu; order kept in %s pairs a miss or "
		 "more apart",
		 agreement->beyond, rsb_native_order(a[0], agreement));
	rsb_wrap_write(page->out, line, 0, 2, page->columns);
}

static void write_agreements(const struct page *page, const struct rsb_native *native,
			     const struct rsb_comparison *comparison)
{
	const char *doubt = rsb_native_doubt(native, comparison);

	if (*doubt) {
		rsb_wrap_write(page->out, doubt, 0, 2, page->columns);
		return;
	}
	write_agreement(page, comparison, &comparison->agreement, "");
	if (comparison->each)
		write_agreement(page, comparison, &comparison->each_agreement, " by return");
}

static bool write_measured(const struct page *page, const struct rsb_native *native,
			   const struct rsb_comparison *comparison)
{
	char line[256], a[RSB_NATIVE_WORD];

	if (!write_rows(page, comparison))
		return false;
	if (rsb_native_others(comparison))
		rsb_wrap_write(page->out,
			       "* against plain-call, so that the code's own work is counted too",
			       0, 2, page->columns);
	if ((comparison->variants > 1 && !write_spread(page, comparison)) ||
	    (comparison->each_agreement.count && !write_each(page, comparison)))
		return false;
	write_agreements(page, native, comparison);
	snprintf(line, sizeof(line),
		 "dropped: %zu of %zu samples; a twin's jump costs %s cycles more than a return",
		 comparison->dropped, comparison->samples,
		 rsb_native_number(a, comparison->jump, 2));
	rsb_wrap_write(page->out, line, 0, 2, page->columns);
	return true;
}

static bool write_comparison(const struct page *page, const struct rsb_native *native,
			     const struct rsb_comparison *comparison)
{
	char line[1300];

	fprintf(page->out, "\ndepth %u, batch %u\n", comparison->scenario.depth,
		comparison->scenario.batch);
	if (comparison->samples && !write_measured(page, native, comparison))
		return false;
	for (size_t i = 0; i < comparison->count; i++)
		if (comparison->rows[i].refused) {
			snprintf(line, sizeof(line), "not run: %s: %s", comparison->rows[i].layout,
				 comparison->rows[i].why.text);
			rsb_wrap_write(page->out, line, 0, 2, page->columns);
		}
	return true;
}

/* What there is no agreement of has its reason in the last column. */
static void add_summary(struct rsb_table *table, const struct rsb_native *native,
			const struct rsb_comparison *comparison,
			const struct rsb_agreement *agreement)
{
	const char *doubt = rsb_native_doubt(native, comparison);
	bool known = agreement->count && !*doubt;
	char word[RSB_NATIVE_WORD], worst[256];

	rsb_table_cell(table, RSB_STYLE_PLAIN, "%u", comparison->scenario.depth);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%u", comparison->scenario.batch);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%zu", agreement->count);
	add_number(table, known ? agreement->correlation : NAN, 3);
	add_number(table, known ? agreement->mean_error : NAN, 2);
	rsb_table_cell(table, RSB_STYLE_PLAIN, known ? "%zu" : "-", agreement->beyond);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s",
		       known ? rsb_native_order(word, agreement) : "-");
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s",
		       !*doubt ? rsb_native_worst(worst, sizeof(worst), comparison, agreement)
			       : doubt);
}

/* All comparisons, a line each. */
static bool write_summary(const struct page *page, const struct rsb_native *native, bool each)
{
	static const char *const headings[] = { "depth",      "batch",  "layouts",   "correlation",
						"mean error", "beyond", "order kept" };
	struct rsb_table *table = rsb_table_new();

	if (!table)
		return false;
	fprintf(page->out,
		"\nagreement of what is simulated and what is measured%s, misses a call\n",
		each ? " by return" : "");
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		rsb_table_column(table, headings[i], RSB_TABLE_NUMBER, i ? 1 : 0);
	rsb_table_column(table, "worst", RSB_TABLE_WORDS, 1);
	for (size_t i = 0; i < native->count; i++)
		add_summary(table, native, native->comparisons[i],
			    each ? &native->comparisons[i]->each_agreement
				 : &native->comparisons[i]->agreement);
	return end_table(page, table);
}

static bool is_measured(const struct rsb_native *native)
{
	for (size_t i = 0; i < native->count; i++)
		if (native->comparisons[i]->samples)
			return true;
	return false;
}

static bool write_summaries(const struct page *page, const struct rsb_native *native)
{
	return native->count < 2 || !is_measured(native) ||
	       (write_summary(page, native, false) &&
		(!native->comparisons[0]->each || write_summary(page, native, true)));
}

static bool write_all(const struct page *page, const struct rsb_native *native)
{
	for (size_t i = 0; i < native->count; i++)
		if (!write_comparison(page, native, native->comparisons[i]))
			return false;
	return write_summaries(page, native);
}

bool rsb_native_text(FILE *out, const struct rsb_native *native, size_t columns,
		     struct rsb_error *error)
{
	const struct page page = { out, columns };
	char line[512];

	rsb_native_host(line, sizeof(line), native);
	rsb_wrap_write(out, line, 0, 2, columns);
	write_penalty(&page, &native->penalty);
	if (!write_all(&page, native))
		return rsb_error_set(error, "out of memory");
	rsb_native_effort(line, sizeof(line), native);
	fputc('\n', out);
	rsb_wrap_write(out, line, 0, 2, columns);
	return !ferror(out) || rsb_error_set(error, "%s", strerror(errno));
}
