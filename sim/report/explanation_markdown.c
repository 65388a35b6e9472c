/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations for a review. */
#include "sim/report/finding.h"

#include "sim/report/formats.h"
#include "sim/report/markup.h"
#include "sim/report/verdict.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static void write_sentence(FILE *out, const char *label, const char *text)
{
	fputs(label, out);
	if (*label) {
		rsb_markdown_prose(out, text);
	} else {
		fputc(toupper((unsigned char)*text), out);
		rsb_markdown_prose(out, text + 1);
	}
	fputs(".\n", out);
}

static void write_around(FILE *out, const struct rsb_finding *finding)
{
	fputs("\n```asm\n", out);
	for (size_t i = 0; i < finding->around_count; i++) {
		const struct rsb_instruction *line = &finding->around[i];

		fprintf(out, "%s %s: %s\n", line->pc == finding->culprit.pc ? ">" : " ",
			line->symbol, line->text);
	}
	fputs("```\n\n", out);
}

static void write_cell(FILE *out, const char *text)
{
	fputc(' ', out);
	rsb_markdown_cell(out, text ? text : "-");
	fputs(" |", out);
}

static void write_misses(FILE *out, const struct rsb_finding *finding)
{
	fputs("\n| return | predicted | pushed by | went to | cause | cold | steady |\n"
	      "|:--|:--|:--|:--|:--|--:|--:|\n",
	      out);
	for (size_t i = 0; i < finding->miss_count; i++) {
		const struct rsb_explained_miss *miss = &finding->misses[i];

		fputc('|', out);
		write_cell(out, miss->returned_by.symbol);
		write_cell(out, miss->predicted.symbol);
		write_cell(out, miss->pushed_by.symbol);
		write_cell(out, miss->actual.symbol);
		write_cell(out, rsb_cause_name(miss->cause));
		fprintf(out, " %" PRIu64 " | %" PRIu64 " |\n", miss->cold, miss->steady);
	}
}

/* What was predicted, why that was wrong, what follows, and the way out. */
static void write_chain(FILE *out, const struct rsb_finding *finding)
{
	char phrase[RSB_PHRASE_SIZE];

	if (finding->miss_count) {
		rsb_finding_first(finding, phrase);
		write_sentence(out, "", phrase);
	}
	write_sentence(out, "Why: ", finding->story);
	if (finding->around_count)
		write_around(out, finding);
	rsb_finding_rest(finding, phrase);
	if (*phrase)
		write_sentence(out, "", phrase);
	if (*finding->advice)
		write_sentence(out, "Way out: ", finding->advice);
}

static void write_finding(FILE *out, const struct rsb_finding *finding, bool all)
{
	char phrase[RSB_PHRASE_SIZE];

	rsb_finding_cost(finding, phrase);
	fprintf(out, "**%s**: ", rsb_cause_name(finding->cause));
	write_sentence(out, "", phrase);
	if (finding->cause == RSB_CAUSE_INTENDED)
		write_sentence(out, "Why: ", finding->story);
	else
		write_chain(out, finding);
	if (all && finding->miss_count)
		write_misses(out, finding);
	fputc('\n', out);
}

static void write_explanation(FILE *out, const struct rsb_explanation *explanation, bool all)
{
	const struct rsb_scenario *scenario = &explanation->scenario;
	bool has_thunk = strcmp(explanation->return_thunk, "none") != 0;
	char phrase[RSB_PHRASE_SIZE];

	fputs("### ", out);
	rsb_markdown_prose(out, explanation->layout);
	fputs(" on ", out);
	rsb_markdown_prose(out, explanation->cpu);
	fprintf(out, "\n\n%s, %s: depth %u, batch %u%s%s.\n\n", explanation->model, scenario->name,
		scenario->depth, scenario->batch, has_thunk ? ", returns by " : "",
		has_thunk ? explanation->return_thunk : "");
	if (!explanation->count)
		fputs("Every return is predicted, and the return stack is balanced.\n\n", out);
	for (size_t i = 0; i < explanation->count; i++)
		write_finding(out, &explanation->findings[i], all);
	rsb_shadow_phrase(explanation, phrase);
	if (*phrase)
		write_sentence(out, "- Shadow stack: ", phrase);
	rsb_ibt_phrase(explanation, phrase);
	if (*phrase)
		write_sentence(out, "- IBT: ", phrase);
	rsb_accounting_phrase(&explanation->accounting, phrase);
	if (*phrase)
		write_sentence(out, "- ", phrase);
	for (size_t i = 0; i < explanation->note_count; i++)
		write_sentence(out, "- ", explanation->notes[i]);
}

bool rsb_explanation_markdown(FILE *out, const struct rsb_explanation *const *explanations,
			      size_t count, const struct rsb_explanation_options *options,
			      struct rsb_error *error)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc('\n', out);
		write_explanation(out, explanations[i], options->all);
	}
	return rsb_report_end(out, error);
}
