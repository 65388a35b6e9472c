/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of commands that measure this machine, and what they mean. */
#ifndef RSB_SIM_CLI_MEASURING_H
#define RSB_SIM_CLI_MEASURING_H

#include "sim/cli/options.h"
#include "sim/cli/progress.h"
#include "sim/native/measure.h"

struct cli_measuring {
	struct cli_number visits, processor;
};

/* The rows of these options, for a command's own; what is measured in turn is "each". */
#define CLI_MEASURING_ROWS(at, each)                                                       \
	{ .name = "visits",                                                                \
	  .argument = "N",                                                                 \
	  .take = cli_take_number,                                                         \
	  .sentence = "times that " each " is measured, in turn (default 11)",             \
	  .field = (at) + offsetof(struct cli_measuring, visits),                          \
	  .minimum = 1,                                                                    \
	  .maximum = RSB_VISITS_MAX },                                                     \
	{                                                                                  \
		.name = "processor", .argument = "N", .take = cli_take_number,             \
		.sentence = "the processor to stay on (default any)",                      \
		.field = (at) + offsetof(struct cli_measuring, processor), .maximum = 1023 \
	}

/* How to measure; the bar must be there as long as that goes on. */
struct rsb_measure_options cli_measuring_options(const struct cli_measuring *measuring,
						 struct cli_progress *bar);

/* Before long work: can this program run on the processor that was asked for? */
bool cli_measuring_check(const struct cli_measuring *measuring, struct rsb_error *error);

#endif
