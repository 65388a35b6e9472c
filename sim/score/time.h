/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time: what a call of the traced function takes, as a sum whose every term is shown. The base is
 * what the code takes when nothing misses: stated by the user, measured (sim/score/bases.h), or
 * estimated from its instructions and the width of the core. To it come misses times their penalty,
 * and writes of CR3 and flushes of the TLB times theirs. Nothing else is modelled: not the refills
 * after a flush, not how long a chain of dependent instructions is, not the caches, not what a miss
 * hides or delays (see doc/time.md for how far such a sum is from measurements).
 */
#ifndef RSB_SIM_SCORE_TIME_H
#define RSB_SIM_SCORE_TIME_H

#include "models/profile.h"

struct rsb_per_call;

enum rsb_time_base {
	RSB_TIME_UNKNOWN,   /* the profile has no width */
	RSB_TIME_STATED,    /* rsb_time_options.base_ns */
	RSB_TIME_MEASURED,  /* rsb_time_options.base_cycles */
	RSB_TIME_ESTIMATED, /* instructions over the profile's width */
};

/* From and to; NAN: not known. */
struct rsb_interval {
	double low, high;
};

/* What is not given is NAN. */
struct rsb_time_options {
	double base_ns;                  /* of the balanced code, for all layouts */
	double ghz;                      /* in place of the profile's clock */
	struct rsb_interval base_cycles; /* of this layout, if nothing misses; 0 too: not given */
	bool measuring; /* bases were asked for that are measured; this one may have none */
};

struct rsb_time_term {
	const char *name;         /* "base", "returns" */
	const char *each_unit;    /* of each: "cycles"; of the base "instructions a cycle" */
	double count;             /* per call of the traced function; NAN: does not apply */
	struct rsb_interval each; /* what one of them costs */
	struct rsb_interval cycles;
};

/* The base, and a term for each row of the table in time.c. */
#define RSB_TIME_TERMS 5

struct rsb_time {
	enum rsb_time_base base;
	bool measuring; /* rsb_time_options.measuring */
	struct rsb_time_term terms[RSB_TIME_TERMS];
	struct rsb_interval clock;  /* GHz */
	struct rsb_interval cycles; /* the sum */
	struct rsb_interval ns;
	struct rsb_interval calls_per_second;
};

/* "stated", "measured", "estimated", "unknown". */
const char *rsb_time_base_name(enum rsb_time_base base);

/* The time of these figures on that CPU. */
void rsb_time_work_out(struct rsb_time *time, const struct rsb_per_call *figures,
		       const struct rsb_profile *profile, const struct rsb_time_options *options);

/*
 * The quantity that the profile would have to hold, for what is not known of the time to be known.
 * RSB_QUANTITIES: all is known.
 */
enum rsb_quantity rsb_time_lacks(const struct rsb_time *time);

#endif
