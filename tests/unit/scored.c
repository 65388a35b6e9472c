/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A layout's score. */
#include "tests/unit/scored.h"

#include "sim/image/layout.h"
#include "tests/unit/listing.h"

#include <check.h>

struct rsb_profile *scored_profile(const char *name_or_path)
{
	struct rsb_error error = { "" };
	struct rsb_profile *profile = rsb_profile_load(name_or_path, &error);

	ck_assert_msg(profile, "%s", error.text);
	return profile;
}

/* The image is freed. */
static struct rsb_per_call score(struct rsb_image *image, const char *name,
				 const struct rsb_profile *profile,
				 const struct rsb_scenario *scenario)
{
	const struct rsb_run_options options = { .kinds = RSB_SCORE_KINDS };
	const struct rsb_score_options score_options = { 0 };
	struct rsb_error error = { "" };
	struct rsb_run *run = rsb_run_new(image, &options, &error);
	struct rsb_per_call per_call;
	struct rsb_score *scored;

	ck_assert_msg(run, "%s: %s", name, error.text);
	scored = rsb_score_new(run, name, profile, scenario, &score_options, &error);
	ck_assert_msg(scored, "%s: %s", name, error.text);
	ck_assert_msg(scored->steady == RSB_STEADY_PROVED, "%s: no steady state", name);
	per_call = scored->per_call;
	rsb_score_free(scored);
	rsb_run_free(run);
	rsb_image_free(image);
	return per_call;
}

struct rsb_per_call scored_layout(const char *name, const struct rsb_profile *profile,
				  const struct rsb_scenario *scenario)
{
	struct rsb_error error = { "" };
	struct rsb_layout *layout = rsb_layout_load(name, &error);
	struct rsb_image *image = layout ? rsb_layout_image(layout, scenario, &error) : NULL;

	ck_assert_msg(image, "%s: %s", name, error.text);
	rsb_layout_free(layout);
	return score(image, name, profile, scenario);
}

struct rsb_per_call scored_family(const char *family, const char *set,
				  const struct rsb_profile *profile,
				  const struct rsb_scenario *scenario)
{
	struct rsb_error error = { "" };
	struct rsb_image *image = listing_family(family, set, scenario, &error);

	ck_assert_msg(image, "%s %s: %s", family, set, error.text);
	return score(image, family, profile, scenario);
}
