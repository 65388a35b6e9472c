/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check for scripts. Keys are only ever added. */
#include "sim/check/format.h"
#include "sim/check/json_place.h"
#include "sim/report/json.h"

static bool add_steps(cJSON *to, const struct rsb_check_result *result)
{
	cJSON *array = rsb_add_array(to, "chain");
	bool good = array != NULL;

	for (size_t i = 0; good && i < result->step_count; i++) {
		cJSON *object = rsb_add_object(array, NULL);

		good = rsb_add_text(object, "what", result->steps[i].what) &&
		       rsb_add_place(object, "at", &result->steps[i].place);
	}
	return good;
}

static bool add_result(cJSON *to, const struct rsb_check_result *result)
{
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "rule", result->rule->id) &&
	       rsb_add_text(object, "name", result->rule->name) &&
	       rsb_add_text(object, "level", rsb_level_name(result->level)) &&
	       rsb_add_text(object, "standing", rsb_check_standing_name(result->standing)) &&
	       rsb_add_switch(object, "fails", rsb_check_result_fails(result)) &&
	       rsb_add_text(object, "reason", result->reason) &&
	       rsb_add_text(object, "cause", *result->cause ? result->cause : NULL) &&
	       rsb_add_text(object, "message", result->message) &&
	       rsb_add_text(object, "advice", *result->advice ? result->advice : NULL) &&
	       rsb_add_text(object, "symbol", result->subject) &&
	       rsb_add_place(object, "at", &result->place) &&
	       rsb_add_number(object, "misses_inside", result->misses_inside) &&
	       rsb_add_number(object, "misses_callers", result->misses_callers) &&
	       rsb_add_number(object, "balance", result->balance) &&
	       rsb_add_text(object, "fingerprint", result->fingerprint) &&
	       add_steps(object, result);
}

static bool add_figures(cJSON *to, const char *key, const struct rsb_check_figures *figures)
{
	cJSON *object = rsb_add_object(to, key);

	return rsb_add_number(object, "balance_layout", figures->balance) &&
	       rsb_add_number(object, "misses_inside", figures->inside) &&
	       rsb_add_number(object, "misses_callers", figures->callers);
}

static bool add_change(cJSON *to, const struct rsb_check_case *one)
{
	if (one->change == RSB_CHANGE_NONE)
		return true;
	return rsb_add_text(to, "change", rsb_change_name(one->change)) &&
	       (one->change == RSB_CHANGE_ADDED || add_figures(to, "base", &one->base));
}

static bool add_case(cJSON *to, const struct rsb_check_case *one)
{
	cJSON *object = rsb_add_object(to, NULL), *array;
	bool good = rsb_add_text(object, "layout", one->layout) &&
		    rsb_add_text(object, "file", *one->path ? one->path : NULL) &&
		    rsb_add_text(object, "cpu", one->cpu) &&
		    rsb_add_text(object, "profile", one->version) &&
		    rsb_add_text(object, "model", one->model) &&
		    rsb_add_scenario(object, "scenario", &one->scenario) &&
		    rsb_add_text(object, "trouble", one->trouble) &&
		    (one->trouble || one->change == RSB_CHANGE_GONE ||
		     add_figures(object, "unintended", &one->figures)) &&
		    add_change(object, one);

	array = rsb_add_array(object, "results");
	for (size_t i = 0; good && i < one->count; i++)
		good = add_result(array, &one->results[i]);
	return good && array && rsb_add_texts(object, "remarks", one->remarks, one->remark_count);
}

static bool add_absents(cJSON *root, const struct rsb_check *check)
{
	cJSON *array = rsb_add_array(root, "absent");
	bool good = array != NULL;

	for (size_t i = 0; good && i < check->absent_count; i++) {
		const struct rsb_check_absent *absent = &check->absents[i];
		cJSON *object = rsb_add_object(array, NULL);

		good = rsb_add_text(object, "rule", absent->rule) &&
		       rsb_add_text(object, "layout", absent->layout) &&
		       rsb_add_text(object, "cpu", absent->cpu) &&
		       rsb_add_text(object, "symbol", absent->subject) &&
		       rsb_add_integer(object, "count", absent->count) &&
		       rsb_add_text(object, "fingerprint", absent->fingerprint);
	}
	return good;
}

static bool add_counts(cJSON *root, const struct rsb_check *check)
{
	struct rsb_check_counts counts = rsb_check_count(check);
	cJSON *object = rsb_add_object(root, "counts");

	return rsb_add_integer(object, "errors", counts.errors) &&
	       rsb_add_integer(object, "warnings", counts.warnings) &&
	       rsb_add_integer(object, "notes", counts.notes) &&
	       rsb_add_integer(object, "accepted", counts.accepted) &&
	       rsb_add_integer(object, "absent", counts.absent) &&
	       rsb_add_integer(object, "troubles", counts.troubles);
}

bool rsb_check_json(FILE *out, const struct rsb_check *check, const struct rsb_check_style *style,
		    struct rsb_error *error)
{
	cJSON *root = rsb_json_new(), *array;
	bool good = add_counts(root, check);

	(void)style;
	array = rsb_add_array(root, "cases");
	for (size_t i = 0; good && i < check->count; i++)
		good = add_case(array, &check->cases[i]);
	good = good && array && add_absents(root, check);
	return rsb_json_write(out, root, good, error);
}
