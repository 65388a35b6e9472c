/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep: one layout or trace on CPUs whose models have parameters changed, in every combination
 * of a grid. A row is one scenario, CPU and combination; the rows of a grid follow one another,
 * those of the CPUs, and those of the scenarios. A shard is a part of the rows, and a part file
 * (part.h) is what it found.
 *
 *	sweep = rsb_sweep_new("plain-call", scenarios, 2, profiles, count, &grid, &error);
 *	rsb_sweep_run(sweep, 0, run, &options, &error) && rsb_sweep_run(sweep, 1, ...);
 */
#ifndef RSB_SIM_SWEEP_SWEEP_H
#define RSB_SIM_SWEEP_SWEEP_H

#include "models/profile.h"
#include "sim/score/run.h"
#include "sim/scenario.h"
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

struct rsb_sweep {
	char *subject;     /* the layout's name, or the trace's */
	bool trace;        /* no layout: one scenario, without a name */
	uint64_t checksum; /* of the events that were replayed */
	struct rsb_scenario *scenarios;
	size_t scenario_count;
	struct rsb_sweep_cpu *cpus;
	size_t cpu_count;
	struct rsb_grid grid;
	struct rsb_sweep_row *rows;
	size_t count;
	size_t from, end; /* the rows that are worked out; all, unless it is a shard */
	struct rsb_profile *const *profiles; /* NULL if it was read from parts */
};

/*
 * The sweep of a layout in scenarios, or of a trace if scenarios is NULL. The profiles must
 * outlive it, and the grid is copied. NULL: error.
 */
struct rsb_sweep *rsb_sweep_new(const char *subject, const struct rsb_scenario *scenarios,
				size_t scenario_count, struct rsb_profile *const *profiles,
				size_t profile_count, const struct rsb_grid *grid,
				struct rsb_error *error);
void rsb_sweep_free(struct rsb_sweep *sweep);

/*
 * The steps of that which a sweep that is read takes too: the scenario of a trace, and rows for
 * all that is there.
 */
bool rsb_sweep_no_scenario(struct rsb_sweep *sweep);
bool rsb_sweep_make_rows(struct rsb_sweep *sweep, struct rsb_error *error);

/* Narrows it to shard index (from 1) of as many as there are. */
void rsb_sweep_shard(struct rsb_sweep *sweep, size_t index, size_t shards);

/* What row index is of: which scenario, CPU and combination of the grid. */
struct rsb_sweep_place {
	size_t scenario, cpu, combination;
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
 * The knee of the line that begins at row: the smallest depth from which misses fall no more.
 * NULL: they fall still, or the depth is not swept.
 */
const char *rsb_sweep_knee(const struct rsb_sweep *sweep, size_t row);

/* A depth of a line, and the misses there. */
struct rsb_sweep_spot {
	const char *depth; /* NULL: there is none */
	double misses;
};

/* What there is to say of misses against depth, from deep stacks to shallow ones. */
struct rsb_sweep_curve {
	struct rsb_sweep_spot
		knee; /* the shallowest of the depths from which misses fall no more */
	bool reached; /* false: only the deepest has so few, and deeper ones may
					 have fewer */
	struct rsb_sweep_spot begins; /* the deepest with more misses than the knee has */
	struct rsb_sweep_spot most;   /* the deepest of those with the most misses */
	bool saturates;               /* all shallower ones have as many, and there are some */
};

/* Of the line that begins at row. False: the depth is not swept. */
bool rsb_sweep_curve(const struct rsb_sweep *sweep, size_t row, struct rsb_sweep_curve *curve);

struct rsb_sweep_options {
	unsigned jobs; /* threads; what they find does not depend on how many they are */
	/* On the caller's thread: jobs that are done; of a trace, bytes that were read, of 0. */
	void (*progress)(void *context, uint64_t done, uint64_t of);
	void *context;
};

/* Works out the rows of one scenario of a layout, from its run. */
bool rsb_sweep_run(struct rsb_sweep *sweep, size_t scenario, const struct rsb_run *run,
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
