/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats of explanations, and what they share. */
#include "sim/report/explanation.h"

#include "sim/report/finding.h"
#include "sim/report/number.h"
#include "traces/util/suggest.h"

#include <inttypes.h>
#include <string.h>

static const struct rsb_explanation_format formats[] = {
	{ "text", "a paragraph a finding, with the code around the culprit", rsb_explanation_text },
	{ "json", "all of it, with every miss", rsb_explanation_json },
	{ "markdown", "for a review", rsb_explanation_markdown },
	{ NULL, NULL, NULL },
};

const struct rsb_explanation_format *rsb_explanation_formats(void)
{
	return formats;
}

const struct rsb_explanation_format *rsb_explanation_format_find(const char *name,
								 struct rsb_error *error)
{
	return rsb_row_find(formats, sizeof(*formats), "format", name, error);
}

static const char *plural(const char *number)
{
	return strcmp(number, "1") ? "es" : "";
}

void rsb_finding_cost(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE])
{
	char inside[RSB_NUMBER_SIZE], callers[RSB_NUMBER_SIZE], balance[RSB_NUMBER_SIZE];

	rsb_number_brief(inside, sizeof(inside), finding->misses_inside, 3);
	rsb_number_brief(callers, sizeof(callers), finding->misses_callers, 3);
	rsb_number_signed(balance, sizeof(balance), finding->balance, 3);
	if (finding->misses_inside > 0 || finding->misses_callers > 0)
		snprintf(out, RSB_PHRASE_SIZE,
			 "%s miss%s inside and %s in callers a call, balance %s", inside,
			 plural(inside), callers, balance);
	else if (finding->miss_count)
		snprintf(out, RSB_PHRASE_SIZE, "misses in the first round only, balance %s",
			 balance);
	else
		snprintf(out, RSB_PHRASE_SIZE, "no miss comes of it here, balance %s", balance);
}

void rsb_finding_first(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE])
{
	const struct rsb_explained_miss *miss = finding->misses;
	char predicted[RSB_PHRASE_SIZE / 2];

	if (!miss->predicted.symbol)
		snprintf(predicted, sizeof(predicted), "was not predicted");
	else if (!miss->pushed_by.symbol)
		snprintf(predicted, sizeof(predicted), "was predicted to go to %.200s",
			 miss->predicted.symbol);
	else if (*finding->event && miss->pushed_by.pc == finding->culprit.pc)
		snprintf(predicted, sizeof(predicted),
			 "was predicted to go to %.200s, as a %s at %.200s put there,",
			 miss->predicted.symbol, finding->event, miss->pushed_by.symbol);
	else
		snprintf(predicted, sizeof(predicted),
			 "was predicted to go to %.200s, pushed by the call at %.200s,",
			 miss->predicted.symbol, miss->pushed_by.symbol);
	snprintf(out, RSB_PHRASE_SIZE, "the return at %.200s %s and went to %.200s",
		 miss->returned_by.symbol, predicted, miss->actual.symbol);
}

void rsb_finding_rest(const struct rsb_finding *finding, char out[RSB_PHRASE_SIZE])
{
	size_t inside = 0, callers = 0;
	const char *last = NULL;

	*out = '\0';
	for (size_t i = 1; i < finding->miss_count; i++) {
		const struct rsb_explained_miss *miss = &finding->misses[i];

		*(miss->inside ? &inside : &callers) += 1;
		last = miss->actual.symbol;
	}
	if (inside && callers)
		snprintf(out, RSB_PHRASE_SIZE,
			 "%zu other return%s inside and %zu caller return%s follow from the same "
			 "cause, the last to %.200s",
			 inside, inside == 1 ? "" : "s", callers, callers == 1 ? "" : "s", last);
	else if (inside + callers == 1)
		snprintf(out, RSB_PHRASE_SIZE,
			 "One %s return follows from the same cause, to %.200s",
			 inside ? "other" : "caller", last);
	else if (inside || callers)
		snprintf(out, RSB_PHRASE_SIZE,
			 "%zu %s returns follow from the same cause, the last to %.200s",
			 inside + callers, inside ? "other" : "caller", last);
}

void rsb_accounting_phrase(const struct rsb_accounting *accounting, char out[RSB_PHRASE_SIZE])
{
	char software[RSB_NUMBER_SIZE], hardware[RSB_NUMBER_SIZE];

	*out = '\0';
	if (!accounting->known || accounting->software_balance == accounting->hardware_balance)
		return;
	rsb_number_signed(software, sizeof(software), accounting->software_balance, 3);
	rsb_number_signed(hardware, sizeof(hardware), accounting->hardware_balance, 3);
	snprintf(out, RSB_PHRASE_SIZE,
		 "call-depth accounting counts %s a call where the return stack has %s", software,
		 hardware);
	if (accounting->culprit.symbol) {
		size_t used = strlen(out);

		snprintf(out + used, RSB_PHRASE_SIZE - used, ": `%.200s` at %.200s %s",
			 accounting->culprit.text, accounting->culprit.symbol, accounting->what);
	}
}
