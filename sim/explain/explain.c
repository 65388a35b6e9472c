/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making an explanation out of the origins that a walk found. */
#include "sim/explain/explain.h"

#include "sim/explain/accounting.h"
#include "sim/explain/story.h"
#include "sim/explain/walk.h"
#include "sim/image/incident.h"
#include "sim/score/notes.h"
#include "sim/score/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Events that are walked at the most; a run of more is explained as far as that goes. */
#define EVENTS_MAX (UINT64_C(1) << 26)

/* What an explanation is made from. */
struct work {
	const struct rsb_frames *frames;
	const struct rsb_run *run;
	const struct rsb_profile *profile;
	const struct rsb_site *sites;
	struct rsb_walk walk;
	struct rsb_namer namer;
	struct rsb_origins origins;
	struct rsb_told told;
};

/* The steady rounds, and where they begin: as a score has them. */
static bool find_steady(struct work *work, struct rsb_explanation *explanation,
			struct rsb_error *error)
{
	const struct rsb_score_options options = { 0 };
	struct rsb_replay *replay = rsb_replay_new(work->run, work->profile, &options, error);

	if (!replay)
		return false;
	explanation->steady = rsb_replay_steady(replay);
	if (explanation->steady == RSB_STEADY_NO) {
		work->walk.end = rsb_run_count(work->run);
		work->walk.from = work->walk.end > 1;
	} else {
		explanation->period = rsb_replay_period(replay);
		work->walk.from = rsb_replay_first(replay);
		work->walk.end = work->walk.from + explanation->period;
	}
	rsb_replay_free(replay);
	return true;
}

static const struct rsb_sequence *find_sequence(const struct work *work, uint64_t round)
{
	return rsb_run_sequence(work->run, rsb_run_round(work->run, round));
}

/* Cuts the walk where it would be too long, or where the frames end. */
static bool limit_walk(struct work *work, struct rsb_explanation *explanation)
{
	uint64_t reach = rsb_frames_reach(work->frames), events = 0, end = 0;

	while (end < work->walk.end && end < reach && events <= EVENTS_MAX)
		events += find_sequence(work, end++)->count;
	if (end == work->walk.end)
		return true;
	work->walk.end = end;
	if (work->walk.from >= end)
		work->walk.from = end > 1;
	explanation->steady = RSB_STEADY_NO;
	explanation->period = 0;
	return rsb_note_add(
		&explanation->notes, &explanation->note_count,
		"only the first %llu rounds are explained, which may differ from later ones",
		(unsigned long long)end);
}

static bool choose_rounds(struct work *work, struct rsb_explanation *explanation,
			  struct rsb_error *error)
{
	if (!find_steady(work, explanation, error))
		return false;
	if (!limit_walk(work, explanation))
		return rsb_error_set(error, "out of memory");
	explanation->rounds = work->walk.end - work->walk.from;
	for (uint64_t i = work->walk.from; i < work->walk.end; i++)
		explanation->traced_calls += find_sequence(work, i)->round.traced_calls;
	return true;
}

static bool name_site(const struct work *work, uint32_t site, struct rsb_instruction *instruction)
{
	return site == RSB_SITE_NONE ||
	       rsb_place_instruction(&work->namer, work->sites[site].pc, instruction);
}

static bool fill_miss(struct rsb_explained_miss *miss, const struct work *work,
		      const struct rsb_origin_miss *from)
{
	miss->cause = from->cause;
	miss->kind = from->kind;
	miss->inside = from->inside;
	miss->cold = from->cold;
	miss->steady = from->steady;
	if (from->kind != RSB_MISS_EMPTY &&
	    !rsb_place_address(&work->namer, from->predicted, &miss->predicted))
		return false;
	return rsb_place_address(&work->namer, from->actual, &miss->actual) &&
	       name_site(work, from->site, &miss->returned_by) &&
	       name_site(work, from->pushed_by, &miss->pushed_by);
}

static bool fill_misses(struct rsb_finding *finding, const struct work *work,
			const struct rsb_origin *origin, double traced)
{
	double cold_traced = find_sequence(work, 0)->round.traced_calls;

	finding->misses = calloc(origin->count + 1, sizeof(*finding->misses));
	if (!finding->misses)
		return false;
	for (size_t i = 0; i < origin->count; i++) {
		struct rsb_explained_miss *miss = &finding->misses[finding->miss_count++];

		if (!fill_miss(miss, work, &origin->misses[i]))
			return false;
		if (miss->inside) {
			finding->misses_inside += (double)miss->steady / traced;
			finding->cold_inside += (double)miss->cold / cold_traced;
		} else {
			finding->misses_callers += (double)miss->steady / traced;
			finding->cold_callers += (double)miss->cold / cold_traced;
		}
	}
	return true;
}

/* The mitigation's symbol, or the address of its code. */
static bool name_mitigation(struct rsb_finding *finding, const struct work *work,
			    const struct rsb_origin *origin)
{
	struct rsb_named_address named = { 0 };
	bool good = rsb_place_address(&work->namer, origin->key, &named);

	finding->mitigation = named.symbol;
	return good;
}

static bool fill_call(struct rsb_finding *finding, const struct work *work, uint32_t call)
{
	if (call == RSB_SITE_NONE)
		return true;
	return name_site(work, call, &finding->call) &&
	       rsb_place_address(&work->namer, work->sites[call].fall_through, &finding->entry);
}

static bool fill_culprit(struct rsb_finding *finding, const struct work *work, uint64_t pc)
{
	if (!pc)
		return true;
	return rsb_place_instruction(&work->namer, pc, &finding->culprit) &&
	       rsb_place_around(&work->namer, pc, &finding->around, &finding->around_count);
}

static bool fill_finding(struct rsb_finding *finding, const struct work *work,
			 const struct rsb_origin *origin, double traced)
{
	finding->cause = origin->cause;
	finding->balance = (double)origin->balance / traced;
	if (!fill_culprit(finding, work, origin->culprit) ||
	    !fill_call(finding, work, origin->call) || !fill_misses(finding, work, origin, traced))
		return false;
	if (origin->cause == RSB_CAUSE_CLOBBERED)
		rsb_act_describe(&work->sites[origin->key], finding->event, sizeof(finding->event));
	if (origin->cause == RSB_CAUSE_INTENDED && !name_mitigation(finding, work, origin))
		return false;
	finding->story = rsb_story_tell(finding, work->profile);
	finding->advice = strdup(rsb_advice_find(finding));
	return finding->story && finding->advice;
}

/* Steady misses, then all of them. */
static double weigh(const struct rsb_finding *finding)
{
	return finding->misses_inside + finding->misses_callers;
}

static int compare_findings(const void *a, const void *b)
{
	const struct rsb_finding *x = a, *y = b;
	bool x_intended = x->cause == RSB_CAUSE_INTENDED;
	bool y_intended = y->cause == RSB_CAUSE_INTENDED;

	if (x_intended != y_intended)
		return x_intended - y_intended;
	if (weigh(x) != weigh(y))
		return weigh(x) < weigh(y) ? 1 : -1;
	if (x->culprit.pc != y->culprit.pc)
		return x->culprit.pc < y->culprit.pc ? -1 : 1;
	return (int)x->cause - (int)y->cause;
}

/* An origin is a finding if something missed for it, or if it left the stack unbalanced. */
static bool fill_findings(struct rsb_explanation *explanation, const struct work *work)
{
	double traced = explanation->traced_calls ? (double)explanation->traced_calls : 1;

	explanation->findings = calloc(work->origins.count + 1, sizeof(*explanation->findings));
	if (!explanation->findings)
		return false;
	for (size_t i = 0; i < work->origins.count; i++) {
		const struct rsb_origin *origin = &work->origins.all[i];

		if (!origin->count && !origin->balance)
			continue;
		explanation->findings[explanation->count].origin = (uint32_t)i;
		if (!fill_finding(&explanation->findings[explanation->count++], work, origin,
				  traced))
			return false;
	}
	qsort(explanation->findings, explanation->count, sizeof(*explanation->findings),
	      compare_findings);
	return true;
}

/* Which finding an origin became. */
static uint32_t find_finding(const struct rsb_explanation *explanation, uint32_t origin)
{
	for (size_t i = 0; i < explanation->count; i++)
		if (explanation->findings[i].origin == origin)
			return (uint32_t)i;
	return RSB_FINDING_NONE;
}

/* The explanation takes over what was told. */
static void fill_told(struct rsb_explanation *explanation, struct work *work)
{
	explanation->told = work->told.all;
	explanation->told_count = work->told.count;
	for (size_t i = 0; i < explanation->told_count; i++) {
		struct rsb_told_miss *miss = &explanation->told[i];

		miss->finding = find_finding(explanation, miss->finding);
	}
	work->told = (struct rsb_told){ 0 };
}

static bool fill_notes(struct rsb_explanation *explanation, const struct work *work)
{
	const char *note = rsb_run_note(work->run);

	if (!rsb_note_strange(&explanation->notes, &explanation->note_count, work->profile,
			      explanation->return_thunk) ||
	    !rsb_note_image(&explanation->notes, &explanation->note_count, work->run))
		return false;
	return !*note || rsb_note_add(&explanation->notes, &explanation->note_count, "%s", note);
}

static bool explain(struct rsb_explanation *explanation, struct work *work, struct rsb_error *error)
{
	size_t count;

	work->run = rsb_frames_run(work->frames);
	work->sites = rsb_sites_array(rsb_run_sites(work->run), &count);
	if (!choose_rounds(work, explanation, error) ||
	    !rsb_walk_rounds(&work->walk, &work->origins, error))
		return false;
	if (!fill_findings(explanation, work) || !fill_notes(explanation, work) ||
	    !rsb_accounting_find(work->frames, work->profile, &work->namer, work->walk.from,
				 work->walk.end, &explanation->accounting))
		return rsb_error_set(error, "out of memory");
	fill_told(explanation, work);
	return true;
}

static struct rsb_explanation *make(const struct rsb_frames *frames, const char *layout,
				    const struct rsb_profile *profile,
				    const struct rsb_scenario *scenario, bool each,
				    struct rsb_error *error)
{
	struct rsb_explanation *explanation = calloc(1, sizeof(*explanation));
	struct work work = { .frames = frames, .profile = profile };
	bool good = false;

	if (!explanation || !rsb_disassembler_open(&work.namer.disassembler)) {
		free(explanation);
		return rsb_error_null(error, "out of memory");
	}
	work.walk = (struct rsb_walk){ .frames = frames, .profile = profile };
	work.walk.told = each ? &work.told : NULL;
	work.namer.image = rsb_frames_image(frames);
	explanation->scenario = *scenario;
	snprintf(explanation->return_thunk, sizeof(explanation->return_thunk), "%s",
		 rsb_image_return_thunk(work.namer.image));
	explanation->layout = strdup(layout);
	explanation->cpu = strdup(rsb_profile_name(profile));
	explanation->model = rsb_note_model(profile);
	if (explanation->layout && explanation->cpu && explanation->model)
		good = explain(explanation, &work, error);
	else
		rsb_error_set(error, "out of memory");
	rsb_origins_clear(&work.origins);
	free(work.told.all);
	rsb_disassembler_close(&work.namer.disassembler);
	if (good)
		return explanation;
	rsb_explanation_free(explanation);
	return NULL;
}

struct rsb_explanation *rsb_explanation_new(const struct rsb_frames *frames, const char *layout,
					    const struct rsb_profile *profile,
					    const struct rsb_scenario *scenario,
					    struct rsb_error *error)
{
	return make(frames, layout, profile, scenario, false, error);
}

struct rsb_explanation *rsb_explanation_each(const struct rsb_frames *frames, const char *layout,
					     const struct rsb_profile *profile,
					     const struct rsb_scenario *scenario,
					     struct rsb_error *error)
{
	return make(frames, layout, profile, scenario, true, error);
}

static void clear_finding(struct rsb_finding *finding)
{
	for (size_t i = 0; i < finding->miss_count; i++) {
		struct rsb_explained_miss *miss = &finding->misses[i];

		rsb_place_clear(&miss->returned_by);
		rsb_place_clear(&miss->pushed_by);
		free(miss->predicted.symbol);
		free(miss->actual.symbol);
	}
	for (size_t i = 0; i < finding->around_count; i++)
		rsb_place_clear(&finding->around[i]);
	rsb_place_clear(&finding->culprit);
	rsb_place_clear(&finding->call);
	free(finding->entry.symbol);
	free(finding->mitigation);
	free(finding->misses);
	free(finding->around);
	free(finding->story);
	free(finding->advice);
}

void rsb_explanation_free(struct rsb_explanation *explanation)
{
	if (!explanation)
		return;
	for (size_t i = 0; i < explanation->count; i++)
		clear_finding(&explanation->findings[i]);
	for (size_t i = 0; i < explanation->note_count; i++)
		free(explanation->notes[i]);
	rsb_place_clear(&explanation->accounting.culprit);
	free(explanation->findings);
	free(explanation->told);
	free(explanation->notes);
	free(explanation->layout);
	free(explanation->cpu);
	free(explanation->model);
	free(explanation);
}
