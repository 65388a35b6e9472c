/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happened last, whether it was predicted, and why not; and the score. */
#include "sim/report/number.h"
#include "sim/see/view.h"

#include <string.h>

#define BRIEF 76 /* columns below which words are saved */

static const char *name_line(const struct rsb_recording *r, uint32_t line)
{
	return line == RSB_RECORDING_NONE ? "?" : r->lines[line].symbol;
}

static const char *name_address(const struct rsb_recording *r, uint32_t address)
{
	return address == RSB_RECORDING_NONE ? "?" : r->addresses[address].symbol;
}

/* "event 31 of 62: return trampoline+0x9e to rsb_landing" */
static void print_event(const struct rsb_cursor *cursor, bool brief, char *out, size_t size)
{
	const struct rsb_recording *r = cursor->recording;
	const struct rsb_recorded_event *event = rsb_cursor_last(cursor);
	const struct rsb_recorded_site *site = &r->sites[event->site];
	size_t used;
	const char *mark = event->traced    ? " (the traced call)"
			   : event->landing ? " (landing)"
					    : "";

	snprintf(out, size, brief ? "%zu/%zu: " : "event %zu of %zu: ", cursor->event,
		 r->event_count);
	used = strlen(out);
	out += used;
	size -= used;
	if (site->kind == RSB_ENVIRONMENT)
		snprintf(out, size, "%s at %s", site->detail, name_line(r, site->line));
	else if (site->line == RSB_RECORDING_NONE && site->pushes != RSB_RECORDING_NONE)
		/* A program's call of its entry: its code ran before the recording. */
		snprintf(out, size, "%s before %s to %s%s", rsb_kind_name(site->kind),
			 name_address(r, site->pushes), name_address(r, event->target), mark);
	else
		snprintf(out, size, "%s %s to %s%s", rsb_kind_name(site->kind),
			 name_line(r, site->line), name_address(r, event->target), mark);
}

/* Of a call, what became of it; of what is predicted, whether it was. */
static enum rsb_screen_style print_verdict(const struct rsb_recording *r,
					   const struct rsb_recorded_event *event, char *out,
					   size_t size)
{
	const struct rsb_recorded_site *site = &r->sites[event->site];
	const char *by = "", *pusher = "";

	*out = '\0';
	if (site->kind == RSB_CALL && !event->asked) {
		if (event->slot_changes || event->top_before != event->top_after)
			snprintf(out, size, "pushed %s", name_address(r, site->pushes));
		else if (site->flags & RSB_SITE_ZERO_CALL)
			snprintf(out, size,
				 "a call to the next instruction, which this CPU does not push");
		else
			snprintf(out, size, "pushed nothing");
		return RSB_SCREEN_PLAIN;
	}
	if (!event->asked)
		return RSB_SCREEN_PLAIN;
	if (event->pushed_by != RSB_SITE_NONE) {
		by = ", pushed by ";
		pusher = name_line(r, r->sites[event->pushed_by].line);
	}
	if (!event->missed) {
		snprintf(out, size, "HIT: as predicted%s%s", by, pusher);
		return RSB_SCREEN_HIT;
	}
	if (event->predicted == RSB_RECORDING_NONE)
		snprintf(out, size, "MISS: no prediction%s",
			 site->kind == RSB_RETURN ? "" : " of this indirect transfer yet");
	else
		snprintf(out, size, "MISS: predicted %s%s%s%s%s", name_address(r, event->predicted),
			 by, pusher, event->stale ? " (popped before)" : "",
			 event->intended ? ", as a mitigation wants" : "");
	return RSB_SCREEN_MISS;
}

static const struct rsb_finding *find_finding(const struct rsb_cursor *cursor)
{
	const struct rsb_recorded_event *event = rsb_cursor_last(cursor);

	if (!event || !event->missed || event->finding == RSB_FINDING_NONE)
		return NULL;
	return &cursor->recording->explanation->findings[event->finding];
}

/* Why: the cause, and where the finding's is another, that too. */
static void print_cause(const struct rsb_cursor *cursor, char *out, size_t size)
{
	const struct rsb_recorded_event *event = rsb_cursor_last(cursor);
	const struct rsb_finding *finding = find_finding(cursor);

	*out = '\0';
	if (!event->missed || event->cause == RSB_CAUSES)
		return;
	snprintf(out, size, "%s: %s.", rsb_cause_name(event->cause),
		 finding ? finding->story : rsb_cause_sentence(event->cause));
	if (finding && *finding->advice)
		snprintf(out + strlen(out), size - strlen(out), " Way out: %s", finding->advice);
}

static void draw_score(const struct rsb_area *area, unsigned row, const struct rsb_cursor *cursor)
{
	const struct rsb_cursor_counts *counts = &cursor->counts;
	const struct rsb_per_call *call = &cursor->recording->score->per_call;
	char inside[RSB_NUMBER_SIZE], callers[RSB_NUMBER_SIZE], text[300];

	rsb_number_brief(inside, sizeof(inside), call->misses_inside, 2);
	rsb_number_brief(callers, sizeof(callers), call->misses_callers, 2);
	snprintf(
		text, sizeof(text),
		area->columns < BRIEF
			? "%u returns, missed %u, %u; score %s, %s"
			: "%u returns so far, missed %u inside, %u in callers | score: %s inside, %s in "
			  "callers",
		counts->returns, counts->inside, counts->callers, inside, callers);
	rsb_area_cut(area, row, 0, area->columns, RSB_SCREEN_TITLE, text);
}

void rsb_view_event(const struct rsb_area *area, const struct rsb_cursor *cursor)
{
	struct rsb_area told = rsb_area_part(area, 0, 0, area->rows - 1, area->columns);
	struct rsb_area why;
	enum rsb_screen_style style;
	unsigned row;
	char text[2048];

	draw_score(area, area->rows - 1, cursor);
	if (!cursor->event) {
		rsb_area_wrap(
			&told, 0, RSB_SCREEN_PLAIN,
			"Nothing has happened yet. n: on to the next call or return; m: to the "
			"next miss; ?: help");
		return;
	}
	print_event(cursor, told.columns < BRIEF, text, sizeof(text));
	rsb_area_cut(&told, 0, 0, told.columns, RSB_SCREEN_PLAIN, text);
	style = print_verdict(cursor->recording, rsb_cursor_last(cursor), text, sizeof(text));
	rsb_area_cut(&told, 1, 0, told.columns, style, text);
	row = *text ? 2 : 1;
	rsb_refused_tell(cursor->recording, rsb_cursor_last(cursor), text, sizeof(text));
	rsb_area_cut(&told, row, 0, told.columns, RSB_SCREEN_NOTE, text);
	row += *text != '\0';
	print_cause(cursor, text, sizeof(text));
	why = rsb_area_part(&told, row, 0, told.rows - row, told.columns);
	rsb_area_wrap(&why, 0, RSB_SCREEN_PLAIN, text);
}

/* A part of the full explanation: its heading in bold, if it has one, and the text. */
static unsigned draw_part(const struct rsb_area *area, unsigned row, const char *heading,
			  const char *text)
{
	rsb_area_text(area, row, 0, RSB_SCREEN_TITLE, "%s", heading);
	return rsb_area_wrap(area, row + 1, RSB_SCREEN_PLAIN, text) + 1;
}

void rsb_view_why(const struct rsb_area *area, const struct rsb_cursor *cursor)
{
	const struct rsb_recorded_event *event = rsb_cursor_last(cursor);
	const struct rsb_finding *finding = find_finding(cursor);
	enum rsb_screen_style style;
	unsigned row = 0;
	char text[1024];

	if (!event || !(event->missed || event->refused)) {
		rsb_area_wrap(area, 0, RSB_SCREEN_PLAIN,
			      "The event that happened last did not miss. m: on to the next miss");
		return;
	}
	print_event(cursor, false, text, sizeof(text));
	row = rsb_area_wrap(area, row, RSB_SCREEN_TITLE, text);
	style = print_verdict(cursor->recording, event, text, sizeof(text));
	row = rsb_area_wrap(area, row, style, text) + 1;
	rsb_refused_tell(cursor->recording, event, text, sizeof(text));
	if (*text)
		row = rsb_area_wrap(area, row, RSB_SCREEN_NOTE, text) + 1;
	if (event->cause != RSB_CAUSES)
		row = draw_part(area, row, rsb_cause_name(event->cause),
				rsb_cause_sentence(event->cause));
	if (finding) {
		row = draw_part(area, row, "what happened", finding->story);
		if (*finding->advice)
			draw_part(area, row, "way out", finding->advice);
	}
}
