/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was measured on this machine, for a document: pipe tables, the summary first. */
#include "sim/report/native_words.h"

#include "sim/report/markup.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_words(FILE *out, const char *before, const char *text, const char *after)
{
	fputs(before, out);
	rsb_markdown_text(out, text);
	fputs(after, out);
}

static void write_number(FILE *out, double value, int decimals)
{
	char word[RSB_NATIVE_WORD];

	fprintf(out, " %s |", rsb_native_number(word, value, decimals));
}

static void write_range(FILE *out, double low, double high)
{
	char word[RSB_NATIVE_WORD];

	fprintf(out, " %s |", rsb_native_range(word, low, high));
}

static void write_summary(FILE *out, const struct rsb_native *native, bool each)
{
	if (each)
		fputs("\nBy return:\n", out);
	fputs("\n| depth | batch | layouts | correlation | mean error | beyond | worst | order |\n"
	      "|--:|--:|--:|--:|--:|--:|:--|:--|\n",
	      out);
	for (size_t i = 0; i < native->count; i++) {
		const struct rsb_comparison *comparison = native->comparisons[i];
		const struct rsb_agreement *agreement = each ? &comparison->each_agreement
							     : &comparison->agreement;
		const char *doubt = rsb_native_doubt(native, comparison);
		char worst[256], word[RSB_NATIVE_WORD];

		fprintf(out, "| %u | %u | %zu |", comparison->scenario.depth,
			comparison->scenario.batch, agreement->count);
		if (*doubt || !agreement->count) {
			write_words(out, " - | - | - | ", doubt, " | - |\n");
			continue;
		}
		write_number(out, agreement->correlation, 3);
		write_number(out, agreement->mean_error, 2);
		fprintf(out, " %zu |", agreement->beyond);
		write_words(out, " ", rsb_native_worst(worst, sizeof(worst), comparison, agreement),
			    " |");
		fprintf(out, " %s |\n", rsb_native_order(word, agreement));
	}
}

static void write_penalty(FILE *out, const struct rsb_penalty *penalty)
{
	fputs("\n| method | cycles | range | how |\n|:--|--:|--:|:--|\n", out);
	for (int i = 0; i < RSB_PENALTY_METHODS; i++) {
		const struct rsb_penalty_method *method = &penalty->methods[i];

		write_words(out, "| ", method->name, " |");
		write_number(out, method->cycles.median, 1);
		write_range(out, method->cycles.low, method->cycles.high);
		write_words(out, " ", method->how, " |\n");
	}
	fputs("| unit |", out);
	write_number(out, penalty->unit, 1);
	write_range(out, penalty->low, penalty->high);
	fputs(" what misses are counted in: the middle of them |\n", out);
}

static void write_row(FILE *out, const struct rsb_comparison *comparison,
		      const struct rsb_compared *compared, size_t index)
{
	const struct rsb_comparison_row *row = &comparison->rows[index];
	double low, high;
	bool tied;
	size_t rank = rsb_agreement_rank(compared, comparison->count, index, &tied);

	write_words(out, "| ", row->layout, " |");
	if (row->refused) {
		write_words(out, " - | - | ", row->why.text, " | - | - | - |");
	} else {
		write_number(out, row->simulated, 2);
		write_number(out, row->misses.median, 2);
		write_range(out, row->misses.low, row->misses.high);
		fprintf(out, " %zu%s |", rank, tied ? "=" : "");
		write_number(out, row->cycles.median, 1);
		write_number(out, row->baseline.median, 1);
	}
	rsb_comparison_by_alignment(row, &low, &high);
	if (comparison->variants > 1)
		write_range(out, low, high);
	rsb_comparison_by_helpers(row, &low, &high);
	if (comparison->variants > RSB_ALIGNMENTS)
		write_range(out, low, high);
	if (comparison->each)
		write_number(out, row->refused ? NAN : row->by_return.median, 2);
	if (rsb_native_counted(comparison))
		write_number(out, row->counted ? row->mispredicted : NAN, 2);
	fputc('\n', out);
}

static void write_heading(FILE *out, const char *text, bool shown, size_t *columns)
{
	if (!shown)
		return;
	fputs(text, out);
	++*columns;
}

static bool write_comparison(FILE *out, const struct rsb_comparison *comparison)
{
	struct rsb_compared *compared = rsb_native_compared(comparison);
	bool counted = rsb_native_counted(comparison);
	size_t columns = 6;

	if (!compared)
		return false;
	fprintf(out, "\nDepth %u, batch %u:\n\n", comparison->scenario.depth,
		comparison->scenario.batch);
	fputs("| layout | simulated | measured | range | rank | cycles | baseline |", out);
	write_heading(out, " by alignment |", comparison->variants > 1, &columns);
	write_heading(out, " by helpers |", comparison->variants > RSB_ALIGNMENTS, &columns);
	write_heading(out, " by return |", comparison->each, &columns);
	write_heading(out, " counted |", counted, &columns);
	fputs("\n|:--|", out);
	while (columns--)
		fputs("--:|", out);
	fputc('\n', out);
	for (size_t i = 0; i < comparison->count; i++)
		write_row(out, comparison, compared, i);
	free(compared);
	return true;
}

bool rsb_native_markdown(FILE *out, const struct rsb_native *native, struct rsb_error *error)
{
	char line[512];

	rsb_native_host(line, sizeof(line), native);
	write_words(out, "", line, "\n");
	write_summary(out, native, false);
	if (native->count && native->comparisons[0]->each)
		write_summary(out, native, true);
	write_penalty(out, &native->penalty);
	for (size_t i = 0; i < native->count; i++)
		if (!write_comparison(out, native->comparisons[i]))
			return rsb_error_set(error, "out of memory");
	rsb_native_effort(line, sizeof(line), native);
	write_words(out, "\n", line, "\n");
	return !ferror(out) || rsb_error_set(error, "%s", strerror(errno));
}
