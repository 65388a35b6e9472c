/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The score of a trace that has no traced function: how many returns miss on each CPU, by thread,
 * by site and by kind; and where the trace carries the processor's own verdicts, how often model
 * and hardware agree. A trace knows no wrong path, and what came before it is not known either.
 */
#ifndef RSB_SIM_SCORE_TRACE_SCORE_H
#define RSB_SIM_SCORE_TRACE_SCORE_H

#include "models/profile.h"
#include "traces/file.h"

/* Returns that the hardware gave a verdict of, by that verdict and the model's: [1] missed. */
struct rsb_confusion {
	uint64_t returns[2][2]; /* [hardware][model] */
};

struct rsb_trace_counts {
	uint64_t returns;  /* that were judged */
	uint64_t unjudged; /* whose calls are missing in the trace */
	uint64_t misses;   /* of those judged; empty + stale + other */
	uint64_t empty, stale, other;
	uint64_t indirect_misses; /* of indirect jumps and calls, where the model predicts them */
	struct rsb_confusion hardware;
};

struct rsb_trace_thread {
	uint64_t id;
	uint64_t calls, instructions; /* instructions 0: not known */
	struct rsb_trace_counts counts;
};

struct rsb_trace_site {
	const char *symbol; /* "f+0x10"; "" if not known */
	uint64_t pc;
	struct rsb_trace_counts counts;
};

/* One CPU. */
struct rsb_trace_score {
	char *cpu, *model, *known; /* as in struct rsb_score */
	struct rsb_trace_counts counts;
	struct rsb_trace_thread *threads; /* by appearance */
	struct rsb_trace_site *sites;     /* return sites, by misses, then pc */
	size_t thread_count, site_count;
	char **notes; /* of the fields of its profile */
	size_t note_count;

	/* The fewest and the most misses, by what is put back after a wrong path, where that is not
	 * known; of rsb_trace_scores_range(). */
	bool ranged;
	uint64_t misses_low, misses_high;
};

struct rsb_trace_scores {
	struct rsb_trace_score *scores; /* of each CPU */
	size_t count;
	uint64_t events, calls, returns, instructions; /* instructions 0: not known */
	uint64_t switches, gaps;
	size_t thread_count;
	struct rsb_sites *sites; /* owns the symbols */
};

/* Misses for each thousand instructions; NAN where these are not known. */
double rsb_trace_rate_instructions(uint64_t misses, uint64_t instructions);

/* Misses for each return; NAN where there are none. */
double rsb_trace_rate(const struct rsb_trace_counts *counts);

/*
 * Replays all that the reader has still to read, on all CPUs in one pass. *got is RSB_TRACE_CUT
 * where the file is cut short: error then says so, and the scores are of what came before. NULL:
 * error.
 */
struct rsb_trace_scores *rsb_trace_scores_new(struct rsb_trace_reader *reader,
					      struct rsb_profile *const *profiles, size_t count,
					      enum rsb_trace_got *got, struct rsb_error *error);
void rsb_trace_scores_free(struct rsb_trace_scores *scores);

/* Has the trace wrong paths? And is what comes after one not known of any of these CPUs? */
bool rsb_trace_scores_speculate(const struct rsb_trace_scores *scores);
bool rsb_trace_range_wanted(struct rsb_profile *const *profiles, size_t count);

/*
 * Replays the trace once more, from its start, on each CPU of which that is not known, with all
 * else that it may be. profiles are those of the scores. False: error.
 */
bool rsb_trace_scores_range(struct rsb_trace_scores *scores, struct rsb_trace_reader *again,
			    struct rsb_profile *const *profiles, struct rsb_error *error);

#endif
