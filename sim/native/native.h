/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole run on this machine: what it is, what a misprediction costs on it, and comparisons. */
#ifndef RSB_SIM_NATIVE_NATIVE_H
#define RSB_SIM_NATIVE_NATIVE_H

#include "sim/native/comparison.h"
#include "sim/native/host.h"

struct rsb_native {
	struct rsb_host host;
	const char *cpu;      /* the profile's name */
	bool own;             /* it is this machine's, by cpuid */
	const char *indirect; /* the form that was asked for; NULL: as the layouts have it */
	struct rsb_penalty penalty;
	struct rsb_comparison **comparisons;
	size_t count;
	unsigned visits, samples; /* of each image, and in each visit */
	double stolen; /* part of the processors' time that a hypervisor took; NAN: not known */
};

/* The processors' time so far, and what of it was stolen (/proc/stat). False: not known. */
bool rsb_native_stolen(double *all, double *stolen);

/* Why nothing is to be read from the measurements; "" if something is. */
const char *rsb_native_doubt(const struct rsb_native *native, const struct rsb_comparison *of);

#endif
