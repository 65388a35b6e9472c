/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a run's rounds again, watched: see sim/explain/frames.h. */
#include "sim/explain/frame.h"

#include "sim/explain/account.h"
#include "sim/explain/stacks.h"
#include "sim/machine/watch.h"
#include "traces/util/grow.h"

#include <stdlib.h>

/* Calls and returns that are kept, at the most: 24 bytes each. */
#define STEPS_MAX ((size_t)1 << 22)

struct rsb_frames {
	const struct rsb_image *image;
	const struct rsb_run *run;
	struct rsb_frame_round *rounds;
	size_t room, count; /* of rounds; and how many were watched */
	bool cut;           /* there would have been more to watch */
	uint64_t back;
};

/* The instruction before the one that is about to run. */
struct last {
	uint64_t pc, rsp;
	bool some; /* there is one, in this round */
	bool call; /* it is a call */
};

/* The second run under way. */
struct watch {
	struct rsb_frames *frames;
	struct rsb_machine *machine;
	struct rsb_sites *sites;
	struct rsb_stacks stacks;
	struct rsb_trace trace;
	size_t seen; /* events that were dealt with */
	size_t kept; /* calls and returns of all rounds */
	struct last last;
};

static struct rsb_frame_round *current_round(const struct watch *watch)
{
	return &watch->frames->rounds[watch->stacks.round];
}

static bool add_step(struct rsb_frame_round *round, struct rsb_frame_step step)
{
	if (!RSB_GROW(round->steps, round->step_count))
		return false;
	round->steps[round->step_count++] = step;
	return true;
}

/* A frame is named in the round under way. */
static void reach_back(struct watch *watch, struct rsb_frame_name name)
{
	uint32_t back = watch->stacks.round - name.round;

	if (name.place != RSB_PLACE_NONE && back > watch->frames->back)
		watch->frames->back = back;
}

static void keep_step(struct watch *watch, struct rsb_frame_step step)
{
	reach_back(watch, step.answers);
	if (!add_step(current_round(watch), step))
		watch->stacks.failed = true;
	watch->kept++;
}

/* An event of the instruction before; rsp is as that left it. */
static void see_event(struct watch *watch, const struct rsb_event *event, uint64_t rsp)
{
	size_t count;
	const struct rsb_site *site = &rsb_sites_array(watch->sites, &count)[event->site];
	uint64_t target = rsb_sites_addresses(watch->sites, &count)[event->target];
	struct rsb_frame_step step = { .culprit = 0 };

	if (site->kind == RSB_RETURN) {
		keep_step(watch,
			  rsb_stacks_return(&watch->stacks, site->pc, watch->last.rsp, target));
	} else if (site->kind == RSB_CALL) {
		step.answers.round = watch->stacks.round;
		step.answers.place = (uint32_t)current_round(watch)->step_count;
		rsb_stacks_call(&watch->stacks, rsp, site->fall_through, step.answers);
		step.answers.place = RSB_PLACE_NONE;
		keep_step(watch, step);
		watch->last.call = true;
	} else if (site->kind == RSB_SYSCALL || site->kind == RSB_INTERRUPT) {
		watch->stacks.entered = true;
	} else if (site->kind == RSB_SYSRET || site->kind == RSB_IRET) {
		watch->stacks.entered = false;
	}
}

/* What the instruction before did. */
static void see_last(struct watch *watch, uint64_t rsp)
{
	watch->last.call = false;
	for (; watch->seen < watch->trace.count; watch->seen++)
		see_event(watch, &watch->trace.events[watch->seen], rsp);
	if (watch->last.some && rsp != watch->last.rsp)
		rsb_stacks_move(&watch->stacks, watch->last.pc, rsp);
}

/* Keeps an instruction that accounts. */
static void see_account(struct watch *watch, uint64_t pc, uint32_t size)
{
	struct rsb_frame_round *round = current_round(watch);
	struct rsb_frame_account account = {
		.pc = pc,
		.place = (uint32_t)round->step_count,
		.after_call = watch->last.call,
	};
	uint8_t bytes[RSB_ACCOUNT_MAX];

	if (size < RSB_ACCOUNT_MIN || size > RSB_ACCOUNT_MAX ||
	    rsb_machine_read(watch->machine, pc, bytes, size) != size ||
	    !rsb_account_is(bytes, size, &account.is_return))
		return;
	if (!rsb_account_add(round, &account))
		watch->stacks.failed = true;
}

static void on_instruction(void *context, uint64_t pc, uint32_t size, uint64_t rsp)
{
	struct watch *watch = context;

	see_last(watch, rsp);
	see_account(watch, pc, size);
	watch->last.pc = pc;
	watch->last.rsp = rsp;
	watch->last.some = true;
}

static void on_store(void *context, uint64_t address, uint32_t size, uint64_t value)
{
	struct watch *watch = context;

	rsb_stacks_store(&watch->stacks, watch->last.pc, address, size, value);
}

static bool watch_round(struct watch *watch, struct rsb_error *error)
{
	struct rsb_frames *frames = watch->frames;
	struct rsb_round round;
	uint64_t start, end;

	rsb_stacks_round(&watch->stacks, frames->rounds, (uint32_t)frames->count);
	watch->trace.count = 0;
	watch->seen = 0;
	watch->last.some = false;
	if (!rsb_machine_round(watch->machine, &watch->trace, &round, error))
		return false;
	/* A round leaves the stack as it was: rsb_machine_round() would have failed. */
	rsb_machine_stack(watch->machine, &start, &end);
	see_last(watch, end);
	for (size_t i = 0; i < current_round(watch)->move_count; i++)
		reach_back(watch, current_round(watch)->moves[i].frame);
	frames->count++;
	return !watch->stacks.failed || rsb_error_set(error, "out of memory");
}

/* Calls and returns of a round, as the first run had them. */
static size_t count_steps(const struct rsb_run *run, uint64_t round)
{
	const struct rsb_sequence *sequence = rsb_run_sequence(run, rsb_run_round(run, round));
	const struct rsb_site *sites;
	size_t count, steps = 0;

	sites = rsb_sites_array(rsb_run_sites(run), &count);
	for (size_t i = 0; i < sequence->count; i++) {
		uint8_t kind = sites[sequence->events[i].site].kind;

		steps += kind == RSB_CALL || kind == RSB_RETURN;
	}
	return steps;
}

/*
 * How many rounds to watch. Of a run that repeats, the second period is what later ones are like
 * (what the first one returns to may have been pushed before it), and the third tells which frames
 * of the second were left for good.
 */
static size_t count_rounds(const struct rsb_run *run)
{
	if (rsb_run_steady(run) == RSB_STEADY_NO)
		return rsb_run_count(run);
	return rsb_run_first(run) + 3 * rsb_run_period(run);
}

static bool watch_rounds(struct watch *watch, size_t count, struct rsb_error *error)
{
	struct rsb_frames *frames = watch->frames;

	while (frames->count < count) {
		size_t steps = count_steps(frames->run, frames->count);

		if (frames->count && watch->kept + steps > STEPS_MAX) {
			frames->cut = true;
			break;
		}
		if (!watch_round(watch, error))
			return false;
		if (frames->rounds[frames->count - 1].step_count != steps)
			return rsb_error_set(error, "round %zu was not the same when run again",
					     frames->count - 1);
	}
	return true;
}

static bool open_watch(struct watch *watch, const struct rsb_watcher *watcher,
		       struct rsb_error *error)
{
	const struct rsb_machine_options options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN) |
			 RSB_KIND_BIT(RSB_SYSCALL) | RSB_KIND_BIT(RSB_SYSRET) |
			 RSB_KIND_BIT(RSB_INTERRUPT) | RSB_KIND_BIT(RSB_IRET),
		.budget = UINT64_MAX, /* the first run ended within its own */
	};
	uint64_t start, end;

	watch->sites = rsb_sites_new();
	if (!watch->sites)
		return rsb_error_set(error, "out of memory");
	watch->machine = rsb_machine_new(watch->frames->image, watch->sites, &options, error);
	if (!watch->machine || !rsb_machine_watch(watch->machine, watcher, error))
		return false;
	rsb_machine_stack(watch->machine, &start, &end);
	rsb_stacks_open(&watch->stacks, start, end);
	return true;
}

struct rsb_frames *rsb_frames_new(const struct rsb_image *image, const struct rsb_run *run,
				  struct rsb_error *error)
{
	struct rsb_frames *frames = calloc(1, sizeof(*frames));
	struct watch watch = { .frames = frames };
	const struct rsb_watcher watcher = { .instruction = on_instruction,
					     .store = on_store,
					     .context = &watch };
	size_t count = count_rounds(run);
	bool good = false;

	if (frames) {
		*frames = (struct rsb_frames){ .image = image, .run = run, .room = count };
		frames->rounds = calloc(count, sizeof(*frames->rounds));
	}
	if (!frames || !frames->rounds)
		rsb_error_set(error, "out of memory");
	else
		good = open_watch(&watch, &watcher, error) && watch_rounds(&watch, count, error);
	rsb_machine_free(watch.machine);
	rsb_stacks_close(&watch.stacks);
	rsb_trace_clear(&watch.trace);
	rsb_sites_free(watch.sites);
	if (good)
		return frames;
	rsb_frames_free(frames);
	return NULL;
}

void rsb_frames_free(struct rsb_frames *frames)
{
	if (!frames)
		return;
	for (size_t i = 0; frames->rounds && i < frames->room; i++) {
		free(frames->rounds[i].steps);
		free(frames->rounds[i].moves);
		free(frames->rounds[i].accounts);
	}
	free(frames->rounds);
	free(frames);
}

const struct rsb_image *rsb_frames_image(const struct rsb_frames *frames)
{
	return frames->image;
}

const struct rsb_run *rsb_frames_run(const struct rsb_frames *frames)
{
	return frames->run;
}

uint64_t rsb_frames_reach(const struct rsb_frames *frames)
{
	return frames->cut || rsb_run_steady(frames->run) == RSB_STEADY_NO ? frames->count
									   : UINT64_MAX;
}

size_t rsb_frames_like(const struct rsb_frames *frames, uint64_t round)
{
	uint64_t first, period;

	if (rsb_frames_reach(frames) != UINT64_MAX)
		return round;
	first = rsb_run_first(frames->run);
	period = rsb_run_period(frames->run);
	return round < first + 2 * period ? round
					  : first + period + (round - first - period) % period;
}

const struct rsb_frame_round *rsb_frames_round(const struct rsb_frames *frames, size_t watched)
{
	return &frames->rounds[watched];
}

uint64_t rsb_frames_back(const struct rsb_frames *frames)
{
	return frames->back;
}
