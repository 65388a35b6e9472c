/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU profiles: what their files may say, and what is refused. */
#include "sim/score/notes.h"
#include "tests/unit/profiled.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct rsb_error error;

/* What is used of a fact, and whether it is known. */
static void ck_fact(const struct rsb_profile *profile, const char *name, const char *value,
		    bool known)
{
	const struct rsb_fact *fact = profiled_fact(profile, name);

	ck_assert_msg(!strcmp(fact->assumed ? fact->assumed : fact->value, value), "%s: %s: %s",
		      rsb_profile_name(profile), name, value);
	ck_assert_msg(known == (fact->strength != RSB_STRENGTH_ASSUMED), "%s: %s",
		      rsb_profile_name(profile), name);
}

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
		profiled_text("{ 'name': 'mine', 'model': 'ring', 'fields': {} }");
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

/* The weakest of the fields that decide is told, however weak the others are; scores name it. */
START_TEST(tells_the_weakest)
{
	struct rsb_profile *profile = profiled_text(
		"{ 'name': 'mine', 'model': 'ring', 'fields': {\n"
		"'depth': { 'value': 8, 'source': 's', 'strength': 'vendor' },\n"
		"'overflow': { 'value': 'refuse', 'source': 's', 'strength': 'inferred' },\n"
		"'underflow': { 'value': 'none', 'source': 's', 'strength': 'measured' },\n"
		"'zero_call_pushes': { 'value': true, 'source': 's', 'strength': 'rtl' },\n"
		"'repair': { 'value': null, 'assumed': 'full', 'source': 's',\n"
		"            'strength': 'assumed' } } }");
	const char *weakest;
	char *note = rsb_note_known(profile);

	ck_assert_str_eq(rsb_profile_known(profile, &weakest), "inferred");
	ck_assert_str_eq(weakest, "overflow");
	ck_assert_ptr_nonnull(note);
	ck_assert_str_eq(note, "inferred (overflow)");
	free(note);
	ck_assert(rsb_profile_zero_call_pushes(profile));
	rsb_profile_free(profile);
}
END_TEST

/* A value may be an invention, which must say so. */
START_TEST(takes_an_invented_value)
{
	struct rsb_profile *profile = profiled_text(PROFILED_FIELDS(
		"'depth': { 'value': 4, 'source': 'invented', 'strength': 'assumed' }"));

	ck_fact(profile, "depth", "4", false);
	ck_assert_ptr_null(profiled_fact(profile, "depth")->assumed);
	rsb_profile_free(profile);
}
END_TEST

/* What may be true besides the assumed value is listed in the file's order. */
START_TEST(lists_other_values)
{
	struct rsb_profile *profile = profiled_text(
		"{ 'name': 'mine', 'model': 'ring', 'fields': { 'depth':\n"
		"{ 'value': null, 'assumed': 32, 'others': [ 31, 16 ], 'source': 's',\n"
		"  'strength': 'assumed' } } }");
	const struct rsb_fact *fact = profiled_fact(profile, "depth");

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
	struct rsb_profile *profile = profiled_load("intel-haswell");
	size_t before, after;

	rsb_profile_facts(profile, &before);
	ck_assert(rsb_profile_set(profile, "depth", "32", &error));
	ck_assert(rsb_profile_set(profile, "spacing", "64", &error));
	rsb_profile_facts(profile, &after);
	ck_assert_uint_eq(after, before + 1);
	ck_assert_uint_eq(rsb_profile_depth(profile), 32);
	ck_assert_str_eq(profiled_fact(profile, "depth")->value, "32");
	ck_assert_str_eq(profiled_fact(profile, "depth")->source, "--set");
	ck_assert_str_eq(profiled_fact(profile, "spacing")->value, "64");
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
	struct rsb_profile *profile = profiled_load("amd-zen2");

	ck_assert_uint_eq(rsb_profile_depth(profile), 32);
	ck_assert(rsb_profile_set(profile, "smt", "true", &error));
	ck_assert_uint_eq(rsb_profile_depth(profile), 16);
	rsb_profile_free(profile);

	profile = profiled_load("intel-golden-cove");
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
	{ "{ 'name': 'a\\u202eb', 'model': 'ring', 'fields': {} }",
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
	{ PROFILED_FIELDS("'depht': {}"), "2: unknown key \"depht\", expected depth or depth_smt" },
	{ PROFILED_FIELDS("'depth': {},\n'depth': {}"),
	  "3: key \"depth\" is there twice, first on line 2" },
	{ PROFILED_FIELDS("'depth': 16"),
	  "2: depth: expected an object with value, source and strength" },
	{ PROFILED_FIELDS("'depth': { 'value': 16, 'strength': 'vendor' }"),
	  "2: depth: source is missing: expected a text" },
	{ PROFILED_FIELDS("'depth': { 'value': 16, 'source': 's' }"),
	  "2: depth: strength is missing: expected a text" },
	{ PROFILED_FIELDS("'depth': { 'source': 's', 'strength': 'vendor' }"),
	  "2: depth: value is missing: expected null if it is not known" },
	{ PROFILED_FIELDS("'depth': { 'value': 16, 'source': 's',\n'strength': 'certain' }"),
	  "3: depth: unknown strength 'certain': expected vendor, rtl, measured, inferred or "
	  "assumed" },
	{ PROFILED_FIELDS("'depth': { 'value': null, 'source': 's', 'strength': 'assumed' }"),
	  "2: depth: assumed is missing: expected the value that is used while it is not known" },
	{ PROFILED_FIELDS(
		  "'depth': { 'value': null, 'assumed': 16, 'source': 's', 'strength': 'rtl' }"),
	  "2: depth: expected the strength assumed beside a value of null" },
	{ PROFILED_FIELDS(
		  "'depth': { 'value': 16, 'others': [], 'source': 's', 'strength': 'rtl' }"),
	  "2: depth: expected assumed and others only beside a value of null" },
	{ PROFILED_FIELDS(
		  "'depth': { 'value': 16, 'others': [], 'sauce': 's', 'strength': 'rtl' }"),
	  "2: unknown key \"sauce\", expected source" },
	{ PROFILED_FIELDS("'depth': { 'source': 's', 'strength': 'rtl',\n'value': '16' }"),
	  "3: depth: expected an integer from 0 to 4096" },
	{ PROFILED_FIELDS("'depth': { 'source': 's', 'strength': 'rtl',\n'value': 1.5 }"),
	  "3: depth: expected an integer from 0 to 4096" },
	{ PROFILED_FIELDS("'depth': { 'source': 's', 'strength': 'rtl',\n'value': 4097 }"),
	  "3: parameter 'depth': '4097' is no number from 0 to 4096" },
	{ PROFILED_FIELDS("'depth': { 'source': 's', 'strength': 'rtl',\n'value': 1e300 }"),
	  "3: depth: expected an integer from 0 to 4096" },
	{ PROFILED_FIELDS("'underflow': { 'source': 's', 'strength': 'rtl',\n'value': true }"),
	  "3: underflow: expected a text, one of stale|none|indirect|fixed" },
	{ PROFILED_FIELDS("'underflow': { 'source': 's', 'strength': 'rtl',\n'value': 'old' }"),
	  "3: parameter 'underflow': 'old' is none of stale|none|indirect|fixed" },
	{ PROFILED_FIELDS(
		  "'zero_call_pushes': { 'source': 's', 'strength': 'rtl',\n'value': 'true' }"),
	  "3: zero_call_pushes: expected true or false" },
	{ PROFILED_FIELDS(
		  "'depth': { 'value': null, 'assumed': 8, 'source': 's', 'strength': 'assumed',\n"
		  "'others': 4 }"),
	  "3: depth: others: expected a list of values" },
	{ PROFILED_FIELDS(
		  "'depth': { 'value': null, 'assumed': 8, 'source': 's', 'strength': 'assumed',\n"
		  "'others': [ 4, 'x' ] }"),
	  "3: depth: expected an integer from 0 to 4096" },
	{ PROFILED_FIELDS(
		  "'depth': { 'value': null, 'assumed': 8, 'source': 's', 'strength': 'assumed',\n"
		  "'others': [ 1, 2, 3, 4, 5, 6, 7, 9,\n 10 ] }"),
	  "4: depth: others: expected at most 8" },
};

/* Each bad file is refused at its line, by its key, with what was expected. */
START_TEST(refuses_bad_files)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		profiled_refuses(bad[i].text, bad[i].message);
}
END_TEST

/* Without fields, the message lists what they may hold. */
START_TEST(asks_for_fields)
{
	profiled_fails("{ 'name': 'mine', 'model': 'ring' }", &error);
	ck_assert_msg(strstr(error.text, ":1: profile: fields: expected an object with depth|"),
		      "%s", error.text);
}
END_TEST

/* An unknown model lists those that there are. */
START_TEST(refuses_an_unknown_model)
{
	profiled_fails("{ 'name': 'mine',\n 'model': 'rung', 'fields': {} }", &error);
	ck_assert_msg(strstr(error.text, ":2: unknown model 'rung'") && strstr(error.text, "ring"),
		      "%s", error.text);
}
END_TEST

/* Values that are each in range, but not together, are the model's to refuse: at load. */
START_TEST(refuses_what_the_model_refuses)
{
	profiled_fails(
		PROFILED_FIELDS(
			"'underflow': { 'value': 'indirect', 'source': 's', 'strength': 'rtl' }"),
		&error);
	ck_assert_msg(strstr(error.text, ":1: model ring: underflow=indirect needs") != NULL, "%s",
		      error.text);
}
END_TEST

/* Parameters are set one by one, so that only the model that is made of all of them is refused. */
START_TEST(checks_what_was_set_together)
{
	struct rsb_profile *profile = profiled_text(PROFILED_FIELDS(""));
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

UNIT_MAIN("CPU profile files", suggests_a_name, names_a_missing_file, takes_a_short_profile,
	  tells_the_weakest, takes_an_invented_value, lists_other_values, sets_a_parameter,
	  shares_with_a_thread, refuses_bad_files, asks_for_fields, refuses_an_unknown_model,
	  refuses_what_the_model_refuses, checks_what_was_set_together)
