/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings as JSON: rsbsim-recording(5). Rows are made and written one by one, so that a long
 * recording takes no more memory than a short one. Keys are only ever added.
 */
#include "sim/report/formats.h"
#include "sim/report/json.h"
#include "sim/report/listing.h"
#include "sim/report/verdict.h"
#include "sim/see/recording.h"

#include <string.h>

/* Makes a row of a table, or part of it; false: no memory. */
typedef bool row_maker(cJSON *row, const struct rsb_recording *recording, size_t index);

/* An index; one that is the default is left out. */
static bool add_index(cJSON *to, const char *key, uint32_t index, uint32_t unless)
{
	return index == unless || rsb_add_integer(to, key, index);
}

static bool add_flag(cJSON *to, const char *key, bool value)
{
	return !value || rsb_add_switch(to, key, true);
}

static bool add_word(cJSON *to, const char *key, const char *word)
{
	return !word || !*word || rsb_add_text(to, key, word);
}

static bool make_line(cJSON *row, const struct rsb_recording *recording, size_t index)
{
	const struct rsb_recorded_line *line = &recording->lines[index];
	char bytes[3 * sizeof(line->bytes) + 1] = "";

	for (size_t i = 0; i < line->length; i++)
		snprintf(bytes + 3 * i, sizeof(bytes) - 3 * i,
			 i + 1 < line->length ? "%02x " : "%02x", line->bytes[i]);
	return rsb_add_address(row, "pc", line->pc) && rsb_add_text(row, "symbol", line->symbol) &&
	       add_word(row, "label", line->label) && rsb_add_text(row, "bytes", bytes) &&
	       rsb_add_text(row, "text", line->text) &&
	       add_word(row, "mitigation", rsb_mitigation_name(line->mitigation));
}

static bool make_address(cJSON *row, const struct rsb_recording *recording, size_t index)
{
	const struct rsb_recorded_address *address = &recording->addresses[index];

	return rsb_add_address(row, "address", address->address) &&
	       rsb_add_text(row, "symbol", address->symbol) &&
	       add_index(row, "line", address->line, RSB_RECORDING_NONE);
}

static bool make_site(cJSON *row, const struct rsb_recording *recording, size_t index)
{
	const struct rsb_recorded_site *site = &recording->sites[index];

	return add_index(row, "line", site->line, RSB_RECORDING_NONE) &&
	       rsb_add_text(row, "kind", rsb_kind_name(site->kind)) &&
	       add_index(row, "pushes", site->pushes, RSB_RECORDING_NONE) &&
	       add_flag(row, "indirect", site->flags & RSB_SITE_INDIRECT) &&
	       add_flag(row, "zero_call", site->flags & RSB_SITE_ZERO_CALL) &&
	       add_word(row, "mitigation", rsb_mitigation_name(site->mitigation)) &&
	       add_word(row, "detail", site->detail);
}

static bool make_entry(cJSON *row, const struct rsb_recording *recording, size_t index)
{
	const struct rsb_recorded_entry *entry = &recording->entries[index];

	return rsb_add_integer(row, "address", entry->address) &&
	       add_index(row, "pushed_by", entry->pushed_by, RSB_SITE_NONE) &&
	       add_index(row, "pushes", entry->pushes, 1) && add_flag(row, "stale", entry->stale);
}

static bool make_frame(cJSON *row, const struct rsb_recording *recording, size_t index)
{
	const struct rsb_recorded_frame *frame = &recording->frames[index];

	return rsb_add_address(row, "slot", frame->slot) &&
	       rsb_add_integer(row, "address", frame->address) &&
	       add_index(row, "pushed_by", frame->pushed_by, RSB_SITE_NONE) &&
	       add_flag(row, "rewritten", frame->rewritten);
}

static bool make_round(cJSON *row, const struct rsb_recording *recording, size_t index)
{
	const struct rsb_recorded_round *round = &recording->rounds[index];

	return rsb_add_integer(row, "round", index) &&
	       rsb_add_text(row, "phase", rsb_phase_name(round->phase)) &&
	       rsb_add_integer(row, "first", round->first) &&
	       rsb_add_integer(row, "count", round->count) &&
	       add_index(row, "line", round->line, RSB_RECORDING_NONE) &&
	       rsb_add_integer(row, "traced_calls", round->traced_calls) &&
	       rsb_add_integer(row, "misses_inside", round->misses_inside) &&
	       rsb_add_integer(row, "misses_callers", round->misses_callers) &&
	       rsb_add_integer(row, "misses_indirect", round->misses_indirect);
}

static bool add_numbers(cJSON *to, const char *key, const uint32_t *numbers, size_t count)
{
	cJSON *array = rsb_add_array(to, key);

	for (size_t i = 0; i < count; i++)
		if (!rsb_add_integer(array, NULL, numbers[i]))
			return false;
	return array != NULL;
}

/* Lines that are not in a row have to be told. */
static bool add_path(cJSON *row, const struct rsb_recording *recording,
		     const struct rsb_recorded_event *event)
{
	const uint32_t *path = &recording->paths[event->path];
	uint32_t line = recording->sites[event->site].line;

	for (uint32_t i = 0; i < event->steps; i++)
		if (path[i] + (event->steps - 1 - i) != line)
			return add_numbers(row, "path", path, event->steps);
	return true;
}

static bool add_prediction(cJSON *row, const struct rsb_recorded_event *event)
{
	static const char *const kinds[] = {
		[RSB_MISS_EMPTY] = "empty", [RSB_MISS_STALE] = "stale", [RSB_MISS_OTHER] = "other"
	};

	if (!event->asked)
		return true;
	if (event->predicted == RSB_RECORDING_NONE) {
		if (!rsb_add_item(row, "predicted", cJSON_CreateNull()))
			return false;
	} else if (!rsb_add_integer(row, "predicted", event->predicted)) {
		return false;
	}
	return add_index(row, "pushed_by", event->pushed_by, RSB_SITE_NONE) &&
	       add_flag(row, "stale", event->stale) &&
	       (!event->missed || rsb_add_text(row, "miss", kinds[event->miss_kind])) &&
	       add_flag(row, "intended", event->intended) &&
	       (event->cause == RSB_CAUSES ||
		rsb_add_text(row, "cause", rsb_cause_name(event->cause))) &&
	       add_index(row, "finding", event->finding, RSB_FINDING_NONE);
}

static bool add_refusal(cJSON *row, const struct rsb_recorded_event *event)
{
	return add_word(row, "refused", rsb_refused_name(event->refused)) &&
	       add_word(row, "reason", rsb_refused_reason(event)) &&
	       add_index(row, "expected", event->expected, RSB_RECORDING_NONE);
}

static bool add_slot_changes(cJSON *row, const struct rsb_recording *recording,
			     const struct rsb_recorded_event *event)
{
	const uint32_t top[] = { event->top_before, event->top_after };
	cJSON *array;

	if (top[0] != top[1] && !add_numbers(row, "top", top, 2))
		return false;
	if (!event->slot_changes)
		return true;
	array = rsb_add_array(row, "slots");
	for (uint32_t i = 0; i < event->slot_changes; i++) {
		const struct rsb_slot_change *change =
			&recording->slot_changes[event->first_slot_change + i];
		const uint32_t numbers[] = { change->index, change->before, change->after };

		if (!add_numbers(array, NULL, numbers, 3))
			return false;
	}
	return array != NULL;
}

static bool add_frame_changes(cJSON *row, const struct rsb_recording *recording,
			      const struct rsb_recorded_event *event)
{
	cJSON *array;

	if (!event->frame_changes)
		return true;
	array = rsb_add_array(row, "stack");
	for (uint32_t i = 0; i < event->frame_changes; i++) {
		const struct rsb_frame_change *change =
			&recording->frame_changes[event->first_frame_change + i];
		const uint32_t numbers[] = { change->step, change->index, change->before,
					     change->after };

		if (!add_numbers(array, NULL, numbers, 4))
			return false;
	}
	return array != NULL;
}

static bool make_event(cJSON *row, const struct rsb_recording *recording, size_t index)
{
	const struct rsb_recorded_event *event = &recording->events[index];
	const char *mark = event->traced ? "call" : event->landing ? "landing" : NULL;

	return rsb_add_integer(row, "site", event->site) &&
	       rsb_add_integer(row, "to", event->target) &&
	       add_index(row, "steps", event->steps, 1) && add_path(row, recording, event) &&
	       add_flag(row, "inside", event->inside) && add_word(row, "mark", mark) &&
	       add_prediction(row, event) && add_refusal(row, event) &&
	       add_slot_changes(row, recording, event) && add_frame_changes(row, recording, event);
}

static bool add_parameters(cJSON *to, const struct rsb_recording *recording)
{
	cJSON *object = rsb_add_object(to, "parameters");
	bool good = object != NULL;

	for (int i = 0; good && recording->type->parameters[i].name; i++) {
		const struct rsb_parameter *row = &recording->type->parameters[i];
		int64_t value = recording->values[i];
		char text[64];

		rsb_parameter_print(row, value, text, sizeof(text));
		if (row->choices && !rsb_parameter_is_switch(row))
			good = rsb_add_text(object, row->name, text);
		else /* a number, true or false */
			good = rsb_add_item(object, row->name, cJSON_CreateRaw(text));
	}
	return good;
}

static bool add_stack(cJSON *to, const struct rsb_recording *recording)
{
	cJSON *object = rsb_add_object(to, "stack");

	return rsb_add_integer(object, "slots", recording->slot_count) &&
	       rsb_add_integer(object, "top", recording->top) &&
	       rsb_add_switch(object, "exact", recording->exact);
}

static bool add_left_out(cJSON *to, const struct rsb_recording *recording)
{
	cJSON *object;

	if (!recording->why_left_out)
		return true;
	object = rsb_add_object(to, "left_out");
	return rsb_add_integer(object, "rounds", recording->rounds_left_out) &&
	       rsb_add_text(object, "why", recording->why_left_out);
}

static bool add_refusals_end(cJSON *to, const struct rsb_recording *recording)
{
	return recording->refusals_end == recording->round_count ||
	       rsb_add_integer(to, "refusals_end", recording->refusals_end);
}

static bool make_head(cJSON *row, const struct rsb_recording *recording, size_t index)
{
	const struct rsb_explanation *explanation = recording->explanation;

	(void)index;
	return rsb_add_integer(row, "schema", RSB_SCHEMA) &&
	       rsb_add_integer(row, "recording", RSB_RECORDING_VERSION) &&
	       rsb_add_text(row, "layout", recording->layout) &&
	       rsb_add_text(row, "cpu", recording->cpu) &&
	       rsb_add_text(row, "model", recording->model) &&
	       rsb_add_text(row, "type", recording->type->name) && add_parameters(row, recording) &&
	       rsb_add_scenario(row, "scenario", &recording->scenario) &&
	       rsb_add_score(row, "score", recording->score) &&
	       rsb_add_findings(row, explanation) && rsb_add_verdicts(row, explanation) &&
	       rsb_add_texts(row, "notes", explanation->notes, explanation->note_count) &&
	       add_stack(row, recording) && add_left_out(row, recording) &&
	       add_refusals_end(row, recording);
}

/* The text of a row; NULL: no memory. */
static char *print_row(const struct rsb_recording *recording, row_maker *make, size_t index)
{
	cJSON *row = cJSON_CreateObject();
	char *text = row && make(row, recording, index) ? cJSON_PrintUnformatted(row) : NULL;

	cJSON_Delete(row);
	return text;
}

/* nothing: the first row stands for nothing, and is null. */
static bool write_table(FILE *out, const struct rsb_recording *recording, const char *key,
			row_maker *make, size_t count, bool nothing)
{
	fprintf(out, ",\n\"%s\": [", key);
	for (size_t i = 0; i < count; i++) {
		char *text = nothing && !i ? NULL : print_row(recording, make, i);

		if (!text && !(nothing && !i))
			return false;
		fprintf(out, "%s\n%s", i ? "," : "", text ? text : "null");
		cJSON_free(text);
	}
	fputs("]", out);
	return true;
}

static bool write_head(FILE *out, const struct rsb_recording *recording)
{
	char *text = print_row(recording, make_head, 0);

	if (!text)
		return false;
	text[strlen(text) - 1] = '\0'; /* the tables follow inside the object */
	fputs(text, out);
	cJSON_free(text);
	return true;
}

bool rsb_recording_json(FILE *out, const struct rsb_recording *r, struct rsb_error *error)
{
	bool good = write_head(out, r) &&
		    write_table(out, r, "code", make_line, r->line_count, false) &&
		    write_table(out, r, "addresses", make_address, r->address_count, false) &&
		    write_table(out, r, "sites", make_site, r->site_count, false) &&
		    write_table(out, r, "entries", make_entry, r->entry_count, true) &&
		    write_table(out, r, "frames", make_frame, r->frame_count, true) &&
		    write_table(out, r, "rounds", make_round, r->round_count, false) &&
		    write_table(out, r, "events", make_event, r->event_count, false);

	if (!good)
		return rsb_error_set(error, "out of memory");
	fputs("}\n", out);
	return rsb_report_end(out, error);
}
