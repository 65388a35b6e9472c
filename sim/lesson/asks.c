/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What queries can ask for, and how it is found. */
#include "sim/lesson/asks.h"

#include "sim/explain/shadow.h"
#include "sim/lesson/query_run.h"
#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/score/score.h"
#include "traces/util/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ASKS_MAX 40 /* words that may stand before "of" */

void rsb_value_set(struct rsb_value *value, double number)
{
	value->is_number = true;
	value->number = number;
	rsb_number_brief(value->text, sizeof(value->text), number, 2);
}

static bool set_text(struct rsb_value *value, const char *text)
{
	value->is_number = false;
	value->number = NAN;
	snprintf(value->text, sizeof(value->text), "%s", text);
	return true;
}

static struct rsb_score *score(const struct rsb_query *query, const char *layout,
			       struct rsb_error *error)
{
	const struct rsb_score_options options = { .rounds = 0 };
	struct rsb_query_run ran;
	struct rsb_score *score = NULL;

	if (rsb_query_run(&ran, query, layout, error))
		score = rsb_score_new(ran.run, layout, ran.profile, &ran.scenario, &options, error);
	rsb_query_run_clear(&ran);
	return score;
}

static double all_misses(const struct rsb_score *score)
{
	return score->per_call.misses_inside + score->per_call.misses_callers;
}

static bool answer_figure(const struct rsb_query *query, struct rsb_value *value,
			  struct rsb_error *error)
{
	struct rsb_score *found = score(query, query->subjects[0], error);
	const struct rsb_figure *figure = rsb_figures();
	struct rsb_figure_value numbers;

	if (!found)
		return false;
	while (strcmp(figure->key, query->figure))
		figure++;
	numbers = rsb_figure_value(found, figure);
	rsb_value_set(value, numbers.low);
	if (numbers.interval) {
		char text[2 * RSB_NUMBER_SIZE];

		rsb_report_interval(text, sizeof(text), numbers.low, numbers.high);
		set_text(value, text);
	}
	rsb_score_free(found);
	return true;
}

static bool answer_misses(const struct rsb_query *query, struct rsb_value *value,
			  struct rsb_error *error)
{
	struct rsb_score *found = score(query, query->subjects[0], error);

	if (!found)
		return false;
	rsb_value_set(value, all_misses(found));
	rsb_score_free(found);
	return true;
}

/* The callers in the scenario; and with the traced call, the calls that are open below it. */
static bool answer_callers(const struct rsb_query *query, struct rsb_value *value,
			   struct rsb_error *error)
{
	struct rsb_score *found = score(query, query->subjects[0], error);

	if (!found)
		return false;
	rsb_value_set(value, found->scenario.depth + (strcmp(query->figure, "nesting") == 0));
	rsb_score_free(found);
	return true;
}

/* The layout with the fewest misses, or the most; the first of those that are alike. */
static bool answer_extreme(const struct rsb_query *query, struct rsb_value *value,
			   struct rsb_error *error)
{
	double sign = !strcmp(query->figure, "fewest") ? 1 : -1, best = INFINITY;

	for (const char *const *each = query->subjects; *each; each++) {
		struct rsb_score *found = score(query, *each, error);

		if (!found)
			return false;
		if (sign * all_misses(found) < best) {
			best = sign * all_misses(found);
			set_text(value, *each);
		}
		rsb_score_free(found);
	}
	return true;
}

static bool answer_entries(const struct rsb_query *query, struct rsb_value *value,
			   struct rsb_error *error)
{
	struct rsb_profile *profile = rsb_query_profile(query, query->subjects[0], error);

	if (!profile)
		return false;
	if (rsb_profile_depth(profile) == SIZE_MAX)
		set_text(value, "any");
	else
		rsb_value_set(value, (double)rsb_profile_depth(profile));
	rsb_profile_free(profile);
	return true;
}

static void describe(struct rsb_value *value, const struct rsb_query *query,
		     const struct rsb_explanation *explanation)
{
	if (!explanation->count)
		set_text(value, "none");
	else if (!strcmp(query->figure, "cause"))
		set_text(value, rsb_cause_name(explanation->findings[0].cause));
	else
		set_text(value, explanation->findings[0].culprit.symbol
					? explanation->findings[0].culprit.text
					: "none");
}

/* Of the finding with the most misses. */
static bool answer_finding(const struct rsb_query *query, struct rsb_value *value,
			   struct rsb_error *error)
{
	struct rsb_query_run ran;
	struct rsb_frames *frames = NULL;
	struct rsb_explanation *explanation = NULL;

	if (rsb_query_run(&ran, query, query->subjects[0], error))
		frames = rsb_frames_new(ran.image, ran.run, error);
	if (frames)
		explanation = rsb_explanation_new(frames, query->subjects[0], ran.profile,
						  &ran.scenario, error);
	if (explanation)
		describe(value, query, explanation);
	rsb_explanation_free(explanation);
	rsb_frames_free(frames);
	rsb_query_run_clear(&ran);
	return explanation;
}

static bool answer_shadow(const struct rsb_query *query, struct rsb_value *value,
			  struct rsb_error *error)
{
	struct rsb_query_run ran;
	struct rsb_shadow_verdict verdict;
	bool good = rsb_query_run(&ran, query, query->subjects[0], error) &&
		    rsb_shadow_judge(ran.image, ran.run, &verdict, error);

	if (good) {
		set_text(value, rsb_shadow_answer_name(verdict.answer));
		rsb_shadow_verdict_clear(&verdict);
	}
	rsb_query_run_clear(&ran);
	return good;
}

static const struct rsb_query_asks figure = { "", true, false, answer_figure };

static const struct rsb_query_asks asks[] = {
	{ "callers", true, false, answer_callers }, { "cause", true, false, answer_finding },
	{ "culprit", true, false, answer_finding }, { "entries", false, false, answer_entries },
	{ "fewest", true, true, answer_extreme },   { "misses", true, false, answer_misses },
	{ "most", true, true, answer_extreme },     { "nesting", true, false, answer_callers },
	{ "shadow", false, false, answer_shadow },
};

#define ASKS (sizeof(asks) / sizeof(*asks))

const struct rsb_query_asks *rsb_query_asks_find(const char *word, struct rsb_error *error)
{
	const char *known[ASKS_MAX] = { NULL };
	size_t count = 0;

	for (; count < ASKS; count++) {
		if (!strcmp(asks[count].name, word))
			return &asks[count];
		known[count] = asks[count].name;
	}
	for (const struct rsb_figure *row = rsb_figures(); row->key; row++) {
		if (!strcmp(row->key, word))
			return &figure;
		if (count < ASKS_MAX - 1)
			known[count++] = row->key;
	}
	return rsb_unknown(error, "figure", word, known);
}

bool rsb_query_asks_check(const struct rsb_query *query, struct rsb_error *error)
{
	const struct rsb_query_asks *row = query->asks;

	if (!query->subjects[0])
		return rsb_error_set(error, "expected a name after \"of\"");
	if (query->subjects[1] && !row->many)
		return rsb_error_set(error, "expected one name after \"of\", found '%s' too",
				     query->subjects[1]);
	if (row->cpu && !query->cpu)
		return rsb_error_set(error, "expected \"on\" and a CPU");
	return row->cpu || !query->cpu ||
	       rsb_error_set(error, "\"%s\" does not depend on a CPU, found '%s'", query->figure,
			     query->cpu);
}

bool rsb_query_answer(const struct rsb_query *query, struct rsb_value *value,
		      struct rsb_error *error)
{
	return query->asks->answer(query, value, error);
}
