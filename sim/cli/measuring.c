/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a command measures this machine. */
#define _GNU_SOURCE
#include "sim/cli/measuring.h"

#include <sched.h>
#include <unistd.h>

#define VISITS  11
#define SAMPLES 60

struct rsb_measure_options cli_measuring_options(const struct cli_measuring *measuring,
						 struct cli_progress *bar)
{
	return (struct rsb_measure_options){
		.visits = measuring->visits.given ? (unsigned)measuring->visits.value : VISITS,
		.samples = SAMPLES,
		.processor = measuring->processor.given ? (int)measuring->processor.value : -1,
		.progress = cli_progress_bar,
		.context = bar,
	};
}

bool cli_measuring_check(const struct cli_measuring *measuring, struct rsb_error *error)
{
	unsigned processor = (unsigned)measuring->processor.value;
	cpu_set_t own, one;

	if (!measuring->processor.given || sched_getaffinity(0, sizeof(own), &own))
		return true;
	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return rsb_error_set(error,
				     "--processor: expected one that this program may run on, of 0 "
				     "to %ld, got %u",
				     sysconf(_SC_NPROCESSORS_CONF) - 1, processor);
	/* Only those that measure stay on it. */
	sched_setaffinity(0, sizeof(own), &own);
	return true;
}
