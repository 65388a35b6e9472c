/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running rounds under watch: see sim/see/watched.h. */
#include "sim/see/watched.h"

#include "sim/explain/words.h"
#include "sim/machine/watch.h"
#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

/* Acts on the stack that are kept: 40 bytes each. */
#define ACTS_MAX 4000000

/* The run under way. */
struct watch {
	struct rsb_watched *watched;
	struct rsb_machine *machine;
	struct rsb_trace trace;
	size_t seen;  /* events of the trace that were dealt with */
	size_t dealt; /* steps that belong to an event */
	size_t kept;  /* events that are no marks, of all rounds */
	size_t events_max, steps_max;
	uint64_t pc, rsp;        /* of the instruction before */
	bool some;               /* there is one, in this round */
	bool stopped;            /* there is no more room */
	bool failed;             /* no memory */
	struct rsb_words stored; /* aligned word -> the act that wrote it last, plus 1 */
	struct rsb_words known;  /* pcs of the codes */
};

static void add_act(struct watch *watch, struct rsb_watched_act act)
{
	struct rsb_watched *w = watch->watched;

	if (w->act_count == ACTS_MAX) {
		watch->stopped = true;
		return;
	}
	act.step = (uint32_t)w->step_count;
	act.pc = watch->pc;
	if (!RSB_GROW(w->acts, w->act_count) ||
	    ((act.act == RSB_ACT_CALL || act.act == RSB_ACT_STORE) &&
	     !rsb_words_set(&watch->stored, act.address / 8, w->act_count + 1))) {
		watch->failed = true;
		return;
	}
	w->acts[w->act_count++] = act;
}

/* A return takes a target that code stored there without a call. */
static void take(struct watch *watch, uint64_t slot, uint64_t target)
{
	const uint64_t *index = rsb_words_find(&watch->stored, slot / 8);
	struct rsb_watched_act *act = index && *index ? &watch->watched->acts[*index - 1] : NULL;

	if (act && act->act == RSB_ACT_STORE && act->address == slot && act->size == 8 &&
	    act->value == target)
		act->taken = true;
}

/*
 * How many steps had been run when the event happened. What something outside the code does inside
 * a block is told at the block's end; it comes before the instruction that it is at.
 */
static size_t find_end(const struct watch *watch, const struct rsb_site *site)
{
	const struct rsb_watched *w = watch->watched;

	if (site->kind != RSB_ENVIRONMENT)
		return w->step_count;
	for (size_t i = watch->dealt; i < w->step_count; i++)
		if (w->pcs[i] == site->pc)
			return i;
	return watch->dealt;
}

/* False: it is one too many, or there is no memory. */
static bool add_event(struct watch *watch, const struct rsb_event *event,
		      const struct rsb_site *site)
{
	struct rsb_watched *w = watch->watched;

	if (site->kind != RSB_MARK) {
		if (watch->kept == watch->events_max) {
			watch->stopped = true;
			return false;
		}
		watch->kept++;
		watch->dealt = find_end(watch, site);
	}
	if (!RSB_GROW(w->events, w->event_count)) {
		watch->failed = true;
		return false;
	}
	w->events[w->event_count++] =
		(struct rsb_watched_event){ event->site, event->target, (uint32_t)watch->dealt };
	return true;
}

/* An event of the instruction before; rsp is as that left it. */
static void see_event(struct watch *watch, const struct rsb_event *event, uint64_t rsp)
{
	size_t count;
	const struct rsb_site *site = &rsb_sites_array(watch->watched->sites, &count)[event->site];
	uint64_t target = rsb_sites_addresses(watch->watched->sites, &count)[event->target];

	if (!add_event(watch, event, site))
		return;
	if (site->kind == RSB_CALL) {
		add_act(watch, (struct rsb_watched_act){ .act = RSB_ACT_CALL,
							 .address = rsp,
							 .value = site->fall_through,
							 .site = event->site });
	} else if (site->kind == RSB_RETURN) {
		take(watch, watch->rsp, target);
		add_act(watch, (struct rsb_watched_act){ .act = RSB_ACT_RETURN,
							 .address = watch->rsp,
							 .value = target });
	}
}

/* What the instruction before did. */
static void see_last(struct watch *watch, uint64_t rsp)
{
	for (; watch->seen < watch->trace.count && !watch->stopped; watch->seen++)
		see_event(watch, &watch->trace.events[watch->seen], rsp);
	if (watch->some && rsp != watch->rsp && !watch->stopped)
		add_act(watch, (struct rsb_watched_act){ .act = RSB_ACT_POINTER, .address = rsp });
}

/* Keeps the code of a place that is new. */
static void keep_code(struct watch *watch, uint64_t pc, uint32_t size)
{
	struct rsb_watched *w = watch->watched;
	struct rsb_watched_code *code;

	if (rsb_words_find(&watch->known, pc))
		return;
	if (!rsb_words_set(&watch->known, pc, 1) || !RSB_GROW(w->codes, w->code_count)) {
		watch->failed = true;
		return;
	}
	code = &w->codes[w->code_count++];
	*code = (struct rsb_watched_code){ .pc = pc };
	if (size > RSB_INSTRUCTION_MAX)
		size = RSB_INSTRUCTION_MAX;
	code->length = (uint8_t)rsb_machine_read(watch->machine, pc, code->bytes, size);
}

static void on_instruction(void *context, uint64_t pc, uint32_t size, uint64_t rsp)
{
	struct watch *watch = context;
	struct rsb_watched *w = watch->watched;
	size_t events = w->event_count;

	if (watch->stopped)
		return;
	see_last(watch, rsp);
	watch->stopped |= w->step_count >= watch->steps_max;
	if (watch->stopped)
		return;
	/* A string instruction comes once for each time that it repeats. */
	if (!watch->some || pc != watch->pc || events != w->event_count) {
		if (!RSB_GROW(w->pcs, w->step_count))
			watch->failed = watch->stopped = true;
		else
			w->pcs[w->step_count++] = pc;
		keep_code(watch, pc, size);
	}
	watch->pc = pc;
	watch->rsp = rsp;
	watch->some = true;
}

static void on_store(void *context, uint64_t address, uint32_t size, uint64_t value)
{
	struct watch *watch = context;

	if (!watch->stopped && watch->some)
		add_act(watch, (struct rsb_watched_act){ .act = RSB_ACT_STORE,
							 .address = address,
							 .value = value,
							 .size = (uint8_t)size });
}

/* Sets back to the end of the round before, where there is one. */
static void drop_round(struct rsb_watched *w, size_t steps)
{
	const struct rsb_watched_round *last = &w->rounds[w->round_count - 1];

	w->event_count = last->events;
	w->act_count = last->acts;
	w->step_count = steps;
	w->full = true;
}

static bool watch_round(struct watch *watch, struct rsb_error *error)
{
	struct rsb_watched *w = watch->watched;
	struct rsb_round round;
	size_t steps = w->step_count;

	watch->trace.count = 0;
	watch->seen = 0;
	watch->some = false;
	watch->dealt = steps;
	if (!rsb_machine_round(watch->machine, &watch->trace, &round, error))
		return false;
	if (!watch->stopped)
		see_last(watch, w->stack_end);
	if (watch->failed || !RSB_GROW(w->rounds, w->round_count))
		return rsb_error_set(error, "out of memory");
	if (watch->stopped && w->round_count) {
		drop_round(w, steps);
		return true;
	}
	w->full = w->cut = watch->stopped;
	w->rounds[w->round_count++] = (struct rsb_watched_round){
		.events = w->event_count,
		.acts = w->act_count,
		.steps = (uint32_t)steps,
		.traced_calls = round.traced_calls,
	};
	return true;
}

static bool open_watch(struct watch *watch, const struct rsb_image *image,
		       const struct rsb_watcher *watcher, struct rsb_error *error)
{
	const struct rsb_machine_options options = {
		.kinds = RSB_KIND_ALL,
		.budget = UINT64_MAX, /* the first run ended within its own */
	};
	struct rsb_watched *w = watch->watched;

	w->sites = rsb_sites_new();
	if (!w->sites)
		return rsb_error_set(error, "out of memory");
	watch->machine = rsb_machine_new(image, w->sites, &options, error);
	if (!watch->machine || !rsb_machine_watch(watch->machine, watcher, error))
		return false;
	rsb_machine_stack(watch->machine, &w->stack_start, &w->stack_end);
	return true;
}

bool rsb_watched_run(struct rsb_watched *watched, const struct rsb_image *image, uint64_t rounds,
		     size_t events, size_t steps, struct rsb_error *error)
{
	struct watch watch = { .watched = watched, .events_max = events, .steps_max = steps };
	const struct rsb_watcher watcher = { .instruction = on_instruction,
					     .store = on_store,
					     .context = &watch };
	bool good;

	*watched = (struct rsb_watched){ .sites = NULL };
	good = open_watch(&watch, image, &watcher, error);
	while (good && watched->round_count < rounds && !watched->full)
		good = watch_round(&watch, error);
	rsb_machine_free(watch.machine);
	rsb_trace_clear(&watch.trace);
	rsb_words_clear(&watch.stored);
	rsb_words_clear(&watch.known);
	return good;
}

void rsb_watched_clear(struct rsb_watched *watched)
{
	rsb_sites_free(watched->sites);
	free(watched->events);
	free(watched->acts);
	free(watched->rounds);
	free(watched->pcs);
	free(watched->codes);
}
