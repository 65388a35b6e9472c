/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU profiles: what their files may say, and what is refused. */
#include "models/profile.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct rsb_error error;
static char folder[] = "test_profile.XXXXXX", path[64];

/* Writes a profile to path, with " for each ' of the text. */
static void write_file(const char *text)
{
	FILE *file;

	if (!*path) {
		ck_assert_ptr_nonnull(mkdtemp(folder));
		snprintf(path, sizeof(path), "%s/mine.json", folder);
	}
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (; *text; text++)
		fputc(*text == '\'' ? '"' : *text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void remove_file(void)
{
	unlink(path);
	rmdir(folder);
	*path = '\0';
	memset(folder + strlen(folder) - 6, 'X', 6);
}

static struct rsb_profile *load(const char *name)
{
	struct rsb_profile *profile = rsb_profile_load(name, &error);

	ck_assert_msg(profile != NULL, "%s: %s", name, error.text);
	return profile;
}

static struct rsb_profile *load_text(const char *text)
{
	struct rsb_profile *profile;

	write_file(text);
	profile = load(path);
	remove_file();
	return profile;
}

/* The message is "PATH:" and what is expected. */
static void refuses(const char *text, const char *message)
{
	struct rsb_profile *profile;
	char expected[1024];

	write_file(text);
	snprintf(expected, sizeof(expected), "%s:%s", path, message);
	profile = rsb_profile_load(path, &error);
	remove_file();
	ck_assert_msg(profile == NULL, "loaded, expected: %s", message);
	ck_assert_str_eq(error.text, expected);
}

static const struct rsb_fact *find_fact(const struct rsb_profile *profile, const char *name)
{
	size_t count;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(facts[i].name, name))
			return &facts[i];
	ck_abort_msg("%s: no fact about %s", rsb_profile_name(profile), name);
	return NULL;
}

/* What is used of a fact, and whether it is known. */
static void ck_fact(const struct rsb_profile *profile, const char *name, const char *value,
		    bool known)
{
	const struct rsb_fact *fact = find_fact(profile, name);

	ck_assert_msg(!strcmp(fact->assumed ? fact->assumed : fact->value, value), "%s: %s: %s",
		      rsb_profile_name(profile), name, value);
	ck_assert_msg(known == (fact->strength != RSB_STRENGTH_ASSUMED), "%s: %s",
		      rsb_profile_name(profile), name);
}

/* A profile whose fields, on line 2, are these. */
#define FIELDS(text) "{ 'name': 'mine', 'model': 'ring', 'fields': {\n" text "\n} }"

/* A name that is not known lists those near it. */
START_TEST(suggests_a_name)
{
	ck_assert_ptr_null(rsb_profile_load("intel-haswel", &error));
	ck_assert_msg(strstr(error.text, "unknown CPU 'intel-haswel'") &&
			      strstr(error.text, "intel-haswell"),
		      "%s", error.text);
}
END_TEST

/* A file that is not there is named. */
START_TEST(names_a_missing_file)
{
	ck_assert_ptr_null(rsb_profile_load("no/such.json", &error));
	ck_assert_msg(!strncmp(error.text, "no/such.json: ", 14), "%s", error.text);
}
END_TEST

/* The least that a profile may say: the rest are defaults, and what decides counts as assumed. */
START_TEST(takes_a_short_profile)
{
	struct rsb_profile *profile =
		load_text("{ 'name': 'mine', 'model': 'ring', 'fields': {} }");
	const char *weakest;
	double low, high;

	ck_assert_str_eq(rsb_profile_name(profile), "mine");
	ck_assert_str_eq(rsb_profile_version(profile), "1");
	ck_assert_str_eq(rsb_profile_vendor(profile), "");
	ck_assert_str_eq(rsb_profile_mitigation(profile), "none");
	ck_fact(profile, "depth", "16", false);
	ck_fact(profile, "underflow", "stale", false);
	ck_assert_str_eq(rsb_profile_known(profile, &weakest), "assumed");
	ck_assert_str_eq(weakest, "depth");
	ck_assert(!rsb_profile_penalty(profile, &low, &high));
	ck_assert_ptr_null(*rsb_profile_notes(profile));
	rsb_profile_free(profile);
}
END_TEST

/* The weakest of the fields that decide is told, however weak the others are. */
START_TEST(tells_the_weakest)
{
	struct rsb_profile *profile = load_text(
		"{ 'name': 'mine', 'model': 'ring', 'fields': {\n"
		"'depth': { 'value': 8, 'source': 's', 'strength': 'vendor' },\n"
		"'overflow': { 'value': 'refuse', 'source': 's', 'strength': 'inferred' },\n"
		"'underflow': { 'value': 'none', 'source': 's', 'strength': 'measured' },\n"
		"'zero_call_pushes': { 'value': true, 'source': 's', 'strength': 'rtl' },\n"
		"'repair': { 'value': null, 'assumed': 'full', 'source': 's',\n"
		"            'strength': 'assumed' } } }");
	const char *weakest;

	ck_assert_str_eq(rsb_profile_known(profile, &weakest), "inferred");
	ck_assert_str_eq(weakest, "overflow");
	ck_assert(rsb_profile_zero_call_pushes(profile));
	rsb_profile_free(profile);
}
END_TEST

/* A value may be an invention, which must say so. */
START_TEST(takes_an_invented_value)
{
	struct rsb_profile *profile = load_text(
		FIELDS("'depth': { 'value': 4, 'source': 'invented', 'strength': 'assumed' }"));

	ck_fact(profile, "depth", "4", false);
	ck_assert_ptr_null(find_fact(profile, "depth")->assumed);
	rsb_profile_free(profile);
}
END_TEST

/* What may be true besides the assumed value is listed in the file's order. */
START_TEST(lists_other_values)
{
	struct rsb_profile *profile =
		load_text("{ 'name': 'mine', 'model': 'ring', 'fields': { 'depth':\n"
			  "{ 'value': null, 'assumed': 32, 'others': [ 31, 16 ], 'source': 's',\n"
			  "  'strength': 'assumed' } } }");
	const struct rsb_fact *fact = find_fact(profile, "depth");

	ck_assert_uint_eq(rsb_profile_depth(profile), 32);
	ck_assert_str_eq(fact->value, "unknown");
	ck_assert_str_eq(fact->assumed, "32");
	ck_assert_str_eq(fact->others[0], "31");
	ck_assert_str_eq(fact->others[1], "16");
	ck_assert_ptr_null(fact->others[2]);
	rsb_profile_free(profile);
}
END_TEST

/* A change says that it is the user's; one of a parameter without a fact adds one. */
START_TEST(sets_a_parameter)
{
	struct rsb_profile *profile = load("intel-haswell");
	size_t before, after;

	rsb_profile_facts(profile, &before);
	ck_assert(rsb_profile_set(profile, "depth", "32", &error));
	ck_assert(rsb_profile_set(profile, "spacing", "64", &error));
	rsb_profile_facts(profile, &after);
	ck_assert_uint_eq(after, before + 1);
	ck_assert_uint_eq(rsb_profile_depth(profile), 32);
	ck_assert_str_eq(find_fact(profile, "depth")->value, "32");
	ck_assert_str_eq(find_fact(profile, "depth")->source, "--set");
	ck_assert_str_eq(find_fact(profile, "spacing")->value, "64");
	ck_assert_str_eq(rsb_profile_known(profile, NULL), "assumed");
	ck_assert_str_eq(rsb_profile_mitigation(profile), "none");
	ck_assert(!rsb_profile_set(profile, "dept", "32", &error));
	ck_assert_msg(strstr(error.text, "depth") != NULL, "%s", error.text);
	ck_assert(!rsb_profile_set(profile, "depth", "many", &error));
	ck_assert_uint_eq(rsb_profile_depth(profile), 32);
	rsb_profile_free(profile);
}
END_TEST

/* With a second thread running, the depth is that of a shared stack, if one is stated. */
START_TEST(shares_with_a_thread)
{
	struct rsb_profile *profile = load("amd-zen2");

	ck_assert_uint_eq(rsb_profile_depth(profile), 32);
	ck_assert(rsb_profile_set(profile, "smt", "true", &error));
	ck_assert_uint_eq(rsb_profile_depth(profile), 16);
	rsb_profile_free(profile);

	profile = load("intel-golden-cove");
	ck_assert(rsb_profile_set(profile, "smt", "true", &error));
	ck_assert_uint_eq(rsb_profile_depth(profile), 16);
	rsb_profile_free(profile);
}
END_TEST

static const struct {
	const char *text, *message;
} bad[] = {
	{ "{ 'name': 'mine', 'fields': {} }", "1: profile: model is missing: expected a text" },
	{ "{ 'model': 'ring', 'fields': {} }", "1: profile: name is missing: expected a text" },
	{ "{ 'name': 'mine',\n 'model': 7, 'fields': {} }", "2: profile: model: expected a text" },
	{ "{ 'name': '', 'model': 'ring', 'fields': {} }", "1: profile: name: expected a text" },
	{ "{ 'name': 'a\\u001bb', 'model': 'ring', 'fields': {} }",
	  "1: profile: name: expected a text without control characters" },
	{ "{ 'name': 'a\\u009bb', 'model': 'ring', 'fields': {} }",
	  "1: profile: name: expected a text without control characters" },
	{ "{ 'name': 'mine', 'model': 'ring', 'fields': {},\n 'notes': 'n' }",
	  "2: profile: notes: expected a list of texts" },
	{ "{ 'name': 'mine', 'model': 'ring', 'fields': {},\n 'notes': [ 'n',\n 7 ] }",
	  "3: profile: notes: expected a text" },
	{ "{ 'name': 'mine', 'model': 'ring', 'fields': {},\n 'mitigations': 'srso' }",
	  "2: profile: mitigations: expected an object with return_thunk" },
	{ "{ 'name': 'mine', 'model': 'ring', 'fields': {}, 'mitigations': { 'return_thunk':\n"
	  "{ 'value': 'safe', 'source': 's', 'strength': 'vendor' } } }",
	  "2: parameter 'return_thunk': 'safe' is none of "
	  "none|rethunk|retbleed|its|srso|srso-alias|call-depth" },
	{ "{ 'name': 'mine', 'model': 'ring', 'fields': {},\n 'version': 0 }",
	  "2: \"version\": expected an integer from 1 to 1000000, found 0" },
	{ FIELDS("'depht': {}"), "2: unknown key \"depht\", expected depth or depth_smt" },
	{ FIELDS("'depth': {},\n'depth': {}"), "3: key \"depth\" is there twice, first on line 2" },
	{ FIELDS("'depth': 16"), "2: depth: expected an object with value, source and strength" },
	{ FIELDS("'depth': { 'value': 16, 'strength': 'vendor' }"),
	  "2: depth: source is missing: expected a text" },
	{ FIELDS("'depth': { 'value': 16, 'source': 's' }"),
	  "2: depth: strength is missing: expected a text" },
	{ FIELDS("'depth': { 'source': 's', 'strength': 'vendor' }"),
	  "2: depth: value is missing: expected null if it is not known" },
	{ FIELDS("'depth': { 'value': 16, 'source': 's',\n'strength': 'certain' }"),
	  "3: depth: unknown strength 'certain': expected vendor, rtl, measured, inferred or "
	  "assumed" },
	{ FIELDS("'depth': { 'value': null, 'source': 's', 'strength': 'assumed' }"),
	  "2: depth: assumed is missing: expected the value that is used while it is not known" },
	{ FIELDS("'depth': { 'value': null, 'assumed': 16, 'source': 's', 'strength': 'rtl' }"),
	  "2: depth: expected the strength assumed beside a value of null" },
	{ FIELDS("'depth': { 'value': 16, 'others': [], 'source': 's', 'strength': 'rtl' }"),
	  "2: depth: expected assumed and others only beside a value of null" },
	{ FIELDS("'depth': { 'value': 16, 'others': [], 'sauce': 's', 'strength': 'rtl' }"),
	  "2: unknown key \"sauce\", expected source" },
	{ FIELDS("'depth': { 'source': 's', 'strength': 'rtl',\n'value': '16' }"),
	  "3: depth: expected an integer from 0 to 4096" },
	{ FIELDS("'depth': { 'source': 's', 'strength': 'rtl',\n'value': 1.5 }"),
	  "3: depth: expected an integer from 0 to 4096" },
	{ FIELDS("'depth': { 'source': 's', 'strength': 'rtl',\n'value': 4097 }"),
	  "3: parameter 'depth': '4097' is no number from 0 to 4096" },
	{ FIELDS("'depth': { 'source': 's', 'strength': 'rtl',\n'value': 1e300 }"),
	  "3: depth: expected an integer from 0 to 4096" },
	{ FIELDS("'underflow': { 'source': 's', 'strength': 'rtl',\n'value': true }"),
	  "3: underflow: expected a text, one of stale|none|indirect|fixed" },
	{ FIELDS("'underflow': { 'source': 's', 'strength': 'rtl',\n'value': 'old' }"),
	  "3: parameter 'underflow': 'old' is none of stale|none|indirect|fixed" },
	{ FIELDS("'zero_call_pushes': { 'source': 's', 'strength': 'rtl',\n'value': 'true' }"),
	  "3: zero_call_pushes: expected true or false" },
	{ FIELDS("'depth': { 'value': null, 'assumed': 8, 'source': 's', 'strength': 'assumed',\n"
		 "'others': 4 }"),
	  "3: depth: others: expected a list of values" },
	{ FIELDS("'depth': { 'value': null, 'assumed': 8, 'source': 's', 'strength': 'assumed',\n"
		 "'others': [ 4, 'x' ] }"),
	  "3: depth: expected an integer from 0 to 4096" },
	{ FIELDS("'depth': { 'value': null, 'assumed': 8, 'source': 's', 'strength': 'assumed',\n"
		 "'others': [ 1, 2, 3, 4, 5, 6, 7, 9,\n 10 ] }"),
	  "4: depth: others: expected at most 8" },
};

/* Each bad file is refused at its line, by its key, with what was expected. */
START_TEST(refuses_bad_files)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refuses(bad[i].text, bad[i].message);
}
END_TEST

/* Without fields, the message lists what they may hold. */
START_TEST(asks_for_fields)
{
	write_file("{ 'name': 'mine', 'model': 'ring' }");
	ck_assert_ptr_null(rsb_profile_load(path, &error));
	remove_file();
	ck_assert_msg(strstr(error.text, ":1: profile: fields: expected an object with depth|"),
		      "%s", error.text);
}
END_TEST

/* An unknown model lists those that there are. */
START_TEST(refuses_an_unknown_model)
{
	write_file("{ 'name': 'mine',\n 'model': 'rung', 'fields': {} }");
	ck_assert_ptr_null(rsb_profile_load(path, &error));
	remove_file();
	ck_assert_msg(strstr(error.text, ":2: unknown model 'rung'") && strstr(error.text, "ring"),
		      "%s", error.text);
}
END_TEST

/* Values that are each in range, but not together, are the model's to refuse: at load. */
START_TEST(refuses_what_the_model_refuses)
{
	write_file(
		FIELDS("'underflow': { 'value': 'indirect', 'source': 's', 'strength': 'rtl' }"));
	ck_assert_ptr_null(rsb_profile_load(path, &error));
	remove_file();
	ck_assert_msg(strstr(error.text, ":1: model ring: underflow=indirect needs") != NULL, "%s",
		      error.text);
}
END_TEST

/* Parameters are set one by one, so that only the model that is made of all of them is refused. */
START_TEST(checks_what_was_set_together)
{
	struct rsb_profile *profile = load_text(FIELDS(""));
	struct rsb_model *model;

	ck_assert(rsb_profile_set(profile, "underflow", "indirect", &error));
	ck_assert_ptr_null(rsb_profile_model(profile, &error));
	ck_assert(rsb_profile_set(profile, "indirect", "last", &error));
	model = rsb_profile_model(profile, &error);
	ck_assert_msg(model != NULL, "%s", error.text);
	rsb_model_free(model);
	rsb_profile_free(profile);
}
END_TEST

#define PENALTY(text) \
	FIELDS("'penalty': { 'source': 's', 'strength': 'measured',\n'value': " text " }")

/* A penalty is an interval of cycles, which may be a single point and need not be whole. */
START_TEST(reads_a_penalty)
{
	static const struct {
		const char *text;
		double low, high;
		const char *shown;
	} good[] = {
		{ PENALTY("[ 14, 17 ]"), 14, 17, "14 to 17" },
		{ PENALTY("[ 13.5, 13.5 ]"), 13.5, 13.5, "13.5 to 13.5" },
		{ PENALTY("[ 0, 0 ]"), 0, 0, "0 to 0" },
		{ PENALTY("[ 0, 100000 ]"), 0, 100000, "0 to 100000" },
	};
	double low, high;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct rsb_profile *profile = load_text(good[i].text);

		ck_assert(rsb_profile_penalty(profile, &low, &high));
		ck_assert_double_eq(low, good[i].low);
		ck_assert_double_eq(high, good[i].high);
		ck_assert_str_eq(find_fact(profile, "penalty")->value, good[i].shown);
		rsb_profile_free(profile);
	}
}
END_TEST

/* A penalty of null is not known, nothing is assumed in its place, and it decides nothing. */
START_TEST(takes_no_penalty)
{
	struct rsb_profile *profile = load_text(FIELDS(
		"'penalty': { 'value': null, 'source': 'nobody said', 'strength': 'assumed' }"));
	double low, high;

	ck_assert(!rsb_profile_penalty(profile, &low, &high));
	ck_assert_str_eq(find_fact(profile, "penalty")->value, "unknown");
	ck_assert_str_eq(find_fact(profile, "penalty")->source, "nobody said");
	ck_assert_ptr_null(find_fact(profile, "penalty")->assumed);
	rsb_profile_free(profile);
}
END_TEST

/* All else in a penalty's place is refused. */
START_TEST(refuses_bad_penalties)
{
	static const char *const values[] = {
		"15",          "'15'",          "[]",           "[ 15 ]",
		"[ 1, 2, 3 ]", "[ 17, 14 ]",    "[ -1, 2 ]",    "[ 'a', 'b' ]",
		"[ null, 2 ]", "[ 1, 100001 ]", "[ 1, 1e999 ]", "{}"
	};
	char text[256];

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		snprintf(text, sizeof(text),
			 FIELDS("'penalty': { 'source': 's', 'strength': 'measured',\n"
				"'value': %s }"),
			 values[i]);
		refuses(text, "3: penalty: expected null or [low, high], cycles from 0 to 100000");
	}
	refuses(FIELDS("'penalty': { 'value': null, 'assumed': 15, 'source': 's',\n"
		       "'strength': 'assumed' }"),
		"2: penalty: expected neither assumed nor others: one that is not known is not "
		"used");
}
END_TEST

/* Each quantity is read into its own place, in its own bounds, and one left out is not known. */
START_TEST(tells_the_quantities_apart)
{
	char text[512], expected[256];
	double low, high;

	for (int i = 0; i < RSB_QUANTITIES; i++) {
		const struct rsb_quantity_row *row = &rsb_quantities[i];
		const char *form = FIELDS("'%s': { 'source': 's', 'strength': 'vendor',\n"
					  "'value': [ %g, %g ] }");
		struct rsb_profile *profile;

		snprintf(text, sizeof(text), form, row->name, 1.5, row->maximum);
		profile = load_text(text);
		for (int k = 0; k < RSB_QUANTITIES; k++)
			ck_assert(rsb_profile_quantity(profile, (enum rsb_quantity)k, &low,
						       &high) == (k == i));
		ck_assert(rsb_profile_quantity(profile, (enum rsb_quantity)i, &low, &high));
		ck_assert_double_eq(low, 1.5);
		ck_assert_double_eq(high, row->maximum);
		rsb_profile_free(profile);
		snprintf(text, sizeof(text), form, row->name, 1.5, row->maximum + 1);
		snprintf(expected, sizeof(expected),
			 "3: %s: expected null or [low, high], %s from 0 to %g", row->name,
			 row->unit, row->maximum);
		refuses(text, expected);
	}
}
END_TEST

UNIT_MAIN("CPU profile files", suggests_a_name, names_a_missing_file, takes_a_short_profile,
	  tells_the_weakest, takes_an_invented_value, lists_other_values, sets_a_parameter,
	  shares_with_a_thread, refuses_bad_files, asks_for_fields, refuses_an_unknown_model,
	  refuses_what_the_model_refuses, checks_what_was_set_together, reads_a_penalty,
	  takes_no_penalty, refuses_bad_penalties, tells_the_quantities_apart)
