/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exact totals of scores, as tables to read. */
#include "sim/report/text.h"

#include "sim/report/formats.h"
#include "sim/report/table.h"

#include <inttypes.h>
#include <string.h>

static bool has_intended(struct rsb_range range)
{
	for (size_t i = 0; i < range.count; i++)
		if (range.scores[i]->totals.intended_inside ||
		    range.scores[i]->totals.intended_callers)
			return true;
	return false;
}

static bool write_table(const struct rsb_text *text, struct rsb_range scenario,
			enum rsb_text_rows rows)
{
	struct rsb_table *table = rsb_table_new();
	bool intended = has_intended(scenario), written;
	bool thunk = rows == RSB_TEXT_LAYOUTS && rsb_text_shown(scenario).return_thunk;
	size_t columns = 0;

	if (!table)
		return false;
	rsb_text_row_columns(table, rows, thunk);
	for (; rsb_totals()[columns].key; columns++) {
		if (!intended && !strncmp(rsb_totals()[columns].key, "intended", 8))
			break;
		rsb_table_column(table, rsb_totals()[columns].heading, RSB_TABLE_NUMBER, 1);
	}
	for (size_t i = 0; i < scenario.count; i++) {
		rsb_text_row_cells(table, rows, thunk, scenario.scores[i]);
		for (size_t k = 0; k < columns; k++)
			rsb_table_cell(table, RSB_STYLE_PLAIN, "%" PRIu64,
				       rsb_total_value(scenario.scores[i], &rsb_totals()[k]));
	}
	written = rsb_table_write(table, text->out, text->columns, text->colour);
	rsb_table_free(table);
	return written;
}

/* A table for each scenario: the numbers are long. */
bool rsb_text_totals(const struct rsb_text *text, struct rsb_range range, enum rsb_text_rows rows)
{
	while (range.count) {
		const struct rsb_score *first = range.scores[0];
		struct rsb_range scenario = rsb_text_same_scenario(range);

		range.scores += scenario.count;
		range.count -= scenario.count;
		if (!first->totals.rounds)
			continue;
		fprintf(text->out, "\ntotals over %" PRIu64 " round%s, %s\n", first->totals.rounds,
			first->totals.rounds == 1 ? "" : "s", first->scenario.name);
		if (!write_table(text, scenario, rows))
			return false;
	}
	return true;
}
