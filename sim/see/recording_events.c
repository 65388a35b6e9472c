/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of a recording, and the states that they lead through. */
#include "models/step.h"
#include "sim/machine/shadow.h"
#include "sim/see/build.h"
#include "sim/see/real_stack.h"
#include "sim/see/slots.h"
#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

/* A change of the real stack, while events are not yet there to have it. */
struct raw_change {
	uint32_t step, index, before, after;
};

/* The way through the events. */
struct walk {
	struct rsb_build *build;
	const struct rsb_site *sites;
	struct rsb_model *model;
	struct rsb_slots slots;
	struct rsb_slot *before; /* the slots as they were */
	struct raw_change *raw;
	size_t raw_count;
	size_t next_raw, next_told;
	size_t next_return;       /* of the watched events */
	struct rsb_words counted; /* transfers of the round, as rsb_refusals_count() has them */
	uint32_t place, dealt;    /* calls and returns of the round; steps that events have */
	bool inside, traced;
	bool failed; /* no memory */
};

static uint32_t address_id(struct walk *walk, uint64_t address)
{
	uint32_t id = rsb_sites_address(walk->build->watched.sites, address);

	walk->failed |= id == UINT32_MAX;
	return id;
}

static uint32_t frame_id(struct walk *walk, const struct rsb_real_frame *from)
{
	struct rsb_recorded_frame frame;
	uint32_t id;

	memset(&frame, 0, sizeof(frame)); /* the padding too */
	if (from) {
		frame.slot = from->slot;
		frame.address = address_id(walk, from->address);
		frame.pushed_by = from->site;
		frame.rewritten = from->rewritten;
	}
	id = rsb_intern(&walk->build->frames, &frame);
	walk->failed |= id == UINT32_MAX;
	return id;
}

static uint32_t entry_id(struct walk *walk, const struct rsb_slot *from)
{
	struct rsb_recorded_entry entry;
	uint32_t id;

	memset(&entry, 0, sizeof(entry));
	if (from && from->pushes) {
		entry.address = address_id(walk, from->address);
		entry.pushed_by = from->pushed_by;
		entry.pushes = from->pushes;
		entry.stale = from->stale;
	}
	id = rsb_intern(&walk->build->entries, &entry);
	walk->failed |= id == UINT32_MAX;
	return id;
}

static bool add_raw(void *context, uint32_t step, size_t index, const struct rsb_real_frame *before,
		    const struct rsb_real_frame *after)
{
	struct walk *walk = context;

	if (!RSB_GROW(walk->raw, walk->raw_count))
		return false;
	walk->raw[walk->raw_count++] = (struct raw_change){
		.step = step,
		.index = (uint32_t)index,
		.before = frame_id(walk, before),
		.after = frame_id(walk, after),
	};
	return !walk->failed;
}

/* The changes of the real stack up to the event. */
static void take_frame_changes(struct walk *walk, struct rsb_recorded_event *event, uint32_t end)
{
	struct rsb_recording *recording = walk->build->recording;

	event->first_frame_change = (uint32_t)recording->frame_change_count;
	while (walk->next_raw < walk->raw_count && walk->raw[walk->next_raw].step <= end) {
		const struct raw_change *raw = &walk->raw[walk->next_raw++];
		uint32_t step = raw->step > walk->dealt ? raw->step - walk->dealt : 0;

		if (!RSB_GROW(recording->frame_changes, recording->frame_change_count)) {
			walk->failed = true;
			return;
		}
		recording->frame_changes[recording->frame_change_count++] =
			(struct rsb_frame_change){ raw->index, raw->before, raw->after, step };
		event->frame_changes++;
	}
}

static void take_slot_changes(struct walk *walk, struct rsb_recorded_event *event)
{
	struct rsb_recording *recording = walk->build->recording;

	event->first_slot_change = (uint32_t)recording->slot_change_count;
	for (size_t i = 0; i < walk->slots.count; i++) {
		const struct rsb_slot *now = &walk->slots.all[i];

		if (rsb_slot_same(now, &walk->before[i]))
			continue;
		if (!RSB_GROW(recording->slot_changes, recording->slot_change_count)) {
			walk->failed = true;
			return;
		}
		recording->slot_changes[recording->slot_change_count++] =
			(struct rsb_slot_change){ (uint32_t)i, entry_id(walk, &walk->before[i]),
						  entry_id(walk, now) };
		event->slot_changes++;
		walk->before[i] = *now;
	}
}

/* The return that comes next, for models that are asked what they would say of it. */
static struct rsb_step find_return(struct walk *walk, size_t from)
{
	const struct rsb_watched *w = &walk->build->watched;

	if (walk->next_return < from)
		walk->next_return = from;
	while (walk->next_return < w->event_count &&
	       walk->sites[w->events[walk->next_return].site].kind != RSB_RETURN)
		walk->next_return++;
	if (walk->next_return < w->event_count)
		return rsb_step_of(walk->sites, w->events[walk->next_return].site);
	return (struct rsb_step){ .site = RSB_SITE_NONE, .kind = RSB_RETURN };
}

/* What the explanation says of the miss. */
static void take_cause(struct walk *walk, struct rsb_recorded_event *event)
{
	const struct rsb_explanation *explanation = walk->build->recording->explanation;
	const struct rsb_told_miss *told;

	for (; walk->next_told < explanation->told_count; walk->next_told++) {
		told = &explanation->told[walk->next_told];
		if (told->round > event->round ||
		    (told->round == event->round && told->place >= walk->place))
			break;
	}
	if (walk->next_told == explanation->told_count)
		return;
	told = &explanation->told[walk->next_told];
	if (told->round == event->round && told->place == walk->place) {
		event->cause = (uint8_t)told->cause;
		event->finding = told->finding;
	}
}

static void count_miss(struct rsb_recorded_round *round, const struct rsb_recorded_event *event,
		       enum rsb_kind kind)
{
	if (kind != RSB_RETURN && kind != RSB_SWAP)
		round->misses_indirect++;
	else if (event->inside)
		round->misses_inside++;
	else
		round->misses_callers++;
}

static void predict(struct walk *walk, struct rsb_recorded_event *event,
		    const struct rsb_step *step, uint64_t target)
{
	struct rsb_prediction prediction = rsb_model_predict(walk->model, step);
	struct rsb_miss miss;

	event->asked = true;
	if (prediction.valid) {
		event->predicted = address_id(walk, prediction.target);
		event->pushed_by = prediction.pushed_by;
		event->stale = prediction.stale;
	}
	event->intended = event->pushed_by != RSB_SITE_NONE &&
			  walk->sites[event->pushed_by].mitigation;
	event->missed = !rsb_prediction_hits(&prediction, target);
	if (!event->missed)
		return;
	miss = rsb_miss_of(&prediction, 0);
	event->miss_kind = (uint8_t)miss.kind;
	/* Indirect jumps and calls are not explained. */
	if (step->kind == RSB_RETURN)
		take_cause(walk, event);
	count_miss(&walk->build->recording->rounds[event->round], event, step->kind);
}

/* A transfer of the code itself, whose site has a length, may be one that enforcement refuses. */
static void find_refusal(struct walk *walk, struct rsb_recorded_event *event,
			 const struct rsb_site *site)
{
	const struct rsb_build *build = walk->build;
	bool returns = site->kind == RSB_RETURN || site->kind == RSB_RETURN_FAR ||
		       site->kind == RSB_IRET;
	bool branches = site->kind == RSB_JUMP_INDIRECT || site->flags & RSB_SITE_INDIRECT;
	const struct rsb_refusal *refusal;
	uint32_t times;

	if (!site->length || !(returns || branches))
		return;
	times = rsb_refusals_count(&walk->counted, event->round, site->pc, &walk->failed);
	refusal = rsb_refusals_find(returns ? &build->refused_returns : &build->refused_branches,
				    event->round, site->pc, times);
	if (!refusal)
		return;
	event->refused = returns ? RSB_REFUSED_SHADOW : RSB_REFUSED_IBT;
	event->why = refusal->why;
	if (returns && refusal->why == RSB_SHADOW_FAULT_RETURN)
		event->expected = address_id(walk, refusal->expected);
}

static void add_path(struct walk *walk, struct rsb_recorded_event *event, uint32_t end)
{
	struct rsb_recording *recording = walk->build->recording;

	event->path = (uint32_t)recording->path_count;
	for (; walk->dealt < end; walk->dealt++) {
		recording->paths[recording->path_count++] =
			rsb_build_line(walk->build, walk->build->watched.pcs[walk->dealt]);
		event->steps++;
	}
}

static void add_event(struct walk *walk, size_t index, uint32_t round)
{
	const struct rsb_watched_event *from = &walk->build->watched.events[index];
	struct rsb_recording *recording = walk->build->recording;
	struct rsb_step step = rsb_step_of(walk->sites, from->site), next;
	struct rsb_recorded_event *event = &recording->events[recording->event_count++];
	size_t count;
	uint64_t target = rsb_sites_addresses(walk->build->watched.sites, &count)[from->target];

	*event = (struct rsb_recorded_event){
		.site = from->site,
		.target = from->target,
		.round = round,
		.top_before = (uint32_t)walk->slots.top,
		.predicted = RSB_RECORDING_NONE,
		.pushed_by = RSB_SITE_NONE,
		.finding = RSB_FINDING_NONE,
		.expected = RSB_RECORDING_NONE,
		.cause = RSB_CAUSES,
		.inside = walk->inside,
		.traced = walk->traced,
	};
	walk->traced = false;
	take_frame_changes(walk, event, from->end);
	add_path(walk, event, from->end);
	find_refusal(walk, event, &walk->sites[from->site]);
	if (rsb_model_asks(walk->model, &step))
		predict(walk, event, &step, target);
	rsb_model_update(walk->model, &step, target);
	next = find_return(walk, index + 1);
	walk->failed |= !rsb_slots_look(&walk->slots, walk->model, &next);
	event->top_after = (uint32_t)walk->slots.top;
	take_slot_changes(walk, event);
	walk->place += step.kind == RSB_CALL || step.kind == RSB_RETURN;
	recording->rounds[round].count++;
}

static void see_mark(struct walk *walk, enum rsb_mark mark, const struct rsb_recorded_round *round)
{
	struct rsb_recording *recording = walk->build->recording;

	if (mark == RSB_MARK_TRACED_CALL) {
		walk->inside = walk->traced = true;
	} else if (mark == RSB_MARK_LANDING) {
		if (round->count)
			recording->events[recording->event_count - 1].landing = true;
		walk->inside = false;
	}
}

static void walk_round(struct walk *walk, uint32_t index)
{
	const struct rsb_watched *w = &walk->build->watched;
	const struct rsb_watched_round *from = &w->rounds[index];
	struct rsb_recorded_round *round = &walk->build->recording->rounds[index];

	round->first = (uint32_t)walk->build->recording->event_count;
	round->line = from->steps < w->step_count ? rsb_build_line(walk->build, w->pcs[from->steps])
						  : RSB_RECORDING_NONE;
	round->traced_calls = from->traced_calls;
	round->phase = index >= walk->build->steady_from ? RSB_PHASE_STEADY
		       : index                           ? RSB_PHASE_WARM
							 : RSB_PHASE_COLD;
	walk->dealt = from->steps;
	walk->place = 0;
	walk->inside = walk->traced = false;
	for (size_t i = index ? from[-1].events : 0; i < from->events && !walk->failed; i++) {
		const struct rsb_site *site = &walk->sites[w->events[i].site];

		if (site->kind == RSB_MARK)
			see_mark(walk, site->detail, round);
		else
			add_event(walk, i, index);
	}
}

static bool make_room(struct walk *walk)
{
	struct rsb_recording *recording = walk->build->recording;
	const struct rsb_watched *w = &walk->build->watched;

	recording->events = calloc(w->event_count + 1, sizeof(*recording->events));
	recording->rounds = calloc(w->round_count + 1, sizeof(*recording->rounds));
	recording->paths = calloc(w->step_count + 1, sizeof(*recording->paths));
	walk->before = calloc(walk->slots.count + 1, sizeof(*walk->before));
	for (size_t i = 0; walk->before && i < walk->slots.count; i++)
		walk->before[i] = walk->slots.all[i];
	return recording->events && recording->rounds && recording->paths && walk->before;
}

static bool walk_rounds(struct walk *walk)
{
	struct rsb_recording *recording = walk->build->recording;

	if (!rsb_slots_open(&walk->slots, walk->model, rsb_profile_depth(walk->build->profile)) ||
	    !make_room(walk))
		return false;
	recording->slot_count = (uint32_t)walk->slots.count;
	recording->top = (uint32_t)walk->slots.top;
	recording->exact = walk->slots.exact;
	/* Nothing is entry 0, and frame 0. */
	entry_id(walk, NULL);
	frame_id(walk, NULL);
	if (!rsb_real_stack_follow(&walk->build->watched, add_raw, walk))
		return false;
	recording->round_count = walk->build->watched.round_count;
	for (size_t i = 0; i < recording->round_count && !walk->failed; i++)
		walk_round(walk, (uint32_t)i);
	return !walk->failed;
}

/* The recording takes over what was interned. */
static void take_tables(struct rsb_build *build)
{
	struct rsb_recording *recording = build->recording;

	recording->entries = (struct rsb_recorded_entry *)(void *)build->entries.all;
	recording->entry_count = build->entries.count;
	recording->frames = (struct rsb_recorded_frame *)(void *)build->frames.all;
	recording->frame_count = build->frames.count;
	build->entries.all = build->frames.all = NULL;
}

bool rsb_build_events(struct rsb_build *build, struct rsb_error *error)
{
	struct walk walk = { .build = build };
	size_t count;
	bool good;

	build->entries.size = sizeof(struct rsb_recorded_entry);
	build->frames.size = sizeof(struct rsb_recorded_frame);
	walk.sites = rsb_sites_array(build->watched.sites, &count);
	walk.model = rsb_profile_model(build->profile, error);
	if (!walk.model)
		return false;
	good = walk_rounds(&walk);
	take_tables(build);
	rsb_model_free(walk.model);
	rsb_slots_close(&walk.slots);
	rsb_words_clear(&walk.counted);
	free(walk.before);
	free(walk.raw);
	return good || rsb_error_set(error, "out of memory");
}
