/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The return stack beside the program's stack, both from the top down: where they are not the same
 * in a row, the return that comes to it will miss.
 */
#include "sim/see/view.h"

#include <string.h>

/* Columns of the parts. */
struct columns {
	unsigned slot;           /* digits of a slot's number */
	unsigned predicts, wide; /* where it predicts, and how wide that is */
	unsigned by, by_wide;    /* who pushed it */
	unsigned sign;           /* same or other */
	unsigned program, program_wide;
};

static struct columns divide(const struct rsb_area *area, size_t slots)
{
	struct columns c = { .slot = slots > 1000 ? 4 : slots > 100 ? 3 : 2 };
	unsigned rest, third;

	c.predicts = 1 + c.slot + 1;
	rest = area->columns > c.predicts + 4 ? area->columns - c.predicts - 4 : 0;
	/* Less than that does not tell who it is. */
	third = rest >= 42 ? rest / 3 : 0;
	c.by_wide = third;
	c.program_wide = (rest - third) / 2;
	c.wide = rest - third - c.program_wide;
	c.by = c.predicts + c.wide + (third != 0);
	if (third)
		c.program_wide--;
	c.sign = c.by + c.by_wide + 1;
	c.program = c.sign + 2;
	return c;
}

static const char *name_site(const struct rsb_recording *r, uint32_t site)
{
	uint32_t line = site == RSB_SITE_NONE ? RSB_RECORDING_NONE : r->sites[site].line;

	if (line != RSB_RECORDING_NONE)
		return r->lines[line].symbol;
	return site == RSB_SITE_NONE ? "no call" : "the start";
}

/* Did the event that happened last change the slot? */
static bool is_fresh(const struct rsb_cursor *cursor, size_t slot)
{
	const struct rsb_recorded_event *last = rsb_cursor_last(cursor);

	for (uint32_t i = 0; last && !cursor->step && i < last->slot_changes; i++)
		if (cursor->recording->slot_changes[last->first_slot_change + i].index == slot)
			return true;
	return false;
}

static void draw_slot(const struct rsb_area *area, unsigned row, const struct columns *c,
		      const struct rsb_cursor *cursor, size_t slot)
{
	const struct rsb_recording *r = cursor->recording;
	const struct rsb_recorded_entry *entry = &r->entries[cursor->slots[slot]];
	enum rsb_screen_style style = entry->stale ? RSB_SCREEN_FAINT : RSB_SCREEN_PLAIN;
	char text[300];

	rsb_area_text(area, row, 1, RSB_SCREEN_FAINT, "%*zu", (int)c->slot, slot);
	if (!cursor->slots[slot]) {
		rsb_area_text(area, row, c->predicts, RSB_SCREEN_FAINT, "-");
		return;
	}
	if (is_fresh(cursor, slot))
		style = entry->stale ? RSB_SCREEN_FAINT : RSB_SCREEN_NOTE;
	snprintf(text, sizeof(text), entry->stale ? "(%s)" : "%s",
		 r->addresses[entry->address].symbol);
	if (entry->pushes > 1)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " x%u", entry->pushes);
	rsb_area_cut(area, row, c->predicts, c->wide, style, text);
	if (c->by_wide)
		rsb_area_cut(area, row, c->by, c->by_wide, RSB_SCREEN_FAINT,
			     name_site(r, entry->pushed_by));
}

/* index: from the top. */
static void draw_frame(const struct rsb_area *area, unsigned row, const struct columns *c,
		       const struct rsb_cursor *cursor, size_t index)
{
	const struct rsb_recording *r = cursor->recording;
	const struct rsb_recorded_frame *frame =
		&r->frames[cursor->frames[cursor->frame_count - 1 - index]];
	uint32_t entry;
	bool same;
	char text[300];

	snprintf(text, sizeof(text), "%s%s",
		 frame->rewritten                    ? "*"
		 : frame->pushed_by == RSB_SITE_NONE ? "+"
						     : "",
		 r->addresses[frame->address].symbol);
	rsb_area_cut(area, row, c->program, c->program_wide,
		     frame->rewritten || frame->pushed_by == RSB_SITE_NONE ? RSB_SCREEN_NOTE
									   : RSB_SCREEN_PLAIN,
		     text);
	if (index >= r->slot_count)
		return;
	entry = cursor->slots[rsb_cursor_slot(cursor, index)];
	same = entry && r->entries[entry].address == frame->address;
	rsb_area_sign(area, row, c->sign, same ? RSB_SCREEN_HIT : RSB_SCREEN_MISS,
		      same ? RSB_SIGN_SAME : RSB_SIGN_OTHER);
}

static void draw_heads(const struct rsb_area *area, const struct columns *c,
		       const struct rsb_cursor *cursor)
{
	size_t held = 0;
	char text[64];

	for (size_t i = 0; i < cursor->recording->slot_count; i++) {
		const struct rsb_recorded_entry *entry =
			&cursor->recording->entries[cursor->slots[i]];

		held += cursor->slots[i] && !entry->stale;
	}
	if (cursor->recording->exact)
		snprintf(text, sizeof(text), "RSB: %zu of %u", held, cursor->recording->slot_count);
	else
		snprintf(text, sizeof(text), "RSB: %zu", held);
	rsb_area_cut(area, 0, 1, c->predicts + c->wide - 1, RSB_SCREEN_TITLE, text);
	if (c->by_wide)
		rsb_area_cut(area, 0, c->by, c->by_wide, RSB_SCREEN_TITLE, "pushed by");
	rsb_area_cut(area, 0, c->program, c->program_wide, RSB_SCREEN_TITLE, "real stack");
}

/* All slots; of those that are not the model's own, what there is in them. */
static size_t count_shown(const struct rsb_cursor *cursor)
{
	const struct rsb_recording *r = cursor->recording;
	size_t count = r->slot_count;

	while (!r->exact && count && !cursor->slots[rsb_cursor_slot(cursor, count - 1)])
		count--;
	return count;
}

/* Empty slots in a row, with nothing beside them, from the one that is index below the top on. */
static size_t count_empty(const struct rsb_cursor *cursor, size_t index, size_t slots)
{
	size_t end = index;

	if (index < cursor->frame_count)
		return 0;
	while (end < slots && !cursor->slots[rsb_cursor_slot(cursor, end)])
		end++;
	return end - index;
}

void rsb_view_stacks(const struct rsb_area *area, const struct rsb_cursor *cursor)
{
	const struct rsb_recording *r = cursor->recording;
	struct columns c = divide(area, r->slot_count);
	size_t slots = count_shown(cursor);
	size_t most = slots > cursor->frame_count ? slots : cursor->frame_count;
	unsigned row = 1;

	draw_heads(area, &c, cursor);
	for (size_t i = 0; i < most && row < area->rows; row++) {
		size_t empty = count_empty(cursor, i, slots);

		if (row + 1 == area->rows && i + (empty ? empty : 1) < most) {
			rsb_area_text(area, row, 1, RSB_SCREEN_FAINT, "and %zu more", most - i);
			break;
		}
		if (empty > 1) {
			rsb_area_text(area, row, c.predicts, RSB_SCREEN_FAINT, "%zu empty slots",
				      empty);
			i += empty;
			continue;
		}
		if (i < slots)
			draw_slot(area, row, &c, cursor, rsb_cursor_slot(cursor, i));
		if (i < cursor->frame_count)
			draw_frame(area, row, &c, cursor, i);
		i++;
	}
	if (slots && area->rows > 1)
		rsb_area_sign(area, 1, 0, RSB_SCREEN_CURRENT, RSB_SIGN_HERE);
}
