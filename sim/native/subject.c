/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The images of a row, and what is expected of them. */
#include "sim/native/subject.h"

#include "sim/native/paired.h"
#include "sim/native/runner.h"
#include "traces/util/grow.h"

#include <stdlib.h>

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
	struct rsb_subject *subject;
};

static struct rsb_image *make_image(const struct recipe *recipe, struct rsb_layout *layout,
				    const struct rsb_generate_how *more, struct rsb_error *error)
{
	struct rsb_generate_how how = *more;

	how.shift = recipe->variant->shift;
	how.helpers = recipe->variant->helpers;
	rsb_layout_set_how(layout, &how);
	return rsb_layout_image(layout, recipe->scenario, error);
}

/*
 * rsb_round itself returns to the runner, once a round, which no run sees: of the returns that
 * never run in one it stands first, right behind the callers.
 */
static bool is_round(const struct rsb_paired *paired, size_t number)
{
	for (size_t i = 0; i <= number; i++)
		if (!paired->runs[i])
			return i == number;
	return false;
}

static bool add_return(const struct recipe *recipe, const struct rsb_generate_how *padded,
		       const struct rsb_image *own, size_t number, double runs,
		       struct rsb_error *error)
{
	struct rsb_subject *subject = recipe->subject;
	struct rsb_generate_how how = *padded;
	struct rsb_subject_return *made;
	size_t count;

	if (!RSB_GROW(subject->returns, subject->return_count))
		return rsb_error_set(error, "out of memory");
	made = &subject->returns[subject->return_count++];
	*made = (struct rsb_subject_return){ .runs = runs };
	how.returns.forced = number + 1;
	made->image = make_image(recipe, recipe->layout, &how, error);
	rsb_image_describe(own, rsb_image_returns(own, &count)[number], made->place,
			   sizeof(made->place));
	return made->image;
}

static bool add_returns(const struct recipe *recipe, const struct rsb_generate_how *padded,
			const struct rsb_image *own, const struct rsb_paired *paired,
			struct rsb_error *error)
{
	size_t count = 0;

	for (size_t i = 0; i < paired->count; i++)
		count += !paired->kept[i] && (paired->runs[i] || is_round(paired, i));
	if (count > RSB_SUBJECT_RETURNS)
		return rsb_error_set(error,
				     "%zu returns would miss each by itself (--each): expected at "
				     "most %d, as of fewer callers (--depth)",
				     count, RSB_SUBJECT_RETURNS);
	for (size_t i = 0; i < paired->count; i++) {
		double runs = is_round(paired, i) ? 1 : paired->runs[i];

		if (!paired->kept[i] && runs && !add_return(recipe, padded, own, i, runs, error))
			return false;
	}
	return true;
}

/* All but the returns in question lies at the same place in all of these. */
static bool make_twins(struct rsb_subject_images *images, const struct recipe *recipe,
		       const struct rsb_paired *paired, struct rsb_error *error)
{
	struct rsb_generate_how how = {
		.returns = { .pad = true, .kept = paired->kept, .kept_count = paired->count },
	};

	images->jumps = images->expected.returns - paired->returns;
	images->own = make_image(recipe, recipe->layout, &how, error);
	if (!images->own)
		return false;
	if (recipe->options->each && images == recipe->subject->variants &&
	    !add_returns(recipe, &how, images->own, paired, error))
		return false;
	how.returns.jump = true;
	images->against = make_image(recipe, recipe->layout, &how, error);
	return images->against;
}

static bool make_other(struct rsb_subject_images *images, const struct recipe *recipe,
		       struct rsb_error *error)
{
	const struct rsb_generate_how plain = { 0 };

	images->own = make_image(recipe, recipe->layout, &plain, error);
	images->against = make_image(recipe, recipe->options->reference, &plain, error);
	return images->own && images->against;
}

static bool make_pair(struct rsb_subject_images *images, const struct recipe *recipe,
		      const struct rsb_image *plain, const struct rsb_run *run,
		      struct rsb_error *error)
{
	struct rsb_paired paired;
	bool good;

	if (!rsb_expect(run, recipe->options->profile, &images->expected, error))
		return false;
	if (rsb_layout_code(recipe->layout) != RSB_LAYOUT_GENERATED)
		return make_other(images, recipe, error);
	good = rsb_paired_find(&paired, plain, run, error) &&
	       make_twins(images, recipe, &paired, error);
	rsb_paired_clear(&paired);
	return good;
}

static bool make_variant(struct rsb_subject_images *images, const struct recipe *recipe,
			 struct rsb_error *error)
{
	const struct rsb_generate_how how = { 0 };
	struct rsb_image *plain = make_image(recipe, recipe->layout, &how, error);
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
					       options, subject };

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
	for (size_t i = 0; i < subject->return_count; i++)
		rsb_image_free(subject->returns[i].image);
	free(subject->returns);
	*subject = (struct rsb_subject){ 0 };
}
