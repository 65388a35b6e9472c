/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a layout once, and judges it on each CPU by each rule. */
#include "sim/check/against.h"
#include "sim/check/judgement.h"
#include "sim/check/remarks.h"
#include "sim/check/result.h"
#include "sim/image/source.h"
#include "traces/util/clean.h"

#include <stdlib.h>
#include <string.h>

/* What one run of a layout gives, and its verdicts: they serve all CPUs. */
struct subject {
	const struct rsb_layout *layout;
	const struct rsb_scenario *scenario;
	const struct rsb_check_options *options;
	struct rsb_image *image;
	struct rsb_run *run;
	struct rsb_frames *frames;
	struct rsb_shadow_verdict shadow;
	struct rsb_ibt_verdict ibt;
	bool has_shadow, has_ibt;
};

static uint32_t find_kinds(struct rsb_profile *const *profiles, size_t count)
{
	/* Jumps tell which function enters a trampoline. */
	uint32_t kinds = RSB_SCORE_KINDS | RSB_KIND_BIT(RSB_JUMP);

	for (size_t i = 0; i < count; i++) {
		const struct rsb_model_type *type = rsb_profile_type(profiles[i]);

		kinds |= type->kinds | type->predicts;
	}
	return kinds;
}

/* A layout that says nothing of these is not judged by them. */
static bool judge_protection(struct subject *subject, struct rsb_error *error)
{
	unsigned cet = rsb_image_cet(subject->image);

	if (cet & RSB_CET_SHADOW_STACK) {
		subject->has_shadow =
			rsb_shadow_judge(subject->image, subject->run, &subject->shadow, error);
		if (!subject->has_shadow)
			return false;
	}
	if (cet & RSB_CET_IBT)
		subject->has_ibt =
			rsb_ibt_judge(subject->image, subject->run, &subject->ibt, error);
	return subject->has_ibt || !(cet & RSB_CET_IBT);
}

static bool prepare(struct subject *subject, uint32_t kinds, struct rsb_error *error)
{
	const struct rsb_run_options options = {
		.kinds = kinds,
		.budget = subject->options->budget,
		.progress = subject->options->progress,
		.context = subject->options->context,
	};

	subject->image = rsb_layout_image(subject->layout, subject->scenario, error);
	if (subject->image)
		subject->run = rsb_run_new(subject->image, &options, error);
	if (subject->run)
		subject->frames = rsb_frames_new(subject->image, subject->run, error);
	return subject->frames && judge_protection(subject, error);
}

static void clear(struct subject *subject)
{
	if (subject->has_shadow)
		rsb_shadow_verdict_clear(&subject->shadow);
	if (subject->has_ibt)
		rsb_ibt_verdict_clear(&subject->ibt);
	rsb_frames_free(subject->frames);
	rsb_run_free(subject->run);
	rsb_image_free(subject->image);
}

static bool set_cpu(struct rsb_check_case *one, const struct rsb_profile *profile,
		    struct rsb_error *error)
{
	one->cpu = rsb_clean(strdup(rsb_profile_name(profile)));
	one->version = rsb_clean(strdup(rsb_profile_version(profile)));
	one->model = strdup("");
	return (one->cpu && one->version && one->model) || rsb_error_set(error, "out of memory");
}

static struct rsb_check_case *add_case(struct rsb_check *check, const struct subject *subject,
				       const struct rsb_profile *profile, struct rsb_error *error)
{
	const struct rsb_layout *layout = subject->layout;
	const char *path = rsb_layout_user_file(layout);
	struct rsb_check_case *one;

	one = rsb_check_add_case(check, rsb_layout_name(layout), path ? path : "");
	if (!one)
		return rsb_error_null(error, "out of memory");
	if (rsb_layout_path(layout))
		one->line = rsb_json_line(layout->json, layout->code);
	one->scenario = *subject->scenario;
	return set_cpu(one, profile, error) ? one : NULL;
}

static bool judge_by_rules(struct rsb_judgement *judgement, const struct rsb_check_options *options,
			   struct rsb_error *error)
{
	const struct rsb_rule *const *rules = rsb_rules();

	for (size_t i = 0; rules[i]; i++) {
		judgement->rule = rules[i];
		judgement->level = options->levels[i];
		if (judgement->level != RSB_LEVEL_OFF &&
		    rules[i]->compares == (options->base != NULL) &&
		    !rules[i]->judge(judgement, error))
			return false;
	}
	return true;
}

static bool judge_score(struct rsb_judgement *judgement, const struct subject *subject,
			struct rsb_error *error)
{
	struct rsb_check_case *one = judgement->into;
	const struct rsb_check *base = subject->options->base;
	const char *base_layout = subject->options->base_layout;

	free(one->model);
	one->model = strdup(judgement->score->model);
	if (!one->model)
		return rsb_error_set(error, "out of memory");
	one->figures = rsb_against_figures(judgement->score);
	if (base && !rsb_against_set(one, base, base_layout ? base_layout : one->layout, error))
		return false;
	return judge_by_rules(judgement, subject->options, error);
}

static bool remark(struct rsb_check_case *one, const struct subject *subject,
		   const struct rsb_profile *profile, struct rsb_error *error)
{
	char word[32];
	bool generated = rsb_layout_return_thunk(subject->layout, word, sizeof(word));

	return rsb_check_remark(one, subject->run, profile, rsb_image_return_thunk(subject->image),
				generated, subject->options->mitigations) ||
	       rsb_error_set(error, "out of memory");
}

static bool judge(struct rsb_check_case *one, const struct subject *subject,
		  const struct rsb_profile *profile, struct rsb_error *error)
{
	static const struct rsb_score_options plain = { .rounds = 0 };
	struct rsb_score *score =
		rsb_score_new(subject->run, one->layout, profile, subject->scenario, &plain, error);
	struct rsb_explanation *explanation = NULL;
	struct rsb_judgement judgement = {
		.layout = subject->layout,
		.image = subject->image,
		.run = subject->run,
		.profile = profile,
		.scenario = subject->scenario,
		.score = score,
		.shadow = subject->has_shadow ? &subject->shadow : NULL,
		.ibt = subject->has_ibt ? &subject->ibt : NULL,
		.altered = subject->options->altered,
		.into = one,
	};
	bool good = score != NULL;

	if (good) {
		explanation = rsb_explanation_new(subject->frames, one->layout, profile,
						  subject->scenario, error);
		judgement.explanation = explanation;
		good = explanation && judge_score(&judgement, subject, error) &&
		       remark(one, subject, profile, error);
	}
	rsb_explanation_free(explanation);
	rsb_score_free(score);
	return good;
}

bool rsb_check_run(struct rsb_check *check, const struct rsb_layout *layout,
		   const struct rsb_scenario *scenario, struct rsb_profile *const *profiles,
		   size_t profile_count, const struct rsb_check_options *options,
		   struct rsb_error *error)
{
	struct subject subject = { .layout = layout, .scenario = scenario, .options = options };
	struct rsb_error trouble;
	bool ready = prepare(&subject, find_kinds(profiles, profile_count), &trouble);
	bool good = true;

	check->compared |= options->base != NULL;
	for (size_t i = 0; good && i < profile_count; i++) {
		struct rsb_check_case *one = add_case(check, &subject, profiles[i], error);

		good = one != NULL;
		if (good && !(ready && judge(one, &subject, profiles[i], &trouble))) {
			one->trouble = rsb_clean(strdup(trouble.text));
			good = one->trouble || rsb_error_set(error, "out of memory");
		}
	}
	clear(&subject);
	return good;
}
