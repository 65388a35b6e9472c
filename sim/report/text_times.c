/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of scores, term by term, as tables to read. */
#include "sim/report/text.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/report/table.h"

#include <math.h>
#include <string.h>

static bool is_below(const struct rsb_interval *a, const struct rsb_interval *b)
{
	return a->high < b->low;
}

/*
 * "1", "2=": one more than those that are faster whatever the truth in their intervals is; with a
 * mark if it cannot be told from another.
 */
static void describe_place(char *out, size_t size, struct rsb_range range, size_t at)
{
	const struct rsb_interval *own = &range.scores[at]->time.ns;
	size_t place = 1;
	bool tied = false;

	for (size_t i = 0; i < range.count; i++) {
		const struct rsb_interval *other = &range.scores[i]->time.ns;

		if (i == at || isnan(other->low))
			continue;
		place += is_below(other, own);
		tied |= !is_below(other, own) && !is_below(own, other);
	}
	if (isnan(own->low))
		snprintf(out, size, "?");
	else
		snprintf(out, size, "%zu%s", place, tied ? "=" : "");
}

/* Are the bases of these not all of one kind? */
static bool is_mixed(struct rsb_range range)
{
	for (size_t i = 1; i < range.count; i++)
		if (range.scores[i]->time.base != range.scores[0]->time.base)
			return true;
	return false;
}

static void add_interval(struct rsb_table *table, struct rsb_interval value, double unit)
{
	char text[2 * RSB_NUMBER_SIZE];

	rsb_report_interval(text, sizeof(text), value.low / unit, value.high / unit);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", text);
}

/* "1.08 x 14-20": how many, and what each costs. */
static void add_term(struct rsb_table *table, const struct rsb_time_term *term)
{
	char count[RSB_NUMBER_SIZE], each[2 * RSB_NUMBER_SIZE];

	rsb_number_brief(count, sizeof(count), term->count, 2);
	rsb_report_interval(each, sizeof(each), term->each.low, term->each.high);
	if (!term->count || isnan(term->count))
		rsb_table_cell(table, RSB_STYLE_PLAIN, "0");
	else
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s x %s", count, each);
}

/* A term that no score of the table counts has no column. */
static bool is_counted(struct rsb_range range, size_t term)
{
	for (size_t i = 0; i < range.count; i++)
		if (range.scores[i]->time.terms[term].count > 0)
			return true;
	return false;
}

static void add_columns(struct rsb_table *table, struct rsb_range range)
{
	rsb_table_column(table, "base", RSB_TABLE_NUMBER, 2);
	if (is_mixed(range))
		rsb_table_column(table, "", RSB_TABLE_WORDS, 1);
	for (size_t i = 1; i < RSB_TIME_TERMS; i++)
		if (is_counted(range, i))
			rsb_table_column(table, range.scores[0]->time.terms[i].name,
					 RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "cycles", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "ns", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "M calls/s", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "place", RSB_TABLE_NUMBER, 2);
}

static void add_cells(struct rsb_table *table, struct rsb_range range, size_t at)
{
	const struct rsb_time *time = &range.scores[at]->time;
	char place[32];

	add_interval(table, time->terms[0].cycles, 1);
	if (is_mixed(range))
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rsb_time_base_name(time->base));
	for (size_t i = 1; i < RSB_TIME_TERMS; i++)
		if (is_counted(range, i))
			add_term(table, &time->terms[i]);
	add_interval(table, time->cycles, 1);
	add_interval(table, time->ns, 1);
	add_interval(table, time->calls_per_second, 1e6);
	describe_place(place, sizeof(place), range, at);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", place);
}

static bool write_table(const struct rsb_text *text, struct rsb_range scenario,
			enum rsb_text_rows rows)
{
	bool thunk = rows == RSB_TEXT_LAYOUTS && rsb_text_shown(scenario).return_thunk;
	struct rsb_table *table = rsb_table_new();
	bool written;

	if (!table)
		return false;
	rsb_text_row_columns(table, rows, thunk);
	add_columns(table, scenario);
	for (size_t i = 0; i < scenario.count; i++) {
		rsb_text_row_cells(table, rows, thunk, scenario.scores[i]);
		add_cells(table, scenario, i);
	}
	written = rsb_table_write(table, text->out, text->columns, text->colour);
	rsb_table_free(table);
	return written;
}

static void write_heading(const struct rsb_text *text, struct rsb_range range,
			  enum rsb_text_rows rows)
{
	const struct rsb_score *score = range.scores[0];
	char clock[2 * RSB_NUMBER_SIZE];

	rsb_report_interval(clock, sizeof(clock), score->time.clock.low, score->time.clock.high);
	fprintf(text->out, "\ntime of a call in cycles, %s", score->scenario.name);
	if (rows == RSB_TEXT_LAYOUTS && !is_mixed(range))
		fprintf(text->out, ", base %s", rsb_time_base_name(score->time.base));
	if (rows == RSB_TEXT_LAYOUTS)
		fprintf(text->out, ", %s GHz", clock);
	fputc('\n', text->out);
}

bool rsb_text_times(const struct rsb_text *text, struct rsb_range range, enum rsb_text_rows rows)
{
	while (range.count) {
		struct rsb_range scenario = rsb_text_same_scenario(range);

		if (range.scores[0]->timed) {
			write_heading(text, scenario, rows);
			if (!write_table(text, scenario, rows))
				return false;
		}
		range.scores += scenario.count;
		range.count -= scenario.count;
	}
	return true;
}
