/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays rows together: all depths of a return stack, or a few models. */
#include "sim/sweep/unit.h"

#include "traces/util/grow.h"

#include <stdlib.h>
#include <string.h>

/* The model of a row: its type, and its parameters. */
static const struct rsb_model_type *row_values(const struct rsb_sweep *sweep, size_t row,
					       int64_t *values, struct rsb_error *error)
{
	struct rsb_sweep_place place = rsb_sweep_place(sweep, row);
	const struct rsb_profile *profile = sweep->profiles[place.cpu];
	const struct rsb_model_type *type = rsb_profile_type(profile);

	memcpy(values, rsb_profile_values(profile), RSB_PARAMETERS_MAX * sizeof(*values));
	if (!rsb_grid_set(&sweep->grid, place.combination, type->parameters, values, error))
		return NULL;
	return type;
}

/* Rows from this one to the end of its line, as far as they are worked out. */
static size_t line_rest(const struct rsb_sweep *sweep, size_t row)
{
	size_t line = rsb_sweep_line(sweep), rest = line - row % line;

	return rest < sweep->end - row ? rest : sweep->end - row;
}

/* The depth of a row is the value of the last axis. */
static uint32_t row_depth(const struct rsb_sweep *sweep, size_t row)
{
	const struct rsb_axis *depths = rsb_grid_depths(&sweep->grid);

	return (uint32_t)strtoul(depths->values[row % depths->count], NULL, 10);
}

/* Can the rest of the row's line be taken together, with profit? */
static bool fits(const struct rsb_sweep *sweep, size_t row)
{
	size_t rest = line_rest(sweep, row);
	int64_t values[RSB_PARAMETERS_MAX];
	const struct rsb_model_type *type;
	struct rsb_error error;

	if (rest < 2)
		return false;
	for (size_t i = 0; i < rest; i++)
		if (row_depth(sweep, row + i) > RSB_DEPTHS_MAX)
			return false;
	type = row_values(sweep, row, values, &error);
	return type && rsb_depths_fit(type, values);
}

static bool make_depths(struct rsb_sweep_unit *unit, const struct rsb_sweep *sweep,
			struct rsb_error *error)
{
	struct rsb_depths *trial;

	unit->count = line_rest(sweep, unit->first);
	unit->type = row_values(sweep, unit->first, unit->values, error);
	unit->depth_of = calloc(unit->count, sizeof(*unit->depth_of));
	if (!unit->type)
		return false;
	if (!unit->depth_of)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < unit->count; i++) {
		uint32_t depth = row_depth(sweep, unit->first + i);

		unit->depth_of[i] = depth;
		unit->deepest = depth > unit->deepest ? depth : unit->deepest;
	}
	/* What is wrong with the parameters is found before the trace is read. */
	trial = rsb_depths_new(unit->type, unit->values, unit->deepest, error);
	rsb_depths_free(trial);
	return trial;
}

static bool make_replay(struct rsb_sweep_unit *unit, const struct rsb_sweep *sweep,
			struct rsb_error *error)
{
	struct rsb_model *models[RSB_UNIT_MODELS];
	size_t made = 0;
	bool good = true;

	while (good && made < unit->count) {
		int64_t values[RSB_PARAMETERS_MAX];
		const struct rsb_model_type *type =
			row_values(sweep, unit->first + made, values, error);

		models[made] = type ? rsb_model_new(type, values, error) : NULL;
		good = models[made];
		made += good;
	}
	if (good)
		unit->replay = rsb_trace_replay_new(models, made, error);
	while (made)
		rsb_model_free(models[--made]);
	return unit->replay;
}

static bool make_models(struct rsb_sweep_unit *unit, const struct rsb_sweep *sweep, size_t models,
			struct rsb_error *error)
{
	while (unit->count < models && unit->first + unit->count < sweep->end &&
	       !fits(sweep, unit->first + unit->count))
		unit->count++;
	unit->misses = calloc(unit->count, sizeof(*unit->misses));
	if (!unit->misses)
		return rsb_error_set(error, "out of memory");
	return make_replay(unit, sweep, error);
}

bool rsb_sweep_unit_make(struct rsb_sweep_unit *unit, const struct rsb_sweep *sweep, size_t row,
			 size_t models, struct rsb_error *error)
{
	struct rsb_sweep_place place = rsb_sweep_place(sweep, row);

	*unit = (struct rsb_sweep_unit){ .first = row };
	if (fits(sweep, row) ? make_depths(unit, sweep, error)
			     : make_models(unit, sweep, models, error))
		return true;
	return rsb_error_prefix(error, "%s", sweep->cpus[place.cpu].name);
}

void rsb_sweep_unit_clear(struct rsb_sweep_unit *unit)
{
	for (size_t i = 0; i < unit->threads; i++)
		rsb_depths_free(unit->depths[i]);
	free(unit->depths);
	free(unit->depth_of);
	rsb_trace_replay_free(unit->replay);
	free(unit->misses);
}

/* Threads are numbered in the order in which they come. */
static bool add_thread(struct rsb_sweep_unit *unit, size_t thread, struct rsb_error *error)
{
	if (thread < unit->threads)
		return true;
	if (!RSB_GROW(unit->depths, thread))
		return rsb_error_set(error, "out of memory");
	unit->depths[thread] = rsb_depths_new(unit->type, unit->values, unit->deepest, error);
	unit->threads += unit->depths[thread] != NULL;
	return unit->depths[thread];
}

static bool replay_depths(struct rsb_sweep_unit *unit, const struct rsb_sweep_buffer *buffer,
			  const struct rsb_sweep_segment *segment, struct rsb_error *error)
{
	return add_thread(unit, segment->thread, error) &&
	       (rsb_depths_replay(unit->depths[segment->thread], buffer->sites,
				  buffer->events + segment->first, segment->count,
				  buffer->unjudged + segment->first) ||
		rsb_error_set(error, "out of memory"));
}

static bool replay_models(struct rsb_sweep_unit *unit, const struct rsb_sweep_buffer *buffer,
			  const struct rsb_sweep_segment *segment, struct rsb_error *error)
{
	const struct rsb_trace_batch batch = {
		.events = buffer->events + segment->first,
		.count = segment->count,
		.thread = segment->id,
	};
	size_t unused;
	const struct rsb_site *sites = rsb_sites_array(buffer->sites, &unused);
	struct rsb_trace_missed missed;

	if (!rsb_trace_replay_batch(unit->replay, buffer->sites, &batch, &missed, error))
		return false;
	for (size_t i = 0; i < unit->count; i++) {
		for (size_t k = 0; k < missed.misses[i]; k++) {
			uint32_t event = missed.missed[i][k].event;
			uint8_t kind = sites[batch.events[event].site].kind;

			unit->misses[i] += (kind == RSB_RETURN || kind == RSB_SWAP) &&
					   !buffer->unjudged[segment->first + event];
		}
	}
	return true;
}

bool rsb_sweep_unit_replay(struct rsb_sweep_unit *unit, const struct rsb_sweep_buffer *buffer,
			   struct rsb_error *error)
{
	for (size_t i = 0; i < buffer->segment_count; i++) {
		const struct rsb_sweep_segment *segment = &buffer->segments[i];

		if (unit->type ? !replay_depths(unit, buffer, segment, error)
			       : !replay_models(unit, buffer, segment, error))
			return false;
	}
	return true;
}

uint64_t rsb_sweep_unit_misses(const struct rsb_sweep_unit *unit, size_t index)
{
	uint64_t misses = 0;

	if (!unit->type)
		return unit->misses[index];
	for (size_t i = 0; i < unit->threads; i++)
		misses += rsb_depths_misses(unit->depths[i], unit->depth_of[index]);
	return misses;
}
