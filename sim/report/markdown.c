/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for a cover letter or a review: a pipe table for each CPU, then the notes. */
#include "sim/report/formats.h"

#include "sim/report/markup.h"
#include "sim/report/number.h"
#include "sim/report/remarks.h"
#include "sim/report/text.h"

#include <stdlib.h>
#include <string.h>

static void write_number(FILE *out, double value, double intended, bool with_sign)
{
	char text[RSB_NUMBER_SIZE];

	if (with_sign)
		rsb_number_signed(text, sizeof(text), value, 3);
	else
		rsb_number_brief(text, sizeof(text), value, 3);
	fprintf(out, " %s", text);
	if (intended > 0) {
		rsb_number_brief(text, sizeof(text), intended, 3);
		fprintf(out, " (%s)", text);
	}
	fputs(" |", out);
}

static void write_cr3(FILE *out, const struct rsb_per_call *p, struct rsb_shown shown)
{
	char cycles[2 * RSB_NUMBER_SIZE];

	if (!shown.cr3)
		return;
	write_number(out, p->cr3_writes, 0, false);
	write_number(out, p->tlb_flushes, 0, false);
	write_number(out, p->pages_after_flush, 0, false);
	rsb_report_interval(cycles, sizeof(cycles), p->cr3_cycles_low, p->cr3_cycles_high);
	fprintf(out, " %s |", cycles);
}

static void write_row(FILE *out, const struct rsb_score *score, struct rsb_shown shown)
{
	const struct rsb_per_call *p = &score->per_call;
	char cycles[2 * RSB_NUMBER_SIZE];

	fputs("| ", out);
	rsb_markdown_text(out, score->layout);
	if (strcmp(score->return_thunk, "none") != 0) {
		fputs(", ", out);
		rsb_markdown_text(out, score->return_thunk);
	}
	fputs(" | ", out);
	rsb_markdown_text(out, score->scenario.name);
	fprintf(out, " %u/%u |", score->scenario.depth, score->scenario.batch);
	write_number(out, p->balance, 0, true);
	write_number(out, p->balance_layout, 0, true);
	write_number(out, p->calls, 0, false);
	write_number(out, p->returns, 0, false);
	write_number(out, p->instructions, 0, false);
	write_number(out, p->misses_inside, p->intended_inside, false);
	write_number(out, p->misses_callers, p->intended_callers, false);
	write_number(out, p->misses_indirect, 0, false);
	rsb_report_interval(cycles, sizeof(cycles), p->lost_cycles_low, p->lost_cycles_high);
	fprintf(out, " %s |", cycles);
	write_cr3(out, p, shown);
	fprintf(out, " %s |\n", rsb_steady_name(score->steady));
}

static void write_cpu(FILE *out, const struct rsb_score *const *scores, size_t count)
{
	struct rsb_shown shown = rsb_text_shown((struct rsb_range){ scores, count });

	fputs("**", out);
	rsb_markdown_text(out, scores[0]->cpu);
	fputs("**: ", out);
	rsb_markdown_text(out, scores[0]->model);
	fputs(", profile ", out);
	rsb_markdown_text(out, scores[0]->known);
	fprintf(out,
		"\n\n| layout | scenario (depth/batch) | balance | own balance | calls | returns | "
		"instructions | misses inside | in callers | indirect | lost cycles |%s steady |\n"
		"|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|%s:--|\n",
		shown.cr3 ? " CR3 writes | flushes | pages | CR3 cycles |" : "",
		shown.cr3 ? "--:|--:|--:|--:|" : "");
	for (size_t i = 0; i < count; i++)
		write_row(out, scores[i], shown);
	fputc('\n', out);
}

static bool write_notes(FILE *out, const struct rsb_remarks *remarks)
{
	for (size_t i = 0; i < rsb_remarks_count(remarks); i++) {
		char *about = rsb_remarks_about(remarks, i);

		if (!about)
			return false;
		fputs("- ", out);
		rsb_markdown_text(out, rsb_remarks_text(remarks, i));
		if (*about) {
			fputs(" (", out);
			rsb_markdown_text(out, about);
			fputc(')', out);
		}
		fputc('\n', out);
		free(about);
	}
	return true;
}

bool rsb_report_markdown(FILE *out, const struct rsb_score *const *scores, size_t count,
			 const struct rsb_report_options *options, struct rsb_error *error)
{
	struct rsb_remarks *remarks = rsb_remarks_new(scores, count);
	bool written;

	(void)options;
	for (size_t at = 0; at < count;) {
		size_t same = rsb_report_same_cpu(scores + at, count - at);

		write_cpu(out, scores + at, same);
		at += same;
	}
	written = remarks && rsb_remarks_add_plain_notes(remarks) && write_notes(out, remarks);
	rsb_remarks_free(remarks);
	if (!written)
		return rsb_error_set(error, "out of memory");
	return rsb_report_end(out, error);
}
