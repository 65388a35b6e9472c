/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks: the table of rules, what a run of them gives, and the shape of SARIF. What SARIF must
 * have is from its schema, version 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): the
 * "required" keys and the words of its enumerations.
 */
#include "sim/check/baseline.h"
#include "sim/check/format.h"

#include "tests/unit/unit.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* Checks a built-in layout on one CPU. */
static struct rsb_check *check_layout(const char *name, const char *cpu)
{
	static const struct rsb_scenario unwind = { "unwind", 8, 1, 128 };
	struct rsb_check_options options = { .budget = 0 };
	struct rsb_check *check = rsb_check_new();
	struct rsb_error error;
	struct rsb_layout *layout = rsb_layout_load(name, &error);
	struct rsb_profile *profile = rsb_profile_load(cpu, &error);

	ck_assert_ptr_nonnull(check);
	ck_assert_msg(layout && profile, "%s", error.text);
	rsb_check_levels(options.levels);
	ck_assert_msg(rsb_check_run(check, layout, &unwind, &profile, 1, &options, &error), "%s",
		      error.text);
	rsb_profile_free(profile);
	rsb_layout_free(layout);
	return check;
}

static cJSON *write_sarif(const struct rsb_check *check)
{
	static const struct rsb_check_style style = { .columns = 100 };
	struct rsb_error error;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	cJSON *root;

	ck_assert_ptr_nonnull(out);
	ck_assert_msg(rsb_check_sarif(out, check, &style, &error), "%s", error.text);
	fclose(out);
	root = cJSON_Parse(text);
	ck_assert_msg(root != NULL, "not JSON: %s", text);
	free(text);
	return root;
}

static const cJSON *get(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	ck_assert_msg(item != NULL, "no \"%s\"", key);
	return item;
}

static const char *get_text(const cJSON *object, const char *key)
{
	const cJSON *item = get(object, key);

	ck_assert_msg(cJSON_IsString(item), "\"%s\" is no text", key);
	return item->valuestring;
}

static const cJSON *get_first(const cJSON *object, const char *key)
{
	const cJSON *array = get(object, key);

	ck_assert_msg(cJSON_IsArray(array) && array->child, "\"%s\" is no array, or empty", key);
	return array->child;
}

/* "a|b|c" has the word. */
static bool has_word(const char *words, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = words; at; at = strchr(at, '|')) {
		at += *at == '|';
		if (!strncmp(at, word, size) && (!at[size] || at[size] == '|'))
			return true;
	}
	return false;
}

/* Ids are sorted and none is used twice; names too are each one rule's; every page has its parts.
 */
START_TEST(rules_are_told_apart)
{
	const struct rsb_rule *const *rules = rsb_rules();
	struct rsb_error error;

	for (size_t i = 0; rules[i]; i++) {
		ck_assert_ptr_eq(rsb_rule_find(rules[i]->id, &error), rules[i]);
		ck_assert_ptr_eq(rsb_rule_find(rules[i]->name, &error), rules[i]);
		ck_assert_uint_eq(rsb_rule_index(rules[i]), i);
		if (i)
			ck_assert_str_lt(rules[i - 1]->id, rules[i]->id);
		ck_assert(*rules[i]->sentence && *rules[i]->meaning && *rules[i]->example);
		ck_assert(*rules[i]->cause && *rules[i]->cure);
		ck_assert_uint_eq(strlen(rules[i]->id), strlen("RSB001"));
	}
	ck_assert_ptr_null(rsb_rule_find("RSB000", &error));
}
END_TEST

/* A date has its shape, and nothing behind it. */
START_TEST(dates_have_one_shape)
{
	ck_assert(rsb_baseline_date("2027-01-31"));
	ck_assert(!rsb_baseline_date(""));
	ck_assert(!rsb_baseline_date("2027-1-31"));
	ck_assert(!rsb_baseline_date("2027-01-31T00"));
	ck_assert(!rsb_baseline_date("31.01.2027"));
	ck_assert(rsb_baseline_date("2028-02-29"));
	ck_assert(!rsb_baseline_date("2027-02-29"));
	ck_assert(!rsb_baseline_date("2100-02-29"));
	ck_assert(!rsb_baseline_date("2027-13-01"));
	ck_assert(!rsb_baseline_date("2027-00-10"));
	ck_assert(!rsb_baseline_date("2027-04-31"));
	ck_assert(!rsb_baseline_date("2027-04-00"));
}
END_TEST

/* The numbers: one cause, one miss inside and one in each of eight callers. */
START_TEST(skip_frame_is_one_result)
{
	struct rsb_check *check = check_layout("bpf-fexit-skip", "intel-haswell");
	const struct rsb_check_result *result;

	ck_assert_uint_eq(check->count, 1);
	ck_assert_uint_eq(check->cases[0].count, 1);
	result = &check->cases[0].results[0];
	ck_assert_str_eq(result->rule->id, "RSB002");
	ck_assert_str_eq(result->cause, "skipped-frame");
	ck_assert_str_eq(result->place.text, "add rsp, 8");
	ck_assert(result->misses_inside == 1 && result->misses_callers == 8);
	ck_assert(result->balance == 1);
	ck_assert(rsb_check_result_fails(result));
	rsb_check_free(check);
}
END_TEST

static void check_location(const cJSON *location)
{
	const cJSON *physical = get(location, "physicalLocation");

	/* "anyOf": address, or artifactLocation. GitHub wants a relative uri. */
	ck_assert(get_text(get(physical, "artifactLocation"), "uri")[0] != '/');
	ck_assert(get(get(physical, "region"), "startLine")->valueint >= 1);
}

/* log: version, runs. run: tool. tool: driver. toolComponent: name. reportingDescriptor: id. */
START_TEST(sarif_has_what_its_schema_requires)
{
	struct rsb_check *check = check_layout("bpf-fexit-skip", "intel-haswell");
	cJSON *root = write_sarif(check);
	const cJSON *run = get_first(root, "runs"), *driver = get(get(run, "tool"), "driver"),
		    *rule;
	const cJSON *invocation = get_first(run, "invocations");

	ck_assert_str_eq(get_text(root, "version"), "2.1.0");
	ck_assert_ptr_nonnull(strstr(get_text(root, "$schema"), "sarif-2.1.0"));
	ck_assert(*get_text(driver, "name"));
	cJSON_ArrayForEach(rule, get(driver, "rules"))
	{
		ck_assert(*get_text(rule, "id"));
		ck_assert(*get_text(get(rule, "shortDescription"), "text"));
		ck_assert(has_word("none|note|warning|error",
				   get_text(get(rule, "defaultConfiguration"), "level")));
	}
	ck_assert(cJSON_IsTrue(get(invocation, "executionSuccessful")));
	cJSON_Delete(root);
	rsb_check_free(check);
}
END_TEST

/* result: message, which is a text or an id. Its rule is the one that its index says. */
START_TEST(sarif_results_say_where_and_how)
{
	struct rsb_check *check = check_layout("bpf-fexit-skip", "intel-haswell");
	cJSON *root = write_sarif(check);
	const cJSON *run = get_first(root, "runs"), *result = get_first(run, "results"), *step;
	const cJSON *rules = get(get(get(run, "tool"), "driver"), "rules");
	int order = 0;

	ck_assert(*get_text(get(result, "message"), "text"));
	ck_assert(has_word("none|note|warning|error", get_text(result, "level")));
	ck_assert_str_eq(
		get_text(cJSON_GetArrayItem(rules, get(result, "ruleIndex")->valueint), "id"),
		get_text(result, "ruleId"));
	check_location(get_first(result, "locations"));
	ck_assert_uint_eq(strlen(get_text(get(result, "partialFingerprints"), "rsb/v1")), 16);
	step = get(get_first(get_first(result, "codeFlows"), "threadFlows"), "locations");
	ck_assert_int_ge(cJSON_GetArraySize(step), 3);
	cJSON_ArrayForEach(step, step)
	{
		ck_assert_int_eq(get(step, "executionOrder")->valueint, ++order);
		check_location(get(step, "location"));
		ck_assert(*get_text(get(get(step, "location"), "message"), "text"));
	}
	ck_assert_ptr_null(cJSON_GetObjectItem(result, "suppressions"));
	cJSON_Delete(root);
	rsb_check_free(check);
}
END_TEST

/* suppression: kind. What the layout expects is marked, and not left out. */
START_TEST(sarif_marks_what_is_expected)
{
	struct rsb_check *check = check_layout("bpf-fexit-double-ret", "intel-haswell");
	cJSON *root = write_sarif(check);
	const cJSON *result = get_first(get_first(root, "runs"), "results");

	ck_assert_str_eq(get_text(get_first(result, "suppressions"), "kind"), "inSource");
	cJSON_Delete(root);
	rsb_check_free(check);
}
END_TEST

/* result.baselineState: none of the other words. An entry that nothing answers is absent. */
START_TEST(sarif_marks_what_the_baseline_has)
{
	struct rsb_check *check = check_layout("bpf-fexit-skip", "intel-haswell");
	char path[] = "/tmp/rsb-baseline-XXXXXX";
	struct rsb_baseline *baseline = rsb_baseline_new();
	struct rsb_error error;
	FILE *file = fdopen(mkstemp(path), "w");
	const cJSON *result;
	cJSON *root;

	ck_assert(baseline && file);
	ck_assert(rsb_baseline_write(baseline, check, file, &error));
	fclose(file);
	rsb_baseline_free(baseline);
	baseline = rsb_baseline_load(path, &error);
	remove(path);
	ck_assert_msg(baseline != NULL, "%s", error.text);

	ck_assert(rsb_baseline_compare(baseline, check, "2027-01-01", &error));
	ck_assert(!rsb_check_result_fails(&check->cases[0].results[0]));
	root = write_sarif(check);
	result = get_first(get_first(root, "runs"), "results");
	ck_assert_str_eq(get_text(result, "baselineState"), "unchanged");
	ck_assert_str_eq(get_text(get_first(result, "suppressions"), "kind"), "external");
	cJSON_Delete(root);

	/* Without the result, the entry is of something that is gone. */
	check->cases[0].results[0].fingerprint[0] ^= 1;
	ck_assert(rsb_baseline_compare(baseline, check, "2027-01-01", &error));
	root = write_sarif(check);
	result = get_first(get_first(root, "runs"), "results")->next;
	ck_assert_str_eq(get_text(result, "baselineState"), "absent");
	ck_assert(*get_text(get(result, "message"), "text"));
	cJSON_Delete(root);
	rsb_baseline_free(baseline);
	rsb_check_free(check);
}
END_TEST

UNIT_MAIN("check", rules_are_told_apart, dates_have_one_shape, skip_frame_is_one_result,
	  sarif_has_what_its_schema_requires, sarif_results_say_where_and_how,
	  sarif_marks_what_is_expected, sarif_marks_what_the_baseline_has)
