/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The built-in CPU profiles, against what was published of those processors. */
#include "models/profile.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct rsb_error error;

static struct rsb_profile *load(const char *name)
{
	struct rsb_profile *profile = rsb_profile_load(name, &error);

	ck_assert_msg(profile != NULL, "%s", error.text);
	return profile;
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

/* Every built-in profile has the name of its file, all of its head, and a source for each fact. */
START_TEST(loads_each_builtin)
{
	size_t profiles = 0, count;

	for (const char *const *name = rsb_profile_names(); *name; name++, profiles++) {
		struct rsb_profile *profile = load(*name);
		const struct rsb_fact *facts = rsb_profile_facts(profile, &count);

		ck_assert_str_eq(rsb_profile_name(profile), *name);
		ck_assert_str_ne(rsb_profile_summary(profile), "");
		ck_assert_str_ne(rsb_profile_vendor(profile), "");
		ck_assert_str_ne(rsb_profile_arch(profile), "");
		for (size_t i = 0; i < count; i++) {
			ck_assert_msg(strlen(facts[i].source) >= 9, "%s: %s", *name, facts[i].name);
			ck_assert_ptr_nonnull(facts[i].others);
		}
		rsb_profile_free(profile);
	}
	ck_assert_uint_ge(profiles, 7);
}
END_TEST

/* A built-in profile leaves out no field that decides: what is not known, it says with a reason. */
START_TEST(states_what_decides)
{
	static const char *const fields[] = { "depth", "overflow", "underflow",
					      "zero_call_pushes" };

	for (const char *const *name = rsb_profile_names(); *name; name++) {
		struct rsb_profile *profile = load(*name);

		for (size_t i = 0; i < 4 && rsb_profile_depth(profile) != SIZE_MAX; i++)
			ck_assert_msg(!strstr(find_fact(profile, fields[i])->source, "default"),
				      "%s: %s", *name, fields[i]);
		rsb_profile_free(profile);
	}
}
END_TEST

/*
 * What published facts say, row by row: see the sources in each profile. NULL is "not known". Where
 * a family's result is extended to a core it counts as known, but no stronger than inferred.
 */
static const struct {
	const char *name;
	size_t depth;
	const char *overflow, *underflow, *zero_call_pushes;
	const char *known;
} published[] = {
	/* Agner Fog 3.8; Wong 2018 */
	{ "intel-haswell", 16, "overwrite-oldest", "stale", "false", "measured" },
	/* Agner Fog 3.8; Intel 737306 (RSBA); +0 by family */
	{ "intel-skylake", 16, "overwrite-oldest", "indirect", "false", "inferred" },
	/* Agner Fog 3.8; Linux's RETBLEED list */
	{ "intel-icelake-client", 22, NULL, "indirect", NULL, "assumed" },
	/* Measured on such a part (doc/native.md): 16 below calls that are over, and an empty stack
	 * predicts nothing; in jiegec's plot of a chain, those in flight are on top */
	{ "intel-golden-cove", 16, "overwrite-oldest", NULL, "false", "assumed" },
	/* Agner Fog 3.12; Wong 2018: checks, and is off by one after a misprediction */
	{ "amd-bulldozer", 24, NULL, "none", "false", "assumed" },
	/* AMD's guide for family 17h */
	{ "amd-zen1", 32, NULL, NULL, "false", "assumed" },
	{ "amd-zen2", 32, NULL, NULL, "false", "assumed" },
	/* AMD's guide for family 19h */
	{ "amd-zen3", 32, NULL, NULL, NULL, "assumed" },
	/* Measured on such a part: a ring of 32 that reuses stale entries, call +0 not pushed */
	{ "amd-zen4", 32, "overwrite-oldest", "stale", "false", "measured" },
	/* AMD's guide for family 1Ah; jiegec's plot */
	{ "amd-zen5", 52, "overwrite-oldest", NULL, NULL, "assumed" },
	/* jiegec and Chips and Cheese: all is lost on overflow */
	{ "apple-firestorm", 50, "clear-all", "none", NULL, "assumed" },
	{ "qualcomm-oryon", 50, "clear-all", "none", NULL, "assumed" },
	/* Chips and Cheese: like Skylake */
	{ "arm-neoverse-n2", 14, NULL, "indirect", NULL, "assumed" },
	/* Arm's manual: circular, neither overflow nor underflow is detected */
	{ "arm-cortex-r4", 4, "overwrite-oldest", "stale", NULL, "assumed" },
	/* Linux fills 64 by bl .+4; jiegec's plot */
	{ "ibm-power9", 64, "overwrite-oldest", NULL, "true", "assumed" },
	/* RTL; an empty stack leaves the BTB's target */
	{ "riscv-rocket", 6, "overwrite-oldest", "indirect", "true", "documented" },
	{ "riscv-boom", 32, "overwrite-oldest", "stale", "true", "documented" },
	{ "riscv-cva6", 2, "overwrite-oldest", "none", "true", "documented" },
	{ "riscv-xiangshan-nanhu", 32, "overwrite-oldest", "stale", "true", "documented" },
};

static void ck_published(const struct rsb_profile *profile, const char *field, const char *value)
{
	const char *said = find_fact(profile, field)->value;

	ck_assert_msg(!strcmp(said, value ? value : "unknown"), "%s: %s: %s",
		      rsb_profile_name(profile), field, said);
}

/* The built-in profiles say what was published, and no more. */
START_TEST(says_what_was_published)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
		struct rsb_profile *profile = load(published[i].name);

		ck_assert_uint_eq(rsb_profile_depth(profile), published[i].depth);
		ck_published(profile, "overflow", published[i].overflow);
		ck_published(profile, "underflow", published[i].underflow);
		ck_published(profile, "zero_call_pushes", published[i].zero_call_pushes);
		ck_assert_msg(!strcmp(rsb_profile_known(profile, NULL), published[i].known), "%s",
			      published[i].name);
		rsb_profile_free(profile);
	}
}
END_TEST

/* The return thunk that Linux 6.12 uses by default (bugs.c, srso.rst, the ITS document). */
START_TEST(knows_the_return_thunk)
{
	static const char *const thunks[][2] = {
		{ "amd-zen1", "srso" },
		{ "amd-zen2", "srso" },
		{ "amd-zen3", "srso-alias" },
		{ "amd-zen4", "srso-alias" },
		{ "amd-zen5", "none" },
		{ "amd-bulldozer", "retbleed" },
		{ "intel-icelake-client", "its" },
		{ "intel-icelake-server", "its" },
		{ "intel-tiger-lake", "its" },
		{ "intel-skylake", "none" },
		{ "intel-haswell", "none" },
		{ "intel-golden-cove", "none" },
		{ "riscv-boom", "none" },
		{ "ideal", "none" },
	};

	for (size_t i = 0; i < sizeof(thunks) / sizeof(*thunks); i++) {
		struct rsb_profile *profile = load(thunks[i][0]);

		ck_assert_msg(!strcmp(rsb_profile_mitigation(profile), thunks[i][1]), "%s",
			      thunks[i][0]);
		rsb_profile_free(profile);
	}
}
END_TEST

/*
 * What else it uses, on some of these CPUs or when told to: retbleed's on family 17h without SMT,
 * its on later steppings, call depth tracking where retpolines are chosen. Which form a safe RET
 * has is decided by the family: 19h or another (bugs.c: x86 == 0x19).
 */
START_TEST(knows_other_return_thunks)
{
	static const struct {
		const char *cpu, *thunks[7]; /* in the order of the words */
	} others[] = {
		{ "amd-zen1", { "retbleed", "srso" } },
		{ "amd-zen2", { "retbleed", "srso" } },
		{ "amd-zen3", { "srso-alias" } },
		{ "amd-zen4", { "srso-alias" } },
		{ "amd-zen5", { NULL } },
		{ "amd-bulldozer", { "retbleed" } },
		{ "intel-skylake", { "its", "call-depth" } },
		{ "intel-icelake-server", { "its", "call-depth" } },
		{ "intel-tiger-lake", { "its", "call-depth" } },
		{ "intel-haswell", { NULL } },
		{ "intel-golden-cove", { NULL } },
	};
	static const char *const words[] = { "retbleed", "its", "srso", "srso-alias",
					     "call-depth" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct rsb_profile *profile = load(others[i].cpu);
		const char *const *next = others[i].thunks;

		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++) {
			bool want = *next && !strcmp(*next, words[k]);

			ck_assert_msg(rsb_profile_may_return_by(profile, words[k]) == want,
				      "%s: %s", others[i].cpu, words[k]);
			next += want;
		}
		rsb_profile_free(profile);
	}
}
END_TEST

/* The unbounded stack: no depth, no penalty, and nothing about it is in doubt. */
START_TEST(has_an_ideal)
{
	struct rsb_profile *profile = load("ideal");
	double low, high;

	ck_assert_uint_eq(rsb_profile_depth(profile), SIZE_MAX);
	ck_assert(!rsb_profile_penalty(profile, &low, &high));
	ck_assert_str_eq(rsb_profile_known(profile, NULL), "documented");
	rsb_profile_free(profile);
}
END_TEST

/* Every profile makes a model. */
START_TEST(makes_models)
{
	for (const char *const *name = rsb_profile_names(); *name; name++) {
		struct rsb_profile *profile = load(*name);
		struct rsb_model *model = rsb_profile_model(profile, &error);

		ck_assert_msg(model != NULL, "%s: %s", *name, error.text);
		ck_assert_ptr_eq(rsb_model_type(model), rsb_profile_type(profile));
		rsb_model_free(model);
		rsb_profile_free(profile);
	}
}
END_TEST

static void try_other(struct rsb_profile *profile, const struct rsb_fact *fact, const char *other)
{
	struct rsb_model *model;

	ck_assert_str_ne(other, fact->assumed);
	ck_assert_msg(rsb_profile_set(profile, fact->name, other, &error), "%s", error.text);
	model = rsb_profile_model(profile, &error);
	ck_assert_msg(model != NULL, "%s: %s", rsb_profile_name(profile), error.text);
	rsb_model_free(model);
	ck_assert(rsb_profile_set(profile, fact->name, fact->assumed, &error));
}

/* Each other value that a profile lists is one that its model takes, and not the assumed one. */
START_TEST(makes_models_of_other_values)
{
	size_t count, tried = 0;

	for (const char *const *name = rsb_profile_names(); *name; name++) {
		struct rsb_profile *profile = load(*name), *changed = load(*name);
		const struct rsb_fact *facts = rsb_profile_facts(profile, &count);

		for (size_t i = 0; i < count; i++)
			for (const char *const *other = facts[i].others; *other; other++, tried++)
				try_other(changed, &facts[i], *other);
		rsb_profile_free(changed);
		rsb_profile_free(profile);
	}
	ck_assert_uint_gt(tried, 0);
}
END_TEST

UNIT_MAIN("CPU profiles", loads_each_builtin, states_what_decides, says_what_was_published,
	  knows_the_return_thunk, knows_other_return_thunks, has_an_ideal, makes_models,
	  makes_models_of_other_values)
