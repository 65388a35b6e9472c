/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was measured on this machine, for scripts. */
#include "sim/report/native.h"

#include "sim/report/json.h"

#include <math.h>
#include <stdlib.h>

static bool add_spread(cJSON *to, const char *key, const struct rsb_spread *spread)
{
	cJSON *object = rsb_add_object(to, key);

	return rsb_add_number(object, "low", spread->low) &&
	       rsb_add_number(object, "median", spread->median) &&
	       rsb_add_number(object, "high", spread->high);
}

static bool add_host(cJSON *root, const struct rsb_native *native)
{
	const struct rsb_host *host = &native->host;
	cJSON *object = rsb_add_object(root, "host");

	return rsb_add_text(object, "name", host->name) &&
	       rsb_add_text(object, "vendor", host->vendor) &&
	       rsb_add_integer(object, "family", host->family) &&
	       rsb_add_integer(object, "model", host->model) &&
	       rsb_add_switch(object, "hypervisor", host->hypervisor) &&
	       rsb_add_number(object, "stolen", native->stolen) &&
	       rsb_add_text(root, "cpu", native->cpu) &&
	       rsb_add_switch(root, "cpu_by_cpuid", native->own) &&
	       rsb_add_text(root, "indirect", native->indirect) &&
	       rsb_add_integer(root, "visits", native->visits) &&
	       rsb_add_integer(root, "samples", native->samples);
}

static bool add_penalty(cJSON *root, const struct rsb_penalty *penalty)
{
	cJSON *object = rsb_add_object(root, "penalty");
	cJSON *methods;
	bool good = rsb_add_number(object, "low", penalty->low) &&
		    rsb_add_number(object, "unit", penalty->unit) &&
		    rsb_add_number(object, "high", penalty->high);

	methods = rsb_add_array(object, "methods");
	for (int i = 0; good && i < RSB_PENALTY_METHODS; i++) {
		cJSON *method = rsb_add_object(methods, NULL);

		good = rsb_add_text(method, "name", penalty->methods[i].name) &&
		       rsb_add_text(method, "how", penalty->methods[i].how) &&
		       add_spread(method, "cycles", &penalty->methods[i].cycles);
	}
	return good;
}

/* Of a layout that was measured in one way only, there is nothing to add. */
static bool add_variants(cJSON *to, const struct rsb_comparison_row *row, size_t count)
{
	cJSON *variants = rsb_add_array(to, "variants");
	bool good = variants;

	for (size_t i = 0; good && count > 1 && i < RSB_SUBJECT_VARIANTS; i++) {
		const struct rsb_variant_misses *misses = &row->variants[i];
		cJSON *object;

		if (isnan(misses->simulated))
			continue;
		object = rsb_add_object(variants, NULL);
		good = rsb_add_integer(object, "shift", rsb_subject_variants[i].shift) &&
		       rsb_add_integer(object, "helpers", rsb_subject_variants[i].helpers) &&
		       rsb_add_number(object, "simulated", misses->simulated) &&
		       add_spread(object, "measured", &misses->measured);
	}
	return good;
}

static bool add_returns(cJSON *to, const struct rsb_comparison_row *row)
{
	cJSON *returns = rsb_add_array(to, "returns");
	bool good = returns && add_spread(to, "by_return", &row->by_return);

	for (size_t i = 0; good && i < row->return_count; i++) {
		const struct rsb_return_verdict *verdict = &row->returns[i];
		cJSON *object = rsb_add_object(returns, NULL);

		good = rsb_add_text(object, "symbol", verdict->place) &&
		       rsb_add_switch(object, "caller", verdict->caller) &&
		       rsb_add_number(object, "runs", verdict->runs) &&
		       add_spread(object, "cost", &verdict->cost) &&
		       rsb_add_number(object, "missed", verdict->missed);
	}
	return good;
}

static bool add_row(cJSON *to, const struct rsb_comparison *comparison,
		    const struct rsb_compared *compared, size_t index)
{
	const struct rsb_comparison_row *row = &comparison->rows[index];
	cJSON *object = rsb_add_object(to, NULL);
	double low, high;
	bool tied;
	size_t rank = rsb_agreement_rank(compared, comparison->count, index, &tied);

	rsb_comparison_by_alignment(row, &low, &high);
	if (!rsb_add_text(object, "layout", row->layout) ||
	    !rsb_add_text(object, "return_thunk", *row->return_thunk ? row->return_thunk : NULL) ||
	    !rsb_add_text(object, "refused", row->refused ? row->why.text : NULL))
		return false;
	if (row->refused)
		return true;
	return rsb_add_number(object, "simulated", row->simulated) &&
	       add_spread(object, "measured", &row->misses) &&
	       rsb_add_integer(object, "rank", rank) && rsb_add_switch(object, "tied", tied) &&
	       add_spread(object, "cycles", &row->cycles) &&
	       rsb_add_text(object, "against", row->twin ? "twin" : "plain-call") &&
	       add_spread(object, "baseline", &row->baseline) &&
	       add_spread(object, "base", &row->base) &&
	       rsb_add_number(object, "across_low", low) &&
	       rsb_add_number(object, "across_high", high) &&
	       add_variants(object, row, comparison->variants) && add_returns(object, row) &&
	       rsb_add_number(object, "counted", row->counted ? row->mispredicted : NAN);
}

static bool add_agreement(cJSON *to, const char *key, const struct rsb_comparison *comparison,
			  const struct rsb_agreement *agreement)
{
	cJSON *object = rsb_add_object(to, key);

	return rsb_add_integer(object, "count", agreement->count) &&
	       rsb_add_number(object, "correlation", agreement->correlation) &&
	       rsb_add_number(object, "mean_error", agreement->mean_error) &&
	       rsb_add_number(object, "worst_error",
			      agreement->count ? agreement->worst_error : NAN) &&
	       rsb_add_text(object, "worst",
			    agreement->count ? comparison->rows[agreement->worst].layout : NULL) &&
	       rsb_add_integer(object, "beyond", agreement->beyond) &&
	       rsb_add_integer(object, "pairs", agreement->pairs) &&
	       rsb_add_integer(object, "pairs_kept", agreement->kept);
}

static bool add_agreements(cJSON *to, const struct rsb_comparison *comparison)
{
	return add_agreement(to, "agreement", comparison, &comparison->agreement) &&
	       (!comparison->each ||
		add_agreement(to, "agreement_by_return", comparison, &comparison->each_agreement));
}

static bool add_comparison(cJSON *to, const struct rsb_native *native,
			   const struct rsb_comparison *comparison)
{
	struct rsb_compared *compared = calloc(comparison->count + 1, sizeof(*compared));
	const char *doubt = rsb_native_doubt(native, comparison);
	cJSON *object = rsb_add_object(to, NULL), *rows;
	bool good = compared && rsb_add_scenario(object, "scenario", &comparison->scenario) &&
		    rsb_add_text(object, "doubt", *doubt ? doubt : NULL) &&
		    rsb_add_integer(object, "samples", comparison->samples) &&
		    rsb_add_integer(object, "dropped", comparison->dropped) &&
		    rsb_add_number(object, "jump", comparison->jump) &&
		    add_agreements(object, comparison);

	rows = rsb_add_array(object, "layouts");
	for (size_t i = 0; compared && i < comparison->count; i++)
		compared[i] = (struct rsb_compared){ comparison->rows[i].simulated,
						     comparison->rows[i].misses };
	for (size_t i = 0; good && i < comparison->count; i++)
		good = add_row(rows, comparison, compared, i);
	free(compared);
	return good && rows;
}

bool rsb_native_json(FILE *out, const struct rsb_native *native, struct rsb_error *error)
{
	cJSON *root = rsb_json_new(), *results;
	bool good = add_host(root, native) && add_penalty(root, &native->penalty);

	results = rsb_add_array(root, "results");
	for (size_t i = 0; good && i < native->count; i++)
		good = add_comparison(results, native, native->comparisons[i]);
	return rsb_json_write(out, root, good && results, error);
}
