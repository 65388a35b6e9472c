/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ideal model: a stack without a bound, which wrong paths leave as it was. A miss here is the
 * code's own: its calls and returns do not match.
 */
#include "models/registry.h"

#include <stdlib.h>
#include <string.h>

/* No code nests this deep; a trace may claim to, and then the older half is lost. */
#define IDEAL_MAX (UINT32_C(1) << 22)

struct entry {
	uint64_t address;
	uint32_t pushed_by;
};

/*
 * The stack is entries[0 .. floor) and, above it, entries[base .. count). Off the wrong path floor
 * and base are 0. On a wrong path, base stays where the stack ended, pops below it only lower
 * floor, and so nothing that must come back is ever written over.
 */
struct ideal {
	struct entry *entries;
	size_t count, base, floor;
	size_t capacity;
	uint32_t wrong_paths; /* open ones, one inside another */
	bool zero_call_pushes;
	uint64_t exercised;
};

enum { ZERO_CALL_PUSHES };

static const struct rsb_parameter rows[] = {
	[ZERO_CALL_PUSHES] = RSB_PARAMETER_SWITCH("zero_call_pushes",
						  "does a call to the next instruction push?"),
	{ 0 },
};

static void *create(const int64_t *values, struct rsb_error *error)
{
	struct ideal *ideal = calloc(1, sizeof(*ideal));

	if (!ideal)
		return rsb_error_null(error, "out of memory");
	ideal->zero_call_pushes = values[ZERO_CALL_PUSHES];
	return ideal;
}

static void destroy(void *state)
{
	struct ideal *ideal = state;

	if (!ideal)
		return;
	free(ideal->entries);
	free(ideal);
}

/* The entry that index pops would come to; NULL: there is none. */
static const struct entry *peek(const struct ideal *ideal, size_t index)
{
	size_t above = ideal->count - ideal->base;

	if (index < above)
		return &ideal->entries[ideal->count - 1 - index];
	index -= above;
	return index < ideal->floor ? &ideal->entries[ideal->floor - 1 - index] : NULL;
}

static size_t held(const struct ideal *ideal)
{
	return ideal->count - ideal->base + ideal->floor;
}

static struct rsb_prediction predict(const void *state, const struct rsb_step *step)
{
	const struct entry *top = peek(state, 0);

	(void)step;
	if (!top)
		return (struct rsb_prediction){ .valid = false, .pushed_by = RSB_SITE_NONE };
	return (struct rsb_prediction){ true, false, top->pushed_by, top->address };
}

static size_t less(size_t value, size_t by)
{
	return value > by ? value - by : 0;
}

static void lose_oldest(struct ideal *ideal)
{
	size_t lost = ideal->count - ideal->count / 2;

	memmove(ideal->entries, ideal->entries + lost,
		(ideal->count - lost) * sizeof(*ideal->entries));
	ideal->count -= lost;
	ideal->base = less(ideal->base, lost);
	ideal->floor = less(ideal->floor, lost);
}

/* Room for one more. Without memory, as at the limit, the oldest make room; false: there are none.
 */
static bool make_room(struct ideal *ideal)
{
	size_t capacity = ideal->capacity ? 2 * ideal->capacity : 64;
	struct entry *grown = NULL;

	if (ideal->count < ideal->capacity)
		return true;
	if (capacity <= IDEAL_MAX)
		grown = realloc(ideal->entries, capacity * sizeof(*grown));
	if (grown) {
		ideal->entries = grown;
		ideal->capacity = capacity;
	} else if (ideal->count) {
		lose_oldest(ideal);
	}
	return ideal->count < ideal->capacity;
}

static void push(struct ideal *ideal, const struct rsb_step *step)
{
	if (make_room(ideal))
		ideal->entries[ideal->count++] = (struct entry){ step->fall_through, step->site };
}

static void call(struct ideal *ideal, const struct rsb_step *step)
{
	if (step->flags & RSB_SITE_ZERO_CALL) {
		ideal->exercised |= UINT64_C(1) << ZERO_CALL_PUSHES;
		if (!ideal->zero_call_pushes)
			return;
	}
	push(ideal, step);
}

static void pop(struct ideal *ideal)
{
	if (ideal->count > ideal->base)
		ideal->count--;
	else if (ideal->floor)
		ideal->floor--;
}

static void enter_wrong_path(struct ideal *ideal)
{
	if (ideal->wrong_paths++)
		return;
	ideal->floor = ideal->base = ideal->count;
}

static void leave_wrong_path(struct ideal *ideal)
{
	if (!ideal->wrong_paths || --ideal->wrong_paths)
		return;
	ideal->count = ideal->base;
	ideal->floor = ideal->base = 0;
}

static void change(struct ideal *ideal, const struct rsb_step *step)
{
	if (step->detail == RSB_ENVIRONMENT_CLEAR) {
		ideal->floor = 0;
		ideal->count = ideal->base;
	} else if (step->detail == RSB_ENVIRONMENT_FILL) {
		for (uint32_t i = 0; i < step->count && i < IDEAL_MAX; i++)
			push(ideal, step);
	}
}

static void update(void *state, const struct rsb_step *step, uint64_t target)
{
	struct ideal *ideal = state;

	(void)target;
	switch (step->kind) {
	case RSB_CALL:
		call(ideal, step);
		break;
	case RSB_RETURN:
		pop(ideal);
		break;
	case RSB_SWAP:
		pop(ideal);
		push(ideal, step);
		break;
	case RSB_SPECULATE:
		enter_wrong_path(ideal);
		break;
	case RSB_SQUASH:
		leave_wrong_path(ideal);
		break;
	case RSB_ENVIRONMENT:
		change(ideal, step);
		break;
	default:
		break;
	}
}

static bool restore(void *state, const void *checkpoint)
{
	struct ideal *ideal = state;
	const struct ideal *from = checkpoint;
	struct ideal to = *from;

	to.entries = NULL;
	to.capacity = from->count;
	if (from->count) {
		to.entries = malloc(from->count * sizeof(*to.entries));
		if (!to.entries)
			return false;
		memcpy(to.entries, from->entries, from->count * sizeof(*to.entries));
	}
	free(ideal->entries);
	*ideal = to;
	return true;
}

static void *checkpoint(const void *state)
{
	struct ideal *copy = calloc(1, sizeof(*copy));

	if (copy && !restore(copy, state)) {
		free(copy);
		return NULL;
	}
	return copy;
}

static bool same(const void *a, const void *b, size_t depth)
{
	const struct ideal *left = a, *right = b;

	/* What a squash would bring back is not compared; such rounds are rare. */
	if (left->wrong_paths || right->wrong_paths)
		return false;
	for (size_t i = 0; i < depth; i++) {
		const struct entry *mine = peek(left, i), *other = peek(right, i);

		if (!mine || !other)
			return held(left) == held(right);
		if (mine->address != other->address || mine->pushed_by != other->pushed_by)
			return false;
	}
	return true;
}

static uint64_t exercised(const void *state)
{
	return ((const struct ideal *)state)->exercised;
}

const struct rsb_model_type rsb_model_ideal = {
	.version = RSB_MODEL_VERSION,
	.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN) | RSB_KIND_BIT(RSB_SWAP) |
		 RSB_KIND_BIT(RSB_ENVIRONMENT) | RSB_KIND_BIT(RSB_SPECULATE) |
		 RSB_KIND_BIT(RSB_SQUASH),
	.predicts = RSB_KIND_BIT(RSB_RETURN) | RSB_KIND_BIT(RSB_SWAP),
	.name = "ideal",
	.summary = "an unbounded stack: what misses here is unbalanced in the code itself",
	.parameters = rows,
	.create = create,
	.destroy = destroy,
	.predict = predict,
	.update = update,
	.checkpoint = checkpoint,
	.restore = restore,
	.same = same,
	.exercised = exercised,
};
