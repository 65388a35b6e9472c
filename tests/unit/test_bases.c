/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measured base times: what is read of them, and what is refused. The files are written out here.
 */
#include "sim/score/bases.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct rsb_bases *load(const char *text, struct rsb_error *error)
{
	char path[] = "/tmp/rsbsim-bases-XXXXXX";
	int file = mkstemp(path);
	struct rsb_bases *bases;

	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
	close(file);
	bases = rsb_bases_load(path, error);
	unlink(path);
	return bases;
}

#define SCENARIO  "\"scenario\": { \"depth\": 8, \"batch\": 100, \"spacing\": 128 }"
#define ROW(base) "{ \"layout\": \"a\", \"return_thunk\": \"none\", \"base\": " base " }"
#define FILE_OF(rows) \
	"{ \"cpu\": \"c\",\n\"results\": [ { " SCENARIO ",\n\"layouts\": [ " rows " ] } ] }"
#define GOOD "{ \"low\": 4, \"median\": 4.5, \"high\": 5 }"

static bool find(const struct rsb_bases *bases, const char *layout, const char *thunk,
		 const char *cpu, unsigned batch)
{
	const struct rsb_scenario scenario = { "own", 8, batch, 128 };
	const struct rsb_bases_key key = { layout, thunk, cpu, &scenario };
	struct rsb_interval cycles;

	if (!rsb_bases_find(bases, &key, &cycles))
		return false;
	ck_assert_double_eq(cycles.low, 4);
	ck_assert_double_eq(cycles.high, 5);
	return true;
}

/* A base is that of its layout, in its form and scenario, on its CPU, and of nothing else. */
START_TEST(finds_what_was_measured)
{
	struct rsb_error error;
	struct rsb_bases *bases = load(FILE_OF(ROW(GOOD)), &error);

	ck_assert_msg(bases != NULL, "%s", error.text);
	ck_assert(find(bases, "a", "none", "c", 100));
	ck_assert(!find(bases, "b", "none", "c", 100));
	ck_assert(!find(bases, "a", "srso", "c", 100));
	ck_assert(!find(bases, "a", "none", "d", 100));
	ck_assert(!find(bases, "a", "none", "c", 1));
	ck_assert_str_eq(rsb_bases_cpu(bases), "c");
	ck_assert_ptr_null(rsb_bases_indirect(bases));
	rsb_bases_free(bases);
}
END_TEST

/* A measurement that is in doubt gives no base, and a file of such ones says so. */
START_TEST(takes_nothing_that_is_in_doubt)
{
	struct rsb_error error;

	ck_assert_ptr_null(load("{ \"cpu\": \"c\", \"results\": [ { " SCENARIO
				", \"doubt\": \"too noisy\", \"layouts\": [ " ROW(GOOD) " ] } ] }",
				&error));
	ck_assert_ptr_nonnull(strstr(error.text, "too noisy"));
	ck_assert_ptr_null(
		load(FILE_OF(ROW("{ \"low\": null, \"median\": null, \"high\": null }")), &error));
	ck_assert_ptr_nonnull(strstr(error.text, "no base time"));
}
END_TEST

/* What is wrong is told with its line. */
START_TEST(refuses_what_is_none)
{
	static const struct {
		const char *text, *place, *expected;
	} cases[] = {
		{ "[]", ":1:", "expected" },
		{ "{ \"results\": [] }", ":1:", "native -f json" },
		{ "{ \"cpu\": \"c\" }", ":1:", "native -f json" },
		{ "{ \"cpu\": \"c\", \"schema\": 2, \"results\": [] }", ":1:", "schema" },
		{ "{ \"cpu\": \"c\",\n\"results\": [ 1 ] }", ":2:", "object" },
		{ "{ \"cpu\": \"c\",\n\"results\": [ { \"layouts\": [] } ] }", ":2:", "scenario" },
		{ "{ \"cpu\": \"c\",\n\"results\": [ { " SCENARIO " } ] }", ":2:", "layouts" },
		{ FILE_OF("7"), ":3:", "object" },
		{ FILE_OF("{}"), ":3:", "layout" },
		{ FILE_OF(ROW("3")), ":3:", "object" },
		{ FILE_OF(ROW("{ \"low\": 1, \"median\": 2 }")), ":3:", "cycles" },
		{ FILE_OF(ROW("{ \"low\": -1, \"median\": 2, \"high\": 3 }")), ":3:", "cycles" },
		{ FILE_OF(ROW("{ \"low\": 1, \"median\": 2, \"high\": 1e300 }")), ":3:", "cycles" },
		{ FILE_OF(ROW("{ \"low\": 3, \"median\": 2, \"high\": 4 }")), ":3:", "order" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rsb_error error;

		ck_assert_msg(!load(cases[i].text, &error), "%s", cases[i].text);
		ck_assert_msg(strstr(error.text, cases[i].place) &&
				      strstr(error.text, cases[i].expected),
			      "'%s' of %s", error.text, cases[i].text);
	}
}
END_TEST

UNIT_MAIN("measured bases", finds_what_was_measured, takes_nothing_that_is_in_doubt,
	  refuses_what_is_none)
