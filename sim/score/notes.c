/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The notes of a score. */
#include "sim/score/notes.h"

#include "sim/generate/forms.h"
#include "traces/util/grow.h"

#include <math.h>
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
	size_t depth = rsb_profile_depth(profile), in_flight = rsb_profile_in_flight(profile);
	char text[128];

	if (depth == SIZE_MAX)
		return strdup(name);
	if (in_flight)
		snprintf(text, sizeof(text), "%s of %zu, %zu in flight", name, depth, in_flight);
	else
		snprintf(text, sizeof(text), "%s of %zu", name, depth);
	return strdup(text);
}

bool rsb_note_add(char ***notes, size_t *count, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (!RSB_GROW(*notes, *count))
		return false;
	(*notes)[*count] = strdup(text);
	return (*notes)[*count] && ++*count;
}

static bool is_program(const struct rsb_score *score)
{
	return !strcmp(score->scenario.name, RSB_SCENARIO_PROGRAM.name);
}

static bool note_steady(struct rsb_score *score, const struct rsb_run *run)
{
	const char *note = rsb_run_note(run);

	if (score->steady == RSB_STEADY_NO && is_program(score))
		return rsb_score_note(score, "the program ran once: the figures are of that run") &&
		       (!*note || rsb_score_note(score, "%s", note));
	if (score->steady == RSB_STEADY_NO &&
	    !rsb_score_note(score, "the rounds do not repeat: averages are over %llu rounds",
			    (unsigned long long)score->averaged))
		return false;
	return !*note || rsb_score_note(score, "%s", note);
}

/*
 * Is it worth saying that this field had no effect? Of those that matter to plain calls and
 * returns, and of any that the user set, for whom it is news.
 */
static bool is_missed(const struct rsb_fact *fact)
{
	return (rsb_fact_decides(fact->name) && strcmp(fact->name, "depth")) ||
	       !strcmp(fact->source, "--set");
}

/* What there is to say of a field. False: nothing. */
static bool describe(char *out, size_t size, const struct rsb_profile *profile,
		     const struct rsb_fact *fact, bool exercised)
{
	if (!exercised) {
		snprintf(out, size, RSB_NOTE_IDLE "%s", fact->name);
		return is_missed(fact);
	}
	snprintf(out, size, "%s: %s is assumed to be %s", rsb_profile_name(profile), fact->name,
		 fact->assumed ? fact->assumed : fact->value);
	return fact->strength == RSB_STRENGTH_ASSUMED;
}

bool rsb_note_fields(char ***notes, size_t *count, const struct rsb_profile *profile,
		     uint64_t exercised)
{
	const struct rsb_parameter *rows = rsb_profile_type(profile)->parameters;
	size_t fact_count;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &fact_count);
	char text[512];

	for (size_t i = 0; i < fact_count; i++) {
		int row = rsb_parameter_find(rows, facts[i].name);

		if (row >= 0 &&
		    describe(text, sizeof(text), profile, &facts[i], exercised >> row & 1) &&
		    !rsb_note_add(notes, count, "%s", text))
			return false;
	}
	return true;
}

bool rsb_note_image(char ***notes, size_t *count, const struct rsb_run *run)
{
	for (const char *const *note = rsb_run_notes(run); *note; note++)
		if (!rsb_note_add(notes, count, "%s", *note))
			return false;
	return true;
}

/*
 * What such a return stack would do with the code is still worth knowing: for those who design one.
 * So code may be judged on a processor that never runs it, as a kernel's memory from elsewhere may.
 */
bool rsb_note_strange(char ***notes, size_t *count, const struct rsb_profile *profile,
		      const char *return_thunk)
{
	const char *cpu = rsb_profile_name(profile);

	if (!rsb_profile_runs(profile, RSB_RUN_ARCH) &&
	    !rsb_note_add(notes, count, "%s: its code is %s, and it never runs this, which is %s",
			  cpu, rsb_profile_arch(profile), RSB_RUN_ARCH))
		return false;
	return rsb_return_thunk_occurs(return_thunk, profile) ||
	       rsb_note_add(notes, count, "%s: the return thunk %s does not occur on it", cpu,
			    return_thunk);
}

/* What the time is made of, or why there is none. */
static bool note_time(struct rsb_score *score)
{
	enum rsb_quantity lacks = rsb_time_lacks(&score->time);

	if (lacks == RSB_QUANTITY_CLOCK && score->time.base == RSB_TIME_UNKNOWN)
		return rsb_score_note(score,
				      "%s: no time: neither its clock nor its width is known "
				      "(--ghz states one, --base-ns a base)",
				      score->cpu);
	if (lacks != RSB_QUANTITIES)
		return rsb_score_note(score, "%s: no time: its %s is not known%s", score->cpu,
				      rsb_quantities[lacks].name,
				      lacks == RSB_QUANTITY_CLOCK   ? " (--ghz states one)"
				      : lacks == RSB_QUANTITY_WIDTH ? " (--base-ns states a base)"
								    : "");
	if (score->time.base == RSB_TIME_MEASURED)
		return rsb_score_note(score,
				      "%s: the base of the time was measured, of whole rounds: "
				      "what the callers do besides missing is in it",
				      score->cpu);
	return score->time.base != RSB_TIME_ESTIMATED ||
	       rsb_score_note(score,
			      "%s: the base of the time is estimated%s: instructions over "
			      "the width of the core, about the least it can take",
			      score->cpu,
			      score->time.measuring ? ", as none of it was measured" : "");
}

bool rsb_note_mitigations(char ***notes, size_t *count, const struct rsb_profile *profile,
			  const char *return_thunk, bool generated)
{
	const char *thunk = rsb_profile_mitigation(profile), *cpu = rsb_profile_name(profile);

	if (!rsb_profile_runs(profile, RSB_RUN_ARCH))
		return true;
	if (!strcmp(thunk, "none"))
		return rsb_note_add(notes, count,
				    "%s: mitigations change nothing: by its profile Linux returns "
				    "by ret on it",
				    cpu);
	return generated || !strcmp(return_thunk, thunk) ||
	       rsb_note_add(notes, count,
			    "%s: mitigations change nothing in code that is not generated: it "
			    "returns as it is written, and not by %s",
			    cpu, thunk);
}

bool rsb_score_notes(struct rsb_score *score, const struct rsb_run *run,
		     const struct rsb_profile *profile, const struct rsb_replay *replay,
		     struct rsb_error *error)
{
	double low, high;
	bool good =
		rsb_note_image(&score->notes, &score->note_count, run) && note_steady(score, run) &&
		rsb_note_strange(&score->notes, &score->note_count, profile, score->return_thunk) &&
		rsb_note_fields(&score->notes, &score->note_count, profile,
				rsb_model_exercised(rsb_replay_model(replay)));

	if (good && !rsb_profile_penalty(profile, &low, &high))
		good = rsb_score_note(score, "%s: the penalty of a miss is not known", score->cpu);
	if (good && isnan(score->per_call.cr3_cycles_low))
		good = rsb_score_note(score, "%s: what a write of CR3 costs is not known",
				      score->cpu);
	good = good && (!score->timed || note_time(score));
	return good || rsb_error_set(error, "out of memory");
}
