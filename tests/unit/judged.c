/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tests/unit/judged.h. */
#include "tests/unit/judged.h"

#include "tests/unit/unit.h"

struct rsb_run *judged_run(const struct rsb_image *image)
{
	const struct rsb_run_options options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN),
	};
	struct rsb_error error;
	struct rsb_run *run = rsb_run_new(image, &options, &error);

	ck_assert_msg(run, "%s", error.text);
	return run;
}

struct rsb_shadow_verdict judged_verdict(const struct rsb_image *image, const struct rsb_run *run)
{
	struct rsb_shadow_verdict verdict;
	struct rsb_error error;

	ck_assert_msg(rsb_shadow_judge(image, run, &verdict, &error), "%s", error.text);
	return verdict;
}
