/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of a trace to read: what it is, a table of all CPUs, and of each of a few its
 * threads, the sites that miss most, and how model and hardware agree.
 */
#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/report/table.h"
#include "sim/report/trace.h"
#include "sim/report/wrap.h"

#include <inttypes.h>
#include <stdlib.h>

#define COLUMNS     100
#define CPUS_MAX    3  /* that are shown one by one */
#define THREADS_MAX 16 /* rows of a CPU's tables */
#define SITES_MAX   10

struct text {
	FILE *out;
	unsigned columns;
	bool colour;
	const struct rsb_trace_scores *scores;
};

static void add_count(struct rsb_table *table, uint64_t count)
{
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%" PRIu64, count);
}

static void add_bad(struct rsb_table *table, uint64_t count)
{
	rsb_table_cell(table, count ? RSB_STYLE_BAD : RSB_STYLE_PLAIN, "%" PRIu64, count);
}

/* A share of a whole, in percent; "" where there is no whole. */
static void add_share(struct rsb_table *table, uint64_t part, uint64_t whole)
{
	char text[RSB_NUMBER_SIZE] = "";

	if (whole)
		rsb_number_brief(text, sizeof(text), 100 * (double)part / (double)whole, 2);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s%s", text, whole ? "%" : "");
}

static void add_per_thousand(struct rsb_table *table, uint64_t misses, uint64_t instructions)
{
	char text[RSB_NUMBER_SIZE] = "?";

	if (instructions)
		rsb_number_brief(text, sizeof(text),
				 rsb_trace_rate_instructions(misses, instructions), 3);
	rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", text);
}

static bool has_verdicts(const struct rsb_trace_scores *scores)
{
	return scores->count && rsb_confusion_count(&scores->scores[0].counts.hardware);
}

static void add_count_columns(struct rsb_table *table, const struct rsb_trace_scores *scores)
{
	rsb_table_column(table, "returns", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "misses", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "rate", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "empty", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "stale", RSB_TABLE_NUMBER, 1);
	rsb_table_column(table, "other", RSB_TABLE_NUMBER, 1);
	if (has_verdicts(scores)) {
		rsb_table_column(table, "hardware", RSB_TABLE_NUMBER, 1);
		rsb_table_column(table, "agree", RSB_TABLE_NUMBER, 1);
	}
}

static void add_counts(struct rsb_table *table, const struct rsb_trace_scores *scores,
		       const struct rsb_trace_counts *counts)
{
	const struct rsb_confusion *hardware = &counts->hardware;

	add_count(table, counts->returns);
	add_bad(table, counts->misses);
	add_share(table, counts->misses, counts->returns);
	add_count(table, counts->empty);
	add_count(table, counts->stale);
	add_count(table, counts->other);
	if (has_verdicts(scores)) {
		add_bad(table, hardware->returns[1][0] + hardware->returns[1][1]);
		add_share(table, rsb_confusion_agreed(hardware), rsb_confusion_count(hardware));
	}
}

/* Writes and frees a table. */
static bool end_table(const struct text *text, struct rsb_table *table)
{
	bool written = rsb_table_write(table, text->out, text->columns, text->colour);

	rsb_table_free(table);
	return written;
}

static bool write_cpus(const struct text *text)
{
	const struct rsb_trace_scores *scores = text->scores;
	struct rsb_table *table = rsb_table_new();

	if (!table)
		return false;
	rsb_table_column(table, "cpu", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "model", RSB_TABLE_WORDS, 1);
	add_count_columns(table, scores);
	if (scores->instructions)
		rsb_table_column(table, "per 1000 instr", RSB_TABLE_NUMBER, 1);
	for (size_t i = 0; i < scores->count; i++) {
		const struct rsb_trace_score *score = &scores->scores[i];

		rsb_table_cell(table, RSB_STYLE_BOLD, "%s", score->cpu);
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", score->model);
		add_counts(table, scores, &score->counts);
		if (scores->instructions)
			add_per_thousand(table, score->counts.misses, scores->instructions);
	}
	return end_table(text, table);
}

static bool write_threads(const struct text *text, const struct rsb_trace_score *score)
{
	struct rsb_table *table;

	if (score->thread_count < 2)
		return true;
	table = rsb_table_new();
	if (!table)
		return false;
	rsb_table_column(table, "thread", RSB_TABLE_WORDS, 0);
	add_count_columns(table, text->scores);
	if (text->scores->instructions)
		rsb_table_column(table, "per 1000 instr", RSB_TABLE_NUMBER, 1);
	for (size_t i = 0; i < score->thread_count && i < THREADS_MAX; i++) {
		const struct rsb_trace_thread *thread = &score->threads[i];

		add_count(table, thread->id);
		add_counts(table, text->scores, &thread->counts);
		if (text->scores->instructions)
			add_per_thousand(table, thread->counts.misses, thread->instructions);
	}
	fputc('\n', text->out);
	if (!end_table(text, table))
		return false;
	if (score->thread_count > THREADS_MAX)
		fprintf(text->out, "  and %zu more of the threads\n",
			score->thread_count - THREADS_MAX);
	return true;
}

/* Is there something to say about a site: a miss of the model, or of the hardware? */
static bool is_worth_it(const struct rsb_trace_site *site)
{
	return site->counts.misses || site->counts.hardware.returns[1][0];
}

static void add_site(struct rsb_table *table, const struct rsb_trace_scores *scores,
		     const struct rsb_trace_site *site)
{
	if (*site->symbol)
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", site->symbol);
	else
		rsb_table_cell(table, RSB_STYLE_PLAIN, "0x%" PRIx64, site->pc);
	add_counts(table, scores, &site->counts);
}

static bool write_sites(const struct text *text, const struct rsb_trace_score *score)
{
	struct rsb_table *table = rsb_table_new();
	size_t shown = 0, more = 0;

	if (!table)
		return false;
	rsb_table_column(table, "return at", RSB_TABLE_WORDS, 0);
	add_count_columns(table, text->scores);
	for (size_t i = 0; i < score->site_count; i++) {
		if (!is_worth_it(&score->sites[i]))
			continue;
		if (shown == SITES_MAX) {
			more++;
			continue;
		}
		add_site(table, text->scores, &score->sites[i]);
		shown++;
	}
	if (!shown) {
		rsb_table_free(table);
		return true;
	}
	fputc('\n', text->out);
	if (!end_table(text, table))
		return false;
	if (more)
		fprintf(text->out, "  and %zu places more (--format json has all)\n", more);
	return true;
}

/* How the model and the hardware that ran the trace agree. */
static bool write_confusion(const struct text *text, const struct rsb_trace_score *score)
{
	static const char *const rows[] = { "hardware predicted", "hardware missed" };
	const struct rsb_confusion *hardware = &score->counts.hardware;
	struct rsb_table *table;

	if (!rsb_confusion_count(hardware))
		return true;
	table = rsb_table_new();
	if (!table)
		return false;
	rsb_table_column(table, "", RSB_TABLE_WORDS, 0);
	rsb_table_column(table, "model predicts", RSB_TABLE_NUMBER, 2);
	rsb_table_column(table, "model misses", RSB_TABLE_NUMBER, 2);
	for (int i = 0; i < 2; i++) {
		rsb_table_cell(table, RSB_STYLE_PLAIN, "%s", rows[i]);
		add_count(table, hardware->returns[i][0]);
		add_count(table, hardware->returns[i][1]);
	}
	fputc('\n', text->out);
	return end_table(text, table);
}

static void write_note(const struct text *text, const char *note)
{
	fputs("note: ", text->out);
	rsb_wrap_write(text->out, note, 6, 6, text->columns);
}

/* What is to be said of one CPU. */
static void write_notes(const struct text *text, const struct rsb_trace_score *score)
{
	for (size_t i = 0; i < score->note_count; i++)
		write_note(text, score->notes[i]);
}

static bool write_details(const struct text *text)
{
	const struct rsb_trace_scores *scores = text->scores;

	for (size_t i = 0; i < scores->count; i++) {
		const struct rsb_trace_score *score = &scores->scores[i];

		if (scores->count > 1)
			fprintf(text->out, "\n%s%s%s\n",
				rsb_style_start(RSB_STYLE_BOLD, text->colour), score->cpu,
				rsb_style_end(RSB_STYLE_BOLD, text->colour));
		if (!write_threads(text, score) || !write_sites(text, score) ||
		    !write_confusion(text, score))
			return false;
		/* A single one's stand with those of the trace. */
		if (scores->count > 1 && score->note_count) {
			fputc('\n', text->out);
			write_notes(text, score);
		}
	}
	return true;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void write_heading(const struct text *text, const struct rsb_trace_reader *reader)
{
	const struct rsb_trace_scores *scores = text->scores;
	const char *source = rsb_trace_reader_value(reader, "source");
	char line[1536];
	int used = snprintf(line, sizeof(line),
			    "%s%s%s: %" PRIu64 " event%s, %" PRIu64 " call%s, %" PRIu64 " return%s",
			    rsb_trace_reader_name(reader), source ? ", from " : "",
			    source ? source : "", scores->events, plural(scores->events),
			    scores->calls, plural(scores->calls), scores->returns,
			    plural(scores->returns));

	if (scores->thread_count > 1 && used < (int)sizeof(line))
		used += snprintf(line + used, sizeof(line) - (size_t)used, ", %zu threads",
				 scores->thread_count);
	if (scores->instructions && used < (int)sizeof(line))
		snprintf(line + used, sizeof(line) - (size_t)used, ", %" PRIu64 " instruction%s",
			 scores->instructions, plural(scores->instructions));
	rsb_wrap_write(text->out, line, 0, 2, text->columns);
	fputc('\n', text->out);
}

bool rsb_trace_report_text(FILE *out, const struct rsb_trace_subject *subject,
			   const struct rsb_report_options *options, struct rsb_error *error)
{
	const struct text text = { out, options->columns ? options->columns : COLUMNS,
				   options->colour, subject->scores };
	bool few = subject->scores->count <= CPUS_MAX;
	char buffer[256];
	const char *note;

	write_heading(&text, subject->reader);
	if (!write_cpus(&text) || (few && !write_details(&text)))
		return rsb_error_set(error, "out of memory");
	fputc('\n', out);
	for (size_t i = 0; (note = rsb_trace_note(subject, i, buffer, sizeof(buffer))); i++)
		write_note(&text, note);
	if (subject->scores->count == 1)
		write_notes(&text, &subject->scores->scores[0]);
	return rsb_report_end(out, error);
}
