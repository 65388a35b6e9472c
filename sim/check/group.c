/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups results that differ in their CPU alone. */
#include "sim/check/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CPUs that are named; more are counted. */
#define NAMED 4

static bool is_alike(const struct rsb_check_result *a, const struct rsb_check_result *b)
{
	return a->rule == b->rule && a->level == b->level && a->standing == b->standing &&
	       a->expired == b->expired && a->place.address == b->place.address &&
	       !strcmp(a->message, b->message);
}

static bool has_alike(const struct rsb_check_case *one, const struct rsb_check_result *result)
{
	for (size_t i = 0; i < one->count; i++)
		if (is_alike(&one->results[i], result))
			return true;
	return false;
}

/* May case other hold what is alike to a result of case index? */
static bool is_near(const struct rsb_check *check, size_t index, size_t other)
{
	return !strcmp(check->cases[index].layout, check->cases[other].layout);
}

bool rsb_group_is_first(const struct rsb_check *check, size_t index, size_t result)
{
	for (size_t i = 0; i < index; i++)
		if (is_near(check, index, i) &&
		    has_alike(&check->cases[i], &check->cases[index].results[result]))
			return false;
	return true;
}

char *rsb_group_cpus(const struct rsb_check *check, size_t index, size_t result)
{
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = index; i < check->count; i++) {
		const struct rsb_check_case *one = &check->cases[i];

		if (!is_near(check, index, i) ||
		    !has_alike(one, &check->cases[index].results[result]))
			continue;
		if (count < NAMED)
			fprintf(out, "%s%s", count ? ", " : "", one->cpu);
		count++;
	}
	if (count > NAMED)
		fprintf(out, " and %zu more", count - NAMED);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}
