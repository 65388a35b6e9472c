/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The score: a run replayed by one CPU's model, and the figures of it. Every figure is a row of
 * rsb_figures(): its key, a sentence, and where it stands in the struct; all formats draw from the
 * rows.
 */
#ifndef RSB_SIM_SCORE_SCORE_H
#define RSB_SIM_SCORE_SCORE_H

#include "models/profile.h"
#include "sim/scenario.h"
#include "sim/score/run.h"
#include "sim/score/time.h"

/* The kinds of events that a score counts, whatever the models need. */
#define RSB_SCORE_KINDS \
	(RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN) | RSB_KIND_BIT(RSB_ENVIRONMENT))

/* Per call of the traced function, averaged over the steady state. NAN: not known. */
struct rsb_per_call {
	double calls, returns, instructions;
	double balance, balance_layout, balance_intended;
	double misses_inside, misses_callers, caller_slope;
	double intended_inside, intended_callers;
	double peak, headroom; /* headroom NAN: unbounded */
	double lost_cycles_low, lost_cycles_high;
	double misses_indirect; /* indirect jumps and calls in a round that miss, by batch */
	double cr3_writes, tlb_flushes, pages_after_flush;
	double cr3_cycles_low, cr3_cycles_high;
};

/* Exact totals over the rounds asked for. */
struct rsb_totals {
	uint64_t rounds; /* 0: none were asked for */
	uint64_t traced_calls, calls, returns, instructions;
	uint64_t misses_inside, misses_callers, intended_inside, intended_callers;
};

/* One return site over the steady state: per round. */
struct rsb_site_score {
	char *symbol; /* "trampoline+0x5e" */
	uint64_t pc;
	double returns, misses; /* per call of the traced function */
	double intended;
	bool inside;
	const char *kind; /* "empty", "stale" or "other": of most of its misses; "" if none */
};

/* What the layouts are sorted by, in this order. */
struct rsb_standing {
	double misses;    /* inside and in the callers */
	double unbalance; /* of the layout, either way */
	double instructions;
};

/* The score with another value of a field that is only assumed. */
struct rsb_variant {
	const char *field; /* the parameter's name */
	char *assumed, *value;
	struct rsb_standing standing;
};

/* How a note begins that names a field of the profile without an effect on this score. */
#define RSB_NOTE_IDLE "never exercised: "

struct rsb_score {
	char *layout, *cpu;
	char *return_thunk; /* a word of "return_thunk" */
	char *mitigations;  /* "auto", "off"; NULL: as the layout has them */
	char *model;        /* in a few words: "ring of 16" */
	char *known;        /* "measured"; "assumed (underflow)" */
	struct rsb_scenario scenario;
	enum rsb_steady steady;
	uint64_t period;   /* rounds; 0 if steady is RSB_STEADY_NO */
	uint64_t averaged; /* rounds that the averages are over */
	struct rsb_per_call per_call;
	double cold_inside, cold_callers; /* per traced call of the first round */
	struct rsb_totals totals;
	bool timed; /* time was asked for */
	struct rsb_time time;
	struct rsb_site_score *sites; /* by pc */
	size_t site_count;
	char **notes;
	size_t note_count;
	struct rsb_variant *variants; /* those of one field one after the other */
	size_t variant_count;
};

/* One figure of struct rsb_per_call. */
struct rsb_figure {
	const char *key; /* "misses_inside": the JSON key */
	const char *sentence;
	size_t offset; /* of the double in struct rsb_per_call */
	size_t high;   /* of an interval: where its upper end stands; else 0 */
};

/* The figures, DESIGN's table first; ended by a row without a key. */
const struct rsb_figure *rsb_figures(void);

/* "proved", "observed", "no". */
const char *rsb_steady_name(enum rsb_steady steady);

struct rsb_replay_miss;

/*
 * Called for each miss, in the order of the run, when recording. sim/score/replay.h says what is
 * in a miss; sites name its ids.
 */
typedef void rsb_score_watcher(void *context, uint64_t round, const struct rsb_replay_miss *miss,
			       const struct rsb_sites *sites);

struct rsb_score_options {
	uint64_t rounds; /* totals over so many; 0: none */
	rsb_score_watcher
		*watcher; /* NULL: none; called up to the end of the first steady period */
	void *context;
	const char *return_thunk;            /* of the run's image; NULL: "none" */
	const char *mitigations;             /* what the score is to say of them; may be NULL */
	bool vary;                           /* work out variants too (sim/score/sensitivity.h) */
	const struct rsb_time_options *time; /* NULL: no time is asked for */
};

/* Scores a run. layout is its name. NULL: error. */
struct rsb_score *rsb_score_new(const struct rsb_run *run, const char *layout,
				const struct rsb_profile *profile,
				const struct rsb_scenario *scenario,
				const struct rsb_score_options *options, struct rsb_error *error);
void rsb_score_free(struct rsb_score *score);

#endif
