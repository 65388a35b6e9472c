/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a command measures this machine. */
#include "sim/cli/measuring.h"

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
