/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cause of a finding in one sentence. */
#include "sim/explain/story.h"

#include <stdio.h>
#include <string.h>

#define STORY_SIZE 2048
#define PLACE_SIZE 512

/* "`add rsp, 8` at trampoline+0x94". */
static void write_place(char out[PLACE_SIZE], const struct rsb_instruction *instruction)
{
	snprintf(out, PLACE_SIZE, "`%s` at %s", instruction->text ? instruction->text : "",
		 instruction->symbol ? instruction->symbol : "?");
}

/* "the return address target+0x5, pushed by the call at target,". */
static void write_entry(char out[PLACE_SIZE * 2], const struct rsb_finding *finding)
{
	if (finding->call.symbol)
		snprintf(out, PLACE_SIZE * 2, "the return address %s, pushed by the call at %s,",
			 finding->entry.symbol, finding->call.symbol);
	else
		snprintf(out, PLACE_SIZE * 2, "a return address");
}

static bool is_return(const struct rsb_instruction *instruction)
{
	return instruction->text && !strncmp(instruction->text, "ret", 3);
}

static bool is_call(const struct rsb_instruction *instruction)
{
	return instruction->text && !strncmp(instruction->text, "call", 4);
}

/* What becomes of entries when there is no room for another. */
static const char *overflows(const struct rsb_profile *profile)
{
	static const struct {
		const char *word, *sentence;
	} policies[] = {
		{ "clear-all", "it gives up all of them" },
		{ "refuse", "those that follow are not entered" },
	};
	const struct rsb_parameter *rows = rsb_profile_type(profile)->parameters;
	int row = rsb_parameter_find(rows, "overflow");
	char word[64] = "";

	if (row >= 0)
		rsb_parameter_print(&rows[row], rsb_profile_values(profile)[row], word,
				    sizeof(word));
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++)
		if (!strcmp(word, policies[i].word))
			return policies[i].sentence;
	return "those that follow overwrite the oldest";
}

/* What the model does by its own policy, and what no instruction is to blame for. */
static void tell_model(char story[STORY_SIZE], const struct rsb_finding *finding, const char *cpu,
		       const char *culprit)
{
	const char *sentence = rsb_cause_sentence(finding->cause);

	if (!finding->culprit.symbol)
		snprintf(story, STORY_SIZE, "on %s, %s", cpu, sentence);
	else if (finding->cause != RSB_CAUSE_PREDICTOR)
		snprintf(story, STORY_SIZE, "on %s, %s, for the return of %s", cpu, sentence,
			 culprit);
	else if (is_return(&finding->culprit))
		snprintf(story, STORY_SIZE,
			 "on %s, %s misses and puts the return stack out of place", cpu, culprit);
	else
		snprintf(story, STORY_SIZE, "on %s, %s makes no entry for the return", cpu,
			 culprit);
}

char *rsb_story_tell(const struct rsb_finding *finding, const struct rsb_profile *profile)
{
	char culprit[PLACE_SIZE], entry[PLACE_SIZE * 2], story[STORY_SIZE];
	const char *cpu = rsb_profile_name(profile);

	write_place(culprit, &finding->culprit);
	write_entry(entry, finding);
	switch (finding->cause) {
	case RSB_CAUSE_SKIPPED_FRAME:
		/* A call drops nothing: it is its own return address that is left. */
		if (is_call(&finding->culprit))
			snprintf(story, sizeof(story), "%s is left without a return", entry);
		else
			snprintf(story, sizeof(story), "%s is dropped without a return by %s",
				 entry, culprit);
		break;
	case RSB_CAUSE_REWRITTEN_RETURN:
		snprintf(story, sizeof(story), "%s is overwritten by %s", entry, culprit);
		break;
	case RSB_CAUSE_PUSHED_RETURN:
		snprintf(story, sizeof(story),
			 "a return goes to an address that no call pushed: it was stored by %s",
			 culprit);
		break;
	case RSB_CAUSE_OVERFLOW:
		snprintf(
			story, sizeof(story),
			"%s opens one call more than the %zu entries of %s hold%s, and %s, such as "
			"%s",
			culprit, rsb_profile_depth(profile), cpu,
			rsb_profile_in_flight(profile) ? " beside calls in flight" : "",
			overflows(profile), finding->entry.symbol);
		break;
	case RSB_CAUSE_CLOBBERED:
		snprintf(story, sizeof(story),
			 "the return stack was changed (%s) at %s, while %s was on it",
			 finding->event, finding->culprit.symbol, finding->entry.symbol);
		break;
	case RSB_CAUSE_INTENDED:
		snprintf(story, sizeof(story),
			 "the mitigation %s wants the return to miss, and to be predicted where "
			 "nothing harmful runs",
			 finding->mitigation);
		break;
	default:
		tell_model(story, finding, cpu, culprit);
		break;
	}
	return strdup(story);
}
