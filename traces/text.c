/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing a trace as text. */
#include "traces/text.h"

#include <inttypes.h>

struct writer {
	FILE *out;
	struct rsb_trace_reader *reader;
	size_t abouts;   /* that were written */
	uint64_t thread; /* that the text is at */
	struct rsb_text_range range;
};

/* What comes from a file must not move a terminal's cursor, nor end the line. */
static void write_masked(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, out);
}

static void write_abouts(struct writer *writer)
{
	const char *key, *value;

	for (; (key = rsb_trace_reader_about(writer->reader, writer->abouts, &value));
	     writer->abouts++) {
		fprintf(writer->out, "about %s ", key);
		write_masked(writer->out, value);
		fputc('\n', writer->out);
	}
}

static void write_word(FILE *out, const struct rsb_word *words, unsigned value)
{
	const char *word = rsb_word_of(words, value);

	if (*word)
		fprintf(out, " %s", word);
}

static void write_event(const struct writer *writer, const struct rsb_trace_batch *batch, size_t i)
{
	const struct rsb_sites *table = rsb_trace_reader_sites(writer->reader);
	const struct rsb_event *event = &batch->events[i];
	size_t count;
	const struct rsb_site *site = &rsb_sites_array(table, &count)[event->site];
	const char *detail = rsb_word_of(rsb_words_detail(site->kind), site->detail);
	const char *label = rsb_site_label(table, event->site);
	FILE *out = writer->out;

	fprintf(out, "%s%s%s 0x%" PRIx64, rsb_word_of(rsb_words_kind, site->kind),
		*detail ? ":" : "", detail, site->pc);
	if (site->length)
		fprintf(out, "+%u", site->length);
	fprintf(out, " -> 0x%" PRIx64, rsb_sites_addresses(table, &count)[event->target]);
	for (unsigned flag = RSB_SITE_INDIRECT; flag <= RSB_SITE_ZERO_CALL; flag <<= 1)
		write_word(out, rsb_words_flag, site->flags & flag);
	write_word(out, rsb_words_mitigation, site->mitigation);
	if (site->count)
		fprintf(out, " count=%" PRIu32, site->count);
	if (batch->verdicts)
		write_word(out, rsb_words_verdict, batch->verdicts[i]);
	if (*label) {
		fputs(" ; ", out);
		write_masked(out, label);
	}
	fputc('\n', out);
}

/* How many events of the batch have a number below that. */
static size_t count_below(const struct rsb_trace_batch *batch, uint64_t number)
{
	if (number <= batch->first)
		return 0;
	return number - batch->first < batch->count ? (size_t)(number - batch->first)
						    : batch->count;
}

/* Writes the part of the batch that is wanted; what stands behind its last event goes with that. */
static void write_batch(struct writer *writer, const struct rsb_trace_batch *batch)
{
	const struct rsb_text_range *range = &writer->range;
	const struct rsb_trace_round *round = batch->round;
	size_t from = count_below(batch, range->first), end = count_below(batch, range->end);

	if (from == end && batch->count)
		return;
	if (batch->thread != writer->thread)
		fprintf(writer->out, "thread %" PRIu64 "\n", batch->thread);
	writer->thread = batch->thread;
	for (size_t i = from; i < end; i++)
		write_event(writer, batch, i);
	if (end < batch->count)
		return;
	if (batch->instructions)
		fprintf(writer->out, "instructions %" PRIu64 "\n", batch->instructions);
	if (round)
		fprintf(writer->out, "round %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			round->instructions, round->traced_instructions, round->traced_calls);
}

enum rsb_trace_got rsb_trace_text(struct rsb_trace_reader *reader, struct rsb_text_range range,
				  FILE *out, struct rsb_error *error)
{
	struct writer writer = { .out = out, .reader = reader, .range = range };
	struct rsb_trace_batch batch;
	enum rsb_trace_got got;

	fputs(RSB_TEXT_FIRST "\n", out);
	write_abouts(&writer);
	while (!ferror(out) &&
	       (got = rsb_trace_reader_next(reader, &batch, error)) == RSB_TRACE_BATCH) {
		write_abouts(&writer);
		write_batch(&writer, &batch);
	}
	write_abouts(&writer);
	return ferror(out) ? RSB_TRACE_END : got;
}
