/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Near names: few typing errors away, begun alike, or with the name in them. */
#include "traces/util/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_COMPARED 64 /* what follows in a longer name is not looked at */
#define SUGGESTIONS       3
#define FEW               8 /* so many names are still read at a glance */
#define START_MIN         3 /* equal characters that are no accident */
#define FAR               (2 * NAME_MAX_COMPARED)

struct suggestion {
	const char *name;
	size_t cost;
};

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, replacements and exchanged neighbours (optimal string alignment). */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][NAME_MAX_COMPARED + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2], *oldest;
	size_t i, j;

	for (j = 0; j <= b_length; j++)
		last[j] = before[j] = j;
	for (i = 1; i <= a_length; i++) {
		now[0] = i;
		for (j = 1; j <= b_length; j++) {
			now[j] = min(min(last[j], now[j - 1]) + 1,
				     last[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				now[j] = min(now[j], before[j - 2] + 1);
		}
		oldest = before;
		before = last;
		last = now;
		now = oldest;
	}
	return last[b_length];
}

static size_t common_start(const char *a, const char *b)
{
	size_t length = 0;

	while (a[length] && same(a[length], b[length]))
		length++;
	return length;
}

static bool contains(const char *known, const char *name)
{
	for (; *known; known++)
		if (!name[common_start(name, known)])
			return true;
	return false;
}

/*
 * Typing errors come before a common start, fewer before more, a longer start before a shorter;
 * last come names that contain this one.
 */
static size_t cost_of(const char *name, const char *known)
{
	size_t length = strnlen(name, NAME_MAX_COMPARED);
	size_t known_length = strnlen(known, NAME_MAX_COMPARED);
	size_t distance = edit_distance(name, length, known, known_length);
	size_t start = min(common_start(name, known), NAME_MAX_COMPARED);

	if (distance <= (length + 2) / 3 && distance < known_length)
		return distance;
	if (start >= START_MIN && start >= length / 2)
		return FAR - start;
	if (length >= START_MIN && contains(known, name))
		return FAR - 1;
	return FAR;
}

/* Keeps the cheapest in order; of equals, the one that the table names first. */
static size_t insert(struct suggestion *best, size_t count, const char *name, size_t cost)
{
	size_t at = count;

	while (at > 0 && best[at - 1].cost > cost)
		at--;
	if (at == SUGGESTIONS)
		return count;
	if (count < SUGGESTIONS)
		count++;
	memmove(&best[at + 1], &best[at], (count - 1 - at) * sizeof(*best));
	best[at] = (struct suggestion){ name, cost };
	return count;
}

static void append(char *out, size_t size, const char *text)
{
	size_t length = strlen(out);

	snprintf(out + length, size - length, "%s", text);
}

static void append_name(char *out, size_t size, size_t at, size_t count, const char *name)
{
	if (at > 0)
		append(out, size, at + 1 == count ? " or " : ", ");
	append(out, size, name);
}

void rsb_suggest(const char *name, const char *const *known, char *out, size_t size)
{
	struct suggestion best[SUGGESTIONS];
	size_t count = 0, near = 0, i, cost;

	if (size == 0)
		return;
	out[0] = '\0';
	for (; known[count]; count++) {
		cost = cost_of(name, known[count]);
		if (cost < FAR)
			near = insert(best, near, known[count], cost);
	}
	for (i = 0; i < near; i++)
		append_name(out, size, i, near, best[i].name);
	for (i = 0; near == 0 && count <= FEW && i < count; i++)
		append_name(out, size, i, count, known[i]);
}

void *rsb_unknown(struct rsb_error *error, const char *what, const char *name,
		  const char *const *known)
{
	char nearest[256];

	rsb_suggest(name, known, nearest, sizeof(nearest));
	return rsb_error_null(error, "unknown %s '%s'%s%s", what, name,
			      *nearest ? ": expected " : ", and none is like it", nearest);
}

const void *rsb_row_find(const void *rows, size_t size, const char *what, const char *name,
			 struct rsb_error *error)
{
	const char *known[RSB_ROWS_MAX + 1] = { NULL };

	for (size_t i = 0; i < RSB_ROWS_MAX; i++) {
		const void *row = (const char *)rows + i * size;

		known[i] = *(const char *const *)row;
		if (!known[i])
			break;
		if (!strcmp(known[i], name))
			return row;
	}
	return rsb_unknown(error, what, name, known);
}
