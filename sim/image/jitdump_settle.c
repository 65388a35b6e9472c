/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which functions of a jitdump are still there at its end. From the last loaded to the first, each
 * takes the memory that it covers, and one that comes to memory already taken is gone. The memory
 * is cut at all starts and ends, so that a piece is either taken or not.
 */
#include "sim/image/jitdump_read.h"

#include <stdlib.h>

struct pieces {
	uint64_t *starts; /* sorted, each once */
	size_t *next;     /* the first piece from this one on that may not be taken */
	size_t count;
};

static int compare_numbers(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static int compare_orders(const void *left, const void *right)
{
	const struct rsb_jit_function *a = left, *b = right;

	return a->order > b->order ? -1 : a->order < b->order;
}

static int compare_addresses(const void *left, const void *right)
{
	const struct rsb_jit_function *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

static bool cut(struct pieces *pieces, const struct rsb_jit *jit)
{
	size_t unique = 0;

	pieces->count = 2 * jit->count;
	pieces->starts = calloc(pieces->count + 1, sizeof(*pieces->starts));
	pieces->next = calloc(pieces->count + 1, sizeof(*pieces->next));
	if (!pieces->starts || !pieces->next)
		return false;
	for (size_t i = 0; i < jit->count; i++) {
		pieces->starts[2 * i] = jit->functions[i].address;
		pieces->starts[2 * i + 1] = jit->functions[i].address + jit->functions[i].size;
	}
	qsort(pieces->starts, pieces->count, sizeof(*pieces->starts), compare_numbers);
	for (size_t i = 0; i < pieces->count; i++)
		if (!unique || pieces->starts[unique - 1] != pieces->starts[i])
			pieces->starts[unique++] = pieces->starts[i];
	pieces->count = unique;
	for (size_t i = 0; i <= unique; i++)
		pieces->next[i] = i;
	return true;
}

/* The first piece from this one on that is not taken; the way there is made shorter. */
static size_t find_free(struct pieces *pieces, size_t piece)
{
	while (pieces->next[piece] != piece) {
		pieces->next[piece] = pieces->next[pieces->next[piece]];
		piece = pieces->next[piece];
	}
	return piece;
}

static size_t find_piece(const struct pieces *pieces, uint64_t start)
{
	const uint64_t *piece = bsearch(&start, pieces->starts, pieces->count,
					sizeof(*pieces->starts), compare_numbers);

	return (size_t)(piece - pieces->starts);
}

/* Takes what a function covers; true: nobody had any of it. */
static bool take(struct pieces *pieces, const struct rsb_jit_function *function)
{
	size_t first = find_piece(pieces, function->address), at = first, taken = 0;
	size_t end = find_piece(pieces, function->address + function->size);

	for (at = find_free(pieces, first); at < end; at = find_free(pieces, at)) {
		pieces->next[at] = at + 1;
		taken++;
	}
	return taken == end - first;
}

bool rsb_jit_settle(struct rsb_jit *jit, struct rsb_error *error)
{
	struct pieces pieces = { .starts = NULL };
	bool good = cut(&pieces, jit);
	size_t kept = 0;

	if (good) {
		qsort(jit->functions, jit->count, sizeof(*jit->functions), compare_orders);
		for (size_t i = 0; i < jit->count; i++)
			if (take(&pieces, &jit->functions[i]))
				jit->functions[kept++] = jit->functions[i];
		jit->count = kept;
		qsort(jit->functions, kept, sizeof(*jit->functions), compare_addresses);
	} else {
		rsb_error_set(error, "%s: out of memory", jit->name);
	}
	free(pieces.starts);
	free(pieces.next);
	return good;
}
