/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep: layouts, or one trace, on CPUs whose models have parameters changed, in every
 * combination of a grid. A case is a layout in one of its scenarios. A row is one case, CPU and
 * combination; the rows of a grid follow one another, those of the CPUs, and those of the cases. A
 * shard is a part of the rows, and a part file (part.h) is what it found.
 *
 *	const struct rsb_sweep_subject subject = { "plain-call", scenarios, 2 };
 *
 *	sweep = rsb_sweep_new(&subject, 1, profiles, count, &grid, &error);
 *	rsb_sweep_run(sweep, 0, run, &options, &error) && rsb_sweep_run(sweep, 1, ...);
 */
#ifndef RSB_SIM_SWEEP_SWEEP_H
#define RSB_SIM_SWEEP_SWEEP_H

#include "models/profile.h"
#include "sim/scenario.h"
#include "sim/score/run.h"
#include "sim/sweep/grid.h"
#include "traces/file.h"

#define RSB_SWEEP_ROWS_MAX 100000

/* Of a layout, per call of the traced function; of a trace, in all. */
struct rsb_sweep_row {
	double returns;
	double misses;          /* of these returns */
	double inside, callers; /* of a layout: the misses inside and in the callers; else NAN */
};

struct rsb_sweep_cpu {
	char *name;
	uint64_t checksum; /* of its model and what is not swept */
};

/* What is swept: a layout, or a trace if scenarios is NULL. */
struct rsb_sweep_subject {
	const char *name;
	const struct rsb_scenario *scenarios;
	size_t scenario_count;
};

struct rsb_sweep_case {
	const char *subject; /* the sweep's own text: the cases of a layout share it */
	struct rsb_scenario scenario;
};

struct rsb_sweep {
	char **subjects; /* the layouts' names, or the trace's */
	size_t subject_count;
	bool trace;                   /* no layout: one case, whose scenario is without a name */
	uint64_t checksum;            /* of the events that were replayed */
	struct rsb_sweep_case *cases; /* those of a layout follow one another */
	size_t case_count;
	struct rsb_sweep_cpu *cpus;
	size_t cpu_count;
	struct rsb_grid grid;
	struct rsb_sweep_row *rows;
	size_t count;
	size_t from, end; /* the rows that are worked out; all, unless it is a shard */
	struct rsb_profile *const *profiles; /* NULL if it was read from parts */
};

/*
 * The sweep of layouts, or of a trace, which goes by itself. The profiles must outlive it; all else
 * is copied. NULL: error.
 */
struct rsb_sweep *rsb_sweep_new(const struct rsb_sweep_subject *subjects, size_t subject_count,
				struct rsb_profile *const *profiles, size_t profile_count,
				const struct rsb_grid *grid, struct rsb_error *error);
void rsb_sweep_free(struct rsb_sweep *sweep);

/*
 * The steps of that which a sweep that is read takes too: one subject more, and rows for all that
 * is there. Of add, false: no memory.
 */
bool rsb_sweep_add(struct rsb_sweep *sweep, const struct rsb_sweep_subject *subject);
bool rsb_sweep_make_rows(struct rsb_sweep *sweep, struct rsb_error *error);

/* That of one of its layouts alone, on the rows of the whole: it is not freed. */
struct rsb_sweep rsb_sweep_of(const struct rsb_sweep *sweep, size_t subject);

/* Narrows it to shard index (from 1) of as many as there are. */
void rsb_sweep_shard(struct rsb_sweep *sweep, size_t index, size_t shards);

/* What row index is of: which case, CPU and combination of the grid. */
struct rsb_sweep_place {
	size_t number, cpu, combination; /* number of the case */
};
struct rsb_sweep_place rsb_sweep_place(const struct rsb_sweep *sweep, size_t row);

/* Misses for each return; NAN where there are none. */
double rsb_sweep_rate(const struct rsb_sweep_row *row);

/*
 * The rows come in lines: those that follow one another and differ in their depth alone (in
 * nothing, if the depth is not swept). Length of each.
 */
size_t rsb_sweep_line(const struct rsb_sweep *sweep);

/*
 * The knee of the line that begins at row: the smallest depth from which misses fall no more, where
 * they fell up to there. NULL: there is none, or the depth is not swept.
 */
const char *rsb_sweep_knee(const struct rsb_sweep *sweep, size_t row);

/* A depth of a line, and the misses there. */
struct rsb_sweep_spot {
	const char *depth; /* NULL: there is none */
	double misses;
};

/* Does a deeper stack miss less? */
enum rsb_sweep_trend {
	RSB_SWEEP_KNEE,    /* up to the knee */
	RSB_SWEEP_FALLING, /* only the deepest has so few, and deeper ones may have fewer */
	RSB_SWEEP_FLAT,    /* never: each depth has as many */
	RSB_SWEEP_RISING,  /* never, and some deeper ones miss more */
};

/* What there is to say of misses against depth, from deep stacks to shallow ones. */
struct rsb_sweep_curve {
	enum rsb_sweep_trend trend;
	/*
	 * The shallowest of the depths from which misses fall no more: a knee if that is the trend.
	 */
	struct rsb_sweep_spot knee;
	struct rsb_sweep_spot begins;  /* the deepest with more misses than the knee has */
	struct rsb_sweep_spot most;    /* the deepest of those with the most misses */
	struct rsb_sweep_spot deepest; /* of all */
	bool saturates;                /* all shallower ones have as many, and there are some */
};

/* Of the line that begins at row. False: the depth is not swept. */
bool rsb_sweep_curve(const struct rsb_sweep *sweep, size_t row, struct rsb_sweep_curve *curve);

struct rsb_sweep_options {
	unsigned jobs; /* threads; what they find does not depend on how many they are */
	/* On the caller's thread: jobs that are done; of a trace, bytes that were read, of 0. */
	void (*progress)(void *context, uint64_t done, uint64_t of);
	void *context;
};

/* Works out the rows of one case, from its run; the cases in order. */
bool rsb_sweep_run(struct rsb_sweep *sweep, size_t number, const struct rsb_run *run,
		   const struct rsb_sweep_options *options, struct rsb_error *error);

/*
 * Works out all rows of a trace, in one pass and in memory that does not grow with it. *got is
 * RSB_TRACE_CUT where the file is cut short: error then says so, and the rows are of what came
 * before.
 */
bool rsb_sweep_trace(struct rsb_sweep *sweep, struct rsb_trace_reader *reader,
		     const struct rsb_sweep_options *options, enum rsb_trace_got *got,
		     struct rsb_error *error);

#endif
