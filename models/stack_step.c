/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bounded return stack, one event at a time. */
#include "models/stack.h"

#include "models/stack_flight.h"
#include "models/step.h"

#include <string.h>

static void exercise(struct rsb_stack *stack, enum rsb_stack_row row)
{
	stack->exercised |= rsb_stack_row_bit(row);
}

static struct rsb_prediction predict_nothing(void)
{
	return (struct rsb_prediction){ .valid = false, .pushed_by = RSB_SITE_NONE };
}

static struct rsb_prediction predict_address(uint64_t target)
{
	return (struct rsb_prediction){ true, false, RSB_SITE_NONE, target };
}

static struct rsb_prediction predict_indirect(const struct rsb_stack *stack, uint64_t pc)
{
	uint64_t target;

	if (stack->indirect && rsb_indirect_predict(stack->indirect, pc, &target))
		return predict_address(target);
	return predict_nothing();
}

/* The entry at the pointer, or that far below it, whether or not it was popped before. */
static struct rsb_prediction predict_newest(const struct rsb_stack *stack)
{
	uint32_t below = stack->depth ? stack->below % stack->depth : 0;
	const struct rsb_stack_entry *newest = rsb_stack_entry_at(stack, below);

	if (!newest->pushes)
		return predict_nothing();
	return (struct rsb_prediction){ true, stack->held <= stack->below, newest->pushed_by,
					newest->address };
}

static struct rsb_prediction predict_flight(const struct rsb_stack_flight *flight)
{
	return (struct rsb_prediction){ true, false, flight->pushed_by, flight->address };
}

struct rsb_prediction rsb_stack_predict(const void *state, const struct rsb_step *step)
{
	const struct rsb_stack *stack = state;

	if (step->kind != RSB_RETURN && step->kind != RSB_SWAP)
		return predict_indirect(stack, step->pc);
	if (stack->untaken)
		return predict_flight(rsb_stack_flight_newest(stack));
	if (stack->held > stack->below)
		return predict_newest(stack);
	switch (stack->underflow) {
	case RSB_UNDERFLOW_STALE:
		return predict_newest(stack);
	case RSB_UNDERFLOW_INDIRECT:
		return predict_indirect(stack, step->pc);
	case RSB_UNDERFLOW_FIXED:
		return predict_address(stack->fixed_target);
	default:
		return predict_nothing();
	}
}

static void empty(struct rsb_stack *stack)
{
	memset(stack->entries, 0, stack->depth * sizeof(*stack->entries));
	stack->held = 0;
	stack->shifted = false;
}

void rsb_stack_enter(struct rsb_stack *stack, uint64_t address, uint32_t pushed_by)
{
	if (stack->held == stack->depth) {
		stack->exercised |= stack->overflow_rows;
		if (!stack->depth || stack->overflow == RSB_OVERFLOW_REFUSE)
			return;
		if (stack->overflow == RSB_OVERFLOW_CLEAR)
			empty(stack);
	}
	stack->top = stack->top + 1 == stack->depth ? 0 : stack->top + 1;
	stack->entries[stack->top] = (struct rsb_stack_entry){ address, pushed_by, 1 };
	stack->held += stack->held < stack->depth;
}

/* Return addresses next to each other share an entry in some Intel cores; one and the same address
 * again, as in a recursion, is not next to itself. */
static bool too_close(const struct rsb_stack *stack, uint64_t address)
{
	uint64_t newest = stack->entries[stack->top].address;
	uint64_t distance = address > newest ? address - newest : newest - address;

	return distance && distance < stack->spacing;
}

static bool merges(struct rsb_stack *stack, uint64_t address)
{
	struct rsb_stack_entry *newest = &stack->entries[stack->top];

	if (stack->counter_max == 1 || !newest->pushes || newest->address != address)
		return false;
	exercise(stack, RSB_STACK_MERGE);
	if (newest->pushes == stack->counter_max) {
		exercise(stack, RSB_STACK_COUNTER_MAX);
		return false;
	}
	newest->pushes++;
	return true;
}

/* On a wrong path, which is never committed, calls and returns only leave what repair says. */
static bool flies(const struct rsb_stack *stack)
{
	return stack->in_flight && !stack->wrong_paths;
}

static void push(struct rsb_stack *stack, const struct rsb_step *step)
{
	if (flies(stack)) {
		rsb_stack_flight_call(stack, step->fall_through, step->site);
		return;
	}
	if (stack->held && stack->spacing && too_close(stack, step->fall_through)) {
		exercise(stack, RSB_STACK_SPACING);
		return;
	}
	if (!stack->held || !merges(stack, step->fall_through))
		rsb_stack_enter(stack, step->fall_through, step->site);
}

static void call(struct rsb_stack *stack, const struct rsb_step *step)
{
	if (step->flags & RSB_SITE_ZERO_CALL) {
		exercise(stack, RSB_STACK_ZERO_CALL_PUSHES);
		if (!stack->zero_call_pushes)
			return;
	}
	push(stack, step);
}

static void move_down(struct rsb_stack *stack)
{
	stack->top = stack->top ? stack->top - 1 : stack->depth - 1;
}

void rsb_stack_pop(struct rsb_stack *stack)
{
	if (!stack->held) {
		stack->exercised |= stack->underflow_rows;
		if (stack->underflow == RSB_UNDERFLOW_STALE && stack->depth)
			move_down(stack);
	} else if (stack->entries[stack->top].pushes > 1) {
		stack->entries[stack->top].pushes--;
	} else {
		stack->held--;
		move_down(stack);
	}
}

/*
 * Bulldozer: after a mispredicted return the pointer is one off until a return is predicted well
 * (cpu-facts: Wong 2018; which way it is off is not known, and makes no difference to a chain of
 * returns). Here the pop of the mispredicted return is late by one correct return.
 */
static void pop_with_quirk(struct rsb_stack *stack, const struct rsb_step *step, uint64_t target)
{
	struct rsb_prediction prediction = rsb_stack_predict(stack, step);
	bool hit = rsb_prediction_hits(&prediction, target);

	if (!hit)
		exercise(stack, RSB_STACK_QUIRK);
	if (!hit && !stack->shifted && stack->held) {
		stack->shifted = true;
		return;
	}
	rsb_stack_pop(stack);
	if (hit && stack->shifted) {
		stack->shifted = false;
		rsb_stack_pop(stack);
	}
}

static void resolve(struct rsb_stack *stack, const struct rsb_step *step, uint64_t target)
{
	if (stack->quirk) {
		pop_with_quirk(stack, step, target);
	} else if (flies(stack)) {
		struct rsb_prediction prediction = rsb_stack_predict(stack, step);

		rsb_stack_flight_return(stack, rsb_prediction_hits(&prediction, target));
	} else {
		rsb_stack_pop(stack);
	}
}

static void train(struct rsb_stack *stack, const struct rsb_step *step, uint64_t target)
{
	bool returns = step->kind == RSB_RETURN || step->kind == RSB_SWAP;
	bool indirect = step->kind == RSB_JUMP_INDIRECT ||
			(step->kind == RSB_CALL && (step->flags & RSB_SITE_INDIRECT));

	if (indirect) {
		exercise(stack, RSB_STACK_INDIRECT);
		exercise(stack, RSB_STACK_INDIRECT_ENTRIES);
	}
	/* A return is learned although its stack is not empty: its target is known only then. */
	if (indirect || (returns && stack->underflow == RSB_UNDERFLOW_INDIRECT))
		rsb_indirect_train(stack->indirect, step->pc, target);
	if (indirect || returns || step->kind == RSB_CALL)
		rsb_indirect_follow(stack->indirect, target);
}

/* All entries of a fill are alike, so that more of them than the depth only go round. */
static void fill(struct rsb_stack *stack, const struct rsb_step *step)
{
	uint32_t count = step->count;

	if (count > stack->depth)
		count = stack->depth ? stack->depth + count % stack->depth : 1;
	for (uint32_t i = 0; i < count; i++)
		rsb_stack_enter(stack, step->fall_through, step->site);
}

static void change(struct rsb_stack *stack, const struct rsb_step *step)
{
	rsb_stack_flight_land(stack);
	switch (step->detail) {
	case RSB_ENVIRONMENT_CLEAR:
		empty(stack);
		break;
	case RSB_ENVIRONMENT_FILL:
		fill(stack, step);
		break;
	case RSB_ENVIRONMENT_IBPB:
		exercise(stack, RSB_STACK_IBPB_CLEARS);
		if (stack->ibpb_clears)
			empty(stack);
		if (stack->indirect)
			rsb_indirect_clear(stack->indirect);
		break;
	default:
		break;
	}
}

static void save(struct rsb_stack *stack)
{
	struct rsb_stack_saved *saved = &stack->saved;

	if (stack->wrong_paths++)
		return;
	rsb_stack_flight_land(stack);
	saved->top = stack->top;
	saved->held = stack->held;
	saved->shifted = stack->shifted;
	saved->newest = stack->entries[stack->top];
	if (saved->entries)
		memcpy(saved->entries, stack->entries, stack->depth * sizeof(*stack->entries));
}

static void repair(struct rsb_stack *stack)
{
	const struct rsb_stack_saved *saved = &stack->saved;

	if (!stack->wrong_paths || --stack->wrong_paths)
		return;
	exercise(stack, RSB_STACK_REPAIR);
	if (stack->repair == RSB_REPAIR_NONE)
		return;
	stack->top = saved->top;
	stack->held = saved->held;
	stack->shifted = saved->shifted;
	if (stack->repair == RSB_REPAIR_POINTER_TOP)
		stack->entries[stack->top] = saved->newest;
	if (stack->repair == RSB_REPAIR_FULL)
		memcpy(stack->entries, saved->entries, stack->depth * sizeof(*stack->entries));
}

void rsb_stack_update(void *state, const struct rsb_step *step, uint64_t target)
{
	struct rsb_stack *stack = state;

	switch (step->kind) {
	case RSB_CALL:
		call(stack, step);
		break;
	case RSB_RETURN:
		resolve(stack, step, target);
		break;
	case RSB_SWAP:
		resolve(stack, step, target);
		push(stack, step);
		break;
	case RSB_ENVIRONMENT:
		change(stack, step);
		break;
	case RSB_SPECULATE:
		save(stack);
		break;
	case RSB_SQUASH:
		repair(stack);
		break;
	default:
		break;
	}
	if (stack->indirect)
		train(stack, step, target);
}
