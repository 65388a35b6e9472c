/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for scripts. Keys are only ever added; numbers read back as they were. */
#include "sim/report/formats.h"

#include "sim/report/number.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define SCHEMA 1

/*
 * cJSON keeps numbers as doubles and prints 17 digits; ours are written as text. Adding to NULL, or
 * NULL, fails, and so every failure ends in one place.
 */
static bool add(cJSON *to, const char *key, cJSON *item)
{
	if (cJSON_IsArray(to) ? cJSON_AddItemToArray(to, item)
			      : item && cJSON_AddItemToObject(to, key, item))
		return true;
	cJSON_Delete(item);
	return false;
}

static bool add_number(cJSON *to, const char *key, double value)
{
	char text[RSB_NUMBER_SIZE];

	rsb_number_exact(text, sizeof(text), value);
	return add(to, key, isfinite(value) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

static bool add_integer(cJSON *to, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return add(to, key, cJSON_CreateRaw(text));
}

static bool add_text(cJSON *to, const char *key, const char *text)
{
	return add(to, key, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

/* An address is text: a JSON number does not hold 64 bits. */
static bool add_address(cJSON *to, const char *key, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	return add_text(to, key, text);
}

static bool add_interval(cJSON *to, const char *key, double low, double high)
{
	cJSON *pair;

	if (isnan(low) || isnan(high))
		return add(to, key, cJSON_CreateNull());
	pair = cJSON_AddArrayToObject(to, key);
	return add_number(pair, NULL, low) && add_number(pair, NULL, high);
}

static bool add_scenario(cJSON *to, const struct rsb_scenario *scenario)
{
	cJSON *object = cJSON_AddObjectToObject(to, "scenario");

	return add_text(object, "name", scenario->name) &&
	       add_integer(object, "depth", scenario->depth) &&
	       add_integer(object, "batch", scenario->batch) &&
	       add_integer(object, "spacing", scenario->spacing);
}

static bool add_figures(cJSON *to, const struct rsb_score *score)
{
	cJSON *object = cJSON_AddObjectToObject(to, "per_call");

	for (const struct rsb_figure *f = rsb_figures(); f->key; f++) {
		struct rsb_figure_value value = rsb_figure_value(score, f);

		if (!(value.interval ? add_interval(object, f->key, value.low, value.high)
				     : add_number(object, f->key, value.low)))
			return false;
	}
	return object != NULL;
}

static bool add_cold(cJSON *to, const struct rsb_score *score)
{
	cJSON *object = cJSON_AddObjectToObject(to, "cold");

	return add_number(object, "misses_inside", score->cold_inside) &&
	       add_number(object, "misses_callers", score->cold_callers);
}

static bool add_totals(cJSON *to, const struct rsb_score *score)
{
	cJSON *object;

	if (!score->totals.rounds)
		return true;
	object = cJSON_AddObjectToObject(to, "totals");
	if (!add_integer(object, "rounds", score->totals.rounds))
		return false;
	for (const struct rsb_total *t = rsb_totals(); t->key; t++)
		if (!add_integer(object, t->key, rsb_total_value(score, t)))
			return false;
	return true;
}

static bool add_site(cJSON *to, const struct rsb_site_score *site)
{
	cJSON *object = cJSON_CreateObject();

	return add(to, NULL, object) && add_text(object, "symbol", site->symbol) &&
	       add_number(object, "returns", site->returns) &&
	       add_number(object, "misses", site->misses) &&
	       add_text(object, "kind", *site->kind ? site->kind : NULL) &&
	       add_address(object, "pc", site->pc) &&
	       add_number(object, "intended", site->intended) &&
	       add(object, "inside", cJSON_CreateBool(site->inside));
}

static bool add_lists(cJSON *to, const struct rsb_score *score)
{
	cJSON *sites = cJSON_AddArrayToObject(to, "sites");
	cJSON *notes = cJSON_AddArrayToObject(to, "notes");

	for (size_t i = 0; i < score->site_count; i++)
		if (!add_site(sites, &score->sites[i]))
			return false;
	for (size_t i = 0; i < score->note_count; i++)
		if (!add_text(notes, NULL, score->notes[i]))
			return false;
	return sites && notes;
}

static bool add_result(cJSON *to, const struct rsb_score *score)
{
	cJSON *object = cJSON_CreateObject();

	return add(to, NULL, object) && add_text(object, "layout", score->layout) &&
	       add_text(object, "cpu", score->cpu) && add_text(object, "model", score->model) &&
	       add_text(object, "known", score->known) && add_scenario(object, &score->scenario) &&
	       add_text(object, "steady", rsb_steady_name(score->steady)) &&
	       add_integer(object, "period", score->period) &&
	       add_integer(object, "averaged", score->averaged) && add_figures(object, score) &&
	       add_cold(object, score) && add_totals(object, score) && add_lists(object, score);
}

static bool add_results(cJSON *to, const struct rsb_score *const *scores, size_t count)
{
	cJSON *results;

	if (!add_integer(to, "schema", SCHEMA))
		return false;
	results = cJSON_AddArrayToObject(to, "results");
	for (size_t i = 0; i < count; i++)
		if (!add_result(results, scores[i]))
			return false;
	return results != NULL;
}

bool rsb_report_json(FILE *out, const struct rsb_score *const *scores, size_t count,
		     const struct rsb_report_options *options, struct rsb_error *error)
{
	cJSON *root = cJSON_CreateObject();
	char *text = root && add_results(root, scores, count) ? cJSON_Print(root) : NULL;

	(void)options;
	cJSON_Delete(root);
	if (!text)
		return rsb_error_set(error, "out of memory");
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	return rsb_report_end(out, error);
}
