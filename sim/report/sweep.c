/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats of a sweep as rows, and what they share. */
#include "sim/report/sweep.h"

#include "traces/util/suggest.h"

#include <stdlib.h>
#include <string.h>

static const struct rsb_sweep_format formats[] = {
	{ "text", rsb_sweep_text },
	{ "json", rsb_sweep_json },
	{ "csv", rsb_sweep_csv },
	{ "markdown", rsb_sweep_markdown },
	{ NULL, NULL },
};

const struct rsb_sweep_format *rsb_sweep_formats(void)
{
	return formats;
}

const struct rsb_sweep_format *rsb_sweep_format_find(const char *name, struct rsb_error *error)
{
	return rsb_row_find(formats, sizeof(*formats), "format", name, error);
}

static double inside(const struct rsb_sweep_row *row)
{
	return row->inside;
}

static double callers(const struct rsb_sweep_row *row)
{
	return row->callers;
}

static double misses(const struct rsb_sweep_row *row)
{
	return row->misses;
}

static double returns(const struct rsb_sweep_row *row)
{
	return row->returns;
}

/*
 * People are shown rates in percent, here as in the report of a trace; programs get the fraction.
 */
static double percent(const struct rsb_sweep_row *row)
{
	return 100 * rsb_sweep_rate(row);
}

static const struct rsb_sweep_column columns[] = {
	{ "inside", true, inside, 3, "" },  { "callers", true, callers, 3, "" },
	{ "misses", false, misses, 3, "" }, { "returns", false, returns, 3, "" },
	{ "rate", false, percent, 2, "%" }, { NULL, false, NULL, 0, NULL },
};

const struct rsb_sweep_column *rsb_sweep_columns(void)
{
	return columns;
}

static bool same_figures(const struct rsb_sweep_row *a, const struct rsb_sweep_row *b, bool trace)
{
	return a->returns == b->returns && a->misses == b->misses &&
	       (trace || (a->inside == b->inside && a->callers == b->callers));
}

/* Are the axis's values numbers, each one more than the one before? Only such are a range. */
static bool counts_up(const struct rsb_axis *axis)
{
	for (size_t i = 0; i < axis->count; i++) {
		const char *value = axis->values[i];

		if (!*value || value[strspn(value, "0123456789")] ||
		    (i && strtoull(value, NULL, 10) != strtoull(axis->values[i - 1], NULL, 10) + 1))
			return false;
	}
	return true;
}

/* The rows, one after the other, in which only the last axis differs, if that is a range. */
static size_t count_in_line(const struct rsb_sweep *sweep)
{
	const struct rsb_grid *grid = &sweep->grid;
	const struct rsb_axis *last = grid->count ? &grid->axes[grid->count - 1] : NULL;

	return last && !rsb_grid_depths(grid) && counts_up(last) ? last->count
								 : rsb_sweep_line(sweep);
}

size_t rsb_sweep_alike(const struct rsb_sweep *sweep, size_t row)
{
	size_t line = count_in_line(sweep), rest = line - row % line, alike = 1;

	while (alike < rest &&
	       same_figures(&sweep->rows[row], &sweep->rows[row + alike], sweep->trace))
		alike++;
	return alike;
}

void rsb_sweep_value(char *out, size_t size, const struct rsb_sweep *sweep, size_t row,
		     size_t alike, size_t axis)
{
	size_t combination = rsb_sweep_place(sweep, row).combination;
	const char *value = rsb_grid_value(&sweep->grid, combination, axis);

	if (alike > 1 && axis + 1 == sweep->grid.count)
		snprintf(out, size, "%s-%s", value,
			 rsb_grid_value(&sweep->grid, combination + alike - 1, axis));
	else
		snprintf(out, size, "%s", value);
}

void rsb_sweep_line_name(char *out, size_t size, const struct rsb_sweep *sweep, size_t row)
{
	struct rsb_sweep_place place = rsb_sweep_place(sweep, row);
	const struct rsb_sweep_case *of = &sweep->cases[place.number];
	const char *layout = sweep->subject_count > 1 ? of->subject : "";
	const char *scenario = of->scenario.name;
	size_t axes = sweep->grid.count - (rsb_grid_depths(&sweep->grid) != NULL);
	int used = snprintf(out, size, "%s%s%s%s%s", layout, *layout ? ", " : "", scenario,
			    *scenario ? ", " : "", sweep->cpus[place.cpu].name);

	for (size_t i = 0; i < axes && (size_t)used < size; i++)
		used += snprintf(out + used, size - (size_t)used, ", %s=%s",
				 sweep->grid.axes[i].parameter,
				 rsb_grid_value(&sweep->grid, place.combination, i));
}
