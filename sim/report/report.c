/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats as rows, their order of scores, and what they share. */
#include "sim/report/report.h"

#include "sim/report/formats.h"
#include "sim/report/number.h"
#include "sim/score/sensitivity.h"
#include "traces/util/suggest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct rsb_report_format formats[] = {
	{ "text", "tables to read, best first", rsb_report_text },
	{ "json", "every figure, by the keys that scripts rely on", rsb_report_json },
	{ "csv", "a row for each layout, CPU and scenario (RFC 4180)", rsb_report_csv },
	{ "markdown", "pipe tables, for a patch's cover letter or a review", rsb_report_markdown },
	{ NULL, NULL, NULL },
};

const struct rsb_report_format *rsb_report_formats(void)
{
	return formats;
}

const struct rsb_report_format *rsb_report_format_find(const char *name, struct rsb_error *error)
{
	return rsb_row_find(formats, sizeof(*formats), "format", name, error);
}

struct rsb_figure_value rsb_figure_value(const struct rsb_score *score,
					 const struct rsb_figure *figure)
{
	const double *low = (const double *)((const char *)&score->per_call + figure->offset);
	const double *high = (const double *)((const char *)&score->per_call + figure->high);

	return (struct rsb_figure_value){ *low, figure->high ? *high : *low, figure->high != 0 };
}

static const struct rsb_total totals[] = {
	{ "traced_calls", "traced calls", offsetof(struct rsb_totals, traced_calls) },
	{ "calls", "calls", offsetof(struct rsb_totals, calls) },
	{ "returns", "returns", offsetof(struct rsb_totals, returns) },
	{ "instructions", "instructions", offsetof(struct rsb_totals, instructions) },
	{ "misses_inside", "inside", offsetof(struct rsb_totals, misses_inside) },
	{ "misses_callers", "callers", offsetof(struct rsb_totals, misses_callers) },
	{ "intended_inside", "intended inside", offsetof(struct rsb_totals, intended_inside) },
	{ "intended_callers", "intended callers", offsetof(struct rsb_totals, intended_callers) },
	{ NULL, NULL, 0 },
};

const struct rsb_total *rsb_totals(void)
{
	return totals;
}

uint64_t rsb_total_value(const struct rsb_score *score, const struct rsb_total *total)
{
	return *(const uint64_t *)((const char *)&score->totals + total->offset);
}

size_t rsb_report_same_cpu(const struct rsb_score *const *scores, size_t count)
{
	size_t same = 0;

	while (same < count && !strcmp(scores[same]->cpu, scores[0]->cpu))
		same++;
	return same;
}

void rsb_report_interval(char *out, size_t size, double low, double high)
{
	char from[RSB_NUMBER_SIZE], to[RSB_NUMBER_SIZE];

	rsb_number_brief(from, sizeof(from), low, fabs(low) < 10);
	rsb_number_brief(to, sizeof(to), high, fabs(high) < 10);
	if (isnan(low) || isnan(high))
		snprintf(out, size, "?");
	else if (!strcmp(from, to))
		snprintf(out, size, "%s", from);
	else
		snprintf(out, size, "%s-%s", from, to);
}

bool rsb_report_end(FILE *out, struct rsb_error *error)
{
	if (!fflush(out) && !ferror(out))
		return true;
	return rsb_error_set(error, "cannot write the report: %s", strerror(errno));
}

/* A score with its place by CPU and by scenario, so that the order of first appearance is kept. */
struct ranked {
	struct rsb_score *score;
	size_t cpu, scenario;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	struct rsb_standing x = rsb_score_standing(&a->score->per_call);
	struct rsb_standing y = rsb_score_standing(&b->score->per_call);
	int order;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->scenario != b->scenario)
		return a->scenario < b->scenario ? -1 : 1;
	order = rsb_standing_compare(&x, &y);
	if (!order)
		order = strcmp(a->score->layout, b->score->layout);
	return order ? order : strcmp(a->score->return_thunk, b->score->return_thunk);
}

static struct ranked rank(struct rsb_score **scores, size_t i)
{
	struct ranked ranked = { scores[i], i, i };

	for (size_t k = i; k-- > 0;) {
		if (!strcmp(scores[k]->cpu, scores[i]->cpu))
			ranked.cpu = k;
		if (rsb_scenario_same(&scores[k]->scenario, &scores[i]->scenario))
			ranked.scenario = k;
	}
	return ranked;
}

bool rsb_report_sort(struct rsb_score **scores, size_t count)
{
	struct ranked *ranked = calloc(count + 1, sizeof(*ranked));

	if (!ranked)
		return false;
	for (size_t i = 0; i < count; i++)
		ranked[i] = rank(scores, i);
	qsort(ranked, count, sizeof(*ranked), compare_ranked);
	for (size_t i = 0; i < count; i++)
		scores[i] = ranked[i].score;
	free(ranked);
	return true;
}
