/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): a result for each finding on each
 * CPU, with the chain that led to it as a code flow. Accepted results are there, marked as
 * suppressed: if they vanished, a viewer would take them for repaired.
 */
#include "sim/check/format.h"
#include "sim/check/json_place.h"

#define SCHEMA  "https://json.schemastore.org/sarif-2.1.0.json"
#define CONTEXT "rsb/v1" /* of the fingerprints: another recipe would be v2 */

static bool add_message(cJSON *to, const char *key, const char *text)
{
	return rsb_add_text(rsb_add_object(to, key), "text", text);
}

static bool add_rule(cJSON *to, const struct rsb_rule *rule)
{
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "id", rule->id) && rsb_add_text(object, "name", rule->name) &&
	       add_message(object, "shortDescription", rule->sentence) &&
	       add_message(object, "fullDescription", rule->meaning) &&
	       add_message(object, "help", rule->cure) &&
	       rsb_add_text(rsb_add_object(object, "defaultConfiguration"), "level",
			    rsb_level_name(rule->level));
}

static bool add_tool(cJSON *run)
{
	cJSON *driver = rsb_add_object(rsb_add_object(run, "tool"), "driver"), *array;
	bool good = rsb_add_text(driver, "name", "rsbsim") &&
		    rsb_add_text(driver, "version", PACKAGE_VERSION);

	array = rsb_add_array(driver, "rules");
	for (const struct rsb_rule *const *rule = rsb_rules(); good && *rule; rule++)
		good = add_rule(array, *rule);
	return good && array;
}

/*
 * GitHub takes no file with a location that is logical only (rule GH1001 of microsoft/sarif-sdk),
 * so that a built-in layout has its name for an address.
 */
static bool add_physical(cJSON *location, const struct rsb_check_case *one,
			 const struct rsb_check_place *place)
{
	cJSON *physical = rsb_add_object(location, "physicalLocation"), *address;
	char uri[4096];

	rsb_check_uri(uri, sizeof(uri), one);
	if (!rsb_add_text(rsb_add_object(physical, "artifactLocation"), "uri", uri) ||
	    !rsb_add_integer(rsb_add_object(physical, "region"), "startLine",
			     one->line ? one->line : 1))
		return false;
	if (!place->symbol)
		return true;
	address = rsb_add_object(physical, "address");
	return rsb_add_text(address, "name", place->symbol) &&
	       rsb_add_integer(address, "length", place->length) &&
	       rsb_add_text(address, "kind", "instruction");
}

static bool add_logical(cJSON *location, const struct rsb_check_place *place)
{
	cJSON *logical;

	if (!place->symbol)
		return true;
	logical = rsb_add_object(rsb_add_array(location, "logicalLocations"), NULL);
	return rsb_add_text(logical, "fullyQualifiedName", place->symbol) &&
	       rsb_add_text(logical, "kind", "function");
}

static bool add_location(cJSON *location, const struct rsb_check_case *one,
			 const struct rsb_check_place *place)
{
	return add_physical(location, one, place) && add_logical(location, place);
}

static bool add_flow(cJSON *to, const struct rsb_check_case *one,
		     const struct rsb_check_result *result)
{
	cJSON *flow, *array;
	bool good = true;

	if (!result->step_count)
		return true;
	flow = rsb_add_object(rsb_add_array(to, "codeFlows"), NULL);
	flow = rsb_add_object(rsb_add_array(flow, "threadFlows"), NULL);
	array = rsb_add_array(flow, "locations");
	for (size_t i = 0; good && i < result->step_count; i++) {
		cJSON *step = rsb_add_object(array, NULL), *location;

		good = rsb_add_integer(step, "executionOrder", i + 1);
		location = rsb_add_object(step, "location");
		good = good && add_location(location, one, &result->steps[i].place) &&
		       add_message(location, "message", result->steps[i].what);
	}
	return good && array;
}

static const char *find_state(const struct rsb_check_result *result)
{
	switch (result->standing) {
	case RSB_STANDING_UNCHANGED:
		return "unchanged";
	case RSB_STANDING_PROFILE_CHANGED:
		return "updated";
	default:
		return "new";
	}
}

static bool add_standing(cJSON *to, const struct rsb_check *check,
			 const struct rsb_check_result *result)
{
	const char *justification = result->reason;
	cJSON *object;

	if (check->baselined && !rsb_add_text(to, "baselineState", find_state(result)))
		return false;
	if (result->standing == RSB_STANDING_NEW)
		return true;
	object = rsb_add_object(rsb_add_array(to, "suppressions"), NULL);
	if (result->standing == RSB_STANDING_EXPECTED)
		return rsb_add_text(object, "kind", "inSource") &&
		       rsb_add_text(object, "justification", "the layout expects it");
	return rsb_add_text(object, "kind", "external") &&
	       (!justification || rsb_add_text(object, "justification", justification));
}

static bool add_properties(cJSON *to, const struct rsb_check_case *one,
			   const struct rsb_check_result *result)
{
	cJSON *object = rsb_add_object(to, "properties");

	return rsb_add_text(object, "layout", one->layout) &&
	       rsb_add_text(object, "cpu", one->cpu) &&
	       rsb_add_text(object, "profile", one->version) &&
	       rsb_add_text(object, "cause", *result->cause ? result->cause : NULL) &&
	       rsb_add_number(object, "misses_inside", result->misses_inside) &&
	       rsb_add_number(object, "misses_callers", result->misses_callers) &&
	       rsb_add_number(object, "balance", result->balance);
}

static bool add_text_of(cJSON *to, const struct rsb_check_case *one,
			const struct rsb_check_result *result)
{
	char text[4096];

	snprintf(text, sizeof(text), "%s on %s: %s%s%s", one->layout, one->cpu, result->message,
		 *result->advice ? ". A way out: " : "", result->advice);
	return add_message(to, "message", text);
}

static bool add_result(cJSON *to, const struct rsb_check *check, const struct rsb_check_case *one,
		       const struct rsb_check_result *result)
{
	cJSON *object = rsb_add_object(to, NULL), *location;
	bool good = rsb_add_text(object, "ruleId", result->rule->id) &&
		    rsb_add_integer(object, "ruleIndex", rsb_rule_index(result->rule)) &&
		    rsb_add_text(object, "level", rsb_level_name(result->level)) &&
		    add_text_of(object, one, result);

	location = rsb_add_object(rsb_add_array(object, "locations"), NULL);
	return good && add_location(location, one, &result->place) &&
	       rsb_add_text(rsb_add_object(object, "partialFingerprints"), CONTEXT,
			    result->fingerprint) &&
	       add_flow(object, one, result) && add_standing(object, check, result) &&
	       add_properties(object, one, result);
}

/* What the baseline has and a run no longer gives. */
static bool add_absent(cJSON *to, const struct rsb_check_absent *absent)
{
	cJSON *object = rsb_add_object(to, NULL);
	char text[1024];

	snprintf(text, sizeof(text), "%s on %s: no longer found%s%s", absent->layout, absent->cpu,
		 *absent->subject ? " in " : "", absent->subject);
	return rsb_add_text(object, "ruleId", absent->rule) &&
	       rsb_add_text(object, "level", "none") && add_message(object, "message", text) &&
	       rsb_add_text(object, "baselineState", "absent") &&
	       rsb_add_text(rsb_add_object(object, "partialFingerprints"), CONTEXT,
			    absent->fingerprint);
}

static bool add_results(cJSON *run, const struct rsb_check *check)
{
	cJSON *array = rsb_add_array(run, "results");
	bool good = array != NULL;

	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		for (size_t k = 0; good && k < one->count; k++)
			good = add_result(array, check, one, &one->results[k]);
	}
	for (size_t i = 0; good && i < check->absent_count; i++)
		good = add_absent(array, &check->absents[i]);
	return good;
}

/* Trouble is about the tool's run, not about the code. */
static bool add_invocation(cJSON *run, const struct rsb_check *check)
{
	cJSON *object = rsb_add_object(rsb_add_array(run, "invocations"), NULL), *array;
	struct rsb_check_counts counts = rsb_check_count(check);
	bool good = rsb_add_switch(object, "executionSuccessful", !counts.troubles);

	array = rsb_add_array(object, "toolExecutionNotifications");
	for (size_t i = 0; good && i < check->count; i++) {
		cJSON *notice;

		if (!check->cases[i].trouble)
			continue;
		notice = rsb_add_object(array, NULL);
		good = rsb_add_text(notice, "level", "error") &&
		       add_message(notice, "message", check->cases[i].trouble);
	}
	return good && array;
}

bool rsb_check_sarif(FILE *out, const struct rsb_check *check, const struct rsb_check_style *style,
		     struct rsb_error *error)
{
	cJSON *root = cJSON_CreateObject(), *run;
	bool good = rsb_add_text(root, "$schema", SCHEMA) && rsb_add_text(root, "version", "2.1.0");

	(void)style;
	run = rsb_add_object(rsb_add_array(root, "runs"), NULL);
	good = good && add_tool(run) && add_invocation(run, check) && add_results(run, check) &&
	       rsb_add_text(run, "columnKind", "utf16CodeUnits");
	return rsb_json_write(out, root, good, error);
}
