/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the values that parameters are to have, and counts their combinations. */
#include "sim/sweep/grid.h"

#include "traces/util/grow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH "depth"

static bool is_depth(const struct rsb_axis *axis)
{
	return !strcmp(axis->parameter, DEPTH);
}

static void clear_axis(struct rsb_axis *axis)
{
	for (size_t i = 0; i < axis->count; i++)
		free(axis->values[i]);
	free(axis->values);
	free(axis->parameter);
}

void rsb_grid_clear(struct rsb_grid *grid)
{
	for (size_t i = 0; i < grid->count; i++)
		clear_axis(&grid->axes[i]);
	*grid = (struct rsb_grid){ .count = 0 };
}

/* A range is counted before its values are made, so that this only guards against lists. */
static bool add_value(struct rsb_axis *axis, const char *value, struct rsb_error *error)
{
	if (axis->count == RSB_GRID_VALUES_MAX)
		return rsb_error_set(error, "parameter '%s': expected at most %d values",
				     axis->parameter, RSB_GRID_VALUES_MAX);
	if (!RSB_GROW(axis->values, axis->count))
		return rsb_error_set(error, "out of memory");
	axis->values[axis->count] = strdup(value);
	if (!axis->values[axis->count])
		return rsb_error_set(error, "out of memory");
	axis->count++;
	return true;
}

/* A number at the start of text, as parameters have it: decimal, or 0x and hexadecimal. */
static bool read_number(const char **text, int64_t *number)
{
	const char *digits = *text + (**text == '-');
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	char *end;

	if (*digits < '0' || *digits > '9')
		return false;
	errno = 0;
	*number = strtoll(*text, &end, hex ? 16 : 10);
	*text = end;
	return !errno;
}

/* One number has one spelling, so that it is not taken for two values. */
static bool add_number(struct rsb_axis *axis, int64_t number, struct rsb_error *error)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return add_value(axis, text, error);
}

static bool add_range(struct rsb_axis *axis, const char *text, struct rsb_error *error)
{
	const char *at = text;
	int64_t from, to, step = 1;
	bool good = read_number(&at, &from) && !strncmp(at, "..", 2) &&
		    (at += 2, read_number(&at, &to));

	if (good && *at == ':')
		good = (at++, read_number(&at, &step));
	if (!good || *at || step < 1 || from > to)
		return rsb_error_set(error,
				     "parameter '%s': expected a range from the lower to the "
				     "higher number, 1..64 or 8..64:8, got '%s'",
				     axis->parameter, text);
	if (((uint64_t)to - (uint64_t)from) / (uint64_t)step >= RSB_GRID_VALUES_MAX)
		return rsb_error_set(error, "parameter '%s': %s is more than %d values",
				     axis->parameter, text, RSB_GRID_VALUES_MAX);
	for (uint64_t i = 0; i <= ((uint64_t)to - (uint64_t)from) / (uint64_t)step; i++)
		if (!add_number(axis, from + (int64_t)(i * (uint64_t)step), error))
			return false;
	return true;
}

static bool add_item(struct rsb_axis *axis, const char *text, struct rsb_error *error)
{
	const char *at = text;
	int64_t number;

	if (!*text)
		return rsb_error_set(error, "parameter '%s': expected values between commas",
				     axis->parameter);
	if (strchr(text, '='))
		return rsb_error_set(error,
				     "parameter '%s': expected values, got '%s': one --set for "
				     "each parameter",
				     axis->parameter, text);
	if (strstr(text, ".."))
		return add_range(axis, text, error);
	if (read_number(&at, &number) && !*at)
		return add_number(axis, number, error);
	if (at > text && *at == '-')
		return rsb_error_set(error, "parameter '%s': expected a range as 1..64, got '%s'",
				     axis->parameter, text);
	return add_value(axis, text, error);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool check_repeats(const struct rsb_axis *axis, struct rsb_error *error)
{
	char **sorted = malloc(axis->count * sizeof(*sorted));
	bool good = sorted || rsb_error_set(error, "out of memory");

	if (!good)
		return false;
	memcpy(sorted, axis->values, axis->count * sizeof(*sorted));
	qsort(sorted, axis->count, sizeof(*sorted), compare_texts);
	for (size_t i = 1; good && i < axis->count; i++)
		if (!strcmp(sorted[i - 1], sorted[i]))
			good = rsb_error_set(error, "parameter '%s': %s is given twice",
					     axis->parameter, sorted[i]);
	free(sorted);
	return good;
}

static bool add_values(struct rsb_axis *axis, const char *list, struct rsb_error *error)
{
	char *copy = strdup(list), *next = copy;
	bool good = copy || rsb_error_set(error, "out of memory");

	while (good && next) {
		char *item = next;

		next = strchr(item, ',');
		if (next)
			*next++ = '\0';
		good = add_item(axis, item, error);
	}
	free(copy);
	return good && check_repeats(axis, error);
}

/* A new axis of that name: the last, or before the depth. NULL: error. */
static struct rsb_axis *insert_axis(struct rsb_grid *grid, const char *name, size_t size,
				    struct rsb_error *error)
{
	struct rsb_axis axis = { strndup(name, size), NULL, 0 };
	size_t index = grid->count;

	if (!axis.parameter)
		return rsb_error_null(error, "out of memory");
	if (rsb_grid_depths(grid)) {
		index--;
		grid->axes[grid->count] = grid->axes[index];
	}
	grid->axes[index] = axis;
	grid->count++;
	return &grid->axes[index];
}

bool rsb_grid_add(struct rsb_grid *grid, const char *text, struct rsb_error *error)
{
	size_t size = strcspn(text, "=");
	struct rsb_axis *axis;

	if (!size || !text[size])
		return rsb_error_set(error, "expected parameter=values, got '%s'", text);
	for (size_t i = 0; i < grid->count; i++)
		if (!strncmp(grid->axes[i].parameter, text, size) && !grid->axes[i].parameter[size])
			return rsb_error_set(error, "parameter '%s' is given twice",
					     grid->axes[i].parameter);
	if (grid->count == RSB_GRID_AXES_MAX)
		return rsb_error_set(error, "expected at most %d parameters", RSB_GRID_AXES_MAX);
	axis = insert_axis(grid, text, size, error);
	return axis && add_values(axis, text + size + 1, error);
}

size_t rsb_grid_size(const struct rsb_grid *grid)
{
	size_t size = 1;

	for (size_t i = 0; i < grid->count; i++) {
		if (grid->axes[i].count && size > SIZE_MAX / grid->axes[i].count)
			return SIZE_MAX;
		size *= grid->axes[i].count;
	}
	return size;
}

const char *rsb_grid_value(const struct rsb_grid *grid, size_t combination, size_t axis)
{
	for (size_t i = grid->count - 1; i > axis; i--)
		combination /= grid->axes[i].count;
	return grid->axes[axis].values[combination % grid->axes[axis].count];
}

const struct rsb_axis *rsb_grid_depths(const struct rsb_grid *grid)
{
	const struct rsb_axis *last = grid->count ? &grid->axes[grid->count - 1] : NULL;

	return last && is_depth(last) ? last : NULL;
}

bool rsb_grid_set(const struct rsb_grid *grid, size_t combination, const struct rsb_parameter *rows,
		  int64_t *values, struct rsb_error *error)
{
	for (size_t i = 0; i < grid->count; i++)
		if (!rsb_parameter_set(rows, values, grid->axes[i].parameter,
				       rsb_grid_value(grid, combination, i), error))
			return false;
	return true;
}

bool rsb_grid_check(const struct rsb_grid *grid, const struct rsb_parameter *rows,
		    struct rsb_error *error)
{
	int64_t values[RSB_PARAMETERS_MAX];

	rsb_parameter_defaults(rows, values);
	for (size_t i = 0; i < grid->count; i++)
		for (size_t k = 0; k < grid->axes[i].count; k++)
			if (!rsb_parameter_set(rows, values, grid->axes[i].parameter,
					       grid->axes[i].values[k], error))
				return false;
	return true;
}
