/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The notes of a score. */
#include "sim/score/notes.h"

#include "sim/generate/forms.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *rsb_note_known(const struct rsb_profile *profile)
{
	const char *weakest, *known = rsb_profile_known(profile, &weakest);
	char text[128];

	/* Where nothing is weaker than measured or documented, no field needs naming. */
	if (!*weakest || !strcmp(known, "measured") || !strcmp(known, "documented"))
		return strdup(known);
	snprintf(text, sizeof(text), "%s (%s)", known, weakest);
	return strdup(text);
}

char *rsb_note_model(const struct rsb_profile *profile)
{
	const char *name = rsb_profile_type(profile)->name;
	size_t depth = rsb_profile_depth(profile);
	char text[128];

	if (depth == SIZE_MAX)
		return strdup(name);
	snprintf(text, sizeof(text), "%s of %zu", name, depth);
	return strdup(text);
}

bool rsb_score_note(struct rsb_score *score, const char *format, ...)
{
	char **more = realloc(score->notes, (score->note_count + 1) * sizeof(*more));
	char text[512];
	va_list arguments;

	if (!more)
		return false;
	score->notes = more;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	score->notes[score->note_count] = strdup(text);
	return score->notes[score->note_count] && ++score->note_count;
}

static bool note_steady(struct rsb_score *score, const struct rsb_run *run)
{
	const char *note = rsb_run_note(run);

	if (score->steady == RSB_STEADY_NO &&
	    !rsb_score_note(score, "the rounds do not repeat: averages are over %llu rounds",
			    (unsigned long long)score->averaged))
		return false;
	return !*note || rsb_score_note(score, "%s", note);
}

/*
 * Is it worth saying that this field had no effect? Of those that matter to plain calls and returns,
 * and of any that the user set, for whom it is news.
 */
static bool is_missed(const struct rsb_fact *fact)
{
	return (rsb_fact_decides(fact->name) && strcmp(fact->name, "depth")) ||
	       !strcmp(fact->source, "--set");
}

/*
 * A note for each field of the profile that this run did not need, and for each that it needed
 * though it is only assumed.
 */
static bool note_fields(struct rsb_score *score, const struct rsb_profile *profile,
			const struct rsb_model *model)
{
	const struct rsb_parameter *rows = rsb_profile_type(profile)->parameters;
	uint64_t exercised = rsb_model_exercised(model);
	size_t count;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &count);
	bool good = true;

	for (size_t i = 0; good && i < count; i++) {
		const struct rsb_fact *fact = &facts[i];
		int row = rsb_parameter_find(rows, fact->name);

		if (row < 0)
			continue;
		if (!(exercised >> row & 1))
			good = !is_missed(fact) ||
			       rsb_score_note(score, RSB_NOTE_IDLE "%s", fact->name);
		else if (fact->strength == RSB_STRENGTH_ASSUMED)
			good = rsb_score_note(score, "%s: %s is assumed to be %s", score->cpu,
					      fact->name,
					      fact->assumed ? fact->assumed : fact->value);
	}
	return good;
}

/* What the image is not as its source has it. */
static bool note_image(struct rsb_score *score, const struct rsb_run *run)
{
	for (const char *const *note = rsb_run_notes(run); *note; note++)
		if (!rsb_score_note(score, "%s", *note))
			return false;
	return true;
}

/* Code may be scored on a processor that never runs it: a kernel's memory from elsewhere, --force. */
static bool note_thunk(struct rsb_score *score, const struct rsb_profile *profile)
{
	return rsb_return_thunk_occurs(score->return_thunk, rsb_profile_vendor(profile)) ||
	       rsb_score_note(score, "%s: the return thunk %s does not occur on it", score->cpu,
			      score->return_thunk);
}

/* What such a return stack would do with the code is still worth knowing: for those who design one. */
static bool note_arch(struct rsb_score *score, const struct rsb_profile *profile)
{
	return rsb_profile_runs(profile, RSB_RUN_ARCH) ||
	       rsb_score_note(score, "%s: its code is %s, and it never runs this, which is %s",
			      score->cpu, rsb_profile_arch(profile), RSB_RUN_ARCH);
}

bool rsb_score_notes(struct rsb_score *score, const struct rsb_run *run,
		     const struct rsb_profile *profile, const struct rsb_replay *replay,
		     struct rsb_error *error)
{
	double low, high;
	bool good = note_image(score, run) && note_steady(score, run) &&
		    note_arch(score, profile) && note_thunk(score, profile) &&
		    note_fields(score, profile, rsb_replay_model(replay));

	if (good && !rsb_profile_penalty(profile, &low, &high))
		good = rsb_score_note(score, "%s: the penalty of a miss is not known", score->cpu);
	return good || rsb_error_set(error, "out of memory");
}
