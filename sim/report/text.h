/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the report to read share: its blocks, their tables, and what stands below
 * them.
 */
#ifndef RSB_SIM_REPORT_TEXT_H
#define RSB_SIM_REPORT_TEXT_H

#include "sim/report/report.h"

struct rsb_text {
	FILE *out;
	unsigned columns;
	bool colour;
};

struct rsb_range {
	const struct rsb_score *const *scores;
	size_t count;
};

/* The columns that are shown only where there is something in them. */
struct rsb_shown {
	bool return_thunk, balance_layout, intended, indirect, time;
	bool cr3, cr3_cycles, flushes; /* writes of CR3, their known cost, those that flush */
};

/* What the rows of a table are: layouts on one CPU, or CPUs that run one layout. */
enum rsb_text_rows {
	RSB_TEXT_LAYOUTS,
	RSB_TEXT_CPUS,
};

struct rsb_table;

struct rsb_shown rsb_text_shown(struct rsb_range range);

/* Is what belongs to the code, and not to a CPU or scenario, the same in all? */
bool rsb_text_same_code(struct rsb_range range);

/* Those at the start that have the scenario of the first. */
struct rsb_range rsb_text_same_scenario(struct rsb_range range);

/* The columns that name a row, and its cells in them; thunk: and the return thunk. */
void rsb_text_row_columns(struct rsb_table *table, enum rsb_text_rows rows, bool thunk);
void rsb_text_row_cells(struct rsb_table *table, enum rsb_text_rows rows, bool thunk,
			const struct rsb_score *score);

/*
 * Write the tables of a CPU or of a layout, whose scores are sorted by scenario: the figures; the
 * exact totals and the times, where they were asked for. False: no memory.
 */
bool rsb_text_scores(const struct rsb_text *text, struct rsb_range range, enum rsb_text_rows rows);
bool rsb_text_totals(const struct rsb_text *text, struct rsb_range range, enum rsb_text_rows rows);
bool rsb_text_times(const struct rsb_text *text, struct rsb_range range, enum rsb_text_rows rows);

/* Writes the notes that are about this CPU alone. False: no memory. */
bool rsb_text_cpu_notes(const struct rsb_text *text, struct rsb_range all, struct rsb_range cpu);

/* Writes what the figures are, how steady they are, and the notes. False: no memory. */
bool rsb_text_notes(const struct rsb_text *text, struct rsb_range all);

/* The same with the notes of each CPU, said once with the names of those that they are about. */
bool rsb_text_many_notes(const struct rsb_text *text, struct rsb_range all);

#endif
