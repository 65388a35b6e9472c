/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the simulator expects of what is run natively: nothing here runs natively. Figures of
 * layouts are those of DESIGN's case; of experiments, counted from their code.
 */
#include "sim/image/layout.h"
#include "sim/native/expect.h"
#include "sim/native/experiment.h"
#include "sim/native/host.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct rsb_expected expect(const struct rsb_image *image, const char *cpu)
{
	struct rsb_error error;
	struct rsb_run *run = rsb_expect_run(image, true, &error);
	struct rsb_profile *profile = rsb_profile_load(cpu, &error);
	struct rsb_expected expected;

	ck_assert_msg(run && profile, "%s", error.text);
	ck_assert(rsb_expect(run, profile, &expected, &error));
	rsb_profile_free(profile);
	rsb_run_free(run);
	return expected;
}

static struct rsb_expected expect_layout(const char *name, unsigned batch, bool twin)
{
	const struct rsb_scenario scenario = { "own", 8, batch, 128 };
	const struct rsb_generate_how how = { .returns = { .jump = twin } };
	struct rsb_error error;
	struct rsb_layout *layout = rsb_layout_load(name, &error);
	struct rsb_expected expected;
	struct rsb_image *image;

	ck_assert(rsb_layout_set_how(layout, &how));
	image = rsb_layout_image(layout, &scenario, &error);
	ck_assert_msg(image != NULL, "%s", error.text);
	expected = expect(image, "amd-zen4");
	rsb_image_free(image);
	rsb_layout_free(layout);
	return expected;
}

/*
 * Below 8 callers a fexit trampoline that drops an address misses once inside and in each caller,
 * and once more as rsb_round returns, which no score counts.
 */
START_TEST(counts_the_runners_return)
{
	ck_assert_double_eq_tol(expect_layout("plain-call", 1, false).misses, 0, 1e-9);
	ck_assert_double_eq_tol(expect_layout("bpf-fexit-double-ret", 1, false).misses, 1, 1e-9);
	ck_assert_double_eq_tol(expect_layout("bpf-fexit-skip", 1, false).misses, 10, 1e-9);
	ck_assert_double_eq_tol(expect_layout("bpf-fexit-skip", 100, false).misses, 109, 1e-9);
}
END_TEST

/* A twin has no return but the runner's own, which is none of its code, and no miss. */
START_TEST(twins_have_no_returns)
{
	for (const char *const *name = rsb_layout_names(); *name; name++) {
		static const char *const some[] = { "bpf-fexit-skip", "return-thunk-srso",
						    "retpoline-call", "go-morestack" };

		for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
			if (!strcmp(*name, some[i]))
				ck_assert_double_eq_tol(expect_layout(*name, 1, true).returns, 1,
							1e-9);
	}
}
END_TEST

static double misses(enum rsb_experiment_kind kind, unsigned a, unsigned b, const char *cpu)
{
	struct rsb_error error;
	struct rsb_image *image = rsb_experiment_image(kind, a, b, false, &error);
	struct rsb_expected expected;

	ck_assert_msg(image != NULL, "%s", error.text);
	expected = expect(image, cpu);
	rsb_image_free(image);
	return expected.misses;
}

/* intel-haswell is a ring of 16 that keeps the newest and reuses what is stale. */
START_TEST(experiments_tell_what_they_should)
{
	const char *cpu = "intel-haswell";

	/* a calls and the runner's: those that do not fit miss. */
	ck_assert_double_eq(misses(RSB_EXPERIMENT_CHAIN, 15, 128, cpu), 0);
	ck_assert_double_eq(misses(RSB_EXPERIMENT_CHAIN, 16, 128, cpu), 1);
	ck_assert_double_eq(misses(RSB_EXPERIMENT_FENCED, 20, 1, cpu), 5);
	/* Of recursion by 8 sites in turn, a ring of 16 predicts what it has overwritten, too, all but
	 * the two outermost returns, which are of other sites. */
	ck_assert_double_eq(misses(RSB_EXPERIMENT_SHARED, 40, 8, cpu), 2);
	/* The outermost are overwritten once, however often the innermost come back. */
	ck_assert_double_eq(misses(RSB_EXPERIMENT_BOUNCE, 20, 8, cpu), 5);
	ck_assert_double_eq(misses(RSB_EXPERIMENT_ZERO, 4, 0, cpu), 0);
	ck_assert_double_eq(misses(RSB_EXPERIMENT_REWRITTEN, 4, 0, cpu), 4);
	ck_assert_double_eq(misses(RSB_EXPERIMENT_CALLS, 1, 8, cpu), 9);
	ck_assert_double_eq(misses(RSB_EXPERIMENT_RETURNS, 1, 0, cpu), 10);
	ck_assert_double_eq(misses(RSB_EXPERIMENT_SYSCALL, 8, 0, cpu), 0);
}
END_TEST

/* A system call is none that a layout may have. */
START_TEST(refuses_system_calls)
{
	struct rsb_error error;
	struct rsb_image *image = rsb_experiment_image(RSB_EXPERIMENT_SYSCALL, 2, 0, false, &error);

	ck_assert_ptr_null(rsb_expect_run(image, false, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "syscall"));
	rsb_image_free(image);
}
END_TEST

static const char *profile(const char *vendor, unsigned family, unsigned model)
{
	struct rsb_host host = { .family = family, .model = model };

	strcpy(host.vendor, vendor);
	return rsb_host_profile(&host);
}

/* By Linux's lists: intel-family.h, and the models that amd.c calls Zen 4. */
START_TEST(knows_processors)
{
	struct rsb_host host = { .vendor = "AMD", .family = 0x19, .model = 0x11 };
	uint64_t config;

	ck_assert_str_eq(profile("Intel", 6, 0x3f), "intel-haswell");
	ck_assert_str_eq(profile("Intel", 6, 0xcf), "intel-golden-cove");
	ck_assert_str_eq(profile("AMD", 0x19, 0x11), "amd-zen4");
	ck_assert_str_eq(profile("AMD", 0x19, 0x01), "amd-zen3");
	ck_assert_str_eq(profile("AMD", 0x17, 0x31), "amd-zen2");
	ck_assert_ptr_null(profile("Intel", 15, 4));
	ck_assert_ptr_null(profile("Other", 6, 0xcf));
	ck_assert(rsb_host_counter(&host, &config) && config == 0xc9);
}
END_TEST

/* Each that the list names is built in. */
START_TEST(knows_their_profiles)
{
	static const char *const vendors[] = { "Intel", "AMD" };

	for (size_t i = 0; i < 2; i++)
		for (unsigned family = 6; family < 0x20; family++)
			for (unsigned model = 0; model < 256; model++) {
				const char *name = profile(vendors[i], family, model);
				struct rsb_error error;
				struct rsb_profile *loaded;

				if (!name)
					continue;
				loaded = rsb_profile_load(name, &error);
				ck_assert_msg(loaded != NULL, "%s", error.text);
				rsb_profile_free(loaded);
			}
}
END_TEST

UNIT_MAIN("native expectations", counts_the_runners_return, twins_have_no_returns,
	  experiments_tell_what_they_should, refuses_system_calls, knows_processors,
	  knows_their_profiles)
