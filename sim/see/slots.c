/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at a model's return stack: see sim/see/slots.h. */
#include "sim/see/slots.h"

#include <stdlib.h>
#include <string.h>

bool rsb_slots_open(struct rsb_slots *slots, const struct rsb_model *model, size_t depth)
{
	size_t count = rsb_model_slots(model, NULL, 0, &slots->top);

	*slots = (struct rsb_slots){ .top = slots->top, .exact = count != SIZE_MAX };
	if (!slots->exact) {
		count = depth < RSB_SLOTS_PROBED ? depth : RSB_SLOTS_PROBED;
		slots->top = 0;
	}
	slots->count = count;
	slots->all = calloc(count + 1, sizeof(*slots->all));
	slots->found = calloc(count + 1, sizeof(*slots->found));
	for (size_t i = 0; slots->all && i < count; i++)
		slots->all[i].pushed_by = RSB_SITE_NONE;
	return slots->all && slots->found;
}

void rsb_slots_close(struct rsb_slots *slots)
{
	free(slots->all);
	free(slots->found);
}

bool rsb_slot_same(const struct rsb_slot *a, const struct rsb_slot *b)
{
	return a->address == b->address && a->pushed_by == b->pushed_by && a->pushes == b->pushes &&
	       a->stale == b->stale;
}

/* Pops a copy until there is no prediction. False: no memory. */
static bool probe(struct rsb_slots *slots, const struct rsb_model *model,
		  const struct rsb_step *next)
{
	struct rsb_model *copy = rsb_model_copy(model);

	for (size_t i = 0; i < slots->count; i++)
		slots->found[i] = (struct rsb_slot){ .pushed_by = RSB_SITE_NONE };
	if (!copy)
		return false;
	for (size_t i = 0; i < slots->count; i++) {
		struct rsb_prediction prediction = rsb_model_predict(copy, next);

		if (!prediction.valid)
			break;
		slots->found[i] = (struct rsb_slot){ prediction.target, prediction.pushed_by, 1,
						     prediction.stale };
		rsb_model_update(copy, next, prediction.target);
		/* What returns do not change is no stack: it says this one thing for ever. */
		if (!i && rsb_model_same(copy, model, SIZE_MAX))
			break;
	}
	rsb_model_free(copy);
	return true;
}

/* How many slots are other ones if what was found first is in slot top. */
static size_t count_changes(const struct rsb_slots *slots, size_t top)
{
	size_t changes = 0;

	for (size_t i = 0; i < slots->count; i++)
		changes += !rsb_slot_same(&slots->found[i],
					  &slots->all[(top + slots->count - i) % slots->count]);
	return changes;
}

static size_t count_held(const struct rsb_slot *all, size_t count)
{
	size_t held = 0;

	for (size_t i = 0; i < count; i++)
		held += all[i].pushes != 0;
	return held;
}

/* Lays out what was found: the pointer stays, or moves as after a call, or after a return. */
static void lay_out(struct rsb_slots *slots)
{
	size_t up = 1, down = slots->count - 1;
	size_t before = count_held(slots->all, slots->count);
	size_t held = count_held(slots->found, slots->count);
	/* Of those that change as much, the first: an entry came, or went, or neither. */
	const size_t moves[] = { held > before ? up : held < before ? down : 0, 0, up, down };
	size_t least = SIZE_MAX, best = slots->top;

	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		size_t top = (slots->top + moves[i]) % slots->count;
		size_t changes = count_changes(slots, top);

		if (changes < least) {
			least = changes;
			best = top;
		}
	}
	slots->top = best;
	for (size_t i = 0; i < slots->count; i++)
		slots->all[(best + slots->count - i) % slots->count] = slots->found[i];
}

bool rsb_slots_look(struct rsb_slots *slots, const struct rsb_model *model,
		    const struct rsb_step *next)
{
	if (!slots->count)
		return true;
	if (slots->exact) {
		rsb_model_slots(model, slots->all, slots->count, &slots->top);
		return true;
	}
	if (!probe(slots, model, next))
		return false;
	lay_out(slots);
	return true;
}
