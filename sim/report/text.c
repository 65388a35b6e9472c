/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report to read: a table for each CPU, a row for each layout, two scenarios side by side where
 * they have the same layouts and there is room; then what is said of all of them, once.
 */
#include "sim/report/text.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/report/table.h"
#include "sim/report/wrap.h"

#include <inttypes.h>
#include <string.h>

#define COLUMNS 100

/* The score of the same code. */
static const struct rsb_score *find_layout(struct rsb_range range, const struct rsb_score *like)
{
	for (size_t i = 0; i < range.count; i++)
		if (!strcmp(range.scores[i]->layout, like->layout) &&
		    !strcmp(range.scores[i]->return_thunk, like->return_thunk))
			return range.scores[i];
	return NULL;
}

/* Is what does not belong to a scenario the same in both? */
static bool agree(const struct rsb_score *a, const struct rsb_score *b)
{
	const struct rsb_per_call *x = &a->per_call, *y = &b->per_call;

	return x->balance == y->balance && x->balance_layout == y->balance_layout &&
	       x->calls == y->calls && x->returns == y->returns &&
	       x->instructions == y->instructions;
}

/* Can these stand side by side: the same layouts, alike in what a row says once? */
static bool can_pair(struct rsb_range a, struct rsb_range b)
{
	if (a.count != b.count)
		return false;
	for (size_t i = 0; i < a.count; i++) {
		const struct rsb_score *other = find_layout(b, a.scores[i]);

		if (!other || !agree(a.scores[i], other))
			return false;
	}
	return true;
}

static void add_columns(struct rsb_table *table, struct rsb_shown shown)
{
	rsb_table_column(table, "layout", RSB_TABLE_WORDS, 0);
	if (shown.return_thunk)
		rsb_table_column(table, "returns by", RSB_TABLE_WORDS, 1);
	rsb_table_column(table, "balance", RSB_TABLE_NUMBER, 2);
	if (shown.balance_layout)
		rsb_table_column(table, "of layout", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "calls", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "returns", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "instr", RSB_TABLE_NUMBER, 1);
}

static void add_scenario_columns(struct rsb_table *table, struct rsb_shown shown,
				 const struct rsb_scenario *scenario)
{
	char detail[64];

	snprintf(detail, sizeof(detail), "depth %u, batch %u", scenario->depth, scenario->batch);
	rsb_table_group(table, scenario->name, detail);
	rsb_table_column(table, "inside", RSB_TABLE_NUMBER, 3);
	rsb_table_column(table, "callers", RSB_TABLE_NUMBER, 1);
	if (shown.indirect)
		rsb_table_column(table, "indirect", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "cycles", RSB_TABLE_NUMBER, 1);
}

static void add_number(struct rsb_table *table, double value, int decimals)
{
	char text[RSB_NUMBER_SIZE];

	rsb_number_brief(text, sizeof(text), value, decimals);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", text);
}

static void add_balance(struct rsb_table *table, double value)
{
	char text[RSB_NUMBER_SIZE];

	rsb_number_signed(text, sizeof(text), value, 2);
	rsb_table_cell(table, value ? RSB_STYLE_BAD : RSB_STYLE_PLAIN, "%s", text);
}

/* "13 (13)": misses, and how many of them a mitigation wants. */
static void add_misses(struct rsb_table *table, double misses, double intended)
{
	char text[RSB_NUMBER_SIZE], wanted[RSB_NUMBER_SIZE];
	enum rsb_style style = misses > intended ? RSB_STYLE_BAD : RSB_STYLE_PLAIN;

	rsb_number_brief(text, sizeof(text), misses, 3);
	rsb_number_brief(wanted, sizeof(wanted), intended, 3);
	if (intended > 0)
		rsb_table_cell(table, style, "%s (%s)", text, wanted);
	else
		rsb_table_cell(table, style, "%s", text);
}

static void add_scenario_cells(struct rsb_table *table, struct rsb_shown shown,
			       const struct rsb_per_call *p)
{
	char cycles[2 * RSB_NUMBER_SIZE];

	add_misses(table, p->misses_inside, p->intended_inside);
	add_misses(table, p->misses_callers, p->intended_callers);
	if (shown.indirect)
		add_misses(table, p->misses_indirect, 0);
	rsb_report_interval(cycles, sizeof(cycles), p->lost_cycles_low, p->lost_cycles_high);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", cycles);
}

static void add_thunk(struct rsb_table *table, const struct rsb_score *score)
{
	bool plain = !strcmp(score->return_thunk, "none");

	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", plain ? "ret" : score->return_thunk);
}

static void add_row(struct rsb_table *table, struct rsb_shown shown, const struct rsb_score *score,
		    const struct rsb_score *second)
{
	const struct rsb_per_call *p = &score->per_call;

	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", score->layout);
	if (shown.return_thunk)
		add_thunk(table, score);
	add_balance(table, p->balance);
	if (shown.balance_layout)
		add_balance(table, p->balance_layout);
	add_number(table, p->calls, 2);
	add_number(table, p->returns, 2);
	add_number(table, p->instructions, 1);
	add_scenario_cells(table, shown, p);
	if (second)
		add_scenario_cells(table, shown, &second->per_call);
}

static struct rsb_table *make_table(struct rsb_range first, struct rsb_range second)
{
	struct rsb_shown shown = rsb_text_shown(first), also = rsb_text_shown(second);
	struct rsb_table *table = rsb_table_new();

	if (!table)
		return NULL;
	shown.intended |= also.intended;
	shown.indirect |= also.indirect;
	add_columns(table, shown);
	add_scenario_columns(table, shown, &first.scores[0]->scenario);
	if (second.count)
		add_scenario_columns(table, shown, &second.scores[0]->scenario);
	for (size_t i = 0; i < first.count; i++)
		add_row(table, shown, first.scores[i], find_layout(second, first.scores[i]));
	return table;
}

static bool has_intended(struct rsb_range range)
{
	for (size_t i = 0; i < range.count; i++)
		if (range.scores[i]->totals.intended_inside ||
		    range.scores[i]->totals.intended_callers)
			return true;
	return false;
}

static bool write_totals_table(const struct rsb_text *text, struct rsb_range scenario)
{
	struct rsb_table *table = rsb_table_new();
	bool intended = has_intended(scenario), written;
	bool thunk = rsb_text_shown(scenario).return_thunk;
	size_t columns = 0;

	if (!table)
		return false;
	rsb_table_column(table, "layout", RSB_TABLE_WORDS, 0);
	if (thunk)
		rsb_table_column(table, "returns by", RSB_TABLE_WORDS, 1);
	for (; rsb_totals()[columns].key; columns++) {
		if (!intended && !strncmp(rsb_totals()[columns].key, "intended", 8))
			break;
		rsb_table_column(table, rsb_totals()[columns].heading, RSB_TABLE_NUMBER, 1);
	}
	for (size_t i = 0; i < scenario.count; i++) {
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", scenario.scores[i]->layout);
		if (thunk)
			add_thunk(table, scenario.scores[i]);
		for (size_t k = 0; k < columns; k++)
			rsb_table_cell(table, RSB_STYLE_PLAIN, "%" PRIu64,
				       rsb_total_value(scenario.scores[i], &rsb_totals()[k]));
	}
	written = rsb_table_write(table, text->out, text->columns, text->colour);
	rsb_table_free(table);
	return written;
}

/* The exact totals, where they were asked for: a table for each scenario, the numbers are long. */
static bool write_totals(const struct rsb_text *text, struct rsb_range cpu)
{
	for (size_t at = 0; at < cpu.count;) {
		const struct rsb_score *first = cpu.scores[at];
		struct rsb_range scenario = { cpu.scores + at, 0 };

		scenario.count = rsb_report_same_scenario(scenario.scores, cpu.count - at);
		at += scenario.count;
		if (!first->totals.rounds)
			continue;
		fprintf(text->out, "\ntotals over %" PRIu64 " rounds, %s\n", first->totals.rounds,
			first->scenario.name);
		if (!write_totals_table(text, scenario))
			return false;
	}
	return true;
}

static void write_heading(const struct rsb_text *text, const struct rsb_score *score)
{
	char line[512];

	snprintf(line, sizeof(line), "%s, profile %s", score->model, score->known);
	fprintf(text->out, "%s%s%s: ", rsb_style_start(RSB_STYLE_BOLD, text->colour), score->cpu,
		rsb_style_end(RSB_STYLE_BOLD, text->colour));
	rsb_wrap_write(text->out, line, strlen(score->cpu) + 2, 2, text->columns);
}

/*
 * Writes the next table: the scenario at the start of rest, and the one after it too if both go
 * together and fit. Returns how many scores are in it; 0: no memory.
 */
static size_t write_table(const struct rsb_text *text, struct rsb_range rest)
{
	struct rsb_range first = { rest.scores, 0 }, second, none = { NULL, 0 };
	struct rsb_table *table;
	size_t done;

	first.count = rsb_report_same_scenario(rest.scores, rest.count);
	second.scores = rest.scores + first.count;
	second.count = rsb_report_same_scenario(second.scores, rest.count - first.count);
	if (!second.count || !can_pair(first, second))
		second = none;
	table = make_table(first, second);
	if (table && second.count && rsb_table_width(table) > text->columns) {
		second = none;
		rsb_table_free(table);
		table = make_table(first, none);
	}
	done = first.count + second.count;
	if (!table || !rsb_table_write(table, text->out, text->columns, text->colour))
		done = 0;
	rsb_table_free(table);
	return done;
}

static bool write_cpu(const struct rsb_text *text, struct rsb_range cpu)
{
	struct rsb_range rest = cpu;

	write_heading(text, cpu.scores[0]);
	while (rest.count) {
		size_t done;

		fputc('\n', text->out);
		done = write_table(text, rest);
		if (!done)
			return false;
		rest.scores += done;
		rest.count -= done;
	}
	return write_totals(text, cpu);
}

bool rsb_report_text(FILE *out, const struct rsb_score *const *scores, size_t count,
		     const struct rsb_report_options *options, struct rsb_error *error)
{
	const struct rsb_text text = { out, options->columns ? options->columns : COLUMNS,
				       options->colour };
	const struct rsb_range all = { scores, count };

	for (size_t at = 0; at < count;) {
		struct rsb_range cpu = { scores + at,
					 rsb_report_same_cpu(scores + at, count - at) };

		if (!write_cpu(&text, cpu) || !rsb_text_cpu_notes(&text, all, cpu))
			return rsb_error_set(error, "out of memory");
		fputc('\n', out);
		at += cpu.count;
	}
	if (!rsb_text_notes(&text, all))
		return rsb_error_set(error, "out of memory");
	return rsb_report_end(out, error);
}
