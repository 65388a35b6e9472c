/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of sweeps: one row a format (sim/report/sweep.c), all from the same rows; and a plot. */
#ifndef RSB_SIM_REPORT_SWEEP_H
#define RSB_SIM_REPORT_SWEEP_H

#include "sim/report/report.h"
#include "sim/sweep/sweep.h"

typedef bool rsb_sweep_writer(FILE *out, const struct rsb_sweep *sweep,
			      const struct rsb_report_options *options, struct rsb_error *error);

struct rsb_sweep_format {
	const char *name; /* "json" */
	rsb_sweep_writer *write;
};

/* All formats, ended by a row without a name. */
const struct rsb_sweep_format *rsb_sweep_formats(void);
const struct rsb_sweep_format *rsb_sweep_format_find(const char *name, struct rsb_error *error);

rsb_sweep_writer rsb_sweep_text;
rsb_sweep_writer rsb_sweep_json;
rsb_sweep_writer rsb_sweep_csv;
rsb_sweep_writer rsb_sweep_markdown;

/*
 * The columns of figures that people read: inside and in the callers, of a layout; misses, returns
 * and rate.
 */
struct rsb_sweep_column {
	const char *heading;
	bool layout; /* only a layout has it */
	double (*figure)(const struct rsb_sweep_row *row);
	int decimals;
	const char *unit; /* behind the number */
};

/* Ended by a row without a heading. */
const struct rsb_sweep_column *rsb_sweep_columns(void);

/*
 * How many rows from row on have the same figures, and differ by the last axis alone, the depth or
 * another number that counts up: people are shown them as one.
 */
size_t rsb_sweep_alike(const struct rsb_sweep *sweep, size_t row);

/* The value of an axis in rows that are alike: "9", or of the last "9-64". */
void rsb_sweep_value(char *out, size_t size, const struct rsb_sweep *sweep, size_t row,
		     size_t alike, size_t axis);

/*
 * What the line that begins at row is of: "unwind, intel-haswell, underflow=none", with the layout
 * before that where there are several.
 */
void rsb_sweep_line_name(char *out, size_t size, const struct rsb_sweep *sweep, size_t row);

/*
 * What is said of the knee of that line: "9", "not reached ...", "none: 9 misses at every depth".
 */
void rsb_sweep_knee_words(char *out, size_t size, const struct rsb_sweep *sweep, size_t row);

/*
 * The curve of that line in a sentence, for those who do not see the plot: "unwind, intel-haswell:
 * 0 misses from depth 9 on; 1 miss at depth 8, up to 8 at depth 1".
 */
void rsb_sweep_sentence(char *out, size_t size, const struct rsb_sweep *sweep, size_t row);

/* What it is of as a whole: a name, or names, or how many layouts; to be freed. NULL: no memory. */
char *rsb_sweep_title(const struct rsb_sweep *sweep);

/* What a plot shows as a whole, in a title and sentences, to be freed. NULL: no memory. */
char *rsb_sweep_plot_title(const struct rsb_sweep *sweep);
char *rsb_sweep_plot_words(const struct rsb_sweep *sweep);

/* Can it be plotted? False: the depth is not swept, or there are too many lines. */
bool rsb_sweep_plot_check(const struct rsb_sweep *sweep, struct rsb_error *error);

/*
 * Writes a script for gnuplot that plots misses against depth, a line each, as "svg" or "png" on
 * its standard output.
 */
bool rsb_sweep_plot(FILE *out, const struct rsb_sweep *sweep, const char *terminal,
		    struct rsb_error *error);

#endif
