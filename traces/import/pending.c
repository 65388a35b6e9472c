/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue of events, and what is known of the places that they are at. */
#include "traces/import/pending.h"

#include "traces/import/code.h"
#include "traces/import/threads.h"
#include "traces/util/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_SIZE   262144 /* events that wait; a power of two */
#define STACK_SIZE   256    /* calls of a thread that wait for their return; a power of two */
#define LENGTH_MIN   2      /* bytes of a call: x86 has the shortest and the longest */
#define LENGTH_MAX   15
#define LENGTH_USUAL 5 /* call rel32 of x86 */

/* A place that calls, or that has a label. */
struct place {
	char *label;
	uint8_t length; /* 0: not known */
	bool assumed;   /* that length is */
	bool calls;
};

struct stack {
	uint64_t pcs[STACK_SIZE]; /* of calls */
	unsigned top, count;
};

enum waits_for { WAIT_EVENT, WAIT_GAP, WAIT_THREAD };

struct waiting {
	struct rsb_found found; /* of WAIT_THREAD the thread, in pc */
	uint32_t place;         /* or UINT32_MAX */
	uint32_t instructions;  /* that were executed before it */
	uint8_t what;
};

struct rsb_pending {
	const struct rsb_import *import;
	struct rsb_traced_code *code;

	struct waiting *queue; /* a ring once it is as large as it gets */
	size_t first, count, room;
	uint64_t instructions; /* since the last in the queue */

	struct rsb_sites *pcs; /* gives the places their numbers */
	struct place *places;
	size_t place_count;

	struct rsb_threads *stacks;
	uint64_t thread;

	uint64_t lengths[LENGTH_MAX + 1]; /* how many places proved to be so long */
	uint64_t calling, assumed, wrong; /* places that call; of assumed length; of a wrong one */
};

struct rsb_pending *rsb_pending_new(const struct rsb_import *import)
{
	struct rsb_pending *pending = calloc(1, sizeof(*pending));

	if (!pending)
		return NULL;
	pending->import = import;
	pending->code = rsb_traced_code_new(import);
	pending->pcs = rsb_sites_new();
	pending->stacks = rsb_threads_new(sizeof(struct stack));
	if (pending->code && pending->pcs && pending->stacks)
		return pending;
	rsb_pending_free(pending);
	return NULL;
}

void rsb_pending_free(struct rsb_pending *pending)
{
	if (!pending)
		return;
	for (size_t i = 0; i < pending->place_count; i++)
		free(pending->places[i].label);
	free(pending->places);
	free(pending->queue);
	rsb_traced_code_free(pending->code);
	rsb_sites_free(pending->pcs);
	rsb_threads_free(pending->stacks);
	free(pending);
}

/* ---- places ---- */

/* The number of the place at pc; UINT32_MAX: no memory. */
static uint32_t find_place(struct rsb_pending *pending, uint64_t pc, const char *label)
{
	uint32_t number = rsb_sites_address(pending->pcs, pc);

	if (number < pending->place_count || number == UINT32_MAX)
		return number;
	if (!RSB_GROW(pending->places, pending->place_count))
		return UINT32_MAX;
	pending->places[number] = (struct place){ 0 };
	pending->place_count++;
	if (label) {
		pending->places[number].label = strdup(label);
		if (!pending->places[number].label)
			return UINT32_MAX;
	}
	return number;
}

static void learn(struct rsb_pending *pending, struct place *place, uint8_t length)
{
	if (place->assumed) {
		pending->assumed--;
		pending->wrong += place->length != length;
	} else if (place->length) {
		return;
	}
	place->assumed = false;
	place->length = length;
	pending->lengths[length]++;
}

static void assume(struct rsb_pending *pending, struct place *place)
{
	uint8_t usual = LENGTH_USUAL;

	for (uint8_t i = LENGTH_MIN; i <= LENGTH_MAX; i++)
		if (pending->lengths[i] > pending->lengths[usual])
			usual = i;
	place->length = usual;
	place->assumed = true;
	pending->assumed++;
}

/* ---- calls and their returns ---- */

static void push(struct stack *stack, uint64_t pc)
{
	stack->top = (stack->top + 1) % STACK_SIZE;
	stack->pcs[stack->top] = pc;
	stack->count += stack->count < STACK_SIZE;
}

/* The return belongs to the innermost call that is just before where it goes. */
static bool match(struct rsb_pending *pending, struct stack *stack, uint64_t target)
{
	for (unsigned i = 0; i < stack->count; i++) {
		uint64_t pc = stack->pcs[(stack->top - i) % STACK_SIZE];
		uint32_t place;

		if (target - pc < LENGTH_MIN || target - pc > LENGTH_MAX)
			continue;
		place = find_place(pending, pc, NULL);
		if (place == UINT32_MAX)
			return false;
		learn(pending, &pending->places[place], (uint8_t)(target - pc));
		stack->top = (stack->top - i - 1) % STACK_SIZE;
		stack->count -= i + 1;
		return true;
	}
	return true;
}

/* A call's place, with the length as far as it is known at once. */
static void enter_call(struct rsb_pending *pending, const struct rsb_found *found,
		       struct place *place)
{
	uint8_t length = found->length;

	pending->calling += !place->calls;
	place->calls = true;
	if (place->length && !place->assumed)
		return;
	if (!length)
		length = rsb_traced_code_length(pending->code, found->pc);
	if (length >= LENGTH_MIN && length <= LENGTH_MAX)
		learn(pending, place, length);
}

static bool follow(struct rsb_pending *pending, const struct rsb_found *found, uint32_t *place,
		   const char *label, struct rsb_error *error)
{
	struct stack *stack = rsb_threads_find(pending->stacks, pending->thread, error);

	*place = UINT32_MAX;
	if (!stack)
		return false;
	if (found->kind == RSB_CALL || label) {
		*place = find_place(pending, found->pc, label);
		if (*place == UINT32_MAX)
			return rsb_error_set(error, "out of memory");
	}
	if (found->kind == RSB_CALL) {
		enter_call(pending, found, &pending->places[*place]);
		push(stack, found->pc);
	} else if (found->kind == RSB_RETURN && !match(pending, stack, found->target)) {
		return rsb_error_set(error, "out of memory");
	}
	return true;
}

/* ---- the queue ---- */

static bool write_event(struct rsb_pending *pending, struct waiting *waiting,
			struct rsb_error *error)
{
	struct place *place = waiting->place == UINT32_MAX ? NULL
							   : &pending->places[waiting->place];

	if (waiting->found.kind == RSB_CALL) {
		if (!place->length)
			assume(pending, place);
		waiting->found.length = place->length;
	}
	return rsb_found_write(pending->import, &waiting->found, place ? place->label : NULL,
			       error);
}

static bool write_first(struct rsb_pending *pending, struct rsb_error *error)
{
	struct waiting *waiting = &pending->queue[pending->first];

	pending->first = (pending->first + 1) % QUEUE_SIZE;
	pending->count--;
	rsb_trace_write_instructions(pending->import->writer, waiting->instructions);
	switch (waiting->what) {
	case WAIT_THREAD:
		rsb_trace_write_thread(pending->import->writer, waiting->found.pc);
		return true;
	case WAIT_GAP:
		return rsb_found_gap(pending->import, error);
	}
	return write_event(pending, waiting, error);
}

/* Nothing is taken out before it is as large as it gets, so that what is in it stays in place. */
static bool grow_queue(struct rsb_pending *pending)
{
	size_t room = pending->room ? 2 * pending->room : 1024;
	struct waiting *larger = realloc(pending->queue, room * sizeof(*larger));

	if (!larger)
		return false;
	pending->queue = larger;
	pending->room = room;
	return true;
}

static bool enqueue(struct rsb_pending *pending, struct waiting *waiting, struct rsb_error *error)
{
	if (pending->count == QUEUE_SIZE && !write_first(pending, error))
		return false;
	if (pending->count == pending->room && !grow_queue(pending))
		return rsb_error_set(error, "out of memory");
	/* More cannot be kept between two events; that many have never been without one. */
	waiting->instructions =
		pending->instructions > UINT32_MAX ? UINT32_MAX : (uint32_t)pending->instructions;
	pending->instructions -= waiting->instructions;
	pending->queue[(pending->first + pending->count++) % QUEUE_SIZE] = *waiting;
	return true;
}

bool rsb_pending_thread(struct rsb_pending *pending, uint64_t thread, struct rsb_error *error)
{
	struct waiting waiting = { .found = { .pc = thread }, .what = WAIT_THREAD };

	if (thread == pending->thread)
		return true;
	pending->thread = thread;
	return enqueue(pending, &waiting, error);
}

bool rsb_pending_write(struct rsb_pending *pending, const struct rsb_found *found,
		       const char *label, struct rsb_error *error)
{
	struct waiting waiting = { .found = *found, .what = WAIT_EVENT };

	return follow(pending, found, &waiting.place, label, error) &&
	       enqueue(pending, &waiting, error);
}

bool rsb_pending_gap(struct rsb_pending *pending, struct rsb_error *error)
{
	struct stack *stack = rsb_threads_find(pending->stacks, pending->thread, error);
	struct waiting waiting = { .what = WAIT_GAP };

	if (!stack)
		return false;
	stack->count = 0;
	return enqueue(pending, &waiting, error);
}

void rsb_pending_instructions(struct rsb_pending *pending, uint64_t count)
{
	pending->instructions += count;
}

bool rsb_pending_end(struct rsb_pending *pending, struct rsb_error *error)
{
	struct rsb_trace_writer *writer = pending->import->writer;

	while (pending->count)
		if (!write_first(pending, error))
			return false;
	rsb_trace_write_instructions(writer, pending->instructions);
	if (pending->assumed)
		rsb_trace_write_about(writer, "note",
				      "the input does not say how long calls are, and %" PRIu64
				      " of %" PRIu64 " places that call were not returned to: "
				      "their length is assumed",
				      pending->assumed, pending->calling);
	if (pending->wrong)
		rsb_trace_write_about(writer, "note",
				      "the assumed length of %" PRIu64
				      " places that call proved wrong later: as many returns may "
				      "count as misses that were none",
				      pending->wrong);
	return true;
}
