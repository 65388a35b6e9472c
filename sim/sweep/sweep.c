/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep is of, and how its rows lie. */
#include "sim/sweep/sweep.h"

#include "sim/sweep/checksum.h"
#include "traces/util/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool add_case(struct rsb_sweep *sweep, const char *subject,
		     const struct rsb_scenario *scenario)
{
	char *name;

	if (!RSB_GROW(sweep->cases, sweep->case_count))
		return false;
	name = strdup(scenario->name);
	if (!name)
		return false;
	sweep->cases[sweep->case_count] = (struct rsb_sweep_case){ subject, *scenario };
	sweep->cases[sweep->case_count++].scenario.name = name;
	return true;
}

bool rsb_sweep_add(struct rsb_sweep *sweep, const struct rsb_sweep_subject *subject)
{
	const struct rsb_scenario none = { .name = "" };
	char *name;

	if (!RSB_GROW(sweep->subjects, sweep->subject_count))
		return false;
	name = strdup(subject->name);
	if (!name)
		return false;
	sweep->subjects[sweep->subject_count++] = name;
	if (!subject->scenarios) {
		sweep->trace = true;
		return add_case(sweep, name, &none);
	}
	for (size_t i = 0; i < subject->scenario_count; i++)
		if (!add_case(sweep, name, &subject->scenarios[i]))
			return false;
	return true;
}

/* Parameters that the grid sets are not part of what the CPU is here. */
static uint64_t checksum_cpu(const struct rsb_profile *profile, const struct rsb_grid *grid)
{
	const struct rsb_model_type *type = rsb_profile_type(profile);
	uint64_t checksum = rsb_checksum_text(RSB_CHECKSUM_START, type->name);
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_error error;

	memcpy(values, rsb_profile_values(profile), sizeof(values));
	if (!rsb_grid_set(grid, 0, type->parameters, values, &error))
		return checksum;
	for (int i = 0; type->parameters[i].name; i++)
		checksum = rsb_checksum_word(checksum, (uint64_t)values[i]);
	return checksum;
}

static bool add_cpu(struct rsb_sweep *sweep, const struct rsb_profile *profile,
		    struct rsb_error *error)
{
	struct rsb_sweep_cpu *cpu = &sweep->cpus[sweep->cpu_count];

	if (!rsb_grid_check(&sweep->grid, rsb_profile_type(profile)->parameters, error))
		return rsb_error_prefix(error, "%s", rsb_profile_name(profile));
	cpu->name = strdup(rsb_profile_name(profile));
	cpu->checksum = checksum_cpu(profile, &sweep->grid);
	if (!cpu->name)
		return rsb_error_set(error, "out of memory");
	sweep->cpu_count++;
	return true;
}

static bool copy_axis(struct rsb_axis *to, const struct rsb_axis *from)
{
	to->parameter = strdup(from->parameter);
	to->values = calloc(from->count, sizeof(*to->values));
	for (size_t i = 0; to->values && i < from->count; i++) {
		to->values[i] = strdup(from->values[i]);
		if (!to->values[i])
			return false;
		to->count++;
	}
	return to->parameter && to->values;
}

static bool copy_grid(struct rsb_grid *to, const struct rsb_grid *from)
{
	while (to->count < from->count) {
		size_t i = to->count++;

		if (!copy_axis(&to->axes[i], &from->axes[i]))
			return false;
	}
	return true;
}

bool rsb_sweep_make_rows(struct rsb_sweep *sweep, struct rsb_error *error)
{
	size_t grid = rsb_grid_size(&sweep->grid), others = sweep->case_count * sweep->cpu_count;

	if (others && grid > RSB_SWEEP_ROWS_MAX / others)
		return rsb_error_set(error, "more than %d configurations: expected fewer values",
				     RSB_SWEEP_ROWS_MAX);
	sweep->count = sweep->end = grid * others;
	sweep->rows = calloc(sweep->count ? sweep->count : 1, sizeof(*sweep->rows));
	return sweep->rows || rsb_error_set(error, "out of memory");
}

struct rsb_sweep *rsb_sweep_new(const struct rsb_sweep_subject *subjects, size_t subject_count,
				struct rsb_profile *const *profiles, size_t profile_count,
				const struct rsb_grid *grid, struct rsb_error *error)
{
	struct rsb_sweep *sweep = calloc(1, sizeof(*sweep));
	bool good;

	if (!sweep)
		return rsb_error_null(error, "out of memory");
	sweep->checksum = RSB_CHECKSUM_START;
	sweep->profiles = profiles;
	sweep->cpus = calloc(profile_count, sizeof(*sweep->cpus));
	good = sweep->cpus && copy_grid(&sweep->grid, grid);
	for (size_t i = 0; good && i < subject_count; i++)
		good = rsb_sweep_add(sweep, &subjects[i]);
	if (!good)
		rsb_error_set(error, "out of memory");
	for (size_t i = 0; good && i < profile_count; i++)
		good = add_cpu(sweep, profiles[i], error);
	if (good && rsb_sweep_make_rows(sweep, error))
		return sweep;
	rsb_sweep_free(sweep);
	return NULL;
}

void rsb_sweep_free(struct rsb_sweep *sweep)
{
	if (!sweep)
		return;
	for (size_t i = 0; i < sweep->case_count; i++)
		free((char *)sweep->cases[i].scenario.name);
	for (size_t i = 0; i < sweep->subject_count; i++)
		free(sweep->subjects[i]);
	for (size_t i = 0; i < sweep->cpu_count; i++)
		free(sweep->cpus[i].name);
	free(sweep->cases);
	free(sweep->subjects);
	free(sweep->cpus);
	rsb_grid_clear(&sweep->grid);
	free(sweep->rows);
	free(sweep);
}

struct rsb_sweep rsb_sweep_of(const struct rsb_sweep *sweep, size_t subject)
{
	size_t rows = sweep->count / sweep->case_count, first = 0, end;
	struct rsb_sweep one = *sweep;

	while (sweep->cases[first].subject != sweep->subjects[subject])
		first++;
	for (end = first;
	     end < sweep->case_count && sweep->cases[end].subject == sweep->subjects[subject];)
		end++;
	one.subjects = &sweep->subjects[subject];
	one.subject_count = 1;
	one.cases = &sweep->cases[first];
	one.case_count = end - first;
	one.rows = &sweep->rows[first * rows];
	one.count = one.case_count * rows;
	return one;
}

void rsb_sweep_shard(struct rsb_sweep *sweep, size_t index, size_t shards)
{
	sweep->from = sweep->count * (index - 1) / shards;
	sweep->end = sweep->count * index / shards;
}

struct rsb_sweep_place rsb_sweep_place(const struct rsb_sweep *sweep, size_t row)
{
	size_t grid = rsb_grid_size(&sweep->grid);

	return (struct rsb_sweep_place){
		.number = row / grid / sweep->cpu_count,
		.cpu = row / grid % sweep->cpu_count,
		.combination = row % grid,
	};
}

double rsb_sweep_rate(const struct rsb_sweep_row *row)
{
	return row->returns > 0 ? row->misses / row->returns : NAN;
}

size_t rsb_sweep_line(const struct rsb_sweep *sweep)
{
	const struct rsb_axis *depths = rsb_grid_depths(&sweep->grid);

	return depths ? depths->count : 1;
}
