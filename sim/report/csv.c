/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comma-separated values as in RFC 4180: a header row of keys, a row for each layout, CPU and
 * scenario, lines that end in CR LF. A figure that is not known, and a total that was not asked
 * for, is empty.
 */
#include "sim/report/formats.h"

#include "sim/report/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rsb_csv_text(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void write_number(FILE *out, double value)
{
	char text[RSB_NUMBER_SIZE];

	rsb_number_data(text, sizeof(text), value);
	fprintf(out, ",%s", text);
}

static void write_time(FILE *out, const struct rsb_score *score)
{
	const struct rsb_time *time = &score->time;

	write_number(out, score->timed ? time->ns.low : NAN);
	write_number(out, score->timed ? time->ns.high : NAN);
	write_number(out, score->timed ? time->calls_per_second.low : NAN);
	write_number(out, score->timed ? time->calls_per_second.high : NAN);
	fprintf(out, ",%s", score->timed ? rsb_time_base_name(time->base) : "");
}

static void write_header(FILE *out)
{
	fputs("layout,cpu,model,known,scenario,depth,batch,spacing,steady,period,averaged", out);
	for (const struct rsb_figure *f = rsb_figures(); f->key; f++) {
		if (f->high)
			fprintf(out, ",%s_low,%s_high", f->key, f->key);
		else
			fprintf(out, ",%s", f->key);
	}
	fputs(",cold_misses_inside,cold_misses_callers,rounds", out);
	for (const struct rsb_total *t = rsb_totals(); t->key; t++)
		fprintf(out, ",total_%s", t->key);
	fputs(",return_thunk,mitigations,ns_low,ns_high,calls_per_second_low,calls_per_second_high"
	      ",time_base,notes\r\n",
	      out);
}

static void write_identity(FILE *out, const struct rsb_score *score)
{
	const struct rsb_scenario *s = &score->scenario;
	const char *texts[] = { score->layout, score->cpu, score->model, score->known };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		rsb_csv_text(out, texts[i]);
		fputc(',', out);
	}
	rsb_csv_text(out, s->name);
	fprintf(out, ",%u,%u,%u,%s,%" PRIu64 ",%" PRIu64, s->depth, s->batch, s->spacing,
		rsb_steady_name(score->steady), score->period, score->averaged);
}

static void write_figures(FILE *out, const struct rsb_score *score)
{
	for (const struct rsb_figure *f = rsb_figures(); f->key; f++) {
		struct rsb_figure_value value = rsb_figure_value(score, f);

		write_number(out, value.low);
		if (value.interval)
			write_number(out, value.high);
	}
	write_number(out, score->cold_inside);
	write_number(out, score->cold_callers);
}

static void write_totals(FILE *out, const struct rsb_score *score)
{
	bool asked = score->totals.rounds > 0;

	if (asked)
		fprintf(out, ",%" PRIu64, score->totals.rounds);
	else
		fputc(',', out);
	for (const struct rsb_total *t = rsb_totals(); t->key; t++)
		if (asked)
			fprintf(out, ",%" PRIu64, rsb_total_value(score, t));
		else
			fputc(',', out);
}

static void write_form(FILE *out, const struct rsb_score *score)
{
	fputc(',', out);
	rsb_csv_text(out, score->return_thunk);
	fprintf(out, ",%s", score->mitigations ? score->mitigations : "");
}

/*
 * All notes are one field, and no line break is in it: a row stays a line for tools that read
 * lines. It is the last, because tools that split at commas would split it.
 */
static void write_notes(FILE *out, const struct rsb_score *score)
{
	fputs(score->note_count ? ",\"" : ",", out);
	for (size_t i = 0; i < score->note_count; i++) {
		if (i)
			fputs("; ", out);
		for (const char *c = score->notes[i]; *c; c++)
			fprintf(out, *c == '"' ? "\"\"" : "%c", *c);
	}
	fputs(score->note_count ? "\"\r\n" : "\r\n", out);
}

bool rsb_report_csv(FILE *out, const struct rsb_score *const *scores, size_t count,
		    const struct rsb_report_options *options, struct rsb_error *error)
{
	(void)options;
	write_header(out);
	for (size_t i = 0; i < count; i++) {
		write_identity(out, scores[i]);
		write_figures(out, scores[i]);
		write_totals(out, scores[i]);
		write_form(out, scores[i]);
		write_time(out, scores[i]);
		write_notes(out, scores[i]);
	}
	return rsb_report_end(out, error);
}
