/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a trace for scripts. Keys are only ever added. */
#include "sim/report/json.h"
#include "sim/report/trace.h"

static bool add_hardware(cJSON *to, const struct rsb_confusion *confusion)
{
	uint64_t count = rsb_confusion_count(confusion);
	cJSON *object;

	if (!count)
		return rsb_add_item(to, "hardware", cJSON_CreateNull());
	object = rsb_add_object(to, "hardware");
	return rsb_add_integer(object, "returns", count) &&
	       rsb_add_integer(object, "misses",
			       confusion->returns[1][0] + confusion->returns[1][1]) &&
	       rsb_add_integer(object, "both_hit", confusion->returns[0][0]) &&
	       rsb_add_integer(object, "model_missed", confusion->returns[0][1]) &&
	       rsb_add_integer(object, "hardware_missed", confusion->returns[1][0]) &&
	       rsb_add_integer(object, "both_missed", confusion->returns[1][1]) &&
	       rsb_add_number(object, "agreement",
			      (double)rsb_confusion_agreed(confusion) / (double)count);
}

static bool add_counts(cJSON *to, const struct rsb_trace_counts *counts)
{
	return rsb_add_integer(to, "returns", counts->returns) &&
	       rsb_add_integer(to, "unjudged", counts->unjudged) &&
	       rsb_add_integer(to, "misses", counts->misses) &&
	       rsb_add_number(to, "rate", rsb_trace_rate(counts)) &&
	       rsb_add_integer(to, "empty", counts->empty) &&
	       rsb_add_integer(to, "stale", counts->stale) &&
	       rsb_add_integer(to, "other", counts->other) && add_hardware(to, &counts->hardware);
}

/* A count, or null where it is not known. */
static bool add_known(cJSON *to, const char *key, uint64_t count)
{
	return count ? rsb_add_integer(to, key, count) : rsb_add_item(to, key, cJSON_CreateNull());
}

/* Misses for each thousand instructions. */
static bool add_instructions(cJSON *to, uint64_t instructions, uint64_t misses)
{
	return add_known(to, "instructions", instructions) &&
	       rsb_add_number(to, "mpki", rsb_trace_rate_instructions(misses, instructions));
}

static bool add_threads(cJSON *to, const struct rsb_trace_score *score)
{
	cJSON *threads = rsb_add_array(to, "threads");

	for (size_t i = 0; i < score->thread_count; i++) {
		const struct rsb_trace_thread *thread = &score->threads[i];
		cJSON *object = rsb_add_object(threads, NULL);

		if (!rsb_add_integer(object, "thread", thread->id) ||
		    !rsb_add_integer(object, "calls", thread->calls) ||
		    !add_counts(object, &thread->counts) ||
		    !add_instructions(object, thread->instructions, thread->counts.misses))
			return false;
	}
	return threads != NULL;
}

static bool add_sites(cJSON *to, const struct rsb_trace_score *score)
{
	cJSON *sites = rsb_add_array(to, "sites");

	for (size_t i = 0; i < score->site_count; i++) {
		const struct rsb_trace_site *site = &score->sites[i];
		cJSON *object = rsb_add_object(sites, NULL);

		if (!rsb_add_text(object, "symbol", *site->symbol ? site->symbol : NULL) ||
		    !rsb_add_address(object, "pc", site->pc) || !add_counts(object, &site->counts))
			return false;
	}
	return sites != NULL;
}

/* How few and how many misses there may be; null where that is known. */
static bool add_range(cJSON *to, const struct rsb_trace_score *score)
{
	cJSON *pair;

	if (!score->ranged)
		return rsb_add_text(to, "misses_range", NULL);
	pair = rsb_add_array(to, "misses_range");
	return rsb_add_integer(pair, NULL, score->misses_low) &&
	       rsb_add_integer(pair, NULL, score->misses_high);
}

static bool add_result(cJSON *to, const struct rsb_trace_scores *scores,
		       const struct rsb_trace_score *score)
{
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "cpu", score->cpu) &&
	       rsb_add_text(object, "model", score->model) &&
	       rsb_add_text(object, "known", score->known) && add_counts(object, &score->counts) &&
	       add_instructions(object, scores->instructions, score->counts.misses) &&
	       rsb_add_integer(object, "indirect_misses", score->counts.indirect_misses) &&
	       add_range(object, score) && add_threads(object, score) && add_sites(object, score) &&
	       rsb_add_texts(object, "notes", score->notes, score->note_count);
}

static bool add_trace(cJSON *to, const struct rsb_trace_subject *subject)
{
	const struct rsb_trace_scores *scores = subject->scores;
	const char *arch = rsb_trace_reader_arch(subject->reader);
	cJSON *object = rsb_add_object(to, "trace");

	return rsb_add_text(object, "file", rsb_trace_reader_name(subject->reader)) &&
	       rsb_add_text(object, "source", rsb_trace_reader_value(subject->reader, "source")) &&
	       rsb_add_text(object, "arch", *arch ? arch : NULL) &&
	       rsb_add_integer(object, "events", scores->events) &&
	       rsb_add_integer(object, "calls", scores->calls) &&
	       rsb_add_integer(object, "returns", scores->returns) &&
	       add_known(object, "instructions", scores->instructions) &&
	       rsb_add_integer(object, "threads", scores->thread_count) &&
	       rsb_add_integer(object, "switches", scores->switches) &&
	       rsb_add_integer(object, "gaps", scores->gaps);
}

static bool add_notes(cJSON *to, const struct rsb_trace_subject *subject)
{
	cJSON *notes = rsb_add_array(to, "notes");
	char buffer[256];
	const char *note;

	for (size_t i = 0; (note = rsb_trace_note(subject, i, buffer, sizeof(buffer))); i++)
		if (!rsb_add_text(notes, NULL, note))
			return false;
	return notes != NULL;
}

bool rsb_trace_report_json(FILE *out, const struct rsb_trace_subject *subject,
			   const struct rsb_report_options *options, struct rsb_error *error)
{
	const struct rsb_trace_scores *scores = subject->scores;
	cJSON *root = rsb_json_new(), *results;
	bool built = add_trace(root, subject);

	(void)options;
	results = rsb_add_array(root, "results");
	for (size_t i = 0; built && i < scores->count; i++)
		built = add_result(results, scores, &scores->scores[i]);
	built = built && add_notes(root, subject);
	return rsb_json_write(out, root, built, error);
}
