/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the simulator expects of an image that the runner will run. */
#include "sim/native/expect.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS     512     /* replayed; averages are over the last half of them */
#define EVENTS_MAX 4000000 /* ... or fewer, of long rounds */
#define ROUNDS_MIN 16

/* Where the runner's own call and return stand: nowhere in an image, and far from each other. */
#define CALL_AT   UINT64_C(0x7ffe00000100)
#define RETURN_AT UINT64_C(0x7ffe00010000)

#define SYSTEM_CALL (RSB_KIND_BIT(RSB_SYSCALL) | RSB_KIND_BIT(RSB_SYSRET))

/* Kinds that no process can be let run. */
#define FOREIGN \
	(RSB_KIND_BIT(RSB_INTERRUPT) | RSB_KIND_BIT(RSB_IRET) | RSB_KIND_BIT(RSB_ENVIRONMENT))

static bool check_sites(const struct rsb_run *run, bool system_calls, struct rsb_error *error)
{
	const uint32_t foreign = FOREIGN | (system_calls ? 0 : SYSTEM_CALL);
	const struct rsb_sites *sites = rsb_run_sites(run);
	size_t count;
	const struct rsb_site *all = rsb_sites_array(sites, &count);

	for (size_t i = 0; i < count; i++)
		if (RSB_KIND_BIT(all[i].kind) & foreign)
			return rsb_error_set(error,
					     "%s: %s, which no code that is run here may "
					     "have",
					     rsb_site_label(sites, (uint32_t)i),
					     rsb_kind_name(all[i].kind));
	return true;
}

struct rsb_run *rsb_expect_run(const struct rsb_image *image, bool system_calls,
			       struct rsb_error *error)
{
	const struct rsb_run_options options = {
		.kinds = RSB_KIND_ALL & ~(RSB_KIND_BIT(RSB_SPECULATE) | RSB_KIND_BIT(RSB_SQUASH)),
	};
	struct rsb_run *run = rsb_run_new(image, &options, error);

	if (run && !check_sites(run, system_calls, error)) {
		rsb_run_free(run);
		return NULL;
	}
	return run;
}

/* The runs' events again, between the runner's own, in a table of sites of their own. */
struct replay {
	const struct rsb_run *run;
	struct rsb_sites *sites;
	struct rsb_trace trace;
	uint32_t call, back;              /* the runner's sites */
	uint32_t *site_ids, *address_ids; /* of the run's, in these tables */
	struct rsb_miss *missed;
};

static bool copy_tables(struct replay *replay)
{
	const struct rsb_sites *from = rsb_run_sites(replay->run);
	size_t sites, addresses;
	const struct rsb_site *all = rsb_sites_array(from, &sites);
	const uint64_t *words = rsb_sites_addresses(from, &addresses);
	const struct rsb_site call = {
		.pc = CALL_AT, .length = 2, .kind = RSB_CALL, .flags = RSB_SITE_INDIRECT
	};
	const struct rsb_site back = { .pc = RETURN_AT, .length = 1, .kind = RSB_RETURN };

	replay->sites = rsb_sites_new();
	replay->site_ids = malloc((sites + 1) * sizeof(uint32_t));
	replay->address_ids = malloc((addresses + 1) * sizeof(uint32_t));
	if (!replay->sites || !replay->site_ids || !replay->address_ids)
		return false;
	for (size_t i = 0; i < sites; i++)
		replay->site_ids[i] = rsb_sites_intern(replay->sites, &all[i], NULL);
	for (size_t i = 0; i < addresses; i++)
		replay->address_ids[i] = rsb_sites_address(replay->sites, words[i]);
	replay->call = rsb_sites_intern(replay->sites, &call, NULL);
	replay->back = rsb_sites_intern(replay->sites, &back, NULL);
	return replay->call != RSB_SITE_NONE && replay->back != RSB_SITE_NONE;
}

static bool add_round(struct replay *replay, const struct rsb_sequence *sequence)
{
	size_t count;
	uint32_t home = rsb_sites_array(replay->sites, &count)[replay->call].fall_through_id;
	bool good = rsb_trace_add(&replay->trace, replay->call, replay->address_ids[0]);

	for (size_t i = 0; good && i < sequence->count; i++)
		good = rsb_trace_add(&replay->trace, replay->site_ids[sequence->events[i].site],
				     replay->address_ids[sequence->events[i].target]);
	return good && rsb_trace_add(&replay->trace, replay->back, home);
}

static uint64_t count_misses(struct replay *replay, struct rsb_model *model)
{
	size_t count;
	const struct rsb_site *all = rsb_sites_array(replay->sites, &count);
	size_t misses = rsb_model_replay(model, replay->sites, replay->trace.events,
					 replay->trace.count, replay->missed);
	uint64_t returns = 0;

	for (size_t i = 0; i < misses; i++)
		returns += all[replay->trace.events[replay->missed[i].event].site].kind ==
			   RSB_RETURN;
	return returns;
}

static double count_returns(const struct replay *replay)
{
	size_t count;
	const struct rsb_site *all = rsb_sites_array(replay->sites, &count);
	double returns = 0;

	for (size_t i = 0; i < replay->trace.count; i++)
		returns += all[replay->trace.events[i].site].kind == RSB_RETURN;
	return returns;
}

static uint64_t choose_rounds(const struct rsb_run *run)
{
	size_t events = rsb_run_sequence(run, rsb_run_round(run, 0))->count + 2;
	uint64_t rounds = EVENTS_MAX / events;

	rounds = rounds > ROUNDS ? ROUNDS : rounds;
	rounds = rounds < ROUNDS_MIN ? ROUNDS_MIN : rounds;
	if (rsb_run_steady(run) == RSB_STEADY_NO && rounds > rsb_run_count(run))
		rounds = rsb_run_count(run);
	return rounds;
}

static bool run_rounds(struct replay *replay, struct rsb_model *model,
		       struct rsb_expected *expected)
{
	uint64_t rounds = choose_rounds(replay->run), counted = 0;

	for (uint64_t i = 0; i < rounds; i++) {
		const struct rsb_sequence *sequence =
			rsb_run_sequence(replay->run, rsb_run_round(replay->run, i));
		struct rsb_miss *missed;
		uint64_t misses;

		replay->trace.count = 0;
		if (!add_round(replay, sequence))
			return false;
		missed = realloc(replay->missed, replay->trace.count * sizeof(*missed));
		if (!missed)
			return false;
		replay->missed = missed;
		misses = count_misses(replay, model);
		if (i < rounds / 2)
			continue;
		counted++;
		expected->misses += (double)misses;
		expected->returns += count_returns(replay);
		expected->instructions += (double)sequence->round.instructions;
		expected->traced_calls += sequence->round.traced_calls;
	}
	expected->misses /= (double)counted;
	expected->returns /= (double)counted;
	expected->instructions /= (double)counted;
	expected->traced_calls /= (double)counted;
	return true;
}

bool rsb_expect(const struct rsb_run *run, const struct rsb_profile *profile,
		struct rsb_expected *expected, struct rsb_error *error)
{
	struct replay replay = { .run = run };
	struct rsb_model *model = rsb_profile_model(profile, error);
	bool good;

	memset(expected, 0, sizeof(*expected));
	if (!model)
		return false;
	good = (copy_tables(&replay) && run_rounds(&replay, model, expected)) ||
	       rsb_error_set(error, "out of memory");
	rsb_trace_clear(&replay.trace);
	rsb_sites_free(replay.sites);
	free(replay.site_ids);
	free(replay.address_ids);
	free(replay.missed);
	rsb_model_free(model);
	return good;
}
