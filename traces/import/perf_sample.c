/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a branch stack tells beyond its entries. */
#include "traces/import/perf_sample.h"

#include <string.h>

#define CALL_MIN     2 /* bytes of a call instruction */
#define CALL_MAX     15
#define OVERLAP_MIN  4 /* fewer equal branches can be chance */
#define OFFSET_MASK  UINT64_C(0xffffffff)
#define SYMBOL(from) ((from) & ~OFFSET_MASK)

/* "f" and "f.cold": a compiler splits functions, and jumps from part to part. */
static bool is_part(const char *name, const char *of)
{
	size_t length = strlen(of);

	return !strncmp(name, of, length) && name[length] == '.';
}

/* The first went from one function to the start of another, and the second left that again. */
static bool enters_and_leaves(const struct rsb_perf_branch *first,
			      const struct rsb_perf_branch *second,
			      const struct rsb_perf_symbols *symbols)
{
	const char *caller, *callee;

	if (!rsb_perf_made_up(first->from) || !rsb_perf_made_up(first->to) ||
	    first->to & OFFSET_MASK || SYMBOL(first->from) == SYMBOL(first->to) ||
	    SYMBOL(second->from) != first->to)
		return false;
	caller = rsb_perf_symbols_name(symbols, first->from);
	callee = rsb_perf_symbols_name(symbols, first->to);
	return !is_part(callee, caller) && !is_part(caller, callee);
}

/* Could the first be the call that the second returns from? */
static bool fits(const struct rsb_perf_branch *first, const struct rsb_perf_branch *second)
{
	return (first->kind == RSB_KINDS || first->kind == RSB_CALL) &&
	       second->to - first->from >= CALL_MIN && second->to - first->from <= CALL_MAX;
}

/* Code that leads elsewhere is not what was traced: another build of it, or another address. */
static void classify_by_code(struct rsb_perf_branch *branch, struct rsb_traced_code *code)
{
	struct rsb_transfer transfer;
	uint8_t length;

	if (branch->kind != RSB_KINDS ||
	    !rsb_traced_code_transfer(code, branch->from, &transfer, &length) ||
	    (transfer.direct && transfer.target != branch->to))
		return;
	branch->length = length;
	branch->kind = (uint8_t)transfer.kind;
	branch->flags = transfer.flags & RSB_SITE_INDIRECT;
}

/* Looks for the call of a branch among those that wait for their return. */
static void classify_pair(struct rsb_perf_branch *branches, const uint16_t *waiting,
			  size_t *waiting_count, struct rsb_perf_branch *branch,
			  const struct rsb_perf_symbols *symbols,
			  const struct rsb_perf_chains *chains)
{
	for (size_t i = *waiting_count; i-- > 0;) {
		struct rsb_perf_branch *first = &branches[waiting[i]];

		if (!fits(first, branch))
			continue;
		if (branch->kind != RSB_RETURN && first->kind != RSB_CALL &&
		    !rsb_perf_chains_hold(chains, branch->to) &&
		    !enters_and_leaves(first, branch, symbols))
			return;
		if (branch->kind == RSB_RETURN || branch->kind == RSB_KINDS) {
			branch->kind = RSB_RETURN;
			first->kind = RSB_CALL;
			*waiting_count = i;
		}
		return;
	}
}

void rsb_perf_sample_classify(struct rsb_perf_branch *branches, size_t count,
			      struct rsb_traced_code *code, const struct rsb_perf_symbols *symbols,
			      const struct rsb_perf_chains *chains)
{
	uint16_t waiting[RSB_PERF_ENTRIES_MAX];
	size_t waiting_count = 0;

	for (size_t i = 0; i < count; i++) {
		struct rsb_perf_branch *branch = &branches[i];

		classify_by_code(branch, code);
		if (branch->kind == RSB_KINDS || branch->kind == RSB_RETURN)
			classify_pair(branches, waiting, &waiting_count, branch, symbols, chains);
		if (branch->kind == RSB_KINDS || branch->kind == RSB_CALL)
			waiting[waiting_count++] = (uint16_t)i;
	}
}

/* Whether two entries are of the same execution, as far as can be seen. */
static bool is_same(const struct rsb_perf_branch *a, const struct rsb_perf_branch *b)
{
	return a->from == b->from && a->to == b->to && a->cycles == b->cycles &&
	       a->verdict == b->verdict;
}

/*
 * Are the first count branches those at the end of before, with cycles that tell more than places?
 */
static bool overlaps(const struct rsb_perf_branch *before, const struct rsb_perf_branch *branches,
		     size_t count, bool *timed)
{
	*timed = false;
	for (size_t i = 0; i < count; i++) {
		if (!is_same(&before[i], &branches[i]))
			return false;
		*timed |= branches[i].cycles > 0;
	}
	return true;
}

size_t rsb_perf_sample_overlap(const struct rsb_perf_branch *before, size_t before_count,
			       const struct rsb_perf_branch *branches, size_t count)
{
	size_t most = before_count < count ? before_count : count;
	size_t found = 0;
	bool timed;

	for (size_t i = 1; i <= most; i++) {
		if (!overlaps(before + before_count - i, branches, i, &timed))
			continue;
		if (found || !timed || i < OVERLAP_MIN)
			return 0;
		found = i;
	}
	return found;
}
