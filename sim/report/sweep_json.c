/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep for scripts: what it is of, every row with exact figures, and the knees. */
#include "sim/report/sweep.h"

#include "sim/report/json.h"
#include "sim/sweep/identity.h"

/* What tells a row, or a line if the last axes are left out, from others. */
static bool add_place(cJSON *to, const struct rsb_sweep *sweep, size_t row, size_t axes)
{
	struct rsb_sweep_place place = rsb_sweep_place(sweep, row);
	const struct rsb_sweep_case *of = &sweep->cases[place.number];
	bool good = (sweep->subject_count == 1 || rsb_add_text(to, "layout", of->subject)) &&
		    (sweep->trace || rsb_add_text(to, "scenario", of->scenario.name)) &&
		    rsb_add_text(to, "cpu", sweep->cpus[place.cpu].name);
	cJSON *parameters = rsb_add_object(to, "parameters");

	for (size_t i = 0; good && i < axes; i++)
		good = rsb_add_text(parameters, sweep->grid.axes[i].parameter,
				    rsb_grid_value(&sweep->grid, place.combination, i));
	return good && parameters;
}

/* The figures of a trace are counts. */
static bool add_count(cJSON *to, const char *key, double value, const struct rsb_sweep *sweep)
{
	return sweep->trace ? rsb_add_integer(to, key, (uint64_t)value)
			    : rsb_add_number(to, key, value);
}

static bool add_row(cJSON *to, const struct rsb_sweep *sweep, size_t index)
{
	const struct rsb_sweep_row *row = &sweep->rows[index];
	cJSON *object = rsb_add_object(to, NULL);

	return add_place(object, sweep, index, sweep->grid.count) &&
	       (sweep->trace || (rsb_add_number(object, "misses_inside", row->inside) &&
				 rsb_add_number(object, "misses_callers", row->callers))) &&
	       add_count(object, "misses", row->misses, sweep) &&
	       add_count(object, "returns", row->returns, sweep) &&
	       rsb_add_number(object, "rate", rsb_sweep_rate(row));
}

static bool add_spot(cJSON *to, const char *key, const struct rsb_sweep_spot *spot,
		     const struct rsb_sweep *sweep)
{
	cJSON *object;

	if (!spot->depth)
		return rsb_add_text(to, key, NULL);
	object = rsb_add_object(to, key);
	return rsb_add_text(object, "depth", spot->depth) &&
	       add_count(object, "misses", spot->misses, sweep);
}

/* What the plot shows besides the knee. */
static bool add_curve(cJSON *to, const struct rsb_sweep *sweep, size_t row)
{
	static const char *const trends[] = {
		[RSB_SWEEP_KNEE] = "knee",
		[RSB_SWEEP_FALLING] = "falling",
		[RSB_SWEEP_FLAT] = "flat",
		[RSB_SWEEP_RISING] = "rising",
	};
	struct rsb_sweep_curve curve;

	return rsb_sweep_curve(sweep, row, &curve) &&
	       add_count(to, "misses", curve.knee.misses, sweep) &&
	       add_spot(to, "begins", &curve.begins, sweep) &&
	       add_spot(to, "most", &curve.most, sweep) &&
	       rsb_add_switch(to, "saturates", curve.saturates) &&
	       rsb_add_text(to, "trend", trends[curve.trend]) &&
	       add_spot(to, "deepest", &curve.deepest, sweep);
}

static bool add_knees(cJSON *root, const struct rsb_sweep *sweep)
{
	cJSON *knees = rsb_add_array(root, "knees");
	bool good = knees;

	for (size_t row = 0; good && row < sweep->count; row += rsb_sweep_line(sweep)) {
		cJSON *object = rsb_add_object(knees, NULL);

		good = add_place(object, sweep, row, sweep->grid.count - 1) &&
		       rsb_add_text(object, "depth", rsb_sweep_knee(sweep, row)) &&
		       add_curve(object, sweep, row);
	}
	return good;
}

bool rsb_sweep_json(FILE *out, const struct rsb_sweep *sweep,
		    const struct rsb_report_options *options, struct rsb_error *error)
{
	cJSON *root = rsb_json_new(), *results;
	bool good = rsb_sweep_identity_add(root, sweep);

	(void)options;
	results = rsb_add_array(root, "results");
	for (size_t row = 0; good && row < sweep->count; row++)
		good = add_row(results, sweep, row);
	if (rsb_sweep_line(sweep) > 1)
		good = good && add_knees(root, sweep);
	return rsb_json_write(out, root, good && results, error);
}
