/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls in flight beside a bounded return stack: see the header. */
#include "models/stack_flight.h"

static struct rsb_stack_flight *flight_at(const struct rsb_stack *stack, uint32_t index)
{
	return &stack->flights[(stack->first + index) % stack->in_flight];
}

struct rsb_stack_flight *rsb_stack_flight_newest(const struct rsb_stack *stack)
{
	for (uint32_t i = stack->flying; i-- > 0;)
		if (!flight_at(stack, i)->taken)
			return flight_at(stack, i);
	return NULL;
}

/*
 * The oldest takes its place. If it was taken, then by the first return right behind it, or by one
 * behind a younger call, which is still to come for the stack.
 */
static void land_oldest(struct rsb_stack *stack)
{
	const struct rsb_stack_flight oldest = *flight_at(stack, 0);

	stack->first = (stack->first + 1) % stack->in_flight;
	stack->flying--;
	stack->untaken -= !oldest.taken;
	rsb_stack_enter(stack, oldest.address, oldest.pushed_by);
	for (uint32_t i = 0; i < oldest.returns; i++)
		rsb_stack_pop(stack);
	stack->below += oldest.taken;
	stack->below -= oldest.returns;
}

void rsb_stack_flight_land(struct rsb_stack *stack)
{
	while (stack->flying)
		land_oldest(stack);
}

void rsb_stack_flight_call(struct rsb_stack *stack, uint64_t address, uint32_t pushed_by)
{
	if (stack->held + stack->untaken >= stack->depth + stack->below)
		stack->exercised |= rsb_stack_row_bit(RSB_STACK_IN_FLIGHT);
	if (stack->flying == stack->in_flight)
		land_oldest(stack);
	stack->flying++;
	stack->untaken++;
	*flight_at(stack, stack->flying - 1) =
		(struct rsb_stack_flight){ .address = address, .pushed_by = pushed_by };
	stack->shown = (stack->shown + 1) % (stack->depth + stack->in_flight);
}

void rsb_stack_flight_return(struct rsb_stack *stack, bool hit)
{
	struct rsb_stack_flight *newest = rsb_stack_flight_newest(stack);
	uint32_t all = stack->depth + stack->in_flight;

	stack->shown = (stack->shown + all - 1) % all;
	if (!stack->flying) {
		rsb_stack_pop(stack);
		return;
	}
	flight_at(stack, stack->flying - 1)->returns++;
	if (newest) {
		newest->taken = true;
		stack->untaken--;
	} else {
		stack->below++;
	}
	if (!hit)
		rsb_stack_flight_land(stack);
}

bool rsb_stack_flight_same(const struct rsb_stack *a, const struct rsb_stack *b)
{
	if (a->flying != b->flying || a->below != b->below)
		return false;
	for (uint32_t i = 0; i < a->flying; i++) {
		const struct rsb_stack_flight *mine = flight_at(a, i), *other = flight_at(b, i);

		if (mine->address != other->address || mine->pushed_by != other->pushed_by ||
		    mine->returns != other->returns || mine->taken != other->taken)
			return false;
	}
	return true;
}

static struct rsb_slot slot_of_flight(const struct rsb_stack_flight *flight)
{
	return (struct rsb_slot){ flight->address, flight->pushed_by, 1, false };
}

static struct rsb_slot slot_of_entry(const struct rsb_stack *stack, uint32_t down)
{
	const struct rsb_stack_entry *entry = rsb_stack_entry_at(stack, down);

	return (struct rsb_slot){ entry->address, entry->pushed_by, entry->pushes, false };
}

size_t rsb_stack_flight_slots(const struct rsb_stack *stack, struct rsb_slot *slots, size_t room,
			      size_t *top)
{
	size_t all = stack->depth + stack->in_flight, at = stack->shown;

	*top = at;
	if (room < all)
		return all;
	for (size_t i = 0; i < all; i++)
		slots[i] = (struct rsb_slot){ .pushed_by = RSB_SITE_NONE };
	for (uint32_t i = stack->flying; i-- > 0;) {
		if (flight_at(stack, i)->taken)
			continue;
		slots[at] = slot_of_flight(flight_at(stack, i));
		at = at ? at - 1 : all - 1;
	}
	for (uint32_t down = stack->below; down < stack->held; down++) {
		slots[at] = slot_of_entry(stack, down);
		at = at ? at - 1 : all - 1;
	}
	return all;
}
