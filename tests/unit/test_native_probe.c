/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe finds the stack that made the measurements: here they are simulated, and nothing runs
 * natively.
 */
#include "sim/native/probe.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Those that tell the kinds apart. */
static const struct rsb_trial_of list[] = {
	{ RSB_EXPERIMENT_CHAIN, 8, 128 },  { RSB_EXPERIMENT_CHAIN, 12, 128 },
	{ RSB_EXPERIMENT_CHAIN, 24, 128 }, { RSB_EXPERIMENT_CHAIN, 48, 128 },
	{ RSB_EXPERIMENT_SHARED, 64, 1 },  { RSB_EXPERIMENT_SHARED, 64, 5 },
	{ RSB_EXPERIMENT_BOUNCE, 36, 4 },  { RSB_EXPERIMENT_BOUNCE, 44, 4 },
	{ RSB_EXPERIMENT_FLAT, 24, 0 },    { RSB_EXPERIMENT_ZERO, 1, 0 },
	{ RSB_EXPERIMENT_ZERO, 4, 0 },     { RSB_EXPERIMENT_SYSCALL, 1, 0 },
	{ RSB_EXPERIMENT_SYSCALL, 8, 0 },  { RSB_EXPERIMENT_LEAVES, 20, 4 },
	{ RSB_EXPERIMENT_LEAVES, 24, 16 },
};
#define LIST (sizeof(list) / sizeof(*list))

static struct rsb_probe probe;
static struct rsb_trials trials;
static const struct rsb_run *runs[LIST];

static void make_trials(void)
{
	struct rsb_error error;

	ck_assert_msg(rsb_trials_make(&trials, list, LIST, &error), "%s", error.text);
	probe.probed = calloc(LIST, sizeof(*probe.probed));
	ck_assert_ptr_nonnull(probe.probed);
	probe.count = LIST;
	for (size_t i = 0; i < LIST; i++)
		runs[i] = trials.all[i].run;
}

static void clear_trials(void)
{
	rsb_trials_clear(&trials);
	free(probe.probed);
}

/* Measures as a stack of that kind would, each a fifth of a miss off. */
static void pretend(const struct rsb_candidate *as)
{
	struct rsb_error error;
	struct rsb_profile *profile = rsb_candidate_profile(as, &error);

	ck_assert_msg(profile != NULL, "%s", error.text);
	for (size_t i = 0; i < LIST; i++) {
		struct rsb_expected expected;
		double off = i % 2 ? 0.2 : -0.2;

		ck_assert(rsb_expect(runs[i], profile, &expected, &error));
		probe.probed[i].of = list[i];
		probe.probed[i].measured = (struct rsb_spread){ expected.misses + off,
								expected.misses + off,
								expected.misses + off, 5 };
	}
	rsb_profile_free(profile);
}

static const struct rsb_probe_field *field(const char *name)
{
	for (size_t i = 0; i < probe.field_count; i++)
		if (!strcmp(probe.fields[i].name, name))
			return &probe.fields[i];
	ck_abort_msg("no field %s", name);
	return NULL;
}

static void finds(const char *model, const char *overflow, const char *underflow, unsigned depth,
		  unsigned in_flight)
{
	const struct rsb_candidate as = { model, overflow, underflow, depth, in_flight, 0, 0 };
	const struct rsb_candidate *best = &probe.candidates[0];
	struct rsb_error error;
	char text[16], quoted[32];

	pretend(&as);
	ck_assert_msg(rsb_probe_fit(&probe, runs, &error), "%s", error.text);
	ck_assert_str_eq(best->model, model);
	ck_assert_str_eq(best->overflow, overflow);
	ck_assert_str_eq(best->underflow, underflow);
	ck_assert_uint_eq(best->depth, depth);
	ck_assert_uint_eq(best->in_flight, in_flight);
	ck_assert(best->residual < 0.5);
	rsb_probe_conclude(&probe);
	snprintf(text, sizeof(text), "%u", depth);
	snprintf(quoted, sizeof(quoted), "\"%s\"", underflow);
	ck_assert_str_eq(field("depth")->value, text);
	ck_assert_str_eq(field("underflow")->value, quoted);
	ck_assert_str_eq(field("zero_call_pushes")->value, "false");
	ck_assert_str_eq(field("repair")->value, "null");
}

/* Stacks that have been measured: Zen 4's, and those that count their entries. */
START_TEST(finds_what_made_the_measurements)
{
	make_trials();
	finds("ring", "overwrite-oldest", "stale", 32, 0);
	finds("checked", "overwrite-oldest", "none", 21, 0);
	finds("checked", "overwrite-oldest", "indirect", 16, 0);
	finds("checked", "overwrite-oldest", "none", 16, 9);
	clear_trials();
}
END_TEST

/* Where two explain the measurements alike, the field is unknown, and says so. */
START_TEST(leaves_what_it_cannot_tell)
{
	probe.candidate_count = 2;
	probe.candidates[0] =
		(struct rsb_candidate){ "checked", "overwrite-oldest", "none", 16, 0, 1.00, 1.00 };
	probe.candidates[1] =
		(struct rsb_candidate){ "checked", "clear-all", "stale", 16, 0, 1.05, 1.05 };
	probe.count = 0;
	rsb_probe_conclude(&probe);
	ck_assert_str_eq(field("overflow")->value, "null");
	ck_assert_str_eq(field("overflow")->assumed, "\"overwrite-oldest\"");
	ck_assert_ptr_nonnull(strstr(field("overflow")->source, "clear-all explains"));
	ck_assert_str_eq(field("underflow")->value, "null");
}
END_TEST

UNIT_MAIN("probe", finds_what_made_the_measurements, leaves_what_it_cannot_tell)
