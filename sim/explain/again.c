/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a run's rounds once more. */
#include "sim/explain/again.h"

/* The rounds after which everything repeats; all that were run if it does not. */
static uint64_t count_rounds(const struct rsb_run *run)
{
	if (rsb_run_steady(run) == RSB_STEADY_NO)
		return rsb_run_count(run);
	return rsb_run_first(run) + rsb_run_period(run);
}

/* Code that finds a shadow stack takes another way than the run's, but hardly a much longer one. */
static uint64_t find_budget(const struct rsb_run *run)
{
	uint64_t most = 0;

	for (size_t i = 0; i < rsb_run_sequences(run); i++) {
		uint64_t instructions = rsb_run_sequence(run, i)->round.instructions;

		most = instructions > most ? instructions : most;
	}
	return 2 * most + RSB_BUDGET;
}

static bool run_rounds(struct rsb_again *again, uint64_t rounds, struct rsb_error *error)
{
	struct rsb_trace trace = { 0 };
	struct rsb_round round;
	bool good = true;

	for (; good && again->rounds < rounds; again->rounds++) {
		trace.count = 0;
		good = rsb_machine_round(again->machine, &trace, &round, error);
		if (good)
			again->traced_calls += round.traced_calls;
	}
	rsb_trace_clear(&trace);
	return good;
}

bool rsb_again_run(struct rsb_again *again, const struct rsb_image *image,
		   const struct rsb_run *run, bool shadow_stack, const struct rsb_watcher *watcher,
		   struct rsb_error *error)
{
	const struct rsb_machine_options options = {
		.budget = find_budget(run),
		.shadow_stack = shadow_stack,
	};

	*again = (struct rsb_again){ .sites = rsb_sites_new() };
	if (!again->sites)
		return rsb_error_set(error, "out of memory");
	again->machine = rsb_machine_new(image, again->sites, &options, error);
	if (again->machine && (!watcher || rsb_machine_watch(again->machine, watcher, error)) &&
	    run_rounds(again, count_rounds(run), error))
		return true;
	rsb_again_close(again);
	return false;
}

void rsb_again_close(struct rsb_again *again)
{
	rsb_machine_free(again->machine);
	rsb_sites_free(again->sites);
}
