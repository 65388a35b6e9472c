/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of traces from elsewhere: one row a format (sim/report/trace.c). */
#ifndef RSB_SIM_REPORT_TRACE_H
#define RSB_SIM_REPORT_TRACE_H

#include "sim/report/report.h"
#include "sim/score/trace_score.h"

/* A trace that was scored; the reader still tells what is said about it. */
struct rsb_trace_subject {
	const struct rsb_trace_reader *reader;
	const struct rsb_trace_scores *scores;
};

struct rsb_trace_format {
	const char *name; /* "json" */
	/* False: a write failed (errno says why) or there was no memory (error text). */
	bool (*write)(FILE *out, const struct rsb_trace_subject *subject,
		      const struct rsb_report_options *options, struct rsb_error *error);
};

/* By name. NULL: error lists the nearest. */
const struct rsb_trace_format *rsb_trace_format_find(const char *name, struct rsb_error *error);

/* The writers. */
bool rsb_trace_report_text(FILE *out, const struct rsb_trace_subject *subject,
			   const struct rsb_report_options *options, struct rsb_error *error);
bool rsb_trace_report_json(FILE *out, const struct rsb_trace_subject *subject,
			   const struct rsb_report_options *options, struct rsb_error *error);

/* Returns that the hardware gave a verdict of; and those of them where the model says the same. */
uint64_t rsb_confusion_count(const struct rsb_confusion *confusion);
uint64_t rsb_confusion_agreed(const struct rsb_confusion *confusion);

/*
 * What the report says of the trace as a whole: index from 0 on; NULL: that was all. The notes of
 * the trace first, then what holds of any trace. buffer is written where the sentence has a
 * number.
 */
const char *rsb_trace_note(const struct rsb_trace_subject *subject, size_t index, char *buffer,
			   size_t size);

#endif
