/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the formats share: the writer of each, and walking scores that are sorted. */
#ifndef RSB_SIM_REPORT_FORMATS_H
#define RSB_SIM_REPORT_FORMATS_H

#include "sim/report/report.h"

#include <cjson/cJSON.h>

typedef bool rsb_report_writer(FILE *out, const struct rsb_score *const *scores, size_t count,
			       const struct rsb_report_options *options, struct rsb_error *error);

rsb_report_writer rsb_report_text;
rsb_report_writer rsb_report_json;
rsb_report_writer rsb_report_csv;
rsb_report_writer rsb_report_markdown;

/* Adds a score as rsb_report_json() has it, which is also part of recordings. False: no memory. */
bool rsb_add_score(cJSON *to, const char *key, const struct rsb_score *score);

/* The two doubles of a figure, the same one twice unless it is an interval. */
struct rsb_figure_value {
	double low, high;
	bool interval;
};
struct rsb_figure_value rsb_figure_value(const struct rsb_score *score,
					 const struct rsb_figure *figure);

/* The exact totals: rows of key and where it stands in struct rsb_totals. */
struct rsb_total {
	const char *key, *heading;
	size_t offset;
};
const struct rsb_total *rsb_totals(void);
uint64_t rsb_total_value(const struct rsb_score *score, const struct rsb_total *total);

/* How many scores at the start have the CPU of the first. */
size_t rsb_report_same_cpu(const struct rsb_score *const *scores, size_t count);

/* Writes an interval for people: "15.1-18.4", "?" if it is not known. */
void rsb_report_interval(char *out, size_t size, double low, double high);

/* Writes a field of comma-separated values, quoted where it has to be (RFC 4180). */
void rsb_csv_text(FILE *out, const char *text);

/* Ends a format: were all writes good? */
bool rsb_report_end(FILE *out, struct rsb_error *error);

#endif
