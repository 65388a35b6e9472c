/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats of reports of traces, and what they share. */
#include "sim/report/trace.h"

#include "traces/util/suggest.h"

#include <inttypes.h>
#include <string.h>

/* To add one: one row. */
static const struct rsb_trace_format formats[] = {
	{ "text", rsb_trace_report_text },
	{ "json", rsb_trace_report_json },
};

#define FORMATS (sizeof(formats) / sizeof(*formats))

const struct rsb_trace_format *rsb_trace_format_find(const char *name, struct rsb_error *error)
{
	const char *known[FORMATS + 1] = { NULL };
	char nearest[128];

	for (size_t i = 0; i < FORMATS; i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
		known[i] = formats[i].name;
	}
	rsb_suggest(name, known, nearest, sizeof(nearest));
	return rsb_error_null(
		error, "no report of a trace from elsewhere has the format '%s': expected %s", name,
		nearest);
}

uint64_t rsb_confusion_count(const struct rsb_confusion *confusion)
{
	return confusion->returns[0][0] + confusion->returns[0][1] + confusion->returns[1][0] +
	       confusion->returns[1][1];
}

uint64_t rsb_confusion_agreed(const struct rsb_confusion *confusion)
{
	return confusion->returns[0][0] + confusion->returns[1][1];
}

/* The note of the trace with that index; NULL: *index is less by those that there are. */
static const char *find_note(const struct rsb_trace_reader *reader, size_t *index)
{
	const char *key, *value;

	for (size_t i = 0; (key = rsb_trace_reader_about(reader, i, &value)); i++)
		if (!strcmp(key, "note") && !(*index)--)
			return value;
	return NULL;
}

/* The note of the CPU with that index, of those that have one. */
static const char *find_range(const struct rsb_trace_scores *scores, size_t *index, char *buffer,
			      size_t size)
{
	for (size_t i = 0; i < scores->count; i++) {
		const struct rsb_trace_score *score = &scores->scores[i];

		if (!score->ranged || (*index)--)
			continue;
		snprintf(buffer, size,
			 "%s: what is put back after a wrong path is not known: %" PRIu64
			 " to %" PRIu64 " misses",
			 score->cpu, score->misses_low, score->misses_high);
		return buffer;
	}
	return NULL;
}

const char *rsb_trace_note(const struct rsb_trace_subject *subject, size_t index, char *buffer,
			   size_t size)
{
	const struct rsb_trace_scores *scores = subject->scores;
	const char *note = find_note(subject->reader, &index);
	uint64_t unjudged = scores->count ? scores->scores[0].counts.unjudged : 0;

	if (note)
		return note;
	if (unjudged && !index--) {
		snprintf(buffer, size,
			 "returns that are not judged, for their calls are missing in the trace: "
			 "%" PRIu64 ", after %" PRIu64 " gap%s",
			 unjudged, scores->gaps, scores->gaps == 1 ? "" : "s");
		return buffer;
	}
	note = find_range(scores, &index, buffer, size);
	if (note)
		return note;
	if (!rsb_trace_scores_speculate(scores) && !index--)
		return "the trace has no wrong paths: what a processor ran and took back is not "
		       "seen";
	return NULL;
}
