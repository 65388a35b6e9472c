/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results and cases: their words, how they are made, counted and freed. */
#include "sim/check/result.h"

#include "traces/util/clean.h"
#include "traces/util/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *rsb_level_name(enum rsb_level level)
{
	static const char *const names[] = { "off", "note", "warning", "error" };

	return names[level];
}

const char *rsb_check_standing_name(enum rsb_check_standing standing)
{
	static const char *const names[] = { "new", "expected", "unchanged", "profile changed" };

	return names[standing];
}

const char *rsb_check_standing_words(enum rsb_check_standing standing)
{
	static const char *const words[] = { "", "as its file expects", "in the baseline",
					     "in the baseline, of another profile" };

	return words[standing];
}

const char *rsb_change_name(enum rsb_change change)
{
	static const char *const names[] = { "", "same", "better", "worse", "added", "gone" };

	return names[change];
}

bool rsb_check_result_fails(const struct rsb_check_result *result)
{
	return result->level > RSB_LEVEL_NOTE && result->standing == RSB_STANDING_NEW;
}

char *rsb_check_format(const char *format, va_list arguments)
{
	va_list again;
	char *text;
	int size;

	va_copy(again, arguments);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = size < 0 ? NULL : malloc((size_t)size + 1);
	if (text)
		vsnprintf(text, (size_t)size + 1, format, arguments);
	return rsb_clean(text);
}

bool rsb_check_place_set(struct rsb_check_place *place, const struct rsb_instruction *at)
{
	*place = (struct rsb_check_place){ .symbol = NULL };
	if (!at || !at->symbol)
		return true;
	place->address = at->pc;
	place->length = at->length;
	memcpy(place->bytes, at->bytes, sizeof(place->bytes));
	place->symbol = rsb_clean(strdup(at->symbol));
	place->text = rsb_clean(strdup(at->text ? at->text : ""));
	return place->symbol && place->text;
}

static void clear_place(struct rsb_check_place *place)
{
	free(place->symbol);
	free(place->text);
}

void rsb_check_result_clear(struct rsb_check_result *result)
{
	for (size_t i = 0; i < result->step_count; i++) {
		free(result->steps[i].what);
		clear_place(&result->steps[i].place);
	}
	free(result->steps);
	clear_place(&result->place);
	free(result->message);
	free(result->cause);
	free(result->advice);
	free(result->subject);
	free(result->reason);
}

static void clear_case(struct rsb_check_case *one)
{
	for (size_t i = 0; i < one->count; i++)
		rsb_check_result_clear(&one->results[i]);
	for (size_t i = 0; i < one->remark_count; i++)
		free(one->remarks[i]);
	free(one->remarks);
	free(one->results);
	free(one->layout);
	free(one->path);
	free(one->cpu);
	free(one->model);
	free(one->version);
	free(one->trouble);
}

struct rsb_check *rsb_check_new(void)
{
	return calloc(1, sizeof(struct rsb_check));
}

void rsb_check_free(struct rsb_check *check)
{
	if (!check)
		return;
	for (size_t i = 0; i < check->count; i++)
		clear_case(&check->cases[i]);
	for (size_t i = 0; i < check->absent_count; i++) {
		free(check->absents[i].rule);
		free(check->absents[i].layout);
		free(check->absents[i].cpu);
		free(check->absents[i].subject);
	}
	free(check->cases);
	free(check->absents);
	free(check);
}

struct rsb_check_case *rsb_check_add_case(struct rsb_check *check, const char *layout,
					  const char *path)
{
	struct rsb_check_case *added;

	if (!RSB_GROW(check->cases, check->count))
		return NULL;
	added = &check->cases[check->count];
	*added = (struct rsb_check_case){ .layout = rsb_clean(strdup(layout)),
					  .path = rsb_clean(strdup(path)) };
	if (added->layout && added->path) {
		check->count++;
		return added;
	}
	clear_case(added);
	return NULL;
}

bool rsb_check_trouble(struct rsb_check *check, const char *layout, const char *path,
		       const char *trouble)
{
	struct rsb_check_case *one = rsb_check_add_case(check, layout, path);

	if (!one)
		return false;
	one->trouble = rsb_clean(strdup(trouble));
	return one->trouble != NULL;
}

static void count_results(struct rsb_check_counts *counts, const struct rsb_check_case *one)
{
	for (size_t i = 0; i < one->count; i++) {
		const struct rsb_check_result *result = &one->results[i];

		if (result->level == RSB_LEVEL_NOTE)
			counts->notes++;
		else if (!rsb_check_result_fails(result))
			counts->accepted++;
		else if (result->level == RSB_LEVEL_ERROR)
			counts->errors++;
		else
			counts->warnings++;
	}
}

/* Is this the first case with the layout, or with the CPU? */
static bool is_first(const struct rsb_check *check, size_t index, bool by_cpu)
{
	const struct rsb_check_case *one = &check->cases[index];

	for (size_t i = 0; i < index; i++) {
		const struct rsb_check_case *before = &check->cases[i];

		if (by_cpu ? before->cpu && !strcmp(before->cpu, one->cpu)
			   : !strcmp(before->layout, one->layout))
			return false;
	}
	return true;
}

struct rsb_check_counts rsb_check_count(const struct rsb_check *check)
{
	struct rsb_check_counts counts = { .cases = check->count, .absent = check->absent_count };

	for (size_t i = 0; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		counts.layouts += is_first(check, i, false);
		counts.cpus += one->cpu && is_first(check, i, true);
		counts.troubles += one->trouble != NULL;
		counts.changes[one->change]++;
		count_results(&counts, one);
	}
	return counts;
}
