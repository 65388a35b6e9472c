/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds results, with the chain of what led to them. */
#include "sim/check/judgement.h"

#include "sim/check/fingerprint.h"
#include "sim/check/result.h"
#include "sim/report/number.h"
#include "traces/util/clean.h"
#include "traces/util/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Misses that a chain shows; the rest is in the counts. */
#define MISSES_SHOWN 3

bool rsb_figure_is(double value)
{
	return fabs(value) > 1e-9;
}

static bool fill(struct rsb_judgement *judgement, struct rsb_check_result *result,
		 const struct rsb_instruction *at, const char *subject)
{
	result->cause = strdup("");
	result->advice = strdup("");
	result->subject = subject ? strdup(subject)
				  : rsb_fingerprint_symbol(judgement->image, judgement->run,
							   at && at->symbol ? at->pc : 0);
	if (!result->cause || !result->advice || !result->subject ||
	    !rsb_check_place_set(&result->place, at))
		return false;
	rsb_fingerprint_set(result, judgement->into->layout, judgement->into->cpu,
			    judgement->image);
	return true;
}

struct rsb_check_result *rsb_judgement_add(struct rsb_judgement *judgement,
					   const struct rsb_instruction *at, const char *subject,
					   struct rsb_error *error, const char *format, ...)
{
	struct rsb_check_case *into = judgement->into;
	struct rsb_check_result *result;
	va_list arguments;

	if (!RSB_GROW(into->results, into->count))
		return rsb_error_null(error, "out of memory");
	result = &into->results[into->count];
	*result = (struct rsb_check_result){ .rule = judgement->rule, .level = judgement->level };
	va_start(arguments, format);
	result->message = rsb_check_format(format, arguments);
	va_end(arguments);
	if (result->message && fill(judgement, result, at, subject)) {
		into->count++;
		return result;
	}
	rsb_check_result_clear(result);
	return rsb_error_null(error, "out of memory");
}

bool rsb_judgement_step(struct rsb_check_result *result, const struct rsb_instruction *at,
			struct rsb_error *error, const char *format, ...)
{
	struct rsb_check_step *step;
	va_list arguments;

	if (!RSB_GROW(result->steps, result->step_count))
		return rsb_error_set(error, "out of memory");
	step = &result->steps[result->step_count++];
	va_start(arguments, format);
	step->what = rsb_check_format(format, arguments);
	va_end(arguments);
	return (rsb_check_place_set(&step->place, at) && step->what) ||
	       rsb_error_set(error, "out of memory");
}

/* "is predicted to go to target+0x5, goes to rsb_landing" */
static bool add_miss(struct rsb_check_result *result, const struct rsb_explained_miss *miss,
		     struct rsb_error *error)
{
	if (!miss->predicted.symbol)
		return rsb_judgement_step(result, &miss->returned_by, error,
					  "misses: nothing was predicted, it goes to %s",
					  miss->actual.symbol);
	return rsb_judgement_step(result, &miss->returned_by, error,
				  "misses: %s was predicted, it goes to %s", miss->predicted.symbol,
				  miss->actual.symbol);
}

static bool add_chain(struct rsb_check_result *result, const struct rsb_finding *finding,
		      struct rsb_error *error)
{
	size_t shown = 0;

	if (finding->call.symbol && finding->entry.symbol &&
	    !rsb_judgement_step(result, &finding->call, error, "pushes %s", finding->entry.symbol))
		return false;
	if (finding->culprit.symbol && !rsb_judgement_step(result, &finding->culprit, error, "%s",
							   rsb_cause_sentence(finding->cause)))
		return false;
	for (size_t i = 0; i < finding->miss_count && shown < MISSES_SHOWN; i++) {
		if (!finding->misses[i].steady)
			continue;
		if (!add_miss(result, &finding->misses[i], error))
			return false;
		shown++;
	}
	return true;
}

/* Where it shows, if no instruction is at fault. */
static const struct rsb_instruction *find_place(const struct rsb_finding *finding)
{
	if (finding->culprit.symbol || !finding->miss_count)
		return &finding->culprit;
	return &finding->misses[0].returned_by;
}

static void write_costs(char *out, size_t size, const struct rsb_finding *finding)
{
	char inside[RSB_NUMBER_SIZE], callers[RSB_NUMBER_SIZE];

	rsb_number_brief(inside, sizeof(inside), finding->misses_inside, 2);
	rsb_number_brief(callers, sizeof(callers), finding->misses_callers, 2);
	if (rsb_figure_is(finding->misses_inside) || rsb_figure_is(finding->misses_callers))
		snprintf(out, size, "misses a call: %s inside, %s in callers", inside, callers);
	else
		snprintf(out, size, "no misses here");
}

struct rsb_check_result *rsb_judgement_add_finding(struct rsb_judgement *judgement,
						   const struct rsb_finding *finding,
						   const char *more, struct rsb_error *error)
{
	struct rsb_check_result *result;
	char costs[128], partly[256];

	write_costs(costs, sizeof(costs), finding);
	result = rsb_judgement_add(judgement, find_place(finding), NULL, error, "%s (%s)%s",
				   finding->story, costs, more);
	if (!result)
		return NULL;
	free(result->cause);
	free(result->advice);
	result->cause = strdup(rsb_cause_name(finding->cause));
	result->advice = rsb_clean(strdup(finding->advice));
	if (!result->cause || !result->advice)
		return rsb_error_null(error, "out of memory");
	result->misses_inside = finding->misses_inside;
	result->misses_callers = finding->misses_callers;
	result->balance = finding->balance;
	if (rsb_judgement_expected(judgement, finding))
		result->standing = RSB_STANDING_EXPECTED;
	rsb_judgement_partly(judgement, finding, partly, sizeof(partly));
	if (*partly && !(result->reason = strdup(partly)))
		return rsb_error_null(error, "out of memory");
	return add_chain(result, finding, error) ? result : NULL;
}

bool rsb_judgement_findings(struct rsb_judgement *judgement, enum rsb_judged_as as,
			    struct rsb_error *error)
{
	const struct rsb_explanation *explanation = judgement->explanation;

	for (size_t i = 0; i < explanation->count; i++)
		if (rsb_judged_as(judgement, &explanation->findings[i]) == as &&
		    !rsb_judgement_add_finding(judgement, &explanation->findings[i], "", error))
			return false;
	return true;
}
