/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters: text to value and back, and what is refused. */
#include "models/model.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { DEPTH, UNDERFLOW, SMT };

static const struct rsb_parameter rows[] = {
	[DEPTH] = RSB_PARAMETER_NUMBER("depth", "entries", 16, -2, 4096),
	[UNDERFLOW] = RSB_PARAMETER_CHOICE("underflow", "what predicts", "stale|none|fixed", 1, 2),
	[SMT] = RSB_PARAMETER_SWITCH("smt", "is there another thread?"),
	{ 0 },
};

static bool set(int64_t *values, const char *name, const char *text)
{
	struct rsb_error error;

	return rsb_parameter_set(rows, values, name, text, &error);
}

static void assert_refused(const char *name, const char *text, const char *message)
{
	int64_t values[RSB_PARAMETERS_MAX], before[RSB_PARAMETERS_MAX];
	struct rsb_error error;

	rsb_parameter_defaults(rows, values);
	memcpy(before, values, sizeof(values));
	ck_assert(!rsb_parameter_set(rows, values, name, text, &error));
	ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
	ck_assert_mem_eq(values, before, sizeof(values));
}

/* And a row is found by its whole name alone. */
START_TEST(defaults_are_those_of_the_rows)
{
	int64_t values[RSB_PARAMETERS_MAX];

	rsb_parameter_defaults(rows, values);
	ck_assert_int_eq(values[DEPTH], 16);
	ck_assert_int_eq(values[UNDERFLOW], 1);
	ck_assert_int_eq(values[SMT], 0);
	ck_assert_int_eq(rsb_parameter_find(rows, "underflow"), UNDERFLOW);
	ck_assert_int_eq(rsb_parameter_find(rows, "under"), -1);
}
END_TEST

/* Decimal and hexadecimal numbers, and words. */
START_TEST(text_becomes_a_value)
{
	int64_t values[RSB_PARAMETERS_MAX];

	rsb_parameter_defaults(rows, values);
	ck_assert(set(values, "depth", "0x20"));
	ck_assert_int_eq(values[DEPTH], 32);
	ck_assert(set(values, "depth", "-2"));
	ck_assert_int_eq(values[DEPTH], -2);
	ck_assert(set(values, "depth", "010"));
	ck_assert_int_eq(values[DEPTH], 10);
	ck_assert(set(values, "underflow", "fixed"));
	ck_assert_int_eq(values[UNDERFLOW], 2);
	ck_assert(set(values, "smt", "true"));
	ck_assert_int_eq(values[SMT], 1);
}
END_TEST

/* Cut where there is no room. */
START_TEST(a_value_becomes_text)
{
	char text[16];

	rsb_parameter_print(&rows[DEPTH], 4096, text, sizeof(text));
	ck_assert_str_eq(text, "4096");
	rsb_parameter_print(&rows[UNDERFLOW], 1, text, sizeof(text));
	ck_assert_str_eq(text, "none");
	rsb_parameter_print(&rows[UNDERFLOW], 2, text, sizeof(text));
	ck_assert_str_eq(text, "fixed");
	rsb_parameter_print(&rows[UNDERFLOW], 2, text, 4);
	ck_assert_str_eq(text, "fix");
}
END_TEST

/* With the range, or the words that there are. */
START_TEST(bad_values_are_refused)
{
	assert_refused("depth", "4097", "'depth': '4097' is no number from -2 to 4096");
	assert_refused("depth", "-3", "'-3' is no number");
	assert_refused("depth", "", "'' is no number");
	assert_refused("depth", "16 ", "'16 ' is no number");
	assert_refused("depth", "0x", "'0x' is no number");
	assert_refused("depth", "--1", "'--1' is no number");
	assert_refused("depth", "99999999999999999999", "is no number");
	assert_refused("underflow", "non", "'non' is none of stale|none|fixed");
	assert_refused("underflow", "", "'' is none of stale|none|fixed");
	assert_refused("smt", "yes", "'yes' is none of false|true");
	assert_refused("depht", "1", "unknown parameter 'depht': expected depth");
}
END_TEST

/* Every built-in model: its own table is one that the rules allow, and is described. */
START_TEST(built_in_tables_are_sound)
{
	for (int i = 0; rsb_model_types()[i]; i++) {
		const struct rsb_parameter *row = rsb_model_types()[i]->parameters;
		int count = 0;

		for (; row->name; row++, count++) {
			char text[64];
			int64_t values[RSB_PARAMETERS_MAX];
			struct rsb_error error;

			ck_assert_ptr_nonnull(row->sentence);
			rsb_parameter_print(row, row->maximum, text, sizeof(text));
			ck_assert(rsb_parameter_set(rsb_model_types()[i]->parameters, values,
						    row->name, text, &error));
			ck_assert_int_eq(values[count], row->maximum);
			ck_assert(row->value >= row->minimum && row->value <= row->maximum);
		}
		ck_assert_int_le(count, RSB_PARAMETERS_MAX);
	}
}
END_TEST

/* With the nearest one. */
START_TEST(an_unknown_model_is_refused)
{
	struct rsb_error error;

	ck_assert_ptr_null(rsb_model_type_find("rung", &error));
	ck_assert_msg(strstr(error.text, "unknown model 'rung'") != NULL, "%s", error.text);
	ck_assert_msg(strstr(error.text, "ring") != NULL, "%s", error.text);
}
END_TEST

/* An indirect fallback that is not there is a mistake, not the same as none. */
START_TEST(a_fallback_needs_a_predictor)
{
	const struct rsb_model_type *type = rsb_model_type_find("ring", NULL);
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_error error;

	rsb_parameter_defaults(type->parameters, values);
	ck_assert(rsb_parameter_set(type->parameters, values, "underflow", "indirect", &error));
	ck_assert_ptr_null(rsb_model_new(type, values, &error));
	ck_assert_msg(strstr(error.text, "model ring: underflow=indirect needs") == error.text,
		      "%s", error.text);
}
END_TEST

UNIT_MAIN("parameters", defaults_are_those_of_the_rows, text_becomes_a_value, a_value_becomes_text,
	  bad_values_are_refused, built_in_tables_are_sound, an_unknown_model_is_refused,
	  a_fallback_needs_a_predictor)
