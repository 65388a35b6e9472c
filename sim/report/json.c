/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for scripts. Keys are only ever added. */
#include "sim/report/json.h"

#include "sim/report/formats.h"

#include <math.h>

static bool add_interval(cJSON *to, const char *key, struct rsb_figure_value value)
{
	cJSON *pair;

	if (isnan(value.low) || isnan(value.high))
		return rsb_add_item(to, key, cJSON_CreateNull());
	pair = rsb_add_array(to, key);
	return rsb_add_number(pair, NULL, value.low) && rsb_add_number(pair, NULL, value.high);
}

static bool add_figures(cJSON *to, const struct rsb_score *score)
{
	cJSON *object = rsb_add_object(to, "per_call");

	for (const struct rsb_figure *f = rsb_figures(); f->key; f++) {
		struct rsb_figure_value value = rsb_figure_value(score, f);

		if (!(value.interval ? add_interval(object, f->key, value)
				     : rsb_add_number(object, f->key, value.low)))
			return false;
	}
	return true;
}

static bool add_cold(cJSON *to, const struct rsb_score *score)
{
	cJSON *object = rsb_add_object(to, "cold");

	return rsb_add_number(object, "misses_inside", score->cold_inside) &&
	       rsb_add_number(object, "misses_callers", score->cold_callers);
}

static bool add_totals(cJSON *to, const struct rsb_score *score)
{
	cJSON *object;

	if (!score->totals.rounds)
		return true;
	object = rsb_add_object(to, "totals");
	if (!rsb_add_integer(object, "rounds", score->totals.rounds))
		return false;
	for (const struct rsb_total *t = rsb_totals(); t->key; t++)
		if (!rsb_add_integer(object, t->key, rsb_total_value(score, t)))
			return false;
	return true;
}

static bool add_pair(cJSON *to, const char *key, struct rsb_interval value)
{
	return add_interval(to, key, (struct rsb_figure_value){ value.low, value.high, true });
}

static bool add_term(cJSON *to, const struct rsb_time_term *term)
{
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "term", term->name) &&
	       rsb_add_number(object, "count", term->count) &&
	       add_pair(object, "each", term->each) &&
	       rsb_add_text(object, "unit", term->each_unit) &&
	       add_pair(object, "cycles", term->cycles);
}

static bool add_time(cJSON *to, const struct rsb_score *score)
{
	const struct rsb_time *time = &score->time;
	cJSON *object, *terms;

	if (!score->timed)
		return true;
	object = rsb_add_object(to, "time");
	if (!rsb_add_text(object, "base", rsb_time_base_name(time->base)) ||
	    !add_pair(object, "clock_ghz", time->clock) ||
	    !add_pair(object, "cycles", time->cycles) || !add_pair(object, "ns", time->ns) ||
	    !add_pair(object, "calls_per_second", time->calls_per_second))
		return false;
	terms = rsb_add_array(object, "terms");
	for (size_t i = 0; i < RSB_TIME_TERMS; i++)
		if (!add_term(terms, &time->terms[i]))
			return false;
	return terms != NULL;
}

static bool add_site(cJSON *to, const struct rsb_site_score *site)
{
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "symbol", site->symbol) &&
	       rsb_add_number(object, "returns", site->returns) &&
	       rsb_add_number(object, "misses", site->misses) &&
	       rsb_add_text(object, "kind", *site->kind ? site->kind : NULL) &&
	       rsb_add_address(object, "pc", site->pc) &&
	       rsb_add_number(object, "intended", site->intended) &&
	       rsb_add_switch(object, "inside", site->inside);
}

static bool add_sites(cJSON *to, const struct rsb_score *score)
{
	cJSON *sites = rsb_add_array(to, "sites");

	for (size_t i = 0; i < score->site_count; i++)
		if (!add_site(sites, &score->sites[i]))
			return false;
	return sites != NULL;
}

bool rsb_add_score(cJSON *to, const char *key, const struct rsb_score *score)
{
	cJSON *object = rsb_add_object(to, key);

	return rsb_add_text(object, "layout", score->layout) &&
	       rsb_add_text(object, "cpu", score->cpu) &&
	       rsb_add_text(object, "model", score->model) &&
	       rsb_add_text(object, "known", score->known) &&
	       rsb_add_text(object, "return_thunk", score->return_thunk) &&
	       rsb_add_text(object, "mitigations", score->mitigations) &&
	       rsb_add_scenario(object, "scenario", &score->scenario) &&
	       rsb_add_text(object, "steady", rsb_steady_name(score->steady)) &&
	       rsb_add_integer(object, "period", score->period) &&
	       rsb_add_integer(object, "averaged", score->averaged) && add_figures(object, score) &&
	       add_cold(object, score) && add_totals(object, score) && add_time(object, score) &&
	       add_sites(object, score) &&
	       rsb_add_texts(object, "notes", score->notes, score->note_count);
}

bool rsb_report_json(FILE *out, const struct rsb_score *const *scores, size_t count,
		     const struct rsb_report_options *options, struct rsb_error *error)
{
	cJSON *root = rsb_json_new();
	cJSON *results = rsb_add_array(root, "results");
	bool built = results != NULL;

	(void)options;
	for (size_t i = 0; built && i < count; i++)
		built = rsb_add_score(results, NULL, scores[i]);
	return rsb_json_write(out, root, built, error);
}
