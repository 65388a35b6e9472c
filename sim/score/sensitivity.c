/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores with other values of assumed fields, and what they do to the order of the layouts. */
#include "sim/score/sensitivity.h"

#include "sim/score/notes.h"
#include "traces/util/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_MAX 16 /* of one field; a profile lists fewer */

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

int rsb_standing_compare(const struct rsb_standing *a, const struct rsb_standing *b)
{
	int order = compare_numbers(a->misses, b->misses);

	if (!order)
		order = compare_numbers(a->unbalance, b->unbalance);
	return order ? order : compare_numbers(a->instructions, b->instructions);
}

struct rsb_standing rsb_score_standing(const struct rsb_per_call *figures)
{
	return (struct rsb_standing){
		.misses = figures->misses_inside + figures->misses_callers,
		.unbalance = fabs(figures->balance_layout),
		.instructions = figures->instructions,
	};
}

/* What a variant is worked out from. */
struct work {
	struct rsb_score *score;
	const struct rsb_run *run;
	const struct rsb_profile *profile;
};

/* Scores the run once more and keeps where that stands. */
static bool find_standing(const struct work *work, const char *field, const char *value,
			  struct rsb_standing *standing, struct rsb_error *error)
{
	const struct rsb_score_options options = { .rounds = 0 };
	struct rsb_profile *varied = rsb_profile_vary(work->profile, field, value, error);
	struct rsb_score *score = NULL;

	if (varied)
		score = rsb_score_new(work->run, work->score->layout, varied,
				      &work->score->scenario, &options, error);
	if (score)
		*standing = rsb_score_standing(&score->per_call);
	rsb_score_free(score);
	rsb_profile_free(varied);
	return score != NULL;
}

static bool add_variant(const struct work *work, const struct rsb_fact *fact, const char *field,
			const char *value, struct rsb_error *error)
{
	struct rsb_score *score = work->score;
	struct rsb_variant variant = { .field = field };

	if (!find_standing(work, field, value, &variant.standing, error))
		return false;
	variant.assumed = strdup(fact->assumed);
	variant.value = strdup(value);
	if (!RSB_GROW(score->variants, score->variant_count) || !variant.assumed ||
	    !variant.value) {
		free(variant.assumed);
		free(variant.value);
		return rsb_error_set(error, "out of memory");
	}
	score->variants[score->variant_count++] = variant;
	return true;
}

bool rsb_score_vary(struct rsb_score *score, const struct rsb_run *run,
		    const struct rsb_profile *profile, uint64_t exercised, struct rsb_error *error)
{
	const struct rsb_parameter *rows = rsb_profile_type(profile)->parameters;
	const struct work work = { score, run, profile };
	size_t count;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &count);

	for (size_t i = 0; i < count; i++) {
		int row = rsb_parameter_find(rows, facts[i].name);

		if (!facts[i].assumed || row < 0 || !(exercised >> row & 1))
			continue;
		for (const char *const *other = facts[i].others; *other; other++)
			if (!add_variant(&work, &facts[i], rows[row].name, *other, error))
				return false;
	}
	return true;
}

/* Scores of several layouts on one CPU in one scenario. */
struct group {
	struct rsb_score *const *scores;
	size_t count;
};

/*
 * Where a score stands with this variant; a layout that did not need the field stays where it is.
 */
static struct rsb_standing vary(const struct rsb_score *score, const struct rsb_variant *variant)
{
	for (size_t i = 0; i < score->variant_count; i++)
		if (!strcmp(score->variants[i].field, variant->field) &&
		    !strcmp(score->variants[i].value, variant->value))
			return score->variants[i].standing;
	return rsb_score_standing(&score->per_call);
}

/* Do two scores change places? They are in the order of the report, which ties by their names. */
static bool change_places(const struct rsb_score *before, const struct rsb_score *after,
			  const struct rsb_variant *variant)
{
	struct rsb_standing a = vary(before, variant), b = vary(after, variant);
	struct rsb_standing x = rsb_score_standing(&before->per_call);
	struct rsb_standing y = rsb_score_standing(&after->per_call);
	int order = rsb_standing_compare(&a, &b);

	return order > 0 || (!order && rsb_standing_compare(&x, &y) &&
			     strcmp(before->layout, after->layout) > 0);
}

/* The first two that would change places. False: none would. */
static bool find_change(struct group group, const struct rsb_variant *variant,
			const struct rsb_score **before, const struct rsb_score **after)
{
	for (size_t i = 0; i + 1 < group.count; i++)
		if (change_places(group.scores[i], group.scores[i + 1], variant)) {
			*before = group.scores[i];
			*after = group.scores[i + 1];
			return true;
		}
	return false;
}

static bool note_all(struct group group, const char *text)
{
	for (size_t i = 0; i < group.count; i++)
		if (!rsb_score_note(group.scores[i], "%s", text))
			return false;
	return true;
}

/* Says of some values of one field what they would do. */
static bool note_values(struct group group, const struct rsb_variant *const *values, size_t count,
			const char *outcome)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool good;

	if (!out)
		return false;
	fprintf(out, "%s: with %s ", group.scores[0]->cpu, values[0]->field);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? (i + 1 < count ? ", " : " or ") : "", values[i]->value);
	fprintf(out, " in place of %s the order of the layouts would %s", values[0]->assumed,
		outcome);
	good = !fclose(out) && note_all(group, text);
	free(text);
	return good;
}

/* The variants of one field, each value once. */
static size_t list_values(struct group group, const char *field, const struct rsb_variant **values,
			  size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < group.count; i++)
		for (size_t k = 0; k < group.scores[i]->variant_count; k++) {
			const struct rsb_variant *variant = &group.scores[i]->variants[k];
			size_t n = 0;

			while (n < count && strcmp(values[n]->value, variant->value) != 0)
				n++;
			if (n == count && count < room && !strcmp(variant->field, field))
				values[count++] = variant;
		}
	return count;
}

/* Two rows may differ in their return thunk alone. */
static void write_change(char *out, size_t size, const struct rsb_score *before,
			 const struct rsb_score *after)
{
	bool plain = !strcmp(before->return_thunk, after->return_thunk);

	snprintf(out, size, "change: %s%s%s would come before %s%s%s", after->layout,
		 plain ? "" : " by ", plain ? "" : after->return_thunk, before->layout,
		 plain ? "" : " by ", plain ? "" : before->return_thunk);
}

static bool note_field(struct group group, const char *field)
{
	const struct rsb_variant *values[VALUES_MAX], *calm[VALUES_MAX];
	const struct rsb_score *before, *after;
	size_t count = list_values(group, field, values, VALUES_MAX), calm_count = 0;

	for (size_t i = 0; i < count; i++) {
		char outcome[512];

		if (!find_change(group, values[i], &before, &after)) {
			calm[calm_count++] = values[i];
			continue;
		}
		write_change(outcome, sizeof(outcome), before, after);
		if (!note_values(group, &values[i], 1, outcome))
			return false;
	}
	return !calm_count || note_values(group, calm, calm_count, "not change");
}

/* Did an earlier score, or an earlier variant of this one, need the field? */
static bool was_noted(struct group group, size_t score, size_t index)
{
	const char *field = group.scores[score]->variants[index].field;

	for (size_t i = 0; i <= score; i++)
		for (size_t k = 0; k < (i < score ? group.scores[i]->variant_count : index); k++)
			if (!strcmp(group.scores[i]->variants[k].field, field))
				return true;
	return false;
}

static bool note_group(struct group group)
{
	for (size_t i = 0; group.count > 1 && i < group.count; i++)
		for (size_t k = 0; k < group.scores[i]->variant_count; k++)
			if (!was_noted(group, i, k) &&
			    !note_field(group, group.scores[i]->variants[k].field))
				return false;
	return true;
}

static bool is_same_group(const struct rsb_score *a, const struct rsb_score *b)
{
	return !strcmp(a->cpu, b->cpu) && rsb_scenario_same(&a->scenario, &b->scenario);
}

bool rsb_sensitivity_note(struct rsb_score *const *scores, size_t count, struct rsb_error *error)
{
	for (size_t at = 0; at < count;) {
		struct group group = { scores + at, 1 };

		while (at + group.count < count &&
		       is_same_group(scores[at], scores[at + group.count]))
			group.count++;
		if (!note_group(group))
			return rsb_error_set(error, "out of memory");
		at += group.count;
	}
	return true;
}
