/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations to read in a terminal. */
#include "sim/report/finding.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/report/table.h"
#include "sim/report/verdict.h"
#include "sim/report/wrap.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define INDENT    3
#define COLUMNS   100
#define BYTES_MIN 10 /* that there is room for, if the page is wide enough */

struct page {
	FILE *out;
	unsigned columns;
	bool colour, all;
};

/* A paragraph that begins with a capital and ends with a full stop. */
static void write_paragraph(const struct page *page, const char *label, const char *text)
{
	char line[2 * RSB_PHRASE_SIZE];
	int used = snprintf(line, sizeof(line), "%s%s.", label, text);

	if (used >= (int)sizeof(line))
		line[sizeof(line) - 2] = '.';
	line[0] = (char)toupper((unsigned char)line[0]);
	fprintf(page->out, "%*s", INDENT, "");
	rsb_wrap_write(page->out, line, INDENT, INDENT, page->columns);
}

static void write_bytes(const struct page *page, const struct rsb_instruction *instruction,
			size_t most)
{
	char bytes[3 * sizeof(instruction->bytes) + 1] = "";

	for (size_t i = 0; most && i < instruction->length; i++)
		snprintf(bytes + 3 * i, sizeof(bytes) - 3 * i, "%02x ", instruction->bytes[i]);
	fprintf(page->out, "%-*s", 3 * (int)most, bytes);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/*
 * Bytes that each line has room for, symbols being so wide: on a narrow page perhaps only as many
 * as the longest instruction has, or none.
 */
static size_t choose_bytes(const struct page *page, const struct rsb_finding *finding,
			   size_t symbols)
{
	size_t longest = 0, text = 0, rest, bytes;

	for (size_t i = 0; i < finding->around_count; i++) {
		longest = larger(longest, finding->around[i].length);
		text = larger(text, strlen(finding->around[i].text));
	}
	rest = INDENT + strlen("> ") + symbols + strlen("  ") + text;
	for (bytes = larger(longest, BYTES_MIN); bytes >= longest; bytes--)
		if (rest + 3 * bytes <= page->columns)
			return bytes;
	return 0;
}

/* The code around the culprit, which is marked. */
static void write_around(const struct page *page, const struct rsb_finding *finding)
{
	size_t widest = 0, bytes;

	for (size_t i = 0; i < finding->around_count; i++)
		widest = larger(widest, rsb_wrap_width(finding->around[i].symbol));
	bytes = choose_bytes(page, finding, widest);
	fputc('\n', page->out);
	for (size_t i = 0; i < finding->around_count; i++) {
		const struct rsb_instruction *line = &finding->around[i];
		bool marked = line->pc == finding->culprit.pc;

		fprintf(page->out, "%s%*s%s %-*s  ",
			rsb_style_start(marked ? RSB_STYLE_BOLD : RSB_STYLE_PLAIN, page->colour),
			INDENT, "", marked ? ">" : " ", (int)widest, line->symbol);
		write_bytes(page, line, bytes);
		fprintf(page->out, "%s%s\n", line->text,
			rsb_style_end(marked ? RSB_STYLE_BOLD : RSB_STYLE_PLAIN, page->colour));
	}
	fputc('\n', page->out);
}

/* Every miss, a line each: how often in the steady rounds. */
static bool write_misses(const struct page *page, const struct rsb_finding *finding)
{
	struct rsb_table *table = rsb_table_new();
	bool good;

	if (!table)
		return false;
	rsb_table_column(table, "return", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "predicted", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "pushed by", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "went to", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "cause", RSB_TABLE_WORDS, 2);
	rsb_table_column(table, "cold", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "steady", RSB_TABLE_NUMBER, 2);
	for (size_t i = 0; i < finding->miss_count; i++) {
		const struct rsb_explained_miss *miss = &finding->misses[i];

		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", miss->returned_by.symbol);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s",
			       miss->predicted.symbol ? miss->predicted.symbol : "-");
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s",
			       miss->pushed_by.symbol ? miss->pushed_by.symbol : "-");
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", miss->actual.symbol);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_cause_name(miss->cause));
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%" PRIu64, miss->cold);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%" PRIu64, miss->steady);
	}
	fputc('\n', page->out);
	good = rsb_table_write(table, page->out, page->columns, page->colour);
	rsb_table_free(table);
	return good;
}

/* What was predicted, why that was wrong, what follows, and the way out. */
static void write_chain(const struct page *page, const struct rsb_finding *finding)
{
	char phrase[RSB_PHRASE_SIZE];

	if (finding->miss_count) {
		rsb_finding_first(finding, phrase);
		write_paragraph(page, "", phrase);
	}
	write_paragraph(page, "why: ", finding->story);
	if (finding->around_count)
		write_around(page, finding);
	rsb_finding_rest(finding, phrase);
	if (*phrase)
		write_paragraph(page, "", phrase);
	if (*finding->advice)
		write_paragraph(page, "way out: ", finding->advice);
}

static bool write_finding(const struct page *page, size_t number, const struct rsb_finding *finding)
{
	char phrase[RSB_PHRASE_SIZE];

	rsb_finding_cost(finding, phrase);
	fprintf(page->out, "%zu. %s%s%s: %s\n", number,
		rsb_style_start(RSB_STYLE_BOLD, page->colour), rsb_cause_name(finding->cause),
		rsb_style_end(RSB_STYLE_BOLD, page->colour), phrase);
	if (finding->cause == RSB_CAUSE_INTENDED)
		write_paragraph(page, "why: ", finding->story);
	else
		write_chain(page, finding);
	if (page->all && finding->miss_count && !write_misses(page, finding))
		return false;
	fputc('\n', page->out);
	return true;
}

static void write_heading(const struct page *page, const struct rsb_explanation *explanation)
{
	const struct rsb_scenario *scenario = &explanation->scenario;
	char text[RSB_PHRASE_SIZE];
	bool has_thunk = strcmp(explanation->return_thunk, "none") != 0;
	size_t used = rsb_wrap_width(explanation->layout) + strlen(" on ") +
		      rsb_wrap_width(explanation->cpu) + 1;

	fprintf(page->out, "%s%s on %s%s ", rsb_style_start(RSB_STYLE_BOLD, page->colour),
		explanation->layout, explanation->cpu, rsb_style_end(RSB_STYLE_BOLD, page->colour));
	snprintf(text, sizeof(text), "(%s), %s: depth %u, batch %u%s%s", explanation->model,
		 scenario->name, scenario->depth, scenario->batch, has_thunk ? ", returns by " : "",
		 has_thunk ? explanation->return_thunk : "");
	rsb_wrap_write(page->out, text, used, INDENT, page->columns);
	fputc('\n', page->out);
}

/* Nothing for a text that says nothing. */
static void write_note(const struct page *page, const char *label, const char *text)
{
	if (!*text)
		return;
	fputs(label, page->out);
	rsb_wrap_write(page->out, text, strlen(label), strlen(label), page->columns);
}

static void write_notes(const struct page *page, const struct rsb_explanation *explanation)
{
	char phrase[RSB_PHRASE_SIZE];

	rsb_shadow_phrase(explanation, phrase);
	write_note(page, "shadow stack: ", phrase);
	rsb_ibt_phrase(explanation, phrase);
	write_note(page, "ibt: ", phrase);
	rsb_accounting_phrase(&explanation->accounting, phrase);
	write_note(page, "note: ", phrase);
	for (size_t i = 0; i < explanation->note_count; i++)
		write_note(page, "note: ", explanation->notes[i]);
}

static bool write_explanation(const struct page *page, const struct rsb_explanation *explanation)
{
	write_heading(page, explanation);
	if (!explanation->count)
		fputs("Every return is predicted, and the return stack is balanced.\n\n",
		      page->out);
	for (size_t i = 0; i < explanation->count; i++)
		if (!write_finding(page, i + 1, &explanation->findings[i]))
			return false;
	write_notes(page, explanation);
	return true;
}

bool rsb_explanation_text(FILE *out, const struct rsb_explanation *const *explanations,
			  size_t count, const struct rsb_explanation_options *options,
			  struct rsb_error *error)
{
	const struct page page = {
		.out = out,
		.columns = options->columns ? options->columns : COLUMNS,
		.colour = options->colour,
		.all = options->all,
	};

	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc('\n', out);
		if (!write_explanation(&page, explanations[i]))
			return rsb_error_set(error, "out of memory");
	}
	return rsb_report_end(out, error);
}
