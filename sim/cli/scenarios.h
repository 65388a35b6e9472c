/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that say how the traced function is called, and the scenarios that they mean. */
#ifndef RSB_SIM_CLI_SCENARIOS_H
#define RSB_SIM_CLI_SCENARIOS_H

#include "sim/cli/options.h"
#include "sim/image/layout.h"

#define CLI_SCENARIOS 2 /* the most that one layout is scored in */

struct cli_scenarios {
	const char *name; /* of --scenario; NULL: not given */
	struct cli_number depth, batch, spacing;
};

/* The rows of these options, for a command's own. */
#define CLI_SCENARIO_ROWS(at, usual_depth, usual_batch)                                 \
	{ .name = "depth",                                                              \
	  .argument = "N",                                                              \
	  .take = cli_take_number,                                                      \
	  .sentence = "callers above the traced function (default " usual_depth ")",    \
	  .field = (at) + offsetof(struct cli_scenarios, depth),                        \
	  .maximum = RSB_DEPTH_MAX },                                                   \
		{ .name = "batch",                                                      \
		  .argument = "N",                                                      \
		  .take = cli_take_number,                                              \
		  .sentence = "calls in a row (default " usual_batch ")",               \
		  .field = (at) + offsetof(struct cli_scenarios, batch),                \
		  .minimum = 1,                                                         \
		  .maximum = RSB_BATCH_MAX },                                           \
	{                                                                               \
		.name = "spacing", .argument = "N", .take = cli_take_number,            \
		.sentence = "bytes from one caller's call to the next, a multiple of "  \
			    "16 (default 128)",                                         \
		.field = (at) + offsetof(struct cli_scenarios, spacing), .minimum = 32, \
		.maximum = RSB_SPACING_MAX                                              \
	}

#define CLI_ONE_SCENARIO_ROW(at)                                                                 \
	{                                                                                        \
		.name = "scenario", .letter = 's', .argument = "NAME", .take = cli_take_choice,  \
		.sentence = "bench (depth 8, batch 100) or unwind (depth 8, batch 1); without, " \
			    "the layout's own, or unwind",                                       \
		.field = (at) + offsetof(struct cli_scenarios, name), .choices = "bench|unwind"  \
	}

/* The row of a struct cli_number. */
#define CLI_BUDGET_ROW(at)                                                           \
	{                                                                            \
		.name = "budget", .argument = "N", .take = cli_take_number,          \
		.sentence = "instructions that a round may take (default 10000000)", \
		.field = (at), .minimum = 1, .maximum = UINT64_MAX                   \
	}

/* Can these options go together? */
bool cli_scenarios_check(const struct cli_scenarios *scenarios, struct rsb_error *error);

/*
 * The scenarios for this layout: one of the user's own if depth or batch is given; else the named
 * one; else the layout's own; else bench and unwind. Returns how many.
 */
size_t cli_scenarios_choose(const struct cli_scenarios *scenarios, const struct rsb_layout *layout,
			    struct rsb_scenario chosen[CLI_SCENARIOS]);

/*
 * For a command that runs one. Where two would be shown, that is unwind: the way back up is what
 * shows an imbalance, and it takes fewer events.
 */
struct rsb_scenario cli_scenarios_choose_one(const struct cli_scenarios *scenarios,
					     const struct rsb_layout *layout);

#endif
