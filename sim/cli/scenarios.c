/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which scenarios a layout is scored in. */
#include "sim/cli/scenarios.h"

#include <string.h>

bool cli_scenarios_check(const struct cli_scenarios *scenarios, struct rsb_error *error)
{
	if (scenarios->name && (scenarios->depth.given || scenarios->batch.given))
		return rsb_error_set(error, "--scenario: expected either a name or --depth and "
					    "--batch, got both");
	if (scenarios->spacing.value % 16)
		return rsb_error_set(error, "--spacing: expected a multiple of 16, got '%llu'",
				     (unsigned long long)scenarios->spacing.value);
	return true;
}

static size_t choose(const struct cli_scenarios *scenarios, const struct rsb_layout *layout,
		     struct rsb_scenario chosen[CLI_SCENARIOS])
{
	chosen[0] = RSB_SCENARIO_UNWIND;
	if (rsb_layout_is_program(layout))
		return rsb_layout_scenario(layout, &chosen[0]);
	if (scenarios->depth.given || scenarios->batch.given) {
		chosen[0].name = "own";
		if (scenarios->depth.given)
			chosen[0].depth = (unsigned)scenarios->depth.value;
		if (scenarios->batch.given)
			chosen[0].batch = (unsigned)scenarios->batch.value;
		return 1;
	}
	if (scenarios->name) {
		if (!strcmp(scenarios->name, RSB_SCENARIO_BENCH.name))
			chosen[0] = RSB_SCENARIO_BENCH;
		return 1;
	}
	if (rsb_layout_scenario(layout, &chosen[0]))
		return 1;
	chosen[0] = RSB_SCENARIO_BENCH;
	chosen[1] = RSB_SCENARIO_UNWIND;
	return 2;
}

size_t cli_scenarios_choose(const struct cli_scenarios *scenarios, const struct rsb_layout *layout,
			    struct rsb_scenario chosen[CLI_SCENARIOS])
{
	size_t count = choose(scenarios, layout, chosen);

	for (size_t i = 0; i < count && scenarios->spacing.given; i++)
		chosen[i].spacing = (unsigned)scenarios->spacing.value;
	return count;
}

struct rsb_scenario cli_scenarios_choose_one(const struct cli_scenarios *scenarios,
					     const struct rsb_layout *layout)
{
	struct rsb_scenario chosen[CLI_SCENARIOS];
	size_t count = cli_scenarios_choose(scenarios, layout, chosen);

	return chosen[count - 1];
}
