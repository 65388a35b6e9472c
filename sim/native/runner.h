/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runner: an image run by this machine's own processor, and how long that took. x86-64 Linux
 * only.
 *
 * The image is mapped at its own addresses in a child process that has nothing else to do: no
 * files, limits on time and memory, and a filter that kills it at any system call but exit. What it
 * measured comes back in shared memory, which its code may have written over, so that every number
 * is looked at before it is believed. Whatever the code does, the caller gets an answer or an
 * error.
 *
 * A visit is one such child. It takes samples, in each of which rsb_round is called some times in a
 * row, between two readings of the time stamp counter. A chain of additions that wait for each
 * other, one a cycle, is timed before and after: it says how many ticks a cycle has just then.
 */
#ifndef RSB_SIM_NATIVE_RUNNER_H
#define RSB_SIM_NATIVE_RUNNER_H

#include "sim/image/image.h"

#define RSB_NATIVE_SAMPLES_MAX 4096
#define RSB_NATIVE_CHAIN       4096                  /* additions in a chain */
#define RSB_NATIVE_MEMORY      (UINT64_C(256) << 20) /* bytes that an image may have */

struct rsb_native_visit {
	unsigned samples; /* 1 to RSB_NATIVE_SAMPLES_MAX */
	unsigned rounds;  /* calls of rsb_round in a sample, 1 or more */
	unsigned warmup;  /* calls of it right before each sample's first tick */
	int processor;    /* to stay on; below 0: any */
	double seconds;   /* that the visit may take, by the clock; 0: 10 */
	bool getppid;     /* the code may make that one system call too */
	bool counter;     /* count mispredicted returns, where the processor and the kernel can */
};

/* Ticks of the time stamp counter. */
struct rsb_native_sample {
	uint64_t ticks;         /* of all rounds */
	uint64_t before, after; /* of the chain of additions */
};

struct rsb_native_samples {
	size_t count;
	struct rsb_native_sample samples[RSB_NATIVE_SAMPLES_MAX];
	bool counted;
	uint64_t mispredicted; /* returns in the whole visit, its warm-up too, if counted */
};

/* Can an image be run here at all? Error says why not: another processor or system, no filter. */
bool rsb_native_available(struct rsb_error *error);

/*
 * Can this image be, and with what it has? Error says why not: addresses of a kernel or taken,
 * memory that is written and executed, incidents, shadow stacks, too much memory. What its code
 * does is seen only when it runs.
 */
bool rsb_native_fits(const struct rsb_image *image, struct rsb_error *error);

/*
 * One visit. False: error says what became of the code, and where: it made a system call, faulted,
 * never ended, wrote over its own results, ...
 */
bool rsb_native_run(const struct rsb_image *image, const struct rsb_native_visit *visit,
		    struct rsb_native_samples *samples, struct rsb_error *error);

#endif
