/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bounded return stack, its configuration and its memory. */
#include "models/stack_flight.h"

#include <stdlib.h>
#include <string.h>

/* Which row says how deep the stack is. */
static enum rsb_stack_row depth_row(const int64_t *values)
{
	return values[RSB_STACK_SMT] && values[RSB_STACK_DEPTH_SMT] ? RSB_STACK_DEPTH_SMT
								    : RSB_STACK_DEPTH;
}

static uint64_t overflow_rows(const int64_t *values)
{
	uint64_t rows = rsb_stack_row_bit(RSB_STACK_OVERFLOW) | rsb_stack_row_bit(RSB_STACK_SMT);

	return rows | rsb_stack_row_bit(depth_row(values));
}

static uint64_t underflow_rows(const int64_t *values)
{
	uint64_t rows = rsb_stack_row_bit(RSB_STACK_UNDERFLOW);

	if (values[RSB_STACK_UNDERFLOW] == RSB_UNDERFLOW_FIXED)
		rows |= rsb_stack_row_bit(RSB_STACK_FIXED_TARGET);
	if (values[RSB_STACK_UNDERFLOW] == RSB_UNDERFLOW_INDIRECT)
		rows |= rsb_stack_row_bit(RSB_STACK_INDIRECT) |
			rsb_stack_row_bit(RSB_STACK_INDIRECT_ENTRIES);
	return rows;
}

static void configure(struct rsb_stack *stack, const int64_t *values)
{
	stack->depth = (uint32_t)values[depth_row(values)];
	stack->overflow = (enum rsb_stack_overflow)values[RSB_STACK_OVERFLOW];
	stack->underflow = (enum rsb_stack_underflow)values[RSB_STACK_UNDERFLOW];
	stack->repair = (enum rsb_stack_repair)values[RSB_STACK_REPAIR];
	stack->fixed_target = (uint64_t)values[RSB_STACK_FIXED_TARGET];
	stack->counter_max = values[RSB_STACK_MERGE] ? (uint32_t)values[RSB_STACK_COUNTER_MAX] : 1;
	stack->in_flight = (uint32_t)values[RSB_STACK_IN_FLIGHT];
	stack->spacing = (uint32_t)values[RSB_STACK_SPACING];
	stack->zero_call_pushes = values[RSB_STACK_ZERO_CALL_PUSHES];
	stack->quirk = values[RSB_STACK_QUIRK];
	stack->ibpb_clears = values[RSB_STACK_IBPB_CLEARS];
	stack->overflow_rows = overflow_rows(values);
	stack->underflow_rows = underflow_rows(values);
}

/* The arrays that the configuration calls for, empty. calloc(0) may give NULL, hence the 1 more. */
static bool allocate(struct rsb_stack *stack)
{
	stack->entries = calloc(stack->depth + 1, sizeof(*stack->entries));
	stack->packed = calloc(stack->depth + 1, sizeof(*stack->packed));
	stack->flights = calloc(stack->in_flight + 1, sizeof(*stack->flights));
	stack->saved.entries = NULL;
	if (stack->repair == RSB_REPAIR_FULL)
		stack->saved.entries = calloc(stack->depth + 1, sizeof(*stack->entries));
	return stack->entries && stack->packed && stack->flights &&
	       (stack->saved.entries || stack->repair != RSB_REPAIR_FULL);
}

void rsb_stack_destroy(void *state)
{
	struct rsb_stack *stack = state;

	if (!stack)
		return;
	free(stack->entries);
	free(stack->packed);
	free(stack->flights);
	free(stack->saved.entries);
	rsb_indirect_free(stack->indirect);
	free(stack);
}

/* Values that are each in range, but not all of them at once. */
static bool go_together(const int64_t *values, struct rsb_error *error)
{
	if (values[RSB_STACK_UNDERFLOW] == RSB_UNDERFLOW_INDIRECT &&
	    values[RSB_STACK_INDIRECT] == RSB_INDIRECT_NONE)
		return rsb_error_set(error, "underflow=indirect needs an indirect predictor: set "
					    "indirect to last or path");
	if (values[RSB_STACK_IN_FLIGHT] &&
	    (values[RSB_STACK_MERGE] || values[RSB_STACK_QUIRK] || values[RSB_STACK_SPACING]))
		return rsb_error_set(error, "in_flight goes with neither merge nor quirk nor "
					    "spacing: set it or these to 0");
	return true;
}

void *rsb_stack_create(const int64_t *values, struct rsb_error *error)
{
	enum rsb_indirect_by by = (enum rsb_indirect_by)values[RSB_STACK_INDIRECT];
	struct rsb_stack *stack;
	bool complete;

	if (!go_together(values, error))
		return NULL;
	stack = calloc(1, sizeof(*stack));
	if (!stack)
		return rsb_error_null(error, "out of memory");
	configure(stack, values);
	complete = allocate(stack);
	if (complete && by != RSB_INDIRECT_NONE) {
		stack->indirect =
			rsb_indirect_new(by, (uint32_t)values[RSB_STACK_INDIRECT_ENTRIES]);
		complete = stack->indirect;
	}
	if (!complete) {
		rsb_stack_destroy(stack);
		return rsb_error_null(error, "out of memory");
	}
	return stack;
}

uint32_t rsb_stack_predicts(const int64_t *values)
{
	if (values[RSB_STACK_INDIRECT] == RSB_INDIRECT_NONE)
		return RSB_STACK_RETURNS;
	return RSB_STACK_PREDICTS;
}

bool rsb_stack_restore(void *state, const void *checkpoint)
{
	struct rsb_stack *stack = state;
	const struct rsb_stack *from = checkpoint;
	struct rsb_stack own = *stack;
	size_t size = from->depth * sizeof(*from->entries);

	*stack = *from;
	stack->entries = own.entries;
	stack->packed = own.packed;
	stack->flights = own.flights;
	stack->saved.entries = own.saved.entries;
	stack->indirect = own.indirect;
	memcpy(stack->entries, from->entries, size);
	memcpy(stack->flights, from->flights, from->in_flight * sizeof(*from->flights));
	if (from->saved.entries)
		memcpy(stack->saved.entries, from->saved.entries, size);
	if (from->indirect)
		rsb_indirect_assign(stack->indirect, from->indirect);
	return true;
}

void *rsb_stack_checkpoint(const void *state)
{
	const struct rsb_stack *from = state;
	struct rsb_stack *copy = malloc(sizeof(*copy));
	bool complete;

	if (!copy)
		return NULL;
	*copy = *from;
	copy->indirect = NULL;
	complete = allocate(copy);
	if (complete && from->indirect) {
		copy->indirect = rsb_indirect_copy(from->indirect);
		complete = copy->indirect;
	}
	if (!complete) {
		rsb_stack_destroy(copy);
		return NULL;
	}
	rsb_stack_restore(copy, from);
	return copy;
}

uint64_t rsb_stack_exercised(const void *state)
{
	return ((const struct rsb_stack *)state)->exercised;
}

/* Of the entries, as many as are held from the top down were not popped. */
static bool is_held(const struct rsb_stack *stack, uint32_t index)
{
	uint32_t down = index <= stack->top ? stack->top - index
					    : stack->top + stack->depth - index;

	return down < stack->held;
}

size_t rsb_stack_slots(const void *state, struct rsb_slot *slots, size_t room, size_t *top)
{
	const struct rsb_stack *stack = state;

	if (stack->in_flight)
		return rsb_stack_flight_slots(stack, slots, room, top);
	for (uint32_t i = 0; i < stack->depth && i < room; i++) {
		const struct rsb_stack_entry *entry = &stack->entries[i];

		slots[i] = (struct rsb_slot){
			.address = entry->address,
			.pushed_by = entry->pushes ? entry->pushed_by : RSB_SITE_NONE,
			.pushes = entry->pushes,
			.stale = entry->pushes && !is_held(stack, i),
		};
	}
	*top = stack->top;
	return stack->depth;
}
