/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Experiments: code whose returns say something about a return stack. Each is an image like a
 * layout's, so that it can be run and simulated alike; its twin has an indirect jump in place of
 * each return, and nothing for a return stack to predict, so that the difference is what returns
 * cost.
 *
 * Calls are 128 bytes apart unless an experiment is about that.
 */
#ifndef RSB_SIM_NATIVE_EXPERIMENT_H
#define RSB_SIM_NATIVE_EXPERIMENT_H

#include "sim/generate/code.h"

enum rsb_experiment_kind {
	RSB_EXPERIMENT_CHAIN,     /* a calls deep, each from a site of its own, b bytes apart */
	RSB_EXPERIMENT_FENCED,    /* a calls deep, lfence b times, and up */
	RSB_EXPERIMENT_SHARED,    /* recursion a calls deep, by b call sites in turn */
	RSB_EXPERIMENT_RANDOM,    /* recursion a calls deep, each by one of 16 sites by chance */
	RSB_EXPERIMENT_BOUNCE,    /* a calls deep, 8 up and down again b times, then all up */
	RSB_EXPERIMENT_LEAVES,    /* a calls deep, there b calls that return at once, then all up */
	RSB_EXPERIMENT_LONG,      /* a calls deep, there b instructions, then all up */
	RSB_EXPERIMENT_CALLS,     /* b calls deep, a more that are dropped without a return */
	RSB_EXPERIMENT_RETURNS,   /* 8 calls deep, then a times push and ret, to constant targets */
	RSB_EXPERIMENT_FLAT,      /* the same without the 8 calls */
	RSB_EXPERIMENT_ZERO,      /* 8 calls deep, a times call to the next instruction and pop */
	RSB_EXPERIMENT_REWRITTEN, /* a calls whose return address is written over in place */
	RSB_EXPERIMENT_SYSCALL,   /* a calls deep, getppid, and up */
	RSB_EXPERIMENTS
};

/* In a word: "chain". */
const char *rsb_experiment_name(enum rsb_experiment_kind kind);

/* Is what it misses a matter of time, which no model keeps? */
bool rsb_experiment_takes_time(enum rsb_experiment_kind kind);

/* NULL: error. */
struct rsb_image *rsb_experiment_image(enum rsb_experiment_kind kind, unsigned a, unsigned b,
				       bool twin, struct rsb_error *error);

/* How one is emitted: as the function "body", which rsb_round calls. */
typedef void rsb_experiment_emit(struct rsb_code *code, unsigned a, unsigned b);

extern rsb_experiment_emit rsb_experiment_chain, rsb_experiment_fenced, rsb_experiment_shared,
	rsb_experiment_random, rsb_experiment_bounce, rsb_experiment_leaves, rsb_experiment_long,
	rsb_experiment_calls, rsb_experiment_returns, rsb_experiment_flat, rsb_experiment_zero,
	rsb_experiment_rewritten, rsb_experiment_syscall;

#endif
