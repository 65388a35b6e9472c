/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making a recording. */
#include "sim/see/recording.h"

#include "sim/explain/ibt.h"
#include "sim/explain/shadow.h"
#include "sim/score/notes.h"
#include "sim/score/replay.h"
#include "sim/see/build.h"

#include <stdlib.h>
#include <string.h>

/* The first run, and what is known from it. */
struct found {
	struct rsb_run *run;
	struct rsb_frames *frames;
	uint64_t rounds; /* up to the end of the first steady period */
};

const char *rsb_phase_name(enum rsb_phase phase)
{
	static const char *const names[] = { "cold", "warm", "steady" };

	return names[phase];
}

static bool find_rounds(struct rsb_build *build, struct found *found, struct rsb_error *error)
{
	const struct rsb_score_options options = { 0 };
	struct rsb_replay *replay = rsb_replay_new(found->run, build->profile, &options, error);

	if (!replay)
		return false;
	if (rsb_replay_steady(replay) == RSB_STEADY_NO) {
		found->rounds = rsb_run_count(found->run);
		build->steady_from = found->rounds > 1;
	} else {
		build->steady_from = rsb_replay_first(replay);
		found->rounds = build->steady_from + rsb_replay_period(replay);
	}
	rsb_replay_free(replay);
	return true;
}

/* Scored and explained as everywhere, so that the recording says the same. */
static bool judge(struct rsb_build *build, struct found *found,
		  const struct rsb_recording_options *options, struct rsb_error *error)
{
	struct rsb_recording *recording = build->recording;
	const struct rsb_model_type *type = recording->type;
	const struct rsb_run_options run_options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN) | type->kinds |
			 type->predicts,
	};
	const struct rsb_score_options score_options = {
		.return_thunk = options->return_thunk,
		.mitigations = options->mitigations,
	};

	found->run = rsb_run_new(build->image, &run_options, error);
	if (!found->run || !find_rounds(build, found, error))
		return false;
	recording->score = rsb_score_new(found->run, recording->layout, build->profile,
					 &recording->scenario, &score_options, error);
	if (!recording->score)
		return false;
	found->frames = rsb_frames_new(build->image, found->run, error);
	if (!found->frames)
		return false;
	recording->explanation = rsb_explanation_each(found->frames, recording->layout,
						      build->profile, &recording->scenario, error);
	return recording->explanation != NULL;
}

/* What enforcement refuses is found in runs of their own. */
static bool enforce(struct rsb_build *build, const struct found *found, struct rsb_error *error)
{
	struct rsb_recording *recording = build->recording;

	recording->shadow = calloc(1, sizeof(*recording->shadow));
	recording->ibt = calloc(1, sizeof(*recording->ibt));
	if (!recording->shadow || !recording->ibt)
		return rsb_error_set(error, "out of memory");
	recording->explanation->shadow = recording->shadow;
	recording->explanation->ibt = recording->ibt;
	return rsb_shadow_judge_each(build->image, found->run, recording->shadow,
				     &build->refused_returns, error) &&
	       rsb_ibt_judge_each(build->image, found->run, recording->ibt,
				  &build->refused_branches, error);
}

static bool watch(struct rsb_build *build, const struct found *found,
		  const struct rsb_recording_options *options, struct rsb_error *error)
{
	struct rsb_recording *recording = build->recording;
	size_t events = options->events ? options->events : RSB_RECORDING_EVENTS;

	if (!rsb_watched_run(&build->watched, build->image, found->rounds, events,
			     RSB_RECORDING_STEPS, error))
		return false;
	if (build->watched.full) {
		recording->rounds_left_out = found->rounds - build->watched.round_count;
		recording->why_left_out =
			build->watched.cut ? "the first round has more events than are kept, and "
					     "is cut short"
					   : "there are more events than are kept";
	}
	return true;
}

/* Of very many refusals only the first ones are kept. */
static void end_refusals(struct rsb_build *build)
{
	const struct rsb_refusals *all[] = { &build->refused_returns, &build->refused_branches };
	struct rsb_recording *recording = build->recording;

	recording->refusals_end = recording->round_count;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i]->left_out && all[i]->left_out_from < recording->refusals_end)
			recording->refusals_end = all[i]->left_out_from;
}

static bool name(struct rsb_recording *recording, const char *layout,
		 const struct rsb_profile *profile, const struct rsb_scenario *scenario,
		 struct rsb_error *error)
{
	recording->layout = strdup(layout);
	recording->cpu = strdup(rsb_profile_name(profile));
	recording->model = rsb_note_model(profile);
	recording->type = rsb_profile_type(profile);
	recording->scenario = *scenario;
	for (int i = 0; recording->type->parameters[i].name; i++)
		recording->values[i] = rsb_profile_values(profile)[i];
	return (recording->layout && recording->cpu && recording->model) ||
	       rsb_error_set(error, "out of memory");
}

struct rsb_recording *rsb_recording_new(const struct rsb_image *image, const char *layout,
					const struct rsb_profile *profile,
					const struct rsb_scenario *scenario,
					const struct rsb_recording_options *options,
					struct rsb_error *error)
{
	struct rsb_recording *recording = calloc(1, sizeof(*recording));
	struct rsb_build build = { .recording = recording, .image = image, .profile = profile };
	struct found found = { .run = NULL };
	bool good;

	if (!recording)
		return rsb_error_null(error, "out of memory");
	good = name(recording, layout, profile, scenario, error) &&
	       judge(&build, &found, options, error) && enforce(&build, &found, error) &&
	       watch(&build, &found, options, error) && rsb_build_code(&build, error) &&
	       rsb_build_events(&build, error) && rsb_build_tables(&build, error);
	end_refusals(&build);
	rsb_frames_free(found.frames);
	rsb_run_free(found.run);
	rsb_watched_clear(&build.watched);
	rsb_refusals_clear(&build.refused_returns);
	rsb_refusals_clear(&build.refused_branches);
	rsb_words_clear(&build.line_of);
	rsb_intern_clear(&build.entries);
	rsb_intern_clear(&build.frames);
	if (good)
		return recording;
	rsb_recording_free(recording);
	return NULL;
}

static void free_lines(struct rsb_recording *recording)
{
	for (size_t i = 0; i < recording->line_count; i++) {
		free(recording->lines[i].symbol);
		free(recording->lines[i].label);
		free(recording->lines[i].text);
	}
	free(recording->lines);
	for (size_t i = 0; i < recording->address_count; i++)
		free(recording->addresses[i].symbol);
	free(recording->addresses);
}

void rsb_recording_free(struct rsb_recording *recording)
{
	if (!recording)
		return;
	free_lines(recording);
	free(recording->sites);
	free(recording->entries);
	free(recording->frames);
	free(recording->rounds);
	free(recording->events);
	free(recording->slot_changes);
	free(recording->frame_changes);
	free(recording->paths);
	rsb_score_free(recording->score);
	rsb_explanation_free(recording->explanation);
	if (recording->shadow)
		rsb_shadow_verdict_clear(recording->shadow);
	if (recording->ibt)
		rsb_ibt_verdict_clear(recording->ibt);
	free(recording->shadow);
	free(recording->ibt);
	free(recording->layout);
	free(recording->cpu);
	free(recording->model);
	free(recording);
}
