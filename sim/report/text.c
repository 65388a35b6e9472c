/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report to read: a block for each CPU or, where a few layouts are scored on many CPUs, for
 * each layout; then what is said of all of them, once.
 */
#include "sim/report/text.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/report/style.h"
#include "sim/report/wrap.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS 100
#define FEW     3 /* as many CPUs are read one by one */

static void write_heading(const struct rsb_text *text, const char *name, const char *line)
{
	fprintf(text->out, "%s%s%s: ", rsb_style_start(RSB_STYLE_BOLD, text->colour), name,
		rsb_style_end(RSB_STYLE_BOLD, text->colour));
	rsb_wrap_write(text->out, line, rsb_wrap_width(name) + 2, 2, text->columns);
}

static bool write_cpu(const struct rsb_text *text, struct rsb_range cpu)
{
	char line[512];

	snprintf(line, sizeof(line), "%s, profile %s", cpu.scores[0]->model, cpu.scores[0]->known);
	write_heading(text, cpu.scores[0]->cpu, line);
	return rsb_text_scores(text, cpu, RSB_TEXT_LAYOUTS) &&
	       rsb_text_totals(text, cpu, RSB_TEXT_LAYOUTS) &&
	       rsb_text_times(text, cpu, RSB_TEXT_LAYOUTS);
}

static bool write_cpus(const struct rsb_text *text, struct rsb_range all)
{
	for (struct rsb_range rest = all; rest.count;) {
		struct rsb_range cpu = { rest.scores,
					 rsb_report_same_cpu(rest.scores, rest.count) };

		if (!write_cpu(text, cpu) || !rsb_text_cpu_notes(text, all, cpu))
			return false;
		fputc('\n', text->out);
		rest.scores += cpu.count;
		rest.count -= cpu.count;
	}
	return rsb_text_notes(text, all);
}

/* "balance +1, calls 14, returns 13, instr 79": what a layout's rows have in common. */
static void describe_code(char *out, size_t size, const struct rsb_per_call *p)
{
	char balance[RSB_NUMBER_SIZE], own[RSB_NUMBER_SIZE], calls[RSB_NUMBER_SIZE];
	char returns[RSB_NUMBER_SIZE], instructions[RSB_NUMBER_SIZE];
	bool mitigated = p->balance_layout != p->balance;

	rsb_number_signed(balance, sizeof(balance), p->balance, 2);
	rsb_number_signed(own, sizeof(own), p->balance_layout, 2);
	rsb_number_brief(calls, sizeof(calls), p->calls, 2);
	rsb_number_brief(returns, sizeof(returns), p->returns, 2);
	rsb_number_brief(instructions, sizeof(instructions), p->instructions, 1);
	snprintf(out, size, "balance %s%s%s, calls %s, returns %s, instr %s", balance,
		 mitigated ? ", own balance " : "", mitigated ? own : "", calls, returns,
		 instructions);
}

static void write_layout_heading(const struct rsb_text *text, struct rsb_range layout)
{
	const struct rsb_score *score = layout.scores[0];
	char name[512], line[512] = "by the scenario";

	if (strcmp(score->return_thunk, "none") != 0)
		snprintf(name, sizeof(name), "%s, return thunk %s", score->layout,
			 score->return_thunk);
	else
		snprintf(name, sizeof(name), "%s", score->layout);
	if (rsb_text_same_code(layout))
		describe_code(line, sizeof(line), &score->per_call);
	write_heading(text, name, line);
}

static bool write_layout(const struct rsb_text *text, struct rsb_range layout)
{
	write_layout_heading(text, layout);
	return rsb_text_scores(text, layout, RSB_TEXT_CPUS) &&
	       rsb_text_totals(text, layout, RSB_TEXT_CPUS) &&
	       rsb_text_times(text, layout, RSB_TEXT_CPUS);
}

static bool is_same_layout(const struct rsb_score *a, const struct rsb_score *b)
{
	return !strcmp(a->layout, b->layout) && !strcmp(a->return_thunk, b->return_thunk);
}

/*
 * A score with the places at which its layout, in any form and in this one, and its scenario are
 * seen first.
 */
struct placed {
	const struct rsb_score *score;
	size_t layout, form, scenario, at;
};

static int compare_placed(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->layout != b->layout)
		return a->layout < b->layout ? -1 : 1;
	if (a->form != b->form)
		return a->form < b->form ? -1 : 1;
	if (a->scenario != b->scenario)
		return a->scenario < b->scenario ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

static struct placed place(struct rsb_range all, size_t at)
{
	const struct rsb_score *score = all.scores[at];
	struct placed placed = { score, 0, 0, 0, at };

	while (strcmp(all.scores[placed.layout]->layout, score->layout) != 0)
		placed.layout++;
	while (!is_same_layout(all.scores[placed.form], score))
		placed.form++;
	while (!rsb_scenario_same(&all.scores[placed.scenario]->scenario, &score->scenario))
		placed.scenario++;
	return placed;
}

/* The same scores by layout and scenario, to be freed. NULL: no memory. */
static const struct rsb_score **sort_by_layout(struct rsb_range all)
{
	struct placed *placed = calloc(all.count, sizeof(*placed));
	const struct rsb_score **sorted = calloc(all.count, sizeof(*sorted));

	for (size_t i = 0; placed && i < all.count; i++)
		placed[i] = place(all, i);
	if (placed)
		qsort(placed, all.count, sizeof(*placed), compare_placed);
	for (size_t i = 0; placed && sorted && i < all.count; i++)
		sorted[i] = placed[i].score;
	if (!placed) {
		free(sorted);
		sorted = NULL;
	}
	free(placed);
	return sorted;
}

static bool write_layouts(const struct rsb_text *text, struct rsb_range all)
{
	const struct rsb_score **sorted = sort_by_layout(all);
	struct rsb_range rest = { sorted, all.count };
	bool good = sorted != NULL;

	while (good && rest.count) {
		struct rsb_range layout = { rest.scores, 0 };

		while (layout.count < rest.count &&
		       is_same_layout(rest.scores[layout.count], rest.scores[0]))
			layout.count++;
		good = write_layout(text, layout);
		fputc('\n', text->out);
		rest.scores += layout.count;
		rest.count -= layout.count;
	}
	free(sorted);
	return good && rsb_text_many_notes(text, all);
}

/* Many CPUs, more than layouts: what differs is then read down a column. */
static bool has_many_cpus(struct rsb_range all)
{
	size_t cpus = 0, layouts = 0;

	for (size_t i = 0; i < all.count; i++) {
		cpus += !i || strcmp(all.scores[i]->cpu, all.scores[i - 1]->cpu) != 0;
		layouts += place(all, i).form == i;
	}
	return cpus > FEW && cpus > layouts;
}

bool rsb_report_text(FILE *out, const struct rsb_score *const *scores, size_t count,
		     const struct rsb_report_options *options, struct rsb_error *error)
{
	const struct rsb_text text = { out, options->columns ? options->columns : COLUMNS,
				       options->colour };
	const struct rsb_range all = { scores, count };
	bool good = has_many_cpus(all) ? write_layouts(&text, all) : write_cpus(&text, all);

	return good ? rsb_report_end(out, error) : rsb_error_set(error, "out of memory");
}
