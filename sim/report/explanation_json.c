/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations for scripts. Keys are only ever added. */
#include "sim/report/finding.h"

#include "sim/report/json.h"
#include "sim/report/verdict.h"
#include "sim/score/score.h"

#include <stdio.h>

bool rsb_add_instruction(cJSON *to, const char *key, const struct rsb_instruction *instruction)
{
	char bytes[2 * sizeof(instruction->bytes) + 1] = "";
	cJSON *object;

	if (!instruction->symbol)
		return rsb_add_item(to, key, cJSON_CreateNull());
	for (size_t i = 0; i < instruction->length; i++)
		snprintf(bytes + 2 * i, sizeof(bytes) - 2 * i, "%02x", instruction->bytes[i]);
	object = rsb_add_object(to, key);
	return rsb_add_address(object, "pc", instruction->pc) &&
	       rsb_add_text(object, "symbol", instruction->symbol) &&
	       rsb_add_text(object, "text", instruction->text) &&
	       rsb_add_text(object, "bytes", bytes);
}

bool rsb_add_named(cJSON *to, const char *key, const struct rsb_named_address *named)
{
	cJSON *object;

	if (!named->symbol)
		return rsb_add_item(to, key, cJSON_CreateNull());
	object = rsb_add_object(to, key);
	return rsb_add_address(object, "pc", named->address) &&
	       rsb_add_text(object, "symbol", named->symbol);
}

static bool add_miss(cJSON *to, const struct rsb_explained_miss *miss)
{
	static const char *const kinds[] = {
		[RSB_MISS_EMPTY] = "empty", [RSB_MISS_STALE] = "stale", [RSB_MISS_OTHER] = "other"
	};
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "cause", rsb_cause_name(miss->cause)) &&
	       rsb_add_text(object, "kind", kinds[miss->kind]) &&
	       rsb_add_switch(object, "inside", miss->inside) &&
	       rsb_add_instruction(object, "return", &miss->returned_by) &&
	       rsb_add_named(object, "predicted", &miss->predicted) &&
	       rsb_add_instruction(object, "pushed_by", &miss->pushed_by) &&
	       rsb_add_named(object, "actual", &miss->actual) &&
	       rsb_add_integer(object, "cold", miss->cold) &&
	       rsb_add_integer(object, "steady", miss->steady);
}

static bool add_around(cJSON *to, const struct rsb_finding *finding)
{
	cJSON *array = rsb_add_array(to, "around");

	for (size_t i = 0; i < finding->around_count; i++)
		if (!rsb_add_instruction(array, NULL, &finding->around[i]))
			return false;
	return array != NULL;
}

static bool add_misses(cJSON *to, const struct rsb_finding *finding)
{
	cJSON *array = rsb_add_array(to, "misses");

	for (size_t i = 0; i < finding->miss_count; i++)
		if (!add_miss(array, &finding->misses[i]))
			return false;
	return array != NULL;
}

static bool add_cold(cJSON *to, const struct rsb_finding *finding)
{
	cJSON *object = rsb_add_object(to, "cold");

	return rsb_add_number(object, "misses_inside", finding->cold_inside) &&
	       rsb_add_number(object, "misses_callers", finding->cold_callers);
}

static bool add_finding(cJSON *to, const struct rsb_finding *finding)
{
	return rsb_add_text(to, "cause", rsb_cause_name(finding->cause)) &&
	       rsb_add_text(to, "meaning", rsb_cause_sentence(finding->cause)) &&
	       rsb_add_text(to, "story", finding->story) &&
	       rsb_add_text(to, "advice", *finding->advice ? finding->advice : NULL) &&
	       rsb_add_instruction(to, "culprit", &finding->culprit) &&
	       rsb_add_instruction(to, "call", &finding->call) &&
	       rsb_add_named(to, "entry", &finding->entry) &&
	       rsb_add_text(to, "mitigation", finding->mitigation) &&
	       rsb_add_text(to, "event", *finding->event ? finding->event : NULL) &&
	       rsb_add_number(to, "misses_inside", finding->misses_inside) &&
	       rsb_add_number(to, "misses_callers", finding->misses_callers) &&
	       rsb_add_number(to, "balance", finding->balance) && add_cold(to, finding) &&
	       add_around(to, finding) && add_misses(to, finding);
}

bool rsb_add_findings(cJSON *to, const struct rsb_explanation *explanation)
{
	cJSON *array = rsb_add_array(to, "findings");

	for (size_t i = 0; i < explanation->count; i++) {
		cJSON *object = rsb_add_object(array, NULL);

		if (!object || !add_finding(object, &explanation->findings[i]))
			return false;
	}
	return array != NULL;
}

static bool add_accounting(cJSON *to, const struct rsb_accounting *accounting)
{
	cJSON *object;

	if (!accounting->known)
		return rsb_add_item(to, "accounting", cJSON_CreateNull());
	object = rsb_add_object(to, "accounting");
	return rsb_add_number(object, "calls", accounting->calls) &&
	       rsb_add_number(object, "returns", accounting->returns) &&
	       rsb_add_number(object, "software_balance", accounting->software_balance) &&
	       rsb_add_number(object, "hardware_balance", accounting->hardware_balance) &&
	       rsb_add_instruction(object, "culprit", &accounting->culprit) &&
	       rsb_add_text(object, "what", accounting->what);
}

static bool add_explanation(cJSON *to, const struct rsb_explanation *explanation)
{
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "layout", explanation->layout) &&
	       rsb_add_text(object, "cpu", explanation->cpu) &&
	       rsb_add_text(object, "model", explanation->model) &&
	       rsb_add_text(object, "return_thunk", explanation->return_thunk) &&
	       rsb_add_scenario(object, "scenario", &explanation->scenario) &&
	       rsb_add_text(object, "steady", rsb_steady_name(explanation->steady)) &&
	       rsb_add_integer(object, "period", explanation->period) &&
	       rsb_add_integer(object, "rounds", explanation->rounds) &&
	       rsb_add_integer(object, "traced_calls", explanation->traced_calls) &&
	       rsb_add_findings(object, explanation) &&
	       add_accounting(object, &explanation->accounting) &&
	       rsb_add_verdicts(object, explanation) &&
	       rsb_add_texts(object, "notes", explanation->notes, explanation->note_count);
}

bool rsb_explanation_json(FILE *out, const struct rsb_explanation *const *explanations,
			  size_t count, const struct rsb_explanation_options *options,
			  struct rsb_error *error)
{
	cJSON *root = rsb_json_new();
	cJSON *array = rsb_add_array(root, "explanations");
	bool built = array != NULL;

	(void)options;
	for (size_t i = 0; built && i < count; i++)
		built = add_explanation(array, explanations[i]);
	return rsb_json_write(out, root, built, error);
}
