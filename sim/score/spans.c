/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting what happens between a traced call and its landing. */
#include "sim/score/spans.h"

/* A span under way. */
struct span {
	int64_t depth, depth_layout; /* entries above the caller's */
	unsigned retpolines;         /* calls of retpolines whose return is still to come */
};

static bool pushes(const struct rsb_site *site, bool zero_call_pushes)
{
	return zero_call_pushes || !(site->flags & RSB_SITE_ZERO_CALL);
}

static void count_call(struct rsb_spans *spans, struct span *span, const struct rsb_site *site,
		       bool zero_call_pushes)
{
	spans->calls++;
	if (!pushes(site, zero_call_pushes))
		return;
	if (++span->depth > spans->peak)
		spans->peak = span->depth;
	if (site->mitigation == RSB_MITIGATION_JUMP)
		span->retpolines++;
	else if (site->mitigation == RSB_MITIGATION_NONE &&
		 ++span->depth_layout > spans->peak_layout)
		spans->peak_layout = span->depth_layout;
}

/*
 * A retpoline's return may be a return thunk's (kernels before 6.2 end it with RET), so it is
 * known by coming next after the retpoline's call, not by where it is.
 */
static void count_return(struct rsb_spans *spans, struct span *span)
{
	spans->returns++;
	span->depth--;
	if (span->retpolines)
		span->retpolines--;
	else
		span->depth_layout--;
}

static void count_environment(struct rsb_spans *spans, const struct rsb_site *site)
{
	bool flushes = site->detail == RSB_ENVIRONMENT_CR3_FLUSH;

	spans->cr3_writes += flushes || site->detail == RSB_ENVIRONMENT_CR3;
	spans->tlb_flushes += flushes;
}

struct rsb_spans rsb_spans_count(const struct rsb_sequence *sequence, const struct rsb_site *sites,
				 bool zero_call_pushes)
{
	struct rsb_spans spans = { 0 };
	struct span span = { 0 };
	bool inside = false;

	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_site *site = &sites[sequence->events[i].site];

		if (site->kind == RSB_MARK && site->detail == RSB_MARK_TRACED_CALL) {
			span = (struct span){ 0 };
			inside = true;
			spans.traced_calls++;
		} else if (site->kind == RSB_MARK && site->detail == RSB_MARK_LANDING) {
			inside = false;
			spans.balance += span.depth;
			spans.balance_layout += span.depth_layout;
		}
		if (!inside)
			continue;
		if (site->kind == RSB_ENVIRONMENT)
			count_environment(&spans, site);
		if (site->kind == RSB_RETURN || site->kind == RSB_SWAP)
			count_return(&spans, &span);
		if (site->kind == RSB_CALL || site->kind == RSB_SWAP)
			count_call(&spans, &span, site, zero_call_pushes);
	}
	return spans;
}

void rsb_spans_add(struct rsb_spans *total, const struct rsb_spans *more)
{
	total->traced_calls += more->traced_calls;
	total->calls += more->calls;
	total->returns += more->returns;
	total->cr3_writes += more->cr3_writes;
	total->tlb_flushes += more->tlb_flushes;
	total->balance += more->balance;
	total->balance_layout += more->balance_layout;
	if (more->peak > total->peak)
		total->peak = more->peak;
	if (more->peak_layout > total->peak_layout)
		total->peak_layout = more->peak_layout;
}

void rsb_spans_inside(const struct rsb_sequence *sequence, const struct rsb_site *sites,
		      bool *inside)
{
	bool now = false;

	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_site *site = &sites[sequence->events[i].site];

		if (site->kind == RSB_MARK && site->detail == RSB_MARK_TRACED_CALL)
			now = true;
		else if (site->kind == RSB_MARK && site->detail == RSB_MARK_LANDING)
			now = false;
		inside[i] = now;
	}
}

void rsb_motion_add(struct rsb_motion *motion, const struct rsb_sequence *sequence,
		    const struct rsb_site *sites, bool zero_call_pushes)
{
	for (size_t i = 0; i < sequence->count; i++) {
		const struct rsb_site *site = &sites[sequence->events[i].site];

		if (site->kind == RSB_RETURN || site->kind == RSB_SWAP) {
			if (-(--motion->net) > motion->deepest)
				motion->deepest = -motion->net;
		}
		if ((site->kind == RSB_CALL && pushes(site, zero_call_pushes)) ||
		    site->kind == RSB_SWAP)
			motion->net++;
		else if (site->kind == RSB_ENVIRONMENT && site->detail == RSB_ENVIRONMENT_FILL)
			motion->net += site->count;
	}
}
