/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Base times that were measured. */
#include "sim/score/bases.h"

#include "traces/util/grow.h"
#include "traces/util/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES_MAX 1e12 /* hours: no base is that long */

struct base {
	const char *layout, *return_thunk; /* owned by the JSON text */
	struct rsb_scenario scenario;
	struct rsb_interval cycles;
};

struct rsb_bases {
	struct rsb_json *json;
	const char *cpu, *indirect;
	const char *doubt; /* why nothing is to be read from the first such result; NULL: none */
	struct base *all;
	size_t count;
};

static const cJSON *find(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* What must be there; the message for what is missing is about the object. */
static bool mismatch(const struct rsb_bases *bases, const cJSON *object, const cJSON *item,
		     const char *expected, struct rsb_error *error)
{
	return rsb_json_mismatch(bases->json, item ? item : object, expected, error);
}

/* A text, or null for none. */
static bool read_text(const struct rsb_bases *bases, const cJSON *object, const char *key,
		      const char **out, struct rsb_error *error)
{
	*out = NULL;
	return cJSON_IsNull(find(object, key)) ||
	       rsb_json_text(bases->json, object, key, out, error);
}

static bool read_cycles(const struct rsb_bases *bases, const cJSON *object, const char *key,
			double *out, struct rsb_error *error)
{
	const cJSON *item = find(object, key);

	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= CYCLES_MAX))
		return mismatch(bases, object, item, "\"low\", \"median\" and \"high\", cycles",
				error);
	*out = item->valuedouble;
	return true;
}

static bool read_number(const struct rsb_bases *bases, const cJSON *object, const char *key,
			int64_t least, int64_t most, unsigned *out, struct rsb_error *error)
{
	int64_t value = least - 1;

	if (!rsb_json_integer(bases->json, object, key, least, most, &value, error))
		return false;
	if (value < least)
		return mismatch(bases, object, NULL, "\"depth\", \"batch\" and \"spacing\"", error);
	*out = (unsigned)value;
	return true;
}

static bool read_scenario(const struct rsb_bases *bases, const cJSON *result,
			  struct rsb_scenario *scenario, struct rsb_error *error)
{
	const cJSON *object = find(result, "scenario");

	if (!cJSON_IsObject(object))
		return mismatch(bases, result, object, "\"scenario\", an object", error);
	return read_number(bases, object, "depth", 0, RSB_DEPTH_MAX, &scenario->depth, error) &&
	       read_number(bases, object, "batch", 1, RSB_BATCH_MAX, &scenario->batch, error) &&
	       read_number(bases, object, "spacing", RSB_SPACING_MIN, RSB_SPACING_MAX,
			   &scenario->spacing, error);
}

/* A layout that was not run, or has no twin, has no base. */
static bool read_base(struct rsb_bases *bases, const cJSON *item,
		      const struct rsb_scenario *scenario, struct rsb_error *error)
{
	struct base base = { .scenario = *scenario };
	const cJSON *object;
	double median;

	if (!cJSON_IsObject(item))
		return rsb_json_mismatch(bases->json, item, "an object", error);
	if (!read_text(bases, item, "layout", &base.layout, error) ||
	    !read_text(bases, item, "return_thunk", &base.return_thunk, error))
		return false;
	if (!base.layout)
		return mismatch(bases, item, find(item, "layout"), "\"layout\", a name", error);
	object = find(item, "base");
	if (!object || cJSON_IsNull(find(object, "median")))
		return true;
	if (!cJSON_IsObject(object))
		return rsb_json_mismatch(bases->json, object, "an object", error);
	if (!read_cycles(bases, object, "low", &base.cycles.low, error) ||
	    !read_cycles(bases, object, "median", &median, error) ||
	    !read_cycles(bases, object, "high", &base.cycles.high, error))
		return false;
	if (base.cycles.low > median || median > base.cycles.high)
		return rsb_json_mismatch(bases->json, object,
					 "\"low\" to \"median\" to \"high\", in this order", error);
	if (!RSB_GROW(bases->all, bases->count))
		return rsb_error_set(error, "out of memory");
	bases->all[bases->count++] = base;
	return true;
}

static bool read_result(struct rsb_bases *bases, const cJSON *result, struct rsb_error *error)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;
	const cJSON *layouts = find(result, "layouts"), *item;
	const char *doubt;

	if (!cJSON_IsObject(result))
		return rsb_json_mismatch(bases->json, result, "an object", error);
	if (!read_scenario(bases, result, &scenario, error) ||
	    !read_text(bases, result, "doubt", &doubt, error))
		return false;
	if (!cJSON_IsArray(layouts))
		return mismatch(bases, result, layouts, "\"layouts\", an array", error);
	if (doubt && !bases->doubt)
		bases->doubt = doubt;
	cJSON_ArrayForEach(item, layouts)
	{
		if (!doubt && !read_base(bases, item, &scenario, error))
			return false;
	}
	return true;
}

static bool read_all(struct rsb_bases *bases, const char *path, struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(bases->json), *results = find(root, "results"), *item;
	int64_t schema = 1;

	if (!rsb_json_integer(bases->json, root, "schema", 1, 1, &schema, error) ||
	    !read_text(bases, root, "cpu", &bases->cpu, error) ||
	    !read_text(bases, root, "indirect", &bases->indirect, error))
		return false;
	if (!bases->cpu || !cJSON_IsArray(results))
		return mismatch(bases, root, NULL,
				"what rsbsim native -f json writes, with \"cpu\" and \"results\"",
				error);
	cJSON_ArrayForEach(item, results)
	{
		if (!read_result(bases, item, error))
			return false;
	}
	return bases->count ||
	       rsb_error_set(error, "%s: no base time is to be had from it: %s", path,
			     bases->doubt ? bases->doubt : "no layout with a twin was measured");
}

struct rsb_bases *rsb_bases_load(const char *path, struct rsb_error *error)
{
	struct rsb_bases *bases = calloc(1, sizeof(*bases));

	if (!bases)
		return rsb_error_null(error, "out of memory");
	bases->json = rsb_json_load(path, error);
	if (bases->json && read_all(bases, path, error))
		return bases;
	rsb_bases_free(bases);
	return NULL;
}

void rsb_bases_free(struct rsb_bases *bases)
{
	if (!bases)
		return;
	rsb_json_free(bases->json);
	free(bases->all);
	free(bases);
}

const char *rsb_bases_cpu(const struct rsb_bases *bases)
{
	return bases->cpu;
}

const char *rsb_bases_indirect(const struct rsb_bases *bases)
{
	return bases->indirect;
}

static bool is_same(const struct rsb_scenario *a, const struct rsb_scenario *b)
{
	return a->depth == b->depth && a->batch == b->batch && a->spacing == b->spacing;
}

bool rsb_bases_find(const struct rsb_bases *bases, const struct rsb_bases_key *key,
		    struct rsb_interval *cycles)
{
	if (strcmp(key->cpu, bases->cpu) != 0)
		return false;
	for (size_t i = 0; i < bases->count; i++) {
		const struct base *base = &bases->all[i];

		if (strcmp(base->layout, key->layout) != 0 || !base->return_thunk ||
		    strcmp(base->return_thunk, key->return_thunk) != 0 ||
		    !is_same(&base->scenario, key->scenario))
			continue;
		*cycles = base->cycles;
		return true;
	}
	return false;
}
