/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One return stack at every depth: its memory, and what it has counted. */
#include "models/depths.h"

#include "models/depths_state.h"

#include <stdlib.h>
#include <string.h>

bool rsb_depths_fit(const struct rsb_model_type *type, const int64_t *values)
{
	/* Where two threads share the stack, another parameter says how deep it is. */
	return type->create == rsb_stack_create &&
	       !(values[RSB_STACK_SMT] && values[RSB_STACK_DEPTH_SMT]);
}

/* Do stacks of all depths have the same entries in the same places? */
static bool go_together(const int64_t *values)
{
	return values[RSB_STACK_OVERFLOW] == RSB_OVERFLOW_OVERWRITE && !values[RSB_STACK_MERGE] &&
	       !values[RSB_STACK_QUIRK] && !values[RSB_STACK_SPACING] &&
	       !values[RSB_STACK_IN_FLIGHT];
}

void rsb_depths_forget(struct rsb_depths *depths)
{
	for (size_t i = 0; i < 2 * depths->size + RSB_DEPTHS_LANES; i++)
		depths->entries[i] = RSB_DEPTHS_NOTHING;
	for (size_t i = 0; i < depths->size; i++)
		depths->reached[i] = INT64_MIN;
	depths->reach = depths->top;
}

/* Whole vectors are read and written, which may go beyond the last place or depth. */
static bool allocate(struct rsb_depths *depths)
{
	size_t rows = depths->deepest + 1, places = 2 * depths->size + RSB_DEPTHS_LANES;

	depths->stride = rows + RSB_DEPTHS_LANES;
	depths->entries = malloc(places * sizeof(*depths->entries));
	depths->excess = calloc(places, sizeof(*depths->excess));
	depths->reached = malloc(depths->size * sizeof(*depths->reached));
	depths->kept = calloc(depths->size * depths->stride, sizeof(*depths->kept));
	depths->missed = calloc(rows, sizeof(*depths->missed));
	depths->missed_deeper = calloc(rows, sizeof(*depths->missed_deeper));
	depths->missed_empty = calloc(rows, sizeof(*depths->missed_empty));
	depths->missed_now = calloc(depths->stride, sizeof(*depths->missed_now));
	return depths->entries && depths->reached && depths->excess && depths->kept &&
	       depths->missed && depths->missed_deeper && depths->missed_empty &&
	       depths->missed_now;
}

static bool add_indirect(struct rsb_depths *depths)
{
	const int64_t *values = depths->values;

	if (depths->underflow != RSB_UNDERFLOW_INDIRECT)
		return true;
	depths->indirect = rsb_indirect_new((enum rsb_indirect_by)values[RSB_STACK_INDIRECT],
					    (uint32_t)values[RSB_STACK_INDIRECT_ENTRIES]);
	return depths->indirect;
}

/* Values that no model may have are refused as a model refuses them. */
static bool check_values(const struct rsb_model_type *type, const int64_t *values,
			 struct rsb_error *error)
{
	struct rsb_model *model = rsb_model_new(type, values, error);

	rsb_model_free(model);
	return model;
}

struct rsb_depths *rsb_depths_new(const struct rsb_model_type *type, const int64_t *values,
				  uint32_t deepest, struct rsb_error *error)
{
	struct rsb_depths *depths;
	bool good;

	if (!check_values(type, values, error))
		return NULL;
	depths = calloc(1, sizeof(*depths));
	if (!depths)
		return rsb_error_null(error, "out of memory");
	memcpy(depths->values, values, sizeof(depths->values));
	depths->underflow = (enum rsb_stack_underflow)values[RSB_STACK_UNDERFLOW];
	/* Else it only predicts what is not counted here. */
	if (depths->underflow != RSB_UNDERFLOW_INDIRECT)
		depths->values[RSB_STACK_INDIRECT] = RSB_INDIRECT_NONE;
	depths->deepest = deepest;
	/* The places from top to top + deepest, each with room of its own. */
	for (depths->size = 2; depths->size <= deepest; depths->size *= 2)
		;
	good = allocate(depths) && add_indirect(depths);
	if (good) {
		rsb_depths_forget(depths);
		good = go_together(values) || rsb_depths_part(depths, NULL);
	}
	if (good)
		return depths;
	rsb_depths_free(depths);
	return rsb_error_null(error, "out of memory");
}

void rsb_depths_free(struct rsb_depths *depths)
{
	if (!depths)
		return;
	rsb_depths_parted_free(depths);
	rsb_indirect_free(depths->indirect);
	free(depths->entries);
	free(depths->reached);
	free(depths->excess);
	free(depths->kept);
	free(depths->missed);
	free(depths->missed_deeper);
	free(depths->missed_empty);
	free(depths->missed_now);
	free(depths);
}

uint64_t rsb_depths_misses(const struct rsb_depths *depths, uint32_t depth)
{
	uint64_t misses = depths->missed[depth];

	for (uint32_t excess = 0; excess <= depths->deepest; excess++)
		misses += excess < depth ? depths->missed_deeper[excess]
					 : depths->missed_empty[excess];
	return misses;
}
