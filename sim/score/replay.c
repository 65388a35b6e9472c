/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feeding the rounds of a run to a model. */
#include "sim/score/replay.h"

#include "sim/score/spans.h"

#include <stdlib.h>

/*
 * A model whose state never repeats (no built-in one) is given up after so many rounds, and
 * followed through the rounds asked for up to the second number, 40 bytes of memory each.
 */
#define ROUNDS_STEADY (UINT64_C(1) << 16)
#define ROUNDS_MAX    (UINT64_C(1) << 22)

struct rsb_replay {
	const struct rsb_run *run;
	const struct rsb_profile *profile;
	struct rsb_model *model;
	struct rsb_model *after_cold; /* the model as it was after round 0 */
	struct rsb_model *earlier;    /* the model as it was at round first */
	struct rsb_tally *tallies;    /* of each round, the running total before it */
	size_t count, room;
	bool **inside; /* for each sequence, for each event: in a span? NULL until needed */
	struct rsb_miss *missed;
	enum rsb_steady steady;
	uint64_t first, period;
};

static void add_tally(struct rsb_tally *total, const struct rsb_tally *more)
{
	total->inside += more->inside;
	total->callers += more->callers;
	total->intended_inside += more->intended_inside;
	total->intended_callers += more->intended_callers;
	total->indirect += more->indirect;
}

static struct rsb_tally tally_between(const struct rsb_tally *from, const struct rsb_tally *to,
				      uint64_t times)
{
	return (struct rsb_tally){
		.inside = (to->inside - from->inside) * times,
		.callers = (to->callers - from->callers) * times,
		.intended_inside = (to->intended_inside - from->intended_inside) * times,
		.intended_callers = (to->intended_callers - from->intended_callers) * times,
		.indirect = (to->indirect - from->indirect) * times,
	};
}

static void count_miss(struct rsb_tally *tally, const struct rsb_replay_miss *m)
{
	if (m->site->kind != RSB_RETURN && m->site->kind != RSB_SWAP) {
		tally->indirect++;
	} else if (m->inside) {
		tally->inside++;
		tally->intended_inside += m->intended;
	} else {
		tally->callers++;
		tally->intended_callers += m->intended;
	}
}

/* Made at its first use. */
const bool *rsb_replay_inside(const struct rsb_replay *replay, size_t kind)
{
	const struct rsb_sequence *sequence = rsb_run_sequence(replay->run, kind);
	size_t count;

	if (!replay->inside[kind] && (replay->inside[kind] = malloc(sequence->count)))
		rsb_spans_inside(sequence, rsb_sites_array(rsb_run_sites(replay->run), &count),
				 replay->inside[kind]);
	return replay->inside[kind];
}

typedef void visitor(void *context, const struct rsb_replay_miss *miss);

/* Replays one round on a model and calls visit for each miss. False: no memory. */
static bool replay_round(const struct rsb_replay *replay, struct rsb_model *model, uint64_t round,
			 visitor *visit, void *context)
{
	const struct rsb_sites *table = rsb_run_sites(replay->run);
	size_t kind = rsb_run_round(replay->run, round), site_count, misses;
	const struct rsb_sequence *sequence = rsb_run_sequence(replay->run, kind);
	const struct rsb_site *sites = rsb_sites_array(table, &site_count);
	const bool *inside = rsb_replay_inside(replay, kind);

	if (!inside)
		return false;
	misses = rsb_model_replay(model, table, sequence->events, sequence->count, replay->missed);
	for (size_t i = 0; i < misses; i++) {
		const struct rsb_miss *miss = &replay->missed[i];
		const struct rsb_event *event = &sequence->events[miss->event];

		visit(context, &(struct rsb_replay_miss){
				       .event = event,
				       .miss = miss,
				       .site = &sites[event->site],
				       .inside = inside[miss->event],
				       .intended = miss->pushed_by != RSB_SITE_NONE &&
						   sites[miss->pushed_by].mitigation,
			       });
	}
	return true;
}

/* Where the first replay of a round puts what it sees. */
struct account {
	struct rsb_tally tally;
	const struct rsb_replay *replay;
	const struct rsb_score_options *options; /* with a watcher, or NULL */
};

static void visit_miss(void *context, const struct rsb_replay_miss *m)
{
	struct account *account = context;
	const struct rsb_score_options *options = account->options;

	count_miss(&account->tally, m);
	if (options)
		options->watcher(options->context, account->replay->count, m,
				 rsb_run_sites(account->replay->run));
}

/* Replays the next round and enters what it cost. */
static bool replay_next(struct rsb_replay *replay, const struct rsb_score_options *options)
{
	bool watched = options->watcher && (!options->rounds || replay->count < options->rounds);
	struct account account = { .replay = replay, .options = watched ? options : NULL };

	if (replay->count + 1 >= replay->room) {
		size_t room = replay->room ? replay->room * 2 : 1024;
		struct rsb_tally *more = realloc(replay->tallies, room * sizeof(*more));

		if (!more)
			return false;
		if (!replay->room)
			more[0] = (struct rsb_tally){ 0 };
		replay->tallies = more;
		replay->room = room;
	}
	account.tally = replay->tallies[replay->count];
	if (!replay_round(replay, replay->model, replay->count, visit_miss, &account))
		return false;
	replay->tallies[++replay->count] = account.tally;
	return replay->count != 1 || (replay->after_cold = rsb_model_copy(replay->model));
}

static bool keep_earlier(struct rsb_replay *replay)
{
	rsb_model_free(replay->earlier);
	replay->earlier = rsb_model_copy(replay->model);
	replay->first = replay->count;
	return replay->earlier;
}

static bool replay_to(struct rsb_replay *replay, uint64_t end,
		      const struct rsb_score_options *options)
{
	while (replay->count < end)
		if (!replay_next(replay, options))
			return false;
	return true;
}

/* How far below the top a period of the run looks, for rsb_model_same(). */
static size_t find_reach(const struct rsb_replay *replay)
{
	size_t first = rsb_run_first(replay->run), period = rsb_run_period(replay->run), count;
	const struct rsb_site *sites = rsb_sites_array(rsb_run_sites(replay->run), &count);
	struct rsb_motion motion = { 0 };

	for (size_t i = first; i < first + period; i++)
		rsb_motion_add(&motion,
			       rsb_run_sequence(replay->run, rsb_run_round(replay->run, i)), sites,
			       rsb_profile_zero_call_pushes(replay->profile));
	/* A stack that sinks from period to period brings up what lies ever deeper. */
	return motion.net < 0 ? SIZE_MAX : (size_t)motion.deepest;
}

/* Replays period after period until the model's state repeats (Brent, as in run.c). */
static bool replay_steady(struct rsb_replay *replay, const struct rsb_score_options *options)
{
	size_t period = rsb_run_period(replay->run), reach = 1, depth = find_reach(replay);
	/* The cold round is kept apart even where it is like the others. */
	size_t first = rsb_run_first(replay->run) ? rsb_run_first(replay->run) : 1;

	if (!replay_to(replay, first, options) || !keep_earlier(replay))
		return false;
	while (replay->count < ROUNDS_STEADY + period) {
		if (!replay_to(replay, replay->count + period, options))
			return false;
		if (rsb_model_same(replay->model, replay->earlier, depth)) {
			replay->period = replay->count - replay->first;
			return true;
		}
		if (replay->count - replay->first == reach * period) {
			reach *= 2;
			if (!keep_earlier(replay))
				return false;
		}
	}
	replay->steady = RSB_STEADY_NO;
	return replay_to(replay, options->rounds < ROUNDS_MAX ? options->rounds : ROUNDS_MAX,
			 options);
}

struct rsb_replay *rsb_replay_new(const struct rsb_run *run, const struct rsb_profile *profile,
				  const struct rsb_score_options *options, struct rsb_error *error)
{
	struct rsb_replay *replay = calloc(1, sizeof(*replay));
	bool good = false;

	if (!replay)
		return rsb_error_null(error, "out of memory");
	replay->run = run;
	replay->profile = profile;
	replay->steady = rsb_run_steady(run);
	replay->inside = calloc(rsb_run_sequences(run), sizeof(*replay->inside));
	replay->missed = calloc(rsb_run_longest(run), sizeof(*replay->missed));
	replay->model = rsb_profile_model(profile, error);
	if (replay->model && replay->inside && replay->missed) {
		good = replay->steady == RSB_STEADY_NO
			       ? replay_to(replay, rsb_run_count(run), options)
			       : replay_steady(replay, options);
	}
	if (replay->model && !good)
		rsb_error_set(error, "out of memory");
	else if (good && replay->steady == RSB_STEADY_NO && replay->count < options->rounds)
		good = rsb_error_set(error,
				     "the state of %s does not repeat: ask for at most %llu rounds",
				     rsb_profile_name(profile), (unsigned long long)ROUNDS_MAX);
	if (good)
		return replay;
	rsb_replay_free(replay);
	return NULL;
}

void rsb_replay_free(struct rsb_replay *replay)
{
	if (!replay)
		return;
	for (size_t i = 0; replay->inside && i < rsb_run_sequences(replay->run); i++)
		free(replay->inside[i]);
	free(replay->inside);
	free(replay->missed);
	free(replay->tallies);
	rsb_model_free(replay->model);
	rsb_model_free(replay->after_cold);
	rsb_model_free(replay->earlier);
	free(replay);
}

enum rsb_steady rsb_replay_steady(const struct rsb_replay *replay)
{
	return replay->steady;
}

uint64_t rsb_replay_first(const struct rsb_replay *replay)
{
	return replay->first;
}

uint64_t rsb_replay_period(const struct rsb_replay *replay)
{
	return replay->period;
}

uint64_t rsb_replay_count(const struct rsb_replay *replay)
{
	return replay->count;
}

const struct rsb_model *rsb_replay_model(const struct rsb_replay *replay)
{
	return replay->model;
}

/* The total of all rounds below end. */
static struct rsb_tally sum_to(const struct rsb_replay *replay, uint64_t end)
{
	const struct rsb_tally *start = &replay->tallies[replay->first];
	struct rsb_tally sum, whole;
	uint64_t beyond;

	if (end <= replay->count)
		return replay->tallies[end];
	beyond = end - replay->first;
	sum = replay->tallies[replay->first + beyond % replay->period];
	whole = tally_between(start, &replay->tallies[replay->first + replay->period],
			      beyond / replay->period);
	add_tally(&sum, &whole);
	return sum;
}

struct rsb_tally rsb_replay_sum(const struct rsb_replay *replay, uint64_t from, uint64_t end)
{
	struct rsb_tally low = sum_to(replay, from), high = sum_to(replay, end);

	return tally_between(&low, &high, 1);
}

bool rsb_replay_again(const struct rsb_replay *replay, uint64_t from, uint64_t end,
		      void (*each)(void *context, const struct rsb_replay_miss *miss),
		      void *context, struct rsb_error *error)
{
	struct rsb_model *model =
		from == 0 ? rsb_profile_model(replay->profile, error)
			  : rsb_model_copy(from == 1 ? replay->after_cold : replay->earlier);
	bool good = model;

	for (uint64_t round = from; good && round < end; round++)
		good = replay_round(replay, model, round, each, context);
	rsb_model_free(model);
	return good || rsb_error_set(error, "out of memory");
}
