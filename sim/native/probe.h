/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe: this processor's return stack, from experiments. Each experiment's misses are measured
 * against its twin and simulated by every candidate, a model with its parameters; the candidate
 * whose simulation is nearest to the measurements is the profile, and how far it still is from them
 * is told. A field that no experiment can tell is left unknown, with the reason.
 */
#ifndef RSB_SIM_NATIVE_PROBE_H
#define RSB_SIM_NATIVE_PROBE_H

#include "sim/native/host.h"
#include "sim/native/penalty.h"

/* One experiment as it came out, in misses a round, the runner's own return counted. */
struct rsb_probed {
	struct rsb_trial_of of;
	struct rsb_spread measured;
	double simulated; /* by the best candidate */
};

/* What a candidate is: the words of the models' parameters. */
struct rsb_candidate {
	const char *model, *overflow, *underflow;
	unsigned depth, in_flight;
	double residual; /* root of the mean square, each in units of half a miss and a tenth */
	double without;  /* the least of this kind with none in flight */
};

#define RSB_CANDIDATES 8

struct rsb_probe_field {
	const char *name; /* "depth" */
	char value[64];   /* as JSON; "null": cannot be told */
	char assumed[64]; /* as JSON: what the model needs all the same; "": value is there */
	const char *strength;
	char source[512]; /* the evidence, or the reason */
};

#define RSB_PROBE_FIELDS 13
#define RSB_PROBE_NOTES  8

struct rsb_probe {
	struct rsb_host host;
	struct rsb_penalty penalty;
	double jump; /* cycles that a twin's jump costs more than a return */
	struct rsb_probed *probed;
	size_t count;
	struct rsb_candidate candidates[RSB_CANDIDATES]; /* the best of each kind, best first */
	size_t candidate_count;
	unsigned depth_from, depth_to; /* of the best kind: these are off by a tenth more at most */
	struct rsb_probe_field fields[RSB_PROBE_FIELDS];
	size_t field_count;
	char notes[RSB_PROBE_NOTES][512];
	size_t note_count;
	size_t samples, dropped;
	bool noisy;
};

/* Probes. NULL: error. */
struct rsb_probe *rsb_probe_new(const struct rsb_measure_options *options, struct rsb_error *error);
void rsb_probe_free(struct rsb_probe *probe);

/* Fits candidates to what was measured; runs are of the probed experiments. For the probe itself
 * and its tests. */
bool rsb_probe_fit(struct rsb_probe *probe, const struct rsb_run *const *runs,
		   struct rsb_error *error);

/* Draws the fields and notes from what was measured and fitted. */
void rsb_probe_conclude(struct rsb_probe *probe);

/* A profile of that candidate, to simulate with. NULL: error. */
struct rsb_profile *rsb_candidate_profile(const struct rsb_candidate *candidate,
					  struct rsb_error *error);

/* Of an experiment as measured; NAN: it was not among them. */
double rsb_probe_find(const struct rsb_probe *probe, enum rsb_experiment_kind kind, unsigned a,
		      unsigned b);

#endif
