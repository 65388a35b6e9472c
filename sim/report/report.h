/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports: scores written out. One row a format (sim/report/report.c); all draw from the same
 * scores, in the order in which rsb_report_sort() puts them. The library does not open files: it
 * writes to the stream given.
 */
#ifndef RSB_SIM_REPORT_REPORT_H
#define RSB_SIM_REPORT_REPORT_H

#include "sim/score/score.h"

#include <stdio.h>

struct rsb_report_options {
	bool colour;      /* ANSI colour in text */
	unsigned columns; /* width to keep to; 0: 100 */
};

struct rsb_report_format {
	const char *name; /* "json" */
	const char *sentence;
	/* False: a write failed (errno says why) or there was no memory (error text). */
	bool (*write)(FILE *out, const struct rsb_score *const *scores, size_t count,
		      const struct rsb_report_options *options, struct rsb_error *error);
};

/* All formats, ended by a row without a name. */
const struct rsb_report_format *rsb_report_formats(void);
const struct rsb_report_format *rsb_report_format_find(const char *name, struct rsb_error *error);

/*
 * Sorts by CPU (in the order of first appearance), scenario likewise, then misses,
 * |balance_layout|, instructions and name. False: no memory.
 */
bool rsb_report_sort(struct rsb_score **scores, size_t count);

#endif
