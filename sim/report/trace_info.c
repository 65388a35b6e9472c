/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace is, as text and as JSON. */
#include "sim/report/trace_info.h"

#include "sim/report/json.h"
#include "sim/report/number.h"
#include "sim/report/wrap.h"
#include "traces/text.h"

#include <inttypes.h>

#define NAME_WIDTH 18

static void write_name(FILE *out, const char *name)
{
	fprintf(out, "%-*s", NAME_WIDTH, name);
}

static void write_number(FILE *out, const char *name, uint64_t number)
{
	write_name(out, name);
	fprintf(out, "%" PRIu64 "\n", number);
}

static double bytes_per_event(const struct rsb_trace_extent *extent)
{
	return extent->events ? (double)extent->bytes / (double)extent->events : 0;
}

static void write_abouts(FILE *out, unsigned columns, const struct rsb_trace_reader *reader)
{
	const char *key, *value;

	for (size_t i = 0; (key = rsb_trace_reader_about(reader, i, &value)); i++) {
		if (!*value)
			continue;
		write_name(out, key);
		rsb_wrap_write(out, value, NAME_WIDTH, NAME_WIDTH, columns);
	}
}

static void write_kinds(FILE *out, const struct rsb_trace_summary *summary)
{
	for (int kind = 0; kind < RSB_KINDS; kind++) {
		if (!summary->kinds[kind])
			continue;
		write_name(out, "");
		fprintf(out, "%" PRIu64 " %s\n", summary->kinds[kind],
			rsb_word_of(rsb_words_kind, (unsigned)kind));
	}
}

void rsb_trace_info_text(FILE *out, unsigned columns, const struct rsb_trace_reader *reader,
			 const struct rsb_trace_summary *summary)
{
	char size[RSB_NUMBER_SIZE];

	rsb_number_brief(size, sizeof(size), bytes_per_event(&summary->extent), 3);
	write_name(out, "file");
	rsb_wrap_write(out, rsb_trace_reader_name(reader), NAME_WIDTH, NAME_WIDTH, columns);
	write_abouts(out, columns, reader);
	write_number(out, "events", summary->extent.events);
	write_kinds(out, summary);
	if (summary->rounds)
		write_number(out, "rounds", summary->rounds);
	if (summary->instructions)
		write_number(out, "instructions", summary->instructions);
	if (summary->hits || summary->misses) {
		write_name(out, "verdicts");
		fprintf(out, "%" PRIu64 " predicted, %" PRIu64 " mispredicted\n", summary->hits,
			summary->misses);
	}
	write_name(out, "threads");
	fprintf(out, "%zu%s\n", summary->threads,
		summary->threads == RSB_SUMMARY_THREADS ? " or more" : "");
	write_number(out, "sites", summary->sites);
	write_number(out, "addresses", summary->addresses);
	write_number(out, "chunks", summary->extent.chunks);
	write_name(out, "bytes per event");
	fprintf(out, "%s\n", size);
}

static bool add_abouts(cJSON *to, const struct rsb_trace_reader *reader)
{
	cJSON *array = rsb_add_array(to, "about");
	const char *key, *value;

	for (size_t i = 0; (key = rsb_trace_reader_about(reader, i, &value)); i++) {
		cJSON *object = rsb_add_object(array, NULL);

		if (!rsb_add_text(object, "key", key) || !rsb_add_text(object, "value", value))
			return false;
	}
	return array != NULL;
}

static bool add_kinds(cJSON *to, const struct rsb_trace_summary *summary)
{
	cJSON *object = rsb_add_object(to, "kinds");

	for (int kind = 0; kind < RSB_KINDS; kind++)
		if (summary->kinds[kind] &&
		    !rsb_add_integer(object, rsb_word_of(rsb_words_kind, (unsigned)kind),
				     summary->kinds[kind]))
			return false;
	return object != NULL;
}

static bool add_all(cJSON *to, const struct rsb_trace_reader *reader,
		    const struct rsb_trace_summary *summary, bool whole)
{
	return rsb_add_text(to, "file", rsb_trace_reader_name(reader)) && add_abouts(to, reader) &&
	       rsb_add_switch(to, "whole", whole) &&
	       rsb_add_integer(to, "events", summary->extent.events) && add_kinds(to, summary) &&
	       rsb_add_integer(to, "rounds", summary->rounds) &&
	       rsb_add_integer(to, "instructions", summary->instructions) &&
	       rsb_add_integer(to, "predicted", summary->hits) &&
	       rsb_add_integer(to, "mispredicted", summary->misses) &&
	       rsb_add_integer(to, "threads", summary->threads) &&
	       rsb_add_integer(to, "sites", summary->sites) &&
	       rsb_add_integer(to, "addresses", summary->addresses) &&
	       rsb_add_integer(to, "chunks", summary->extent.chunks) &&
	       rsb_add_integer(to, "bytes", summary->extent.bytes) &&
	       rsb_add_number(to, "bytes_per_event", bytes_per_event(&summary->extent));
}

bool rsb_trace_info_json(FILE *out, const struct rsb_trace_reader *reader,
			 const struct rsb_trace_summary *summary, bool whole,
			 struct rsb_error *error)
{
	cJSON *root = rsb_json_new();

	return rsb_json_write(out, root, add_all(root, reader, summary, whole), error);
}
