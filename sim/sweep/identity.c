/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a whole sweep is of: into JSON, and back. */
#include "sim/sweep/identity.h"

#include "sim/report/json.h"

#include <stdlib.h>
#include <string.h>

static bool add_scenarios(cJSON *to, const struct rsb_sweep *sweep)
{
	cJSON *array = rsb_add_array(to, "scenarios");
	bool good = array;

	for (size_t i = 0; good && i < sweep->case_count; i++)
		good = rsb_add_scenario(array, NULL, &sweep->cases[i].scenario);
	return good;
}

/* One layout stands in the object itself, several in an array of such. */
static bool add_layouts(cJSON *to, const struct rsb_sweep *sweep)
{
	cJSON *array = rsb_add_array(to, "layouts");
	bool good = array;

	for (size_t i = 0; good && i < sweep->subject_count; i++) {
		const struct rsb_sweep one = rsb_sweep_of(sweep, i);
		cJSON *object = rsb_add_object(array, NULL);

		good = rsb_add_text(object, "name", one.subjects[0]) && add_scenarios(object, &one);
	}
	return good;
}

static bool add_subject(cJSON *to, const struct rsb_sweep *sweep)
{
	return sweep->subject_count > 1 ||
	       rsb_add_text(to, sweep->trace ? "trace" : "layout", sweep->subjects[0]);
}

static bool add_cases(cJSON *to, const struct rsb_sweep *sweep)
{
	if (sweep->subject_count > 1)
		return add_layouts(to, sweep);
	return sweep->trace || add_scenarios(to, sweep);
}

static bool add_cpus(cJSON *to, const struct rsb_sweep *sweep)
{
	cJSON *array = rsb_add_array(to, "cpus");
	bool good = array;

	for (size_t i = 0; good && i < sweep->cpu_count; i++) {
		cJSON *object = rsb_add_object(array, NULL);

		good = rsb_add_text(object, "name", sweep->cpus[i].name) &&
		       rsb_add_address(object, "checksum", sweep->cpus[i].checksum);
	}
	return good;
}

static bool add_parameters(cJSON *to, const struct rsb_grid *grid)
{
	cJSON *array = rsb_add_array(to, "parameters");
	bool good = array;

	for (size_t i = 0; good && i < grid->count; i++) {
		cJSON *object = rsb_add_object(array, NULL), *values;

		good = rsb_add_text(object, "name", grid->axes[i].parameter);
		values = rsb_add_array(object, "values");
		for (size_t k = 0; good && k < grid->axes[i].count; k++)
			good = rsb_add_text(values, NULL, grid->axes[i].values[k]);
	}
	return good;
}

bool rsb_sweep_identity_add(cJSON *to, const struct rsb_sweep *sweep)
{
	cJSON *object = rsb_add_object(to, "sweep");

	return add_subject(object, sweep) && rsb_add_address(object, "checksum", sweep->checksum) &&
	       add_cases(object, sweep) && add_cpus(object, sweep) &&
	       add_parameters(object, &sweep->grid);
}

/* An array of this object that must be there, with something in it unless it may be empty. */
static const cJSON *find_array(const struct rsb_json *json, const cJSON *object, const char *key,
			       bool may_be_empty, struct rsb_error *error)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);

	if (cJSON_IsArray(array) && (may_be_empty || array->child))
		return array;
	rsb_json_error(json, array ? array : object, error, "expected an array \"%s\"%s", key,
		       may_be_empty ? "" : " that is not empty");
	return NULL;
}

static bool need_text(const struct rsb_json *json, const cJSON *object, const char *key,
		      const char **text, struct rsb_error *error)
{
	*text = NULL;
	if (!rsb_json_text(json, object, key, text, error))
		return false;
	return *text || rsb_json_error(json, object, error, "expected a text \"%s\"", key);
}

static bool read_scenario(const struct rsb_json *json, const cJSON *object,
			  struct rsb_scenario *scenario, struct rsb_error *error)
{
	int64_t depth = -1, batch = -1, spacing = -1;
	const char *name;

	if (!rsb_json_keys(json, object, "name|depth|batch|spacing", error) ||
	    !need_text(json, object, "name", &name, error) ||
	    !rsb_json_integer(json, object, "depth", 0, RSB_DEPTH_MAX, &depth, error) ||
	    !rsb_json_integer(json, object, "batch", 1, RSB_BATCH_MAX, &batch, error) ||
	    !rsb_json_integer(json, object, "spacing", RSB_SPACING_MIN, RSB_SPACING_MAX, &spacing,
			      error))
		return false;
	if (depth < 0 || batch < 0 || spacing < 0)
		return rsb_json_error(json, object, error,
				      "expected \"depth\", \"batch\" and \"spacing\"");
	scenario->depth = (unsigned)depth;
	scenario->batch = (unsigned)batch;
	scenario->spacing = (unsigned)spacing;
	scenario->name = name;
	return true;
}

/* The names are the JSON's. */
static bool read_layout(const struct rsb_json *json, const cJSON *object, const char *name,
			struct rsb_sweep *sweep, struct rsb_error *error)
{
	const cJSON *array = find_array(json, object, "scenarios", false, error), *each;
	struct rsb_scenario *scenarios;
	size_t count = 0;
	bool good = true;

	if (!array)
		return false;
	scenarios = calloc((size_t)cJSON_GetArraySize(array) + 1, sizeof(*scenarios));
	if (!scenarios)
		return rsb_error_set(error, "out of memory");
	cJSON_ArrayForEach(each, array)
	{
		good = good && read_scenario(json, each, &scenarios[count++], error);
	}
	if (good && !rsb_sweep_add(sweep, &(struct rsb_sweep_subject){ name, scenarios, count }))
		good = rsb_error_set(error, "out of memory");
	free(scenarios);
	return good;
}

static bool read_layouts(const struct rsb_json *json, const cJSON *object, struct rsb_sweep *sweep,
			 struct rsb_error *error)
{
	const cJSON *array = find_array(json, object, "layouts", false, error), *each;
	const char *name;

	if (!array)
		return false;
	cJSON_ArrayForEach(each, array)
	{
		if (!rsb_json_keys(json, each, "name|scenarios", error) ||
		    !need_text(json, each, "name", &name, error) ||
		    !read_layout(json, each, name, sweep, error))
			return false;
	}
	return true;
}

static bool read_cpu(const struct rsb_json *json, const cJSON *object, struct rsb_sweep_cpu *cpu,
		     struct rsb_error *error)
{
	const char *name;

	if (!rsb_json_keys(json, object, "name|checksum", error) ||
	    !need_text(json, object, "name", &name, error) ||
	    !rsb_json_address(json, object, "checksum", &cpu->checksum, error))
		return false;
	cpu->name = strdup(name);
	return cpu->name || rsb_error_set(error, "out of memory");
}

static bool read_cpus(const struct rsb_json *json, const cJSON *object, struct rsb_sweep *sweep,
		      struct rsb_error *error)
{
	const cJSON *array = find_array(json, object, "cpus", false, error), *each;

	if (!array)
		return false;
	sweep->cpus = calloc((size_t)cJSON_GetArraySize(array) + 1, sizeof(*sweep->cpus));
	if (!sweep->cpus)
		return rsb_error_set(error, "out of memory");
	cJSON_ArrayForEach(each, array)
	{
		if (!read_cpu(json, each, &sweep->cpus[sweep->cpu_count], error))
			return false;
		sweep->cpu_count++;
	}
	return true;
}

static bool read_axis(const struct rsb_json *json, const cJSON *object, struct rsb_axis *axis,
		      struct rsb_error *error)
{
	const cJSON *values = find_array(json, object, "values", false, error), *each;
	const char *name;

	if (!values || !rsb_json_keys(json, object, "name|values", error) ||
	    !need_text(json, object, "name", &name, error))
		return false;
	axis->parameter = strdup(name);
	axis->values = calloc((size_t)cJSON_GetArraySize(values) + 1, sizeof(*axis->values));
	if (!axis->parameter || !axis->values)
		return rsb_error_set(error, "out of memory");
	cJSON_ArrayForEach(each, values)
	{
		if (!cJSON_IsString(each))
			return rsb_json_mismatch(json, values, "an array of texts", error);
		axis->values[axis->count] = strdup(each->valuestring);
		if (!axis->values[axis->count])
			return rsb_error_set(error, "out of memory");
		axis->count++;
	}
	return true;
}

static bool read_grid(const struct rsb_json *json, const cJSON *object, struct rsb_grid *grid,
		      struct rsb_error *error)
{
	const cJSON *array = find_array(json, object, "parameters", true, error), *each;

	if (!array)
		return false;
	cJSON_ArrayForEach(each, array)
	{
		if (grid->count == RSB_GRID_AXES_MAX)
			return rsb_json_mismatch(json, array, "fewer parameters", error);
		if (!read_axis(json, each, &grid->axes[grid->count++], error))
			return false;
	}
	return true;
}

static bool read_subjects(const struct rsb_json *json, const cJSON *object, struct rsb_sweep *sweep,
			  struct rsb_error *error)
{
	bool several = cJSON_GetObjectItemCaseSensitive(object, "layouts");
	const char *layout = NULL, *trace = NULL;

	if (!rsb_json_keys(json, object, "layout|layouts|trace|checksum|scenarios|cpus|parameters",
			   error) ||
	    !rsb_json_text(json, object, "layout", &layout, error) ||
	    !rsb_json_text(json, object, "trace", &trace, error))
		return false;
	if ((layout != NULL) + (trace != NULL) + several != 1)
		return rsb_json_error(json, object, error,
				      "expected one of \"layout\", \"layouts\" and \"trace\"");
	if (several)
		return read_layouts(json, object, sweep, error);
	if (layout)
		return read_layout(json, object, layout, sweep, error);
	return rsb_sweep_add(sweep, &(struct rsb_sweep_subject){ .name = trace }) ||
	       rsb_error_set(error, "out of memory");
}

static bool read_all(const struct rsb_json *json, const cJSON *object, struct rsb_sweep *sweep,
		     struct rsb_error *error)
{
	return read_subjects(json, object, sweep, error) &&
	       rsb_json_address(json, object, "checksum", &sweep->checksum, error) &&
	       read_cpus(json, object, sweep, error) &&
	       read_grid(json, object, &sweep->grid, error);
}

struct rsb_sweep *rsb_sweep_identity_read(const struct rsb_json *json, const cJSON *object,
					  struct rsb_error *error)
{
	struct rsb_sweep *sweep = calloc(1, sizeof(*sweep));

	if (!sweep)
		return rsb_error_null(error, "out of memory");
	if (read_all(json, object, sweep, error) && rsb_sweep_make_rows(sweep, error))
		return sweep;
	rsb_sweep_free(sweep);
	return NULL;
}
