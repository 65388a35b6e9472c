/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Part files: written, and put together. */
#include "sim/sweep/part.h"

#include "sim/report/json.h"
#include "sim/sweep/identity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row in the file, in this order. */
#define FIGURES 4

static bool add_row(cJSON *to, const struct rsb_sweep_row *row)
{
	cJSON *array = rsb_add_array(to, NULL);

	return rsb_add_number(array, NULL, row->returns) &&
	       rsb_add_number(array, NULL, row->misses) &&
	       rsb_add_number(array, NULL, row->inside) &&
	       rsb_add_number(array, NULL, row->callers);
}

static bool add_part(cJSON *root, const struct rsb_sweep *sweep, const struct rsb_shard *shard)
{
	bool good = rsb_add_text(root, "rsbsim", PACKAGE_VERSION) &&
		    rsb_sweep_identity_add(root, sweep) &&
		    rsb_add_integer(root, "shard", shard->index) &&
		    rsb_add_integer(root, "shards", shard->count);
	cJSON *rows = rsb_add_array(root, "rows");

	for (size_t i = sweep->from; good && i < sweep->end; i++)
		good = add_row(rows, &sweep->rows[i]);
	return good && rows;
}

bool rsb_sweep_write_part(const struct rsb_sweep *sweep, const struct rsb_shard *shard, FILE *out,
			  struct rsb_error *error)
{
	cJSON *root = rsb_json_new();

	return rsb_json_write(out, root, add_part(root, sweep, shard), error);
}

/* What is merged. */
struct merge {
	struct rsb_sweep *sweep; /* NULL: no part was read yet */
	char *identity;          /* as text: it is the same in all parts, to the byte */
	const char *first;       /* path of the first part */
	size_t shards;
	const char **paths; /* of each shard; NULL: not read yet */
};

static bool read_shard(const struct rsb_json *json, struct rsb_shard *shard,
		       struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(json);
	int64_t index = 0, count = 0;

	if (!rsb_json_integer(json, root, "shards", 1, RSB_SHARDS_MAX, &count, error) ||
	    !rsb_json_integer(json, root, "shard", 1, count, &index, error))
		return false;
	if (!index || !count)
		return rsb_json_error(json, root, error,
				      "expected a part of a sweep (rsbsim sweep --shard)");
	*shard = (struct rsb_shard){ (size_t)index, (size_t)count };
	return true;
}

/* The version is asked first: all else may be unlike in another one. */
static bool check_version(const struct rsb_json *json, struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(json);
	const char *version = NULL;

	if (!rsb_json_text(json, root, "rsbsim", &version, error))
		return false;
	if (!version)
		return rsb_json_error(json, root, error,
				      "expected a part of a sweep (rsbsim sweep --shard)");
	return !strcmp(version, PACKAGE_VERSION) ||
	       rsb_json_error(json, root, error,
			      "the part is of rsbsim %s: expected " PACKAGE_VERSION, version);
}

/* The first part says what all must be of. */
static bool begin(struct merge *merge, const struct rsb_json *json, const char *path, size_t shards,
		  struct rsb_error *error)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(rsb_json_root(json), "sweep");

	if (!cJSON_IsObject(object))
		return rsb_json_error(json, rsb_json_root(json), error,
				      "expected an object \"sweep\"");
	merge->sweep = rsb_sweep_identity_read(json, object, error);
	if (!merge->sweep)
		return false;
	merge->identity = cJSON_PrintUnformatted(object);
	merge->paths = calloc(shards, sizeof(*merge->paths));
	merge->first = path;
	merge->shards = shards;
	return (merge->identity && merge->paths) || rsb_error_set(error, "out of memory");
}

static bool check_identity(const struct merge *merge, const struct rsb_json *json, const char *path,
			   size_t shards, struct rsb_error *error)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(rsb_json_root(json), "sweep");
	char *identity = object ? cJSON_PrintUnformatted(object) : NULL;
	bool same = identity && !strcmp(identity, merge->identity) && shards == merge->shards;

	cJSON_free(identity);
	return same ||
	       rsb_error_set(error, "%s is a part of another sweep than %s", path, merge->first);
}

static bool read_row(const struct rsb_json *json, const cJSON *array, struct rsb_sweep_row *row,
		     struct rsb_error *error)
{
	double figures[FIGURES] = { 0 };
	size_t count = 0;
	const cJSON *each;

	cJSON_ArrayForEach(each, array)
	{
		if (count == FIGURES || !(cJSON_IsNumber(each) || cJSON_IsNull(each)))
			return rsb_json_mismatch(json, array, "a row of four figures", error);
		figures[count++] = cJSON_IsNull(each) ? (double)NAN : each->valuedouble;
	}
	*row = (struct rsb_sweep_row){ figures[0], figures[1], figures[2], figures[3] };
	return (cJSON_IsArray(array) && count == FIGURES) ||
	       rsb_json_error(json, array, error, "expected a row of four figures");
}

static bool read_rows(struct merge *merge, const struct rsb_json *json,
		      const struct rsb_shard *shard, struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(json), *each;
	const cJSON *rows = cJSON_GetObjectItemCaseSensitive(root, "rows");
	size_t row;

	rsb_sweep_shard(merge->sweep, shard->index, shard->count);
	row = merge->sweep->from;
	if (!cJSON_IsArray(rows) ||
	    (size_t)cJSON_GetArraySize(rows) != merge->sweep->end - merge->sweep->from)
		return rsb_json_error(json, rows ? rows : root, error, "expected %zu rows",
				      merge->sweep->end - merge->sweep->from);
	cJSON_ArrayForEach(each, rows) if (!read_row(json, each, &merge->sweep->rows[row++],
						     error)) return false;
	return true;
}

static bool add_json(struct merge *merge, const struct rsb_json *json, const char *path,
		     struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(json);
	struct rsb_shard shard = { 0, 0 };

	if (!check_version(json, error) || !read_shard(json, &shard, error) ||
	    !rsb_json_keys(json, root, "schema|rsbsim|sweep|shard|shards|rows", error))
		return false;
	if (!merge->sweep ? !begin(merge, json, path, shard.count, error)
			  : !check_identity(merge, json, path, shard.count, error))
		return false;
	if (merge->paths[shard.index - 1])
		return rsb_error_set(error, "%s and %s are both part %zu of %zu",
				     merge->paths[shard.index - 1], path, shard.index, shard.count);
	merge->paths[shard.index - 1] = path;
	return read_rows(merge, json, &shard, error);
}

static bool add_file(struct merge *merge, const char *path, struct rsb_error *error)
{
	struct rsb_json *json = rsb_json_load(path, error);
	bool good = json && add_json(merge, json, path, error);

	rsb_json_free(json);
	return good;
}

/* Names the parts that are missing, as far as there is room. */
static bool check_complete(const struct merge *merge, struct rsb_error *error)
{
	char list[256] = "";
	size_t missing = 0, used = 0;

	for (size_t i = 0; i < merge->shards; i++) {
		if (merge->paths[i])
			continue;
		if (used + 16 < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%zu",
						 missing ? ", " : "", i + 1);
		else if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, " ...") + 16;
		missing++;
	}
	return !missing ||
	       rsb_error_set(error, "%zu of %zu parts missing: %s", missing, merge->shards, list);
}

struct rsb_sweep *rsb_sweep_merge(const char *const *paths, size_t count, struct rsb_error *error)
{
	struct merge merge = { .sweep = NULL };
	bool good = true;

	for (size_t i = 0; good && i < count; i++)
		good = add_file(&merge, paths[i], error);
	good = good && check_complete(&merge, error);
	free(merge.paths);
	cJSON_free(merge.identity);
	if (good)
		return merge.sweep;
	rsb_sweep_free(merge.sweep);
	return NULL;
}
