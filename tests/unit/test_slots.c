/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at a model's slots: its own, and what a copy that is popped gives. */
#include "models/registry.h"
#include "sim/see/slots.h"
#include "tests/unit/unit.h"

#include <string.h>

static const struct rsb_step a_return = { .site = 9, .pc = 0x9000, .kind = RSB_RETURN };

static struct rsb_model *make(const struct rsb_model_type *type, const char *depth)
{
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_error error;

	rsb_parameter_defaults(type->parameters, values);
	ck_assert(!depth || rsb_parameter_set(type->parameters, values, "depth", depth, &error));
	return rsb_model_new(type, values, &error);
}

static void call(struct rsb_model *model, uint32_t site)
{
	const struct rsb_step step = { .site = site,
				       .pc = 0x1000 + 16 * site,
				       .fall_through = 0x1005 + 16 * site,
				       .kind = RSB_CALL };

	rsb_model_update(model, &step, 0x5000);
}

static void go_back(struct rsb_model *model)
{
	rsb_model_update(model, &a_return, rsb_model_predict(model, &a_return).target);
}

/* A ring of four after five calls and a return: the fifth took the first one's place, and stays. */
START_TEST(a_ring_shows_its_own)
{
	struct rsb_model *model = make(&rsb_model_ring, "4");
	struct rsb_slots slots;

	ck_assert(rsb_slots_open(&slots, model, 4));
	ck_assert(slots.exact);
	ck_assert_uint_eq(slots.count, 4);
	for (uint32_t site = 1; site <= 5; site++)
		call(model, site);
	go_back(model);
	ck_assert(rsb_slots_look(&slots, model, &a_return));
	ck_assert_uint_eq(slots.all[slots.top].pushed_by, 4);
	ck_assert_uint_eq(slots.all[slots.top].address, 0x1005 + 16 * 4);
	ck_assert(!slots.all[slots.top].stale);
	ck_assert_uint_eq(slots.all[(slots.top + 1) % 4].pushed_by, 5);
	ck_assert(slots.all[(slots.top + 1) % 4].stale);
	rsb_slots_close(&slots);
	rsb_model_free(model);
}
END_TEST

/*
 * Four places and two calls in flight are six slots, in the order of the calls: the fifth stands
 * behind the fourth, and after a return that has taken it nothing does.
 */
START_TEST(calls_in_flight_show_in_their_order)
{
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_error error;
	struct rsb_model *model;
	struct rsb_slots slots;

	rsb_parameter_defaults(rsb_model_checked.parameters, values);
	ck_assert(rsb_parameter_set(rsb_model_checked.parameters, values, "depth", "4", &error));
	ck_assert(
		rsb_parameter_set(rsb_model_checked.parameters, values, "in_flight", "2", &error));
	model = rsb_model_new(&rsb_model_checked, values, &error);
	ck_assert(rsb_slots_open(&slots, model, 6));
	ck_assert_uint_eq(slots.count, 6);
	for (uint32_t site = 1; site <= 5; site++)
		call(model, site);
	ck_assert(rsb_slots_look(&slots, model, &a_return));
	for (uint32_t down = 0; down < 5; down++)
		ck_assert_uint_eq(slots.all[(slots.top + 6 - down) % 6].pushed_by, 5 - down);
	ck_assert_uint_eq(slots.all[(slots.top + 1) % 6].pushes, 0);
	go_back(model);
	ck_assert(rsb_slots_look(&slots, model, &a_return));
	ck_assert_uint_eq(slots.all[slots.top].pushed_by, 4);
	ck_assert_uint_eq(slots.all[(slots.top + 1) % 6].pushes, 0);
	rsb_slots_close(&slots);
	rsb_model_free(model);
}
END_TEST

/* The same ring without the function: popping a copy finds what it shows, in a ring of its own. */
START_TEST(popping_a_copy_finds_the_same)
{
	struct rsb_model_type plain = rsb_model_ring;
	struct rsb_model *model, *silent;
	struct rsb_slots shown, found;
	uint32_t random = 1;

	plain.slots = NULL;
	model = make(&rsb_model_ring, "8");
	silent = make(&plain, "8");
	ck_assert(rsb_slots_open(&shown, model, 8) && rsb_slots_open(&found, silent, 8));
	ck_assert(!found.exact);
	for (uint32_t i = 0; i < 2000; i++) {
		random = random * 1664525 + 1013904223; /* Numerical Recipes' generator */
		if (random >> 31) {
			call(model, i);
			call(silent, i);
		} else {
			go_back(model);
			go_back(silent);
		}
		ck_assert(rsb_slots_look(&shown, model, &a_return));
		ck_assert(rsb_slots_look(&found, silent, &a_return));
		for (size_t down = 0; down < 8; down++) {
			const struct rsb_slot *a = &shown.all[(shown.top + 8 - down) % 8];
			const struct rsb_slot *b = &found.all[(found.top + 8 - down) % 8];

			ck_assert(!a->pushes || rsb_slot_same(a, b));
			/* An entry that was never written ends what can be popped. */
			if (!a->pushes)
				break;
		}
	}
	rsb_slots_close(&shown);
	rsb_slots_close(&found);
	rsb_model_free(model);
	rsb_model_free(silent);
}
END_TEST

/* A call, then a return, each change one slot of the unbounded stack. */
START_TEST(a_stack_that_is_popped_moves_like_a_ring)
{
	struct rsb_model *model = make(&rsb_model_ideal, NULL);
	struct rsb_slots slots;
	struct rsb_slot before[RSB_SLOTS_PROBED];

	ck_assert(rsb_slots_open(&slots, model, SIZE_MAX));
	ck_assert_uint_eq(slots.count, RSB_SLOTS_PROBED);
	for (uint32_t i = 0; i < 40; i++) {
		size_t top = slots.top, changes = 0;

		memcpy(before, slots.all, sizeof(before));
		if (i < 20)
			call(model, i);
		else
			go_back(model);
		ck_assert(rsb_slots_look(&slots, model, &a_return));
		for (size_t slot = 0; slot < slots.count; slot++)
			changes += !rsb_slot_same(&before[slot], &slots.all[slot]);
		ck_assert_uint_eq(changes, 1);
		ck_assert_uint_eq(slots.top,
				  (top + (i < 20 ? 1 : RSB_SLOTS_PROBED - 1)) % RSB_SLOTS_PROBED);
	}
	rsb_slots_close(&slots);
	rsb_model_free(model);
}
END_TEST

UNIT_MAIN("slots", a_ring_shows_its_own, calls_in_flight_show_in_their_order,
	  popping_a_copy_finds_the_same, a_stack_that_is_popped_moves_like_a_ring)
