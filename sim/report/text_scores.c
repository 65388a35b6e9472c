/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of a report to read: those of a CPU have a row for each layout, those of a layout a
 * row for each CPU. Two scenarios stand side by side where they have the same rows and there is
 * room.
 */
#include "sim/report/text.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/report/table.h"

#include <string.h>

/* The score of the same code on the same CPU. */
static const struct rsb_score *find_same(struct rsb_range range, const struct rsb_score *like)
{
	for (size_t i = 0; i < range.count; i++)
		if (!strcmp(range.scores[i]->layout, like->layout) &&
		    !strcmp(range.scores[i]->cpu, like->cpu) &&
		    !strcmp(range.scores[i]->return_thunk, like->return_thunk))
			return range.scores[i];
	return NULL;
}

/* Is what belongs to the code the same in both? */
static bool agree(const struct rsb_score *a, const struct rsb_score *b)
{
	const struct rsb_per_call *x = &a->per_call, *y = &b->per_call;

	return x->balance == y->balance && x->balance_layout == y->balance_layout &&
	       x->calls == y->calls && x->returns == y->returns &&
	       x->instructions == y->instructions && x->cr3_writes == y->cr3_writes &&
	       x->tlb_flushes == y->tlb_flushes;
}

/* Can these stand side by side: the same rows, alike in what a row says once? */
static bool can_pair(struct rsb_range a, struct rsb_range b)
{
	if (a.count != b.count)
		return false;
	for (size_t i = 0; i < a.count; i++) {
		const struct rsb_score *other = find_same(b, a.scores[i]);

		if (!other || !agree(a.scores[i], other))
			return false;
	}
	return true;
}

bool rsb_text_same_code(struct rsb_range range)
{
	for (size_t i = 1; i < range.count; i++)
		if (!agree(range.scores[i], range.scores[0]))
			return false;
	return true;
}

void rsb_text_row_columns(struct rsb_table *table, enum rsb_text_rows rows, bool thunk)
{
	if (rows == RSB_TEXT_LAYOUTS) {
		rsb_table_column(table, "layout", RSB_TABLE_WORDS, 0);
	} else {
		rsb_table_column(table, "cpu", RSB_TABLE_WORDS, 0);
		rsb_table_column(table, "model", RSB_TABLE_WORDS, 1);
		rsb_table_column(table, "profile", RSB_TABLE_WORDS, 1);
	}
	if (thunk)
		rsb_table_column(table, "thunk", RSB_TABLE_WORDS, 1);
	rsb_table_keys(table);
}

/* The profile in a word: notes name the fields that make it so. */
void rsb_text_row_cells(struct rsb_table *table, enum rsb_text_rows rows, bool thunk,
			const struct rsb_score *score)
{
	if (rows == RSB_TEXT_LAYOUTS) {
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", score->layout);
	} else {
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", score->cpu);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", score->model);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%.*s", (int)strcspn(score->known, " "),
			       score->known);
	}
	if (thunk)
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", score->return_thunk);
}

static void add_code_columns(struct rsb_table *table, struct rsb_shown shown)
{
	rsb_table_column(table, "balance", RSB_TABLE_NUMBER, 2);
	if (shown.balance_layout)
		rsb_table_column(table, "own balance", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "calls", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "returns", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "instr", RSB_TABLE_NUMBER, 1);
	if (shown.cr3)
		rsb_table_column(table, "CR3", RSB_TABLE_NUMBER, 1);
	if (shown.flushes)
		rsb_table_column(table, "flushes", RSB_TABLE_NUMBER, 1);
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
	if (shown.flushes)
		rsb_table_column(table, "pages", RSB_TABLE_NUMBER, 1);
	if (shown.cr3_cycles)
		rsb_table_column(table, "CR3 cycles", RSB_TABLE_NUMBER, 1);
	if (shown.time) {
		rsb_table_column(table, "ns", RSB_TABLE_NUMBER, 1);
		rsb_table_column(table, "M calls/s", RSB_TABLE_NUMBER, 1);
	}
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

static void add_interval(struct rsb_table *table, double low, double high)
{
	char text[2 * RSB_NUMBER_SIZE];

	rsb_report_interval(text, sizeof(text), low, high);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", text);
}

static void add_scenario_cells(struct rsb_table *table, struct rsb_shown shown,
			       const struct rsb_score *score)
{
	const struct rsb_per_call *p = &score->per_call;
	const struct rsb_time *time = &score->time;

	add_misses(table, p->misses_inside, p->intended_inside);
	add_misses(table, p->misses_callers, p->intended_callers);
	if (shown.indirect)
		add_misses(table, p->misses_indirect, 0);
	add_interval(table, p->lost_cycles_low, p->lost_cycles_high);
	if (shown.flushes)
		add_number(table, p->pages_after_flush, 1);
	if (shown.cr3_cycles)
		add_interval(table, p->cr3_cycles_low, p->cr3_cycles_high);
	if (shown.time) {
		add_interval(table, time->ns.low, time->ns.high);
		add_interval(table, time->calls_per_second.low / 1e6,
			     time->calls_per_second.high / 1e6);
	}
}

static void add_code_cells(struct rsb_table *table, struct rsb_shown shown,
			   const struct rsb_per_call *p)
{
	add_balance(table, p->balance);
	if (shown.balance_layout)
		add_balance(table, p->balance_layout);
	add_number(table, p->calls, 2);
	add_number(table, p->returns, 2);
	add_number(table, p->instructions, 1);
	if (shown.cr3)
		add_number(table, p->cr3_writes, 1);
	if (shown.flushes)
		add_number(table, p->tlb_flushes, 1);
}

static struct rsb_table *make_table(enum rsb_text_rows rows, struct rsb_range first,
				    struct rsb_range second)
{
	struct rsb_shown shown = rsb_text_shown(first), also = rsb_text_shown(second);
	bool code = rows == RSB_TEXT_LAYOUTS || !rsb_text_same_code(first);
	struct rsb_table *table = rsb_table_new();

	if (!table)
		return NULL;
	shown.indirect |= also.indirect;
	shown.cr3_cycles |= also.cr3_cycles;
	shown.return_thunk &= rows == RSB_TEXT_LAYOUTS; /* else it stands above the table */
	rsb_text_row_columns(table, rows, shown.return_thunk);
	if (code)
		add_code_columns(table, shown);
	add_scenario_columns(table, shown, &first.scores[0]->scenario);
	if (second.count)
		add_scenario_columns(table, shown, &second.scores[0]->scenario);
	for (size_t i = 0; i < first.count; i++) {
		const struct rsb_score *score = first.scores[i];

		rsb_text_row_cells(table, rows, shown.return_thunk, score);
		if (code)
			add_code_cells(table, shown, &score->per_call);
		add_scenario_cells(table, shown, score);
		if (second.count)
			add_scenario_cells(table, shown, find_same(second, score));
	}
	return table;
}

struct rsb_range rsb_text_same_scenario(struct rsb_range range)
{
	struct rsb_range same = { range.scores, 0 };

	while (same.count < range.count &&
	       rsb_scenario_same(&range.scores[same.count]->scenario, &range.scores[0]->scenario))
		same.count++;
	return same;
}

/*
 * Writes the next table: the scenario at the start of rest, and the one after it too if both go
 * together and fit, or have to be written in parts anyhow. Returns how many scores are in it; 0: no
 * memory.
 */
static size_t write_table(const struct rsb_text *text, struct rsb_range rest,
			  enum rsb_text_rows rows)
{
	struct rsb_range first = rsb_text_same_scenario(rest), second, none = { NULL, 0 };
	struct rsb_table *table, *alone;
	size_t done;

	second.scores = rest.scores + first.count;
	second.count = rest.count - first.count;
	second = second.count ? rsb_text_same_scenario(second) : none;
	if (!can_pair(first, second))
		second = none;
	table = make_table(rows, first, second);
	if (table && second.count && rsb_table_width(table) > text->columns) {
		alone = make_table(rows, first, none);
		if (!alone || rsb_table_is_whole(alone, text->columns)) {
			second = none;
			rsb_table_free(table);
			table = alone;
		} else {
			rsb_table_free(alone);
		}
	}
	done = first.count + second.count;
	if (!table || !rsb_table_write(table, text->out, text->columns, text->colour))
		done = 0;
	rsb_table_free(table);
	return done;
}

bool rsb_text_scores(const struct rsb_text *text, struct rsb_range range, enum rsb_text_rows rows)
{
	while (range.count) {
		size_t done;

		fputc('\n', text->out);
		done = write_table(text, range, rows);
		if (!done)
			return false;
		range.scores += done;
		range.count -= done;
	}
	return true;
}
