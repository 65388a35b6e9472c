/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of the report to read share: its tables, and what stands below them. */
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
	bool return_thunk, balance_layout, intended, indirect;
};

struct rsb_shown rsb_text_shown(struct rsb_range range);

/* Writes the notes that are about this CPU alone. False: no memory. */
bool rsb_text_cpu_notes(const struct rsb_text *text, struct rsb_range all, struct rsb_range cpu);

/* Writes what the figures are, how steady they are, and the notes. False: no memory. */
bool rsb_text_notes(const struct rsb_text *text, struct rsb_range all);

#endif
