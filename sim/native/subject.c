/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The images of a row, and what is expected of them. */
#include "sim/native/subject.h"

#include "sim/native/paired.h"
#include "sim/native/runner.h"

const struct rsb_subject_variant rsb_subject_variants[RSB_SUBJECT_VARIANTS] = {
	{ 0, 0 }, { 16, 0 }, { 32, 0 }, { 48, 0 }, { 0, 1 }, { 0, 2 }, { 0, 4 },
};

static bool permit(const struct rsb_layout *layout, bool allow, struct rsb_error *error)
{
	switch (rsb_layout_code(layout)) {
	case RSB_LAYOUT_GENERATED:
		return true;
	case RSB_LAYOUT_KERNEL:
		return rsb_error_set(error, "code of a kernel, which no process can run");
	default:
		return allow ||
		       rsb_error_set(error, "code of your own is run only with --allow-native");
	}
}

/* What the images of a variant are made of. */
struct recipe {
	struct rsb_layout *layout;
	const struct rsb_scenario *scenario;
	const struct rsb_subject_variant *variant;
	const struct rsb_subject_options *options;
};

static struct rsb_image *make_image(const struct recipe *recipe, struct rsb_layout *layout,
				    const struct rsb_paired *paired, bool twin,
				    struct rsb_error *error)
{
	const struct rsb_generate_how how = {
		.shift = recipe->variant->shift,
		.helpers = recipe->variant->helpers,
		.jump_returns = twin,
		.pad_returns = paired && !twin,
		.kept = paired ? paired->kept : NULL,
		.kept_count = paired ? paired->count : 0,
	};

	rsb_layout_set_how(layout, &how);
	return rsb_layout_image(layout, recipe->scenario, error);
}

/* All of its own image but these returns lies where it lies in the twin. */
static bool make_twins(struct rsb_subject_images *images, const struct recipe *recipe,
		       const struct rsb_image *plain, const struct rsb_run *run,
		       struct rsb_error *error)
{
	struct rsb_paired paired;
	bool good = rsb_paired_find(&paired, plain, run, error);

	if (good) {
		images->jumps = images->expected.returns - paired.returns;
		images->own = make_image(recipe, recipe->layout, &paired, false, error);
		images->against = make_image(recipe, recipe->layout, &paired, true, error);
	}
	rsb_paired_clear(&paired);
	return good && images->own && images->against;
}

static bool make_pair(struct rsb_subject_images *images, const struct recipe *recipe,
		      struct rsb_image *plain, const struct rsb_run *run, struct rsb_error *error)
{
	if (!rsb_expect(run, recipe->options->profile, &images->expected, error))
		return false;
	if (rsb_layout_code(recipe->layout) == RSB_LAYOUT_GENERATED)
		return make_twins(images, recipe, plain, run, error);
	images->own = make_image(recipe, recipe->layout, NULL, false, error);
	images->against = make_image(recipe, recipe->options->reference, NULL, false, error);
	return images->own && images->against;
}

static bool make_variant(struct rsb_subject_images *images, const struct recipe *recipe,
			 struct rsb_error *error)
{
	struct rsb_image *plain = make_image(recipe, recipe->layout, NULL, false, error);
	struct rsb_run *run = NULL;
	bool good;

	if (plain && rsb_native_fits(plain, error))
		run = rsb_expect_run(plain, false, error);
	good = run && make_pair(images, recipe, plain, run, error);
	rsb_run_free(run);
	rsb_image_free(plain);
	return good;
}

bool rsb_subject_make(struct rsb_subject *subject, struct rsb_layout *layout,
		      const struct rsb_scenario *scenario,
		      const struct rsb_subject_options *options, struct rsb_error *error)
{
	size_t count = rsb_layout_code(layout) == RSB_LAYOUT_GENERATED ? options->variants : 1;

	*subject = (struct rsb_subject){ 0 };
	if (!permit(layout, options->allow, error))
		return false;
	while (subject->count < count) {
		size_t next = subject->count++;

		const struct recipe recipe = { layout, scenario, &rsb_subject_variants[next],
					       options };

		if (!make_variant(&subject->variants[next], &recipe, error))
			return false;
	}
	return true;
}

void rsb_subject_clear(struct rsb_subject *subject)
{
	for (size_t i = 0; i < subject->count; i++) {
		rsb_image_free(subject->variants[i].own);
		rsb_image_free(subject->variants[i].against);
	}
	subject->count = 0;
}
